"""Polish unless the reader's browser or the reader says otherwise; English to the letter."""

import pytest
from panel import heading
from playwright.sync_api import expect


@pytest.mark.parametrize(
    ("browser", "lang", "title"),
    [
        ("pl-PL", "pl", "Logowanie"),
        ("en-GB", "en", "Sign in"),
        ("de-DE", "pl", "Logowanie"),
    ],
)
def test_the_language_is_the_browsers_else_polish(browse, browser, lang, title):
    page = browse(language=browser)
    page.goto("/auth/login")
    expect(heading(page, title)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", lang)


def test_a_choice_on_the_landing_page_is_kept_everywhere(page):
    page.goto("/")
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.goto("/auth/register")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("button", name="Polski").click()
    expect(heading(page, "Rejestracja")).to_be_visible()
    page.reload()
    expect(heading(page, "Rejestracja")).to_be_visible()


def test_english_readers_meet_the_catalogues_words(browse, product):
    company = product.company("english")
    company.client.put("/api/user/language", json={"language": "en"})
    company.add("Anna", "Żak", "EN600001")
    page = browse(company=company, language="en-GB")

    page.goto("/panel/drivers")
    add = page.get_by_role("button", name="Add driver")
    add.click()
    page.get_by_label("First name").fill("Jan")
    page.get_by_label("Last name").fill("Nowak")
    page.get_by_label("Licence number").fill("EN600001")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("form").get_by_text("License number already exists")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()

    page.get_by_role("button", name="Verification history").click()
    with product.register_failing("http_503"):
        page.get_by_role("button", name="Verify now").click()
        expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(
            "Failed to verify driver"
        )
    page.route("**/verifications?*", lambda route: route.fulfill(status=500, body="{}"))
    page.reload()
    page.get_by_role("button", name="Verification history").click()
    expect(page.get_by_text("Error loading history")).to_be_visible()

    page.goto("/nowhere")
    expect(heading(page, "404 Page Not Found")).to_be_visible()


def test_english_visitors_meet_the_catalogues_words(browse):
    page = browse(language="en-GB")
    page.goto("/auth/login")
    page.get_by_label("Email").fill("nobody@acme.test")
    page.get_by_label("Password", exact=True).fill("Wrong1234")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("form").get_by_role("alert")).to_contain_text(
        "Invalid email or password"
    )


def test_the_server_writes_in_the_accounts_language(browse, product):
    company = product.company("letters")
    page = browse(company=company)
    page.goto("/panel/account")
    with page.expect_response("**/api/user/language"):
        page.get_by_role("main").get_by_role("button", name="English").click()
    expect(heading(page, "Account")).to_be_visible()
    company.add("Jan", "Withheld", "EN600009")
    product.daily_check()
    subjects = [mail["subject"] for mail in product.mails_to(company.email)]
    assert not any("Zatrzymane" in subject for subject in subjects)
    assert any("Jan Withheld" in subject for subject in subjects)
