"""Journeys of the panel with the keyboard."""

import pytest
from companies import PASSWORD
from panel_page import heading, open_menu_item, row, toast
from playwright.sync_api import Page, expect


@pytest.fixture
def drivers(open_page, product) -> Page:
    company = product.create_company("klawisze")
    company.add_driver("Anna", "Żak", "KL700001")
    page = open_page(company=company)
    page.goto("/panel/drivers")
    expect(row(page, "Żak")).to_be_visible()
    return page


@pytest.mark.parametrize(
    ("opener", "item", "role"),
    [
        ("Dodaj kierowcę", None, "dialog"),
        ("Historia weryfikacji: Anna Żak", None, "dialog"),
        ("Więcej: Anna Żak", "Edytuj", "dialog"),
        ("Więcej: Anna Żak", "Usuń kierowcę", "alertdialog"),
        ("Pomoc", None, "dialog"),
    ],
)
def test_a_dialog_traps_and_restores_the_focus(drivers, opener, item, role):
    drivers.set_viewport_size({"width": 1000, "height": 900})  # a driver beside the list traps none
    button = drivers.get_by_role("button", name=opener)
    button.focus()
    drivers.keyboard.press("Enter")
    if item:
        drivers.get_by_role("menuitem", name=item).press("Enter")
    dialog = drivers.get_by_role(role)
    expect(dialog).to_be_visible()
    expect(dialog.locator(":focus")).to_have_count(1)
    for _ in range(12):
        drivers.keyboard.press("Tab")
        assert dialog.evaluate("(dialog) => dialog.contains(document.activeElement)")
    drivers.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()


def tab_to(page: Page, name: str, role: str = "button") -> None:
    """Press Tab until the element with this role and name is focused."""
    target = page.get_by_role(role, name=name, exact=True)
    expect(target.first).to_be_attached()
    for _ in range(40):
        page.keyboard.press("Tab")
        if target.evaluate_all("(found) => found.includes(document.activeElement)"):
            return
    raise AssertionError(f"{role} {name!r} is not reached with Tab")


