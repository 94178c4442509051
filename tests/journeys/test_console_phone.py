"""Journeys of the operators' console on a phone: cards instead of tables."""

import pytest
from console_page import confirm_act, expect_range, expect_toast, find_card, press_action
from playwright.sync_api import Page, expect


@pytest.fixture
def page(open_page, product) -> Page:
    """A phone of the signed-in operator."""
    return open_page(company=product.log_in_operator(), width=390)


def register_three(product, name: str) -> list[str]:
    """Register three companies; return their addresses by the alphabet."""
    return [product.register_company(f"{name}{letter}").email for letter in "abc"]


def open_cards(page: Page, search: str) -> None:
    page.goto("/admin/users")
    page.get_by_label("Szukaj po adresie e-mail").fill(search)
    expect_range(page, "1", "3", "3")


def test_cards_are_sorted(page, product):
    hauliers = register_three(product, "wozak")
    open_cards(page, "wozak")
    titles = page.locator("li dd:first-of-type")
    page.get_by_label("Sortuj").select_option("E-mail")
    page.get_by_role("button", name="Malejąco. Odwróć kolejność").click()
    page.get_by_role("button", name="Rosnąco. Odwróć kolejność").wait_for()
    for position, email in enumerate(hauliers):
        expect(titles.nth(position)).to_contain_text(email)
    page.reload()
    expect(titles.first).to_contain_text(hauliers[0])
    page.get_by_role("button", name="Rosnąco. Odwróć kolejność").click()
    expect(titles.first).to_contain_text(hauliers[-1])


@pytest.mark.parametrize("width", [320, 390])
def test_the_head_of_the_cards_has_one_line(page, product, width):
    page.set_viewport_size({"width": width, "height": 900})
    register_three(product, f"bryczka{width}")
    open_cards(page, f"bryczka{width}")
    toolbar = page.get_by_role("checkbox", name="Cała strona").locator("xpath=ancestor::label/..")
    order = page.get_by_label("Sortuj")
    assert toolbar.bounding_box()["height"] < 64
    assert order.evaluate("(select) => select.scrollWidth - select.clientWidth") <= 0
    name = order.evaluate("(select) => select.selectedOptions[0].text")
    assert name == "Data rejestracji"
    label = page.get_by_text("Cała strona", exact=True)
    assert label.bounding_box()["height"] < 30


def test_selected_cards_are_deleted(page, product):
    hauliers = register_three(product, "furman")
    open_cards(page, "furman")
    page.get_by_role("checkbox", name=f"Zaznacz: {hauliers[0]}").check()
    expect(page.get_by_role("status").filter(has_text="Zaznaczono 1")).to_be_in_viewport()
    page.get_by_role("checkbox", name="Cała strona").check()
    expect(page.get_by_text("Zaznaczono 3")).to_be_visible()
    page.get_by_role("checkbox", name=f"Zaznacz: {hauliers[2]}").uncheck()
    page.get_by_role("button", name="Usuń", exact=True).click()
    confirm_act(page, "Usuń")
    expect_toast(page, "Sukces", "Usunięto 2 użytkowników")
    expect_range(page, "1", "1", "1")
    expect(find_card(page, hauliers[2])).to_be_visible()
    expect(page.get_by_text("Zaznaczono")).to_have_count(0)


def test_cards_are_paged(page, product):
    for _ in range(11):
        product.register_company("kartka")
    page.goto("/admin/users")
    page.get_by_label("Szukaj po adresie e-mail").fill("kartka")
    expect_range(page, "1", "10", "11")
    page.get_by_role("button", name="Następna strona").click()
    expect_range(page, "11", "11", "11")
    expect(page.locator("main li")).to_have_count(1)
    page.get_by_role("button", name="Poprzednia strona").click()
    expect_range(page, "1", "10", "11")


def test_a_card_has_the_buttons_of_its_row_by_name(page, product):
    company = product.create_company("telefon")
    page.goto("/admin/users")
    page.get_by_label("Szukaj po adresie e-mail").fill(company.email)
    card = find_card(page, company.email)
    expect(card.get_by_role("button", name="Usuń")).to_have_text("Usuń")
    press_action(card, "Historia")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem").filter(has_text="Rejestracja")).to_be_visible()


def test_the_menu_opens_and_leads_to_a_screen(page):
    page.goto("/admin/users")
    page.get_by_role("button", name="Otwórz menu").click()
    page.get_by_role("link", name="Firmy").click()
    expect(page.get_by_role("heading", name="Firmy")).to_be_visible()
    expect(page.get_by_role("navigation", name="Menu konsoli")).to_have_count(0)
