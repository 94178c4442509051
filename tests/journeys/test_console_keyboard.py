"""Journeys of the operators' console with the keyboard."""

import re

import pytest
from console_page import REASON, expect_range, expect_toast, find_user, open_users
from playwright.sync_api import Locator, Page, expect


@pytest.fixture
def page(open_page, product) -> Page:
    """A page of the signed-in operator."""
    return open_page(company=product.log_in_operator())


def tab_to(page: Page, target: Locator) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if target.evaluate_all("(found) => found.includes(document.activeElement)"):
            return
    raise AssertionError(f"{target} is not reached with Tab")


def test_the_first_tab_stop_skips_the_menu(page):
    open_users(page)
    page.keyboard.press("Tab")
    skip = page.get_by_role("button", name="Przejdź do treści")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#main-content").locator(":focus")).to_have_count(1)


def test_somebody_with_a_keyboard_alone_finds_sorts_and_deletes(page, product):
    company = product.create_company("bezmyszki")
    page.goto("/admin/")
    page.get_by_role("heading", name="Pulpit").wait_for()
    tab_to(page, page.get_by_role("link", name="Użytkownicy"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Użytkownicy")).to_be_visible()
    tab_to(page, page.get_by_label("Szukaj po adresie e-mail"))
    page.keyboard.type(company.email)
    row = page.get_by_role("row").filter(has_text=company.email)
    expect_range(page, "1", "1", "1")
    tab_to(page, page.get_by_role("columnheader", name="E-mail").get_by_role("button"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="E-mail")).to_have_attribute(
        "aria-sort", "ascending"
    )

    tab_to(page, row.get_by_role("button", name=re.compile("^Usuń: ")))
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    tab_to(page, dialog.get_by_label("Powód"))
    page.keyboard.type(REASON)
    tab_to(page, dialog.get_by_role("button", name="Usuń użytkownika"))
    page.keyboard.press("Enter")
    expect_toast(page, "Sukces", "Użytkownik został usunięty")
    expect(row).to_have_count(0)
    expect(page.locator("#main-content")).to_be_focused()  # the button was removed


@pytest.mark.parametrize("label", ["Historia", "Zaloguj jako", "Usuń"])
def test_a_dialog_traps_and_restores_the_focus(page, product, label):
    company = product.create_company("ognisko")
    open_users(page)
    button = find_user(page, company.email).get_by_role("button", name=f"{label}: {company.email}")
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('[role=dialog]') !== null")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()
