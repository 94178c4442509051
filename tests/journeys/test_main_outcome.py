"""The main journey: a new user registers and learns of a withheld driving licence."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from companies import PASSWORD, fresh_email, fresh_tax_id
from panel_page import add_driver, heading, row, submit_registration, toast
from playwright.sync_api import Page, expect

WITHHELD_HEADING = "WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI"
DRIVERS = (
    ("Anna", "Żak", "WA100001"),
    ("Łukasz", "Ćwikła", "WA100009"),  # the register has withheld it
    ("Ewa", "Gęś", "WA100008"),  # the register has no such document
    ("Jan", "Nowak", "WA100002"),
)


def test_a_new_user_registers_and_is_notified_of_a_withheld_licence_once(page, product):
    email = fresh_email("anna")
    sign_up(page, email)
    page.get_by_label("Kod weryfikacyjny").fill(product.wait_for_code(email).lower())
    page.get_by_role("button", name="Potwierdź adres").click()
    expect(page.get_by_text("Adres e-mail potwierdzony")).to_be_visible()
    expect(heading(page, "Panel główny")).to_be_visible()  # after 1.5 seconds

    page.get_by_label("NIP firmy").fill(fresh_tax_id())
    page.get_by_role("button", name="Rozpocznij okres próbny").click()
    expect(page.get_by_text("Okres próbny: pozostało 7 dni")).to_be_visible()
    expect(toast(page, "Okres próbny rozpoczęty")).to_be_visible()

    page.get_by_role("navigation").get_by_role("link", name="Kierowcy").click()
    expect(heading(page, "Panel zarządzania kierowcami")).to_be_visible()
    expect(page.get_by_text("Brak kierowców", exact=True)).to_be_visible()
    for first_name, last_name, number in DRIVERS:
        add_driver(page, first_name, last_name, number)
        expect(row(page, last_name)).to_contain_text(number)
    expect(page.get_by_text("4 kierowcy", exact=True)).to_be_visible()

    product.run_daily_check()
    page.reload()
    expect(row(page, "Żak")).to_contain_text("Wydany")
    expect(row(page, "Ćwikła")).to_contain_text("Zatrzymany")
    expect(row(page, "Gęś")).to_contain_text("Nieznany")
    expect_withheld_driver(page)
    open_details(page)

    mails = [mail["subject"] for mail in product.list_mails(email) if not mail.get("code")]
    assert sum("Zatrzymane uprawnienia: Łukasz Ćwikła" in subject for subject in mails) == 1
    assert len(mails) == 2, mails  # the other is about the document that was not found
    assert not any("Żak" in subject or "Nowak" in subject for subject in mails)

    product.run_daily_check()
    repeated_mails = [mail["subject"] for mail in product.list_mails(email) if not mail.get("code")]
    assert repeated_mails == mails

    page.get_by_role("button", name="Wyloguj się").click()
    expect(heading(page, "Logowanie")).to_be_visible()
    page.goto("/panel")
    expect(heading(page, "Codzienna kontrola praw jazdy Twoich kierowców")).to_be_visible()

    open_driver_from_mail(page, product.wait_for_mail(email, "Łukasz Ćwikła")["text"], email)


def open_driver_from_mail(page: Page, mail: str, email: str) -> None:
    """Follow the panel's link of a driver's mail, signed out and then signed in."""
    [link] = re.findall(r"\S+/auth/login\?next=/panel/drivers/\S+", mail)
    page.goto(link)
    expect(heading(page, "Logowanie")).to_be_visible()
    expect(page.get_by_text("Zaloguj się, aby zobaczyć kierowcę.")).to_be_visible()
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Hasło", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Zaloguj się").click()
    driver = page.get_by_role("dialog", name="Łukasz Ćwikła")
    expect(driver).to_contain_text("Zatrzymany")
    page.goto(link)
    expect(driver).to_contain_text("Zatrzymany")


def sign_up(page: Page, email: str) -> None:
    """Register, up to the screen that asks for the code."""
    page.goto("/")
    page.get_by_role("link", name="Zarejestruj się").click()
    expect(heading(page, "Rejestracja")).to_be_visible()
    rules = {
        rule: page.get_by_role("listitem").filter(has_text=rule)
        for rule in ("co najmniej 8 znaków", "co najmniej jedna wielka litera", "cyfra")
    }
    password = page.get_by_label("Hasło", exact=True)
    for new_password, fulfilled_rules in (("gwizdek", ()), ("gwizdek7", ("8 znaków", "cyfra")),
                       ("Gwizdek7", ("8 znaków", "wielka litera", "cyfra"))):  # fmt: skip
        password.fill(new_password)
        for rule, item in rules.items():
            fulfilled = any(phrase in rule for phrase in fulfilled_rules)
            expect(item).to_have_text(
                re.compile("[^e]spełnione$" if fulfilled else "niespełnione$")
            )
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Powtórz hasło").fill("Gwizdek7")
    page.get_by_role("button", name="Załóż konto").click()
    expect(
        page.get_by_text("Musisz zaakceptować Regulamin i Politykę Prywatności.")
    ).to_be_visible()
    submit_registration(page, email)
    expect(heading(page, "Potwierdź adres e-mail")).to_be_visible()
    expect(page.get_by_text(email)).to_be_visible()


def expect_withheld_driver(page: Page) -> None:
    page.get_by_role("link", name="Panel główny").click()
    expect(page.get_by_text("Przegląd statusu uprawnień kierowców")).to_be_visible()
    for card, number in (("Liczba kierowców", 4), ("Aktywne uprawnienia", 2),
                         ("Zatrzymane uprawnienia", 1)):  # fmt: skip
        expect(heading(page, card).locator("..")).to_contain_text(re.compile(rf"{number}$"))
    today = datetime.now(ZoneInfo("Europe/Warsaw")).strftime("%d.%m.%Y")
    section = page.get_by_role("region", name=WITHHELD_HEADING)
    expect(section.get_by_role("listitem")).to_have_count(1)
    expect(section.get_by_role("heading", name="Łukasz Ćwikła")).to_be_visible()
    expect(section.get_by_text("Prawo jazdy: WA100009", exact=True)).to_be_visible()
    expect(section.get_by_text(f"Data weryfikacji: {today}", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="Wymaga uwagi")).to_contain_text("Ewa Gęś")


def open_details(page: Page) -> None:
    page.get_by_text("Zobacz szczegóły").click()
    dialog = page.get_by_role("dialog", name="Szczegóły weryfikacji")
    expect(dialog).to_contain_text(re.compile(r"Status dokumentu\s*Zatrzymany"))
    expect(dialog).to_contain_text(re.compile(r"Data ważności\s*(\d\d\.\d\d\.\d{4}|Brak danych)"))
    expect(dialog).to_contain_text(re.compile(r"Organ wydający\s*\w"))
    expect(dialog).to_contain_text("Kategorie")
    last_day = dialog.get_by_text(re.compile(r"^\s*Ważne do: \d\d\.\d\d\.\d{4}$"))
    expect(last_day.first).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
