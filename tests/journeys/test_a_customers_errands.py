"""What a customer does with its account, from a forgotten password to signing out: in both
languages, on a desk and on a phone, each step said by the catalogue's words.
"""

import pytest
from companies import Company
from playwright.sync_api import expect
from screens import Screen

NEW, NEWER = "Semafor8Zielony", "Zwrotnica9Stara"
LOOKS = {"desk-pl": ("pl", "pl-PL", 1280), "phone-en": ("en", "en-GB", 390)}


@pytest.fixture(params=LOOKS, ids=str)
def screen(request, browse) -> Screen:
    language, locale, width = LOOKS[request.param]
    return Screen(browse(language=locale, width=width), language)


def test_a_customer_runs_its_errands(screen, product):
    name = f"sprawunki-{screen.language}"
    company = product.company(name)
    company.post("/api/notifications/read-all")
    company.client.put("/api/user/language", json={"language": screen.language})
    company.add("Jan", "Zatrzymany", "SP600009" if screen.language == "pl" else "SE600009")
    product.daily_check()
    number = "512000201" if screen.language == "pl" else "512000202"

    replace_a_forgotten_password(screen, product, company)
    sign_in(screen, company, NEW)
    prove_a_phone(screen, product, f"+48{number}" if screen.language == "pl" else number)
    want_sms(screen)
    tidy_the_list(screen)
    ask_for_help(screen, product, name)
    change_the_password(screen)
    sign_out(screen)
    sign_in(screen, company, NEWER)


def told(screen: Screen, key: str) -> None:
    """The toast says so."""
    expect(screen.page.locator("ol > li").filter(has_text=screen.says(key))).to_be_visible()


def replace_a_forgotten_password(screen: Screen, product, company: Company) -> None:
    page = screen.page
    page.goto("/auth/login")
    page.get_by_role("link", name=screen.says("accounts.forgot.link")).click()
    screen.button("accounts.forgot.submit").wait_for()  # the page before it asks for an e-mail too
    screen.fill("accounts.email.label", company.email)
    screen.press("accounts.forgot.submit")
    screen.expect("accounts.forgot.sent")
    page.goto(product.link_for(company.email))
    screen.fill("accounts.change.new", NEW)
    screen.fill("accounts.change.confirm", NEW)
    screen.press("accounts.change.submit")
    screen.expect("accounts.reset.done")


def sign_in(screen: Screen, company: Company, password: str) -> None:
    screen.page.goto("/auth/login")
    screen.fill("accounts.email.label", company.email)
    screen.fill("accounts.password.label", password)
    screen.press("accounts.login.submit")
    expect(screen.page.locator("h1")).to_have_text(screen.says("dashboard.title"))


def prove_a_phone(screen: Screen, product, number: str) -> None:
    page = screen.page
    page.goto("/panel/notifications")
    field = page.get_by_label(screen.says("notifications.phone.number.label"), exact=True)
    field.fill("12345")
    screen.press("notifications.phone.send")
    screen.expect("notifications.phone.number.format")
    field.fill(number)
    screen.press("notifications.phone.send")
    told(screen, "notifications.phone.sent")
    expect(field).to_be_disabled()
    expect(screen.starting("notifications.phone.waiting")).to_be_disabled()
    full = number if number.startswith("+") else f"+48{number}"
    screen.fill("notifications.phone.code.label", product.code_for(full))
    screen.press("notifications.phone.verify")
    told(screen, "notifications.phone.done")


def want_sms(screen: Screen) -> None:
    page = screen.page
    page.get_by_role("switch", name=screen.says("notifications.settings.sms")).check()
    screen.press("notifications.settings.save")
    told(screen, "notifications.settings.saved")


def tidy_the_list(screen: Screen) -> None:
    row = screen.page.get_by_role("main").get_by_role("listitem").filter(has_text="Jan Zatrzymany")
    fresh = row.get_by_text(screen.says("notifications.new"), exact=True)
    expect(fresh).to_be_visible()
    screen.starting("notifications.markRead").click()
    expect(fresh).to_have_count(0)
    screen.starting("notifications.delete").click()
    told(screen, "notifications.deleted")
    expect(row).to_have_count(0)
    screen.expect("notifications.empty")


def ask_for_help(screen: Screen, product, name: str) -> None:
    page = screen.page
    screen.press("common.menu.help")
    dialog = page.get_by_role("dialog", name=screen.says("help.title"))
    dialog.get_by_role("tab", name=screen.says("help.contact.tab")).click()
    screen.fill("help.contact.subject.label", f"Faktura: {name}")
    screen.fill("help.contact.message.label", "Proszę o fakturę na inną nazwę firmy.")
    screen.press("help.contact.send")
    told(screen, "help.contact.sent")
    page.keyboard.press("Escape")
    assert product.mail_about("operator@prawko.test", f"Faktura: {name}")


def change_the_password(screen: Screen) -> None:
    page = screen.page
    page.goto("/panel/account")
    for current, key in (("ToNieTo123", "accounts.change.failedTitle"), (NEW, None)):
        screen.fill("accounts.change.current", current)
        screen.fill("accounts.change.new", NEWER)
        screen.fill("accounts.change.confirm", NEWER)
        screen.press("accounts.change.submit")
        told(screen, key or "accounts.change.done")


def sign_out(screen: Screen) -> None:
    open_menu(screen)
    screen.press("common.menu.logout")
    expect(screen.page.locator("h1")).to_have_text(screen.says("accounts.login.title"))


def open_menu(screen: Screen) -> None:
    """On a phone the menu is a drawer."""
    drawer = screen.button("common.menu.open")
    if drawer.is_visible():
        drawer.click()
        screen.page.get_by_role("dialog").wait_for()
