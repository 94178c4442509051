"""The account: a forgotten password, a changed one, the devices signed in, the company's data."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from companies import PASSWORD, Company
from panel import heading, log_in, toast
from playwright.sync_api import Page, expect

NEW = "Semafor8Zielony"


def ask_for_link(page: Page, email: str) -> None:
    page.goto("/auth/forgot-password")
    page.get_by_label("E-mail").fill(email)
    page.get_by_role("button", name="Wyślij link").click()
    expect(page.get_by_role("status").filter(has_text="Sprawdź skrzynkę")).to_be_visible()


def replace_password(page: Page, password: str) -> None:
    page.get_by_label("Nowe hasło", exact=True).fill(password)
    page.get_by_label("Powtórz nowe hasło").fill(password)
    page.get_by_role("button", name="Zmień hasło").click()


def change_password(page: Page, current: str, password: str) -> None:
    page.goto("/panel/account")
    page.get_by_label("Obecne hasło").fill(current)
    replace_password(page, password)


def signed_in_again(product, company: Company) -> Company:
    """The same person in one more browser."""
    other = Company(company.email, product.client())
    other.post("/api/login", email=company.email, password=PASSWORD)
    return other


def test_a_forgotten_password_is_replaced_once_by_the_link_of_the_mail(page, product):
    company = product.verified("zapominalska")
    page.goto("/auth/login")
    page.get_by_role("link", name="Nie pamiętasz hasła?").click()
    expect(heading(page, "Odzyskiwanie hasła")).to_be_focused()
    ask_for_link(page, company.email)
    link = product.link_for(company.email)

    page.goto(link)
    replace_password(page, NEW)
    expect(page.get_by_text("Hasło zostało zmienione")).to_be_visible()
    assert company.client.get("/api/user").status_code == 401
    page.get_by_role("link", name="Zaloguj się").click()
    expect(heading(page, "Logowanie")).to_be_visible()
    log_in(page, company.email, NEW)

    page.goto(link)  # used, and opened by who is signed in by now
    replace_password(page, "Inne8Haslo")
    expect(page.get_by_role("alert")).to_contain_text("Ten link już nie działa")
    expect(page.get_by_role("link", name="Poproś o nowy link")).to_be_visible()


def test_nobody_learns_from_the_page_whether_an_account_exists(page, product):
    customer = product.verified("cicha").email

    def said_to(email: str) -> str:
        ask_for_link(page, email)
        return page.locator("main").inner_text().replace(email, "…")

    assert said_to(customer) == said_to("nikogo-takiego@acme.test")


def test_changing_the_password_signs_every_other_device_out(browse, product):
    company = product.verified("zmienna")
    page, other = browse(company=company), browse(company=signed_in_again(product, company))
    other.goto("/panel")
    expect(heading(other, "Panel główny")).to_be_visible()

    change_password(page, "ToNieTo123", NEW)
    expect(page.get_by_label("Obecne hasło")).to_be_focused()
    expect(toast(page, "Błąd zmiany hasła")).to_contain_text("Obecne hasło jest nieprawidłowe.")
    change_password(page, PASSWORD, NEW)
    expect(toast(page, "Hasło zostało zmienione")).to_be_visible()
    expect(page.get_by_role("form").get_by_role("status")).to_contain_text(
        "Hasło zostało zmienione"
    )
    expect(page.get_by_text("To urządzenie")).to_have_count(1)
    expect(page.get_by_role("button", name="Wyloguj: ")).to_have_count(0)
    page.reload()
    expect(heading(page, "Konto")).to_be_visible()
    other.goto("/auth/login")
    expect(heading(other, "Logowanie")).to_be_visible()
    log_in(other, company.email, NEW)


def test_devices_are_signed_out_one_by_one_and_all_at_once(browse, product):
    company = product.verified("wszedobylska")
    others = [signed_in_again(product, company) for _ in range(3)]
    page = browse(company=company)
    page.goto("/panel/account")
    buttons = page.get_by_role("button", name="Wyloguj: ")
    expect(buttons).to_have_count(3)
    said = page.get_by_role("region", name="Zalogowane urządzenia").get_by_role("status")

    buttons.first.click()
    expect(buttons).to_have_count(2)
    expect(said).to_be_focused()
    expect(said).to_have_text("Wylogowano 1 urządzenie")
    page.get_by_role("button", name="Wyloguj wszędzie indziej").click()
    expect(buttons).to_have_count(0)
    expect(said).to_have_text("Wylogowano 2 urządzenia")
    assert {other.client.get("/api/user").status_code for other in others} == {401}
    assert company.client.get("/api/user").status_code == 200


def test_the_company_takes_its_data_home(browse, product):
    company = product.company("zbieraczka")
    company.add("Łukasz", "Ćwikła", "ZB100001")
    page = browse(company=company)
    page.goto("/panel/account")
    with page.expect_download() as download:
        page.get_by_role("button", name="Pobierz dane").click()
    assert download.value.suggested_filename.endswith(".zip")
    archive = ZipFile(BytesIO(Path(download.value.path()).read_bytes()))
    assert "Ćwikła" in "".join(archive.read(name).decode() for name in archive.namelist())
    expect(page.get_by_text("Archiwum zostało pobrane")).to_be_visible()


def test_a_screen_speaks_one_language_though_the_account_has_another(browse, product):
    company = product.company("dwujezyczna")  # writes to its people in Polish
    page = browse(company=company, language="en-GB")
    page.goto("/panel/account")
    expect(page.get_by_text("At present we write to you in Polish")).to_be_visible()
    page.get_by_label("Current password").fill("ToNieTo123")
    page.get_by_label("New password", exact=True).fill(NEW)
    page.get_by_label("Repeat new password").fill(NEW)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("The current password is incorrect.").first).to_be_visible()
    expect(page.get_by_text("Obecne hasło")).to_have_count(0)

    with page.expect_response("**/api/user/language"):
        page.get_by_role("main").get_by_role("button", name="English").click()
    expect(page.get_by_text("At present we write to you in Polish")).to_have_count(0)


@pytest.mark.parametrize("path", ["/auth/forgot-password", "/auth/login"])
def test_who_is_signed_in_has_no_page_for_a_forgotten_password(path, browse, product):
    page = browse(company=product.demo_company())
    page.goto(path)
    expect(heading(page, "404 Page Not Found")).to_be_visible()
