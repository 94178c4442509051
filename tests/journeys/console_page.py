"""Steps on the console's screens that several journeys use."""

import re

from companies import CompanyClient
from playwright.sync_api import Locator, Page, expect

REASON = "Prośba klienta przez telefon"


def open_users(page: Page) -> None:
    page.goto("/admin/users")
    expect(page.get_by_role("table")).to_be_visible()


def find_user(page: Page, email: str) -> Locator:
    """Search for the address, and return its row once it is the only one."""
    page.get_by_label("Szukaj po adresie e-mail").fill(email)
    expect_range(page, "1", "1", "1")
    return user_row(page, email)


def expect_range(page: Page, first: str, last: str = r"\d+", total: str = r"\d+") -> None:
    """Expect the line "showing X-Y of N"; the parts are regular expressions."""
    expect(
        page.get_by_text(re.compile(rf"Pokazano {first}\u2013{last} z {total}$"))
    ).to_be_visible()


def user_row(page: Page, email: str) -> Locator:
    return page.get_by_role("row").filter(has_text=email)


def find_card(page: Page, email: str) -> Locator:
    """Return the user's card, which stands for its row on a phone."""
    return page.get_by_role("listitem").filter(has_text=email)


def open_edit_form(page: Page, email: str) -> None:
    find_user(page, email).get_by_role("link", name="Edytuj").click()
    page.get_by_label("Powód").wait_for()


def press_action(row: Locator, label: str) -> None:
    """Press the row's button whose name begins so."""
    row.get_by_role("button", name=re.compile(rf"^{label}: ")).click()


def press_company_action(row: Locator, label: str) -> None:
    """Open the company of the row, and press its button whose name begins so."""
    press_action(row, "Otwórz")
    press_action(row.page.get_by_role("dialog"), label)


def confirm_act(page: Page, label: str) -> None:
    """Give the reason in the open dialog and confirm."""
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Powód").fill(REASON)
    dialog.get_by_role("button", name=label, exact=True).click()


def expect_toast(page: Page, title: str, text: str) -> None:
    toast = page.locator(".MuiSnackbar-root").filter(has_text=text)
    expect(toast).to_contain_text(title)
    expect(toast).to_contain_text(text)


def fleet_with_history(product) -> CompanyClient:
    """Create a company with a checked and a withheld driver."""
    company = product.create_company("flota")
    company.add_driver("Jan", "Kowalski", "PO500001")
    company.add_driver("Zofia", "Zatrzymana", "PO500009")
    product.run_daily_check()
    return company
