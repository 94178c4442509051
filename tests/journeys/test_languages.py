"""Journeys of the language: the browser's or the user's choice, else Polish."""

import pytest
from panel_page import heading
from playwright.sync_api import expect


@pytest.mark.parametrize(
    ("browser", "lang", "title"),
    [
        ("pl-PL", "pl", "Logowanie"),
        ("en-GB", "en", "Sign in"),
        ("de-DE", "pl", "Logowanie"),
    ],
)
def test_the_language_is_the_browsers_or_polish(open_page, browser, lang, title):
    page = open_page(language=browser)
    page.goto("/auth/login")
    expect(heading(page, title)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", lang)


def test_a_language_chosen_on_the_landing_page_applies_everywhere(page):
    page.goto("/")
    page.get_by_role("link", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.goto("/auth/register")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("button", name="Polski").click()
    expect(heading(page, "Rejestracja")).to_be_visible()
    page.reload()
    expect(heading(page, "Rejestracja")).to_be_visible()


def test_the_panel_is_in_english(open_page, product):
    company = product.create_company("english")
    company.client.put("/api/user/language", json={"language": "en"})
    company.add_driver("Anna", "Żak", "EN600001")
    page = open_page(company=company, language="en-GB")

    page.goto("/panel/drivers")
    add = page.get_by_role("button", name="Add driver")
    add.click()
    page.get_by_label("First name").fill("Jan")
    page.get_by_label("Last name").fill("Nowak")
    page.get_by_label("Licence number").fill("EN600001")
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("form").get_by_text("License number already exists")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Discard").click()

    page.get_by_role("button", name="Verification history").click()
    with product.register_failing("http_503"):
        page.get_by_role("button", name="Verify now").click()
        expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(
            "Failed to verify driver"
        )
    page.route("**/changes?*", lambda route: route.fulfill(status=500, body="{}"))
    page.reload()  # the address names the driver whose history is open
    expect(page.get_by_text("Error loading history")).to_be_visible()

    page.goto("/nowhere")
    expect(heading(page, "404 Page Not Found")).to_be_visible()


def test_the_login_is_in_english(open_page):
    page = open_page(language="en-GB")
    page.goto("/auth/login")
    page.get_by_label("Email").fill("nobody@acme.test")
    page.get_by_label("Password", exact=True).fill("Wrong1234")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("form").get_by_role("alert")).to_contain_text(
        "Invalid email or password"
    )


def test_notices_are_in_the_accounts_language(open_page, product):
    company = product.create_company("letters")
    page = open_page(company=company)
    page.goto("/panel/account")
    with page.expect_response("**/api/user/language"):
        page.get_by_role("main").get_by_role("button", name="English").click()
    expect(heading(page, "Account")).to_be_visible()
    company.add_driver("Jan", "Withheld", "EN600009")
    product.run_daily_check()
    subjects = [mail["subject"] for mail in product.list_mails(company.email)]
    assert not any("Zatrzymane" in subject for subject in subjects)
    assert any("Jan Withheld" in subject for subject in subjects)

    # A notification is rewritten for who switches to the other language.
    page.goto("/panel/notifications")
    expect(page.get_by_role("heading", name="Licence withheld: Jan Withheld")).to_be_visible()
    page.get_by_role("button", name="PL \u2013 Polski").click()
    expect(page.get_by_role("heading", name="Zatrzymane uprawnienia: Jan Withheld")).to_be_visible()
