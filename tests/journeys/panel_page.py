"""Steps on the panel's screens that several journeys use."""

from companies import PASSWORD
from playwright.sync_api import Locator, Page, expect

PREVIOUS_LABEL, NEXT_LABEL = "Poprzednia", "Następna"


def heading(page: Page, text: str) -> Locator:
    return page.get_by_role("heading", name=text, exact=True)


def toast(page: Page, text: str) -> Locator:
    """Return the toast with this text."""
    return page.locator("ol > li").filter(has_text=text)


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has_text=name)


def open_menu_item(row: Locator, name: str) -> None:
    """Press an item of the menu at the end of a driver's row."""
    row.get_by_role("button", name="Więcej").click()
    row.page.get_by_role("menuitem", name=name).click()


def fill_driver_form(page: Page, first_name: str, last_name: str, number: str) -> None:
    page.get_by_label("Imię", exact=True).fill(first_name)
    page.get_by_label("Nazwisko", exact=True).fill(last_name)
    page.get_by_label("Numer prawa jazdy", exact=True).fill(number)


def add_driver(page: Page, first_name: str, last_name: str, number: str) -> None:
    page.get_by_role("button", name="Dodaj kierowcę").first.click()
    dialog = page.get_by_role("dialog", name="Dodaj nowego kierowcę")
    fill_driver_form(page, first_name, last_name, number)
    dialog.get_by_role("button", name="Zapisz", exact=True).click()


def submit_registration(page: Page, email: str) -> None:
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Hasło", exact=True).fill(PASSWORD)
    page.get_by_label("Powtórz hasło").fill(PASSWORD)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Załóż konto").click()


def log_in(page: Page, email: str, password: str = PASSWORD) -> None:
    page.goto("/auth/login")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Hasło", exact=True).fill(password)
    page.get_by_role("button", name="Zaloguj się").click()
    expect(heading(page, "Panel główny")).to_be_visible()