def test_somebody_with_a_keyboard_alone_signs_in_and_adds_checks_and_deletes(open_page, product):
    company = product.create_company("bezmyszy")
    page = open_page()
    page.goto("/auth/login?next=/panel/drivers")
    tab_to(page, "E-mail", "textbox")
    page.keyboard.type(company.email)
    tab_to(page, "Hasło", "textbox")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(heading(page, "Panel zarządzania kierowcami")).to_be_focused()

    tab_to(page, "Dodaj kierowcę")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Imię")).to_be_focused()
    for text in ("Adam", "Żak", "KL700011"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    tab_to(page, "Zapisz")
    page.keyboard.press("Enter")
    expect(row(page, "Żak")).to_be_visible()

    tab_to(page, "Historia weryfikacji: Adam Żak")
    page.keyboard.press("Enter")
    tab_to(page, "Zweryfikuj teraz")
    page.keyboard.press("Enter")
    expect(toast(page, "Weryfikacja zakończona pomyślnie")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    tab_to(page, "Więcej: Adam Żak")
    page.keyboard.press("Space")
    expect(page.get_by_role("menuitem", name="Otwórz")).to_be_focused()
    page.keyboard.press("End")
    expect(page.get_by_role("menuitem", name="Usuń kierowcę")).to_be_focused()
    page.keyboard.press("Enter")
    tab_to(page, "Usuń kierowcę")
    page.keyboard.press("Enter")
    expect(row(page, "Żak")).to_have_count(0)


def test_the_first_tab_stop_skips_the_menu(drivers):
    drivers.reload()
    expect(row(drivers, "Żak")).to_be_visible()
    drivers.evaluate("document.activeElement.blur()")
    drivers.keyboard.press("Tab")
    skip = drivers.get_by_role("link", name="Przejdź do treści")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    drivers.keyboard.press("Enter")
    expect(drivers.locator("#content")).to_be_focused()


def test_keys_enter_the_list_choose_and_are_explained_on_every_screen(drivers):
    drivers.keyboard.press("ArrowDown")
    drivers.keyboard.press("Space")
    expect(drivers.get_by_role("checkbox", name="Zaznacz: Anna Żak")).to_be_checked()
    drivers.keyboard.press("?")
    expect(drivers.get_by_role("dialog", name="Skróty klawiszowe")).to_be_visible()
    for path in ("/panel", "/panel/notifications"):
        drivers.goto(path)
        expect(drivers.get_by_role("heading", level=1)).to_be_visible()
        drivers.keyboard.press("?")
        expect(drivers.get_by_role("dialog", name="Skróty klawiszowe")).to_be_visible()


def test_f8_focuses_the_toasts_and_escape_dismisses_them(drivers):
    open_menu_item(row(drivers, "Żak"), "Edytuj")
    drivers.get_by_role("button", name="Aktualizuj").click()
    edited_toast = toast(drivers, "Dane kierowcy zostały zaktualizowane")
    expect(edited_toast).to_be_visible()
    drivers.keyboard.press("F8")
    region = drivers.get_by_role("region", name="Powiadomienia (F8)")
    drivers.keyboard.press("Tab")
    expect(region.locator(":focus")).to_have_count(1)
    drivers.keyboard.press("Escape")
    expect(edited_toast).to_have_count(0)


def test_f8_focuses_the_toasts_beside_an_open_dialog(drivers):
    drivers.set_viewport_size({"width": 1000, "height": 900})
    drivers.get_by_role("button", name="Historia weryfikacji").click()
    drivers.get_by_role("button", name="Zweryfikuj teraz").click()
    dialog = drivers.get_by_role("dialog")
    expect(
        dialog.get_by_role("status").filter(has_text="Weryfikacja zakończona pomyślnie")
    ).to_be_visible()
    expect(toast(drivers, "Weryfikacja zakończona pomyślnie")).to_be_visible()
    drivers.keyboard.press("F8")
    drivers.keyboard.press("Tab")
    region = drivers.get_by_role("region", name="Powiadomienia (F8)")
    expect(region.locator(":focus")).to_have_count(1)
    drivers.keyboard.press("Escape")
    expect(toast(drivers, "Weryfikacja zakończona pomyślnie")).to_have_count(0)
    expect(dialog).to_be_visible()
    drivers.keyboard.press("Tab")
    expect(dialog.locator(":focus")).to_have_count(1)


def test_escape_closes_the_dialog_beside_a_toast(drivers):
    drivers.get_by_role("button", name="Historia weryfikacji").click()
    drivers.get_by_role("button", name="Zweryfikuj teraz").click()
    expect(toast(drivers, "Weryfikacja zakończona pomyślnie")).to_be_visible()
    drivers.keyboard.press("Escape")
    expect(drivers.get_by_role("dialog")).to_have_count(0)


def test_the_mobile_menu_is_a_drawer_that_escape_closes(open_page, product):
    page = open_page(company=product.create_verified_company("telefon"), width=390)
    page.goto("/panel")
    menu_button = page.get_by_role("button", name="Otwórz menu")
    menu_button.focus()
    page.keyboard.press("Enter")
    menu = page.get_by_role("dialog", name="Menu panelu")
    expect(menu).to_be_visible()
    expect(page.get_by_role("complementary")).to_be_hidden()
    drawer = menu.bounding_box()
    assert (drawer["x"], drawer["y"], drawer["height"]) == (0, 0, 900)
    assert drawer["width"] < 390
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(menu_button).to_be_focused()
    menu_button.click()
    menu.get_by_role("link", name="Konto").click()
    expect(heading(page, "Konto")).to_be_visible()
    expect(menu).to_have_count(0)


def test_toasts_are_on_top_of_narrow_screens_and_in_the_corner_of_wide_ones(open_page, product):
    company = product.create_company("toast")
    company.add_driver("Anna", "Żak", "TO800001")
    page = open_page(company=company)
    page.goto("/panel/drivers")
    page.get_by_role("button", name="Historia weryfikacji").click()
    page.get_by_role("button", name="Zweryfikuj teraz").click()
    checked_toast = toast(page, "Weryfikacja zakończona pomyślnie")
    expect(checked_toast).to_be_visible()
    checked_toast.hover()
    box = checked_toast.bounding_box()
    assert box["x"] + box["width"] > 1280 - 40
    assert box["y"] + box["height"] > 900 - 40
    assert box["width"] <= 420
    page.set_viewport_size({"width": 390, "height": 844})
    assert checked_toast.bounding_box()["y"] < 40
