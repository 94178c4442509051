"""A customer's journey from a forgotten password to signing out, in both languages and viewports.

Texts are looked up in the catalogues.
"""

import pytest
from companies import CompanyClient
from playwright.sync_api import expect
from screens import Screen

NEW_PASSWORD, NEWER_PASSWORD = "Semafor8Zielony", "Zwrotnica9Stara"
VIEWPORTS = {"desktop-pl": ("pl", "pl-PL", 1280), "phone-en": ("en", "en-GB", 390)}


@pytest.fixture(params=VIEWPORTS, ids=str)
def screen(request, open_page) -> Screen:
    language, locale, width = VIEWPORTS[request.param]
    return Screen(open_page(language=locale, width=width), language)


def test_a_customer_manages_the_account(screen, product):
    name = f"sprawunki-{screen.language}"
    company = product.create_company(name)
    company.post("/api/notifications/read-all")
    company.client.put("/api/user/language", json={"language": screen.language})
    company.add_driver("Jan", "Zatrzymany", "SP600009" if screen.language == "pl" else "SE600009")
    product.run_daily_check()
    number = "512000201" if screen.language == "pl" else "512000202"

    reset_password(screen, product, company)
    sign_in(screen, company, NEW_PASSWORD)
    verify_phone(screen, product, f"+48{number}" if screen.language == "pl" else number)
    sms = screen.page.get_by_role("switch", name=screen.text("notifications.settings.sms"))
    expect(sms).to_be_checked()  # with the code
    manage_notifications(screen)
    send_support_message(screen, product, name)
    change_password(screen)
    sign_out(screen)
    sign_in(screen, company, NEWER_PASSWORD)


def expect_toast(screen: Screen, key: str) -> None:
    """Expect a toast with this text."""
    expect(screen.page.locator("ol > li").filter(has_text=screen.text(key))).to_be_visible()


def reset_password(screen: Screen, product, company: CompanyClient) -> None:
    page = screen.page
    page.goto("/auth/login")
    page.get_by_role("link", name=screen.text("accounts.forgot.link")).click()
    screen.button("accounts.forgot.submit").wait_for()  # the login page has an e-mail field, too
    screen.fill("accounts.email.label", company.email)
    screen.press("accounts.forgot.submit")
    screen.expect_text("accounts.forgot.sent")
    page.goto(product.wait_for_reset_link(company.email))
    screen.fill("accounts.change.new", NEW_PASSWORD)
    screen.fill("accounts.change.confirm", NEW_PASSWORD)
    screen.press("accounts.change.submit")
    screen.expect_text("accounts.reset.done")


def sign_in(screen: Screen, company: CompanyClient, password: str) -> None:
    screen.page.goto("/auth/login")
    screen.fill("accounts.email.label", company.email)
    screen.fill("accounts.password.label", password)
    screen.press("accounts.login.submit")
    expect(screen.page.locator("h1")).to_have_text(screen.text("dashboard.title"))


def verify_phone(screen: Screen, product, number: str) -> None:
    page = screen.page
    page.goto("/panel/notifications")
    field = page.get_by_label(screen.text("notifications.phone.number.label"), exact=True)
    field.fill("12345")
    screen.press("notifications.phone.send")
    screen.expect_text("notifications.phone.number.format")
    field.fill(number)
    screen.press("notifications.phone.send")
    expect_toast(screen, "notifications.phone.sent")
    expect(field).to_be_disabled()
    expect(screen.button_starting_with("notifications.phone.waiting")).to_be_disabled()
    full_number = number if number.startswith("+") else f"+48{number}"
    screen.fill("notifications.phone.code.label", product.wait_for_code(full_number))
    screen.press("notifications.phone.verify")
    expect_toast(screen, "notifications.phone.done")


def manage_notifications(screen: Screen) -> None:
    row = screen.page.get_by_role("main").get_by_role("listitem").filter(has_text="Jan Zatrzymany")
    unread_mark = row.get_by_text(screen.text("notifications.new"), exact=True)
    expect(unread_mark).to_be_visible()
    screen.button_starting_with("notifications.markRead").click()
    expect(unread_mark).to_have_count(0)
    screen.button_starting_with("notifications.delete").click()
    expect_toast(screen, "notifications.deleted")
    expect(row).to_have_count(0)
    # The toast stays for eight seconds, in which the deletion can be undone; closing it deletes.
    toast = screen.page.locator("[data-toast]")
    with screen.page.expect_response("**/api/notifications/*") as deleted:
        toast.get_by_role("button", name=screen.text("common.close")).click()
    assert deleted.value.ok
    screen.expect_text("notifications.empty")


def send_support_message(screen: Screen, product, name: str) -> None:
    page = screen.page
    screen.press("common.menu.help")
    dialog = page.get_by_role("dialog", name=screen.text("help.title"))
    dialog.get_by_role("tab", name=screen.text("help.contact.tab")).click()
    screen.fill("help.contact.subject.label", f"Faktura: {name}")
    screen.fill("help.contact.message.label", "Proszę o fakturę na inną nazwę firmy.")
    screen.press("help.contact.send")
    expect_toast(screen, "help.contact.sent")
    page.keyboard.press("Escape")
    assert product.wait_for_mail("operator@prawko.test", f"Faktura: {name}")


def change_password(screen: Screen) -> None:
    page = screen.page
    page.goto("/panel/account")
    for current, key in (("ToNieTo123", "accounts.change.failedTitle"), (NEW_PASSWORD, None)):
        screen.fill("accounts.change.current", current)
        screen.fill("accounts.change.new", NEWER_PASSWORD)
        screen.fill("accounts.change.confirm", NEWER_PASSWORD)
        screen.press("accounts.change.submit")
        expect_toast(screen, key or "accounts.change.done")


def sign_out(screen: Screen) -> None:
    open_menu(screen)
    screen.press("common.menu.logout")
    expect(screen.page.locator("h1")).to_have_text(screen.text("accounts.login.title"))


def open_menu(screen: Screen) -> None:
    """Open the menu, which is a drawer in the narrow viewport."""
    menu_button = screen.button("common.menu.open")
    if menu_button.is_visible():
        menu_button.click()
        screen.page.get_by_role("dialog").wait_for()
