"""Journeys of the account: password reset and change, devices, and the data export."""

import re
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from companies import PASSWORD, CompanyClient
from panel_page import heading, log_in, toast
from playwright.sync_api import Page, expect

NEW_PASSWORD = "Semafor8Zielony"


def request_reset_link(page: Page, email: str) -> None:
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


def sign_in_again(product, company: CompanyClient) -> CompanyClient:
    """Log the same user in, in another client."""
    other_browser = CompanyClient(company.email, product.open_client())
    other_browser.post("/api/login", email=company.email, password=PASSWORD)
    return other_browser


def test_a_password_reset_link_works_once(page, product):
    company = product.create_verified_company("zapominalska")
    page.goto("/auth/login")
    page.get_by_role("link", name="Nie pamiętasz hasła?").click()
    expect(page.get_by_label("E-mail")).to_be_focused()
    request_reset_link(page, company.email)
    link = product.wait_for_reset_link(company.email)

    page.goto(link)
    replace_password(page, NEW_PASSWORD)
    expect(page.get_by_text("Hasło zostało zmienione")).to_be_visible()
    assert company.client.get("/api/user").status_code == 401
    page.get_by_role("link", name="Zaloguj się").click()
    expect(heading(page, "Logowanie")).to_be_visible()
    log_in(page, company.email, NEW_PASSWORD)

    page.goto(link)  # used, and opened by a logged-in user
    expect(page.get_by_role("alert")).to_contain_text("Ten link już nie działa")
    expect(page.get_by_role("link", name="Poproś o nowy link")).to_be_visible()


def test_changing_the_password_logs_other_devices_out(open_page, product):
    company = product.create_verified_company("zmienna")
    page, other_page = (
        open_page(company=company),
        open_page(company=sign_in_again(product, company)),
    )
    other_page.goto("/panel")
    expect(heading(other_page, "Panel główny")).to_be_visible()

    change_password(page, "ToNieTo123", NEW_PASSWORD)
    expect(page.get_by_label("Obecne hasło")).to_be_focused()
    expect(toast(page, "Błąd zmiany hasła")).to_contain_text("Obecne hasło jest nieprawidłowe.")
    change_password(page, PASSWORD, NEW_PASSWORD)
    expect(toast(page, "Hasło zostało zmienione")).to_be_visible()
    expect(page.get_by_role("form").get_by_role("status")).to_contain_text(
        "Hasło zostało zmienione"
    )
    expect(page.get_by_text("To urządzenie")).to_have_count(1)
    expect(page.get_by_role("button", name="Wyloguj: ")).to_have_count(0)
    page.reload()
    expect(heading(page, "Konto")).to_be_visible()
    other_page.goto("/auth/login")
    expect(heading(other_page, "Logowanie")).to_be_visible()
    log_in(other_page, company.email, NEW_PASSWORD)


def test_devices_are_logged_out_singly_and_all_at_once(open_page, product):
    company = product.create_verified_company("wszedobylska")
    other_browsers = [sign_in_again(product, company) for _ in range(3)]
    page = open_page(company=company)
    page.goto("/panel/account")
    buttons = page.get_by_role("button", name="Wyloguj: ")
    expect(buttons).to_have_count(3)
    status = page.get_by_role("region", name="Zalogowane urządzenia").get_by_role("status")

    buttons.first.click()
    expect(buttons).to_have_count(2)
    expect(status).to_be_focused()
    expect(status).to_have_text("Wylogowano 1 urządzenie")
    page.get_by_role("button", name="Wyloguj wszędzie indziej").click()
    expect(buttons).to_have_count(0)
    expect(status).to_have_text("Wylogowano 2 urządzenia")
    assert {browser.client.get("/api/user").status_code for browser in other_browsers} == {401}
    assert company.client.get("/api/user").status_code == 200


def test_the_company_exports_its_data(open_page, product):
    company = product.create_company("zbieraczka")
    company.add_driver("Łukasz", "Ćwikła", "ZB100001")
    page = open_page(company=company)
    page.goto("/panel/account")
    with page.expect_download() as download:
        page.get_by_role("button", name="Pobierz dane").click()
    assert download.value.suggested_filename.endswith(".zip")
    archive = ZipFile(BytesIO(Path(download.value.path()).read_bytes()))
    assert "Ćwikła" in "".join(archive.read(name).decode() for name in archive.namelist())
    expect(page.get_by_text("Archiwum zostało pobrane")).to_be_visible()


def test_a_screen_has_one_language_if_the_account_has_another(open_page, product):
    company = product.create_company("dwujezyczna")  # the account's language is Polish
    page = open_page(company=company, language="en-GB")
    page.goto("/panel/account")
    expect(page.get_by_text("At present we write to you in Polish")).to_be_visible()
    page.get_by_label("Current password").fill("ToNieTo123")
    page.get_by_label("New password", exact=True).fill(NEW_PASSWORD)
    page.get_by_label("Repeat new password").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("The current password is incorrect.").first).to_be_visible()
    expect(page.get_by_text("Obecne hasło")).to_have_count(0)

    with page.expect_response("**/api/user/language"):
        page.get_by_role("main").get_by_role("button", name="English").click()
    expect(page.get_by_text("At present we write to you in Polish")).to_have_count(0)


@pytest.mark.parametrize("path", ["/auth/forgot-password", "/auth/login"])
def test_a_logged_in_user_has_no_login_or_reset_page(path, open_page, product):
    page = open_page(company=product.log_in_demo_company())
    page.goto(path)
    expect(heading(page, "404 Page Not Found")).to_be_visible()


def test_the_owner_deletes_the_companys_account(open_page, product):
    company = product.create_company("znikajaca")
    company.add_driver("Jan", "Znikający", "ZN400001")
    page = open_page(company=company)
    page.goto("/panel/account")
    page.get_by_role("button", name="Usuń konto firmy").click()
    dialog = page.get_by_role("dialog", name="Usunąć konto firmy?")
    expect(dialog.get_by_text("kierowcy i cała historia weryfikacji")).to_be_visible()
    confirm = dialog.get_by_role("button", name="Usuń konto firmy na zawsze")
    dialog.get_by_label("Obecne hasło").fill("Nie0moje")
    dialog.get_by_role("checkbox").check()
    confirm.click()
    expect(dialog.get_by_label("Obecne hasło")).to_have_attribute("aria-invalid", "true")

    dialog.get_by_label("Obecne hasło").fill(PASSWORD)
    confirm.click()
    expect(page).to_have_url(re.compile("/auth/login"))
    expect(toast(page, "Konto firmy zostanie usunięte w ciągu kilku minut.")).to_be_visible()
    product.wait_for_mail(company.email, "Konto firmy zostało usunięte")
    assert company.client.get("/api/user").status_code == 401
    refused = company.client.post("/api/login", json={"email": company.email, "password": PASSWORD})
    assert refused.status_code == 401
