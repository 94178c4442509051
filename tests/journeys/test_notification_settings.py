"""Journeys of notifications: phone, channels and list; and of the contact form."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from companies import CompanyClient
from panel_page import heading, toast
from playwright.sync_api import Page, expect

NUMBER = "+48512000101"
NOON = datetime.now(ZoneInfo("Europe/Warsaw")).replace(hour=12, minute=0, second=0)


def settings_switch(page: Page, name: str):
    return page.get_by_role("switch", name=name)


def notification_row(page: Page, text: str):
    return page.get_by_role("main").get_by_role("listitem").filter(has_text=text)


@pytest.fixture
def company(product) -> CompanyClient:
    return product.create_company("telefon")


def test_a_user_gets_sms_manages_notifications_and_contacts_support(open_page, product, company):
    page = open_page(company=company)
    page.goto("/panel/notifications")
    expect(page.get_by_text("Brak powiadomień")).to_be_visible()
    verify_phone(page, product)
    enable_sms(page)

    earlier = {sms["id"] for sms in product.list_mails(NUMBER)}
    with product.clock_set_to(NOON.isoformat()):  # at night an SMS would wait
        company.add_driver("Jan", "Zatrzymany", "PO600009")
        company.add_driver("Ewa", "Nieznana", "PO600008")
        product.run_daily_check()
    lines = [sms["text"] for sms in product.list_mails(NUMBER) if sms["id"] not in earlier]
    assert sum("Zatrzymany" in line for line in lines) == 1, lines
    assert len(lines) == 2, lines  # the other is about the document that was not found

    page.reload()
    manage_list(page)
    send_support_message(page, product, company)


def verify_phone(page: Page, product) -> None:
    number = page.get_by_label("Numer telefonu")
    number.fill("512 000 10")
    page.get_by_role("button", name="Wyślij kod").click()
    expect(page.get_by_text("Numer telefonu musi być w formacie +48XXXXXXXXX")).to_be_visible()
    expect(settings_switch(page, "Powiadomienia SMS")).to_be_disabled()
    number.fill("+48 512 000 101")
    page.get_by_role("button", name="Wyślij kod").click()
    expect(toast(page, "Kod wysłany")).to_be_visible()
    code = page.get_by_label("Kod weryfikacyjny")
    expect(code).to_be_focused()
    expect(number).to_be_disabled()
    resend_button = page.get_by_role("button", name=re.compile(r"^Wyślij ponownie za \d+ s$"))
    expect(resend_button).to_be_disabled()

    page.get_by_role("navigation").get_by_role("link", name="Konto").click()
    page.get_by_role("navigation").get_by_role("link", name="Powiadomienia").click()
    sent = product.wait_for_code(NUMBER)
    code.fill("000000" if sent != "000000" else "111111")
    page.get_by_role("button", name="Zweryfikuj").click()
    expect(toast(page, "Błąd podczas weryfikacji kodu")).to_be_visible()
    expect(page.get_by_role("form", name="Telefon").get_by_role("alert")).to_be_visible()
    page.get_by_role("checkbox", name="Włącz powiadomienia SMS").uncheck()  # as of a later choice
    code.fill(sent)
    page.get_by_role("button", name="Zweryfikuj").click()
    expect(toast(page, "Weryfikacja zakończona")).to_be_visible()
    expect(page.get_by_text("Zweryfikowany", exact=True)).to_be_visible()


def enable_sms(page: Page) -> None:
    sms = settings_switch(page, "Powiadomienia SMS")
    expect(sms).to_be_enabled()
    expect(sms).not_to_be_checked()
    sms.check()
    page.get_by_role("button", name="Zapisz ustawienia").click()
    expect(toast(page, "Ustawienia zapisane")).to_be_visible()
    page.reload()
    expect(sms).to_be_checked()
    expect(settings_switch(page, "Powiadomienia e-mail")).to_be_checked()


def manage_list(page: Page) -> None:
    menu_link = page.get_by_role("navigation").get_by_role("link", name="Powiadomienia")
    expect(menu_link).to_contain_text("2 nieprzeczytane")
    withheld, unknown = (
        notification_row(page, "Jan Zatrzymany"),
        notification_row(page, "Ewa Nieznana"),
    )
    withheld.get_by_role("button", name="Oznacz jako przeczytane").click()
    expect(withheld.get_by_text("Nowe", exact=True)).to_have_count(0)
    expect(unknown.get_by_text("Nowe", exact=True)).to_be_visible()
    expect(menu_link).to_contain_text("1 nieprzeczytane")
    withheld.get_by_role("button", name="Usuń").click()
    expect(toast(page, "Powiadomienie usunięte")).to_be_visible()
    expect(withheld).to_have_count(0)
    page.get_by_role("button", name="Oznacz wszystkie jako przeczytane").click()
    expect(menu_link).not_to_contain_text("nieprzeczytane")
    page.reload()
    expect(unknown).to_be_visible()
    expect(withheld).to_have_count(0)
    expect(page.get_by_text("Nowe", exact=True)).to_have_count(0)


def send_support_message(page: Page, product, company: CompanyClient) -> None:
    page.get_by_role("button", name="Pomoc").click()
    dialog = page.get_by_role("dialog", name="Centrum pomocy")
    expect(dialog.get_by_role("tab", name="Przewodnik")).to_have_attribute("aria-selected", "true")
    dialog.get_by_role("tab", name="Kontakt").click()
    send = dialog.get_by_role("button", name="Wyślij wiadomość")
    send.click()
    expect(dialog.get_by_text("Temat jest wymagany")).to_be_visible()
    expect(dialog.get_by_text("Wiadomość musi mieć co najmniej 10 znaków")).to_be_visible()
    dialog.get_by_label("Temat").fill("Faktura dla żółtej ciężarówki")
    dialog.get_by_label("Wiadomość").fill("Dzień dobry,\nproszę o fakturę.")

    page.route("**/api/help/ticket", lambda route: route.fulfill(status=502, body="<html>"))
    send.click()
    failed = "Nie udało się wysłać wiadomości. Spróbuj ponownie później."
    expect(dialog.get_by_role("alert")).to_contain_text(failed)
    expect(dialog.get_by_label("Temat")).to_have_value("Faktura dla żółtej ciężarówki")
    page.unroute("**/api/help/ticket")
    with page.expect_request("**/api/help/ticket") as request:
        send.click()
    assert request.value.post_data_json["userInfo"]["email"] == company.email
    expect(toast(page, "Wiadomość wysłana")).to_be_visible()
    expect(dialog.get_by_label("Temat")).to_have_value("")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    ticket = product.wait_for_mail("operator@prawko.test", "Faktura dla żółtej ciężarówki")
    assert "proszę o fakturę." in ticket["text"]
    assert company.email in ticket["text"]


def test_the_english_phone_form_takes_nine_digits(open_page, product):
    company = product.create_verified_company("nine")
    company.client.put("/api/user/language", json={"language": "en"})
    page = open_page(company=company, language="en-GB")
    page.goto("/panel/notifications")
    expect(heading(page, "Notifications")).to_be_visible()
    page.get_by_label("Phone number").fill("51200010")
    page.get_by_role("button", name="Send code").click()
    expect(page.get_by_text("Phone number must be 9 digits")).to_be_visible()
    page.get_by_label("Phone number").fill("512 000 103")
    with page.expect_request("**/send-verification-sms") as request:
        page.get_by_role("button", name="Send code").click()
    assert request.value.post_data_json == {"phoneNumber": "+48512000103"}
    code = page.get_by_label("Verification code")
    code.fill("12")
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_text("Verification code must be 6 digits")).to_be_visible()
    code.fill("999999" if product.wait_for_code("+48512000103") != "999999" else "888888")
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_role("form", name="Phone").get_by_role("alert")).to_contain_text(
        "Invalid verification code"
    )


def test_the_honeypot_field_is_unreachable_for_people(open_page, product):
    page = open_page(company=product.create_verified_company("robot"))
    page.goto("/panel")
    page.get_by_role("button", name="Pomoc").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("tab", name="Kontakt").click()
    honeypot = dialog.locator("input[name=website]")
    expect(honeypot).to_be_attached()
    expect(honeypot).not_to_be_in_viewport()
    dialog.get_by_label("Temat").focus()
    for _ in range(6):
        page.keyboard.press("Tab")
        expect(honeypot).not_to_be_focused()
    assert dialog.get_by_role("textbox").count() == 2


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_a_notification_has_the_width_and_its_buttons_cover_nothing(
    open_page, product, width
):
    page = open_page(company=product.log_in_demo_company(), width=width)
    page.goto("/panel/notifications")
    row = page.get_by_role("listitem").filter(has_text="Zobacz kierowcę").first
    link = row.get_by_role("link", name="Zobacz").bounding_box()
    text = row.get_by_role("paragraph").first.bounding_box()
    button = row.get_by_role("button").first.bounding_box()
    assert text["x"] + text["width"] > button["x"] + 40
    is_beside = button["x"] >= link["x"] + link["width"]
    assert is_beside or button["y"] >= link["y"] + link["height"]
