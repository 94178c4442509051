"""Journeys of the drivers' screen: add, search, sort, edit, check and delete."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from driver_lists import results_held_back
from panel_page import (
    NEXT_LABEL,
    PREVIOUS_LABEL,
    add_driver,
    fill_driver_form,
    open_menu_item,
    row,
    toast,
)
from playwright.sync_api import Page, expect

WARSAW = ZoneInfo("Europe/Warsaw")
LIMIT = "Osiągnięto limit kierowców. Rozszerz swój plan, aby dodać więcej kierowców."


@pytest.fixture
def drivers(open_page, product) -> Page:
    """The drivers' screen of a company of its own, with two drivers."""
    company = product.create_company("baza")
    company.add_driver("Anna", "Żak", "KR200001")
    company.add_driver("Łukasz", "Ćwikła", "KR200002")
    company.await_first_checks()
    return open_drivers_page(open_page(company=company))


@pytest.fixture
def demo_drivers(open_page, product) -> Page:
    """The drivers' screen of the demo's company, with twelve drivers."""
    return open_drivers_page(open_page(company=product.log_in_demo_company()))


def open_drivers_page(page: Page) -> Page:
    page.goto("/panel/drivers")
    expect(page.get_by_role("table")).to_be_visible()
    return page


def last_names(page: Page) -> list[str]:
    return page.locator("tbody tr td:nth-child(2)").all_inner_texts()


def open_history(page: Page, name: str) -> None:
    open_menu_item(row(page, name), "Historia weryfikacji")
    expect(page.get_by_role("dialog", name="Historia weryfikacji")).to_be_visible()


def test_the_driver_form_shows_missing_fields_and_the_number_format(drivers):
    drivers.get_by_role("button", name="Dodaj kierowcę").click()
    dialog = drivers.get_by_role("dialog", name="Dodaj nowego kierowcę")
    expect(dialog.get_by_text("Numer prawa jazdy musi być w formacie AA123456")).to_be_visible()
    dialog.get_by_role("button", name="Zapisz", exact=True).click()
    for text in ("Imię jest wymagane", "Nazwisko jest wymagane", "Numer prawa jazdy jest wymagany"):
        expect(dialog.get_by_text(text)).to_be_visible()
    number = dialog.get_by_label("Numer prawa jazdy", exact=True)
    expect(number).to_have_attribute("placeholder", "AA123456")
    expect(number).to_have_attribute("maxlength", "8")
    fill_driver_form(drivers, "Jan", "Nowak", "123abc")
    expect(number).to_have_value("123ABC")
    dialog.get_by_role("button", name="Zapisz", exact=True).click()
    expect(number).to_have_attribute("aria-invalid", "true")
    expect(number).to_have_accessible_description("Numer prawa jazdy musi być w formacie AA123456")


def test_a_field_that_takes_the_focus_shows_its_label(drivers):
    drivers.get_by_role("button", name="Dodaj kierowcę").first.click()
    form = drivers.get_by_role("dialog").get_by_role("form")
    form.get_by_role("button", name="Zapisz", exact=True).click()
    expect(form.get_by_label("Imię")).to_be_focused()
    expect(form.get_by_text("Imię", exact=True)).to_be_in_viewport(ratio=1)


def test_a_trial_is_limited_to_five_drivers(drivers):
    for number, word in ((3, "Trzeci"), (4, "Czwarty"), (5, "Piąty")):
        add_driver(drivers, "Jan", word, f"KR20000{number}")
        expect(row(drivers, word)).to_be_visible()
    add_driver(drivers, "Jan", "Szósty", "KR200006")
    form = drivers.get_by_role("form", name="Dodaj nowego kierowcę")
    expect(form.get_by_role("alert")).to_contain_text(LIMIT)
    expect(toast(drivers, "Błąd")).to_contain_text(LIMIT)
    drivers.get_by_role("dialog").get_by_role("button", name="Zamknij").click()
    expect(row(drivers, "Szósty")).to_have_count(0)


def test_a_driver_is_edited(drivers):
    open_menu_item(row(drivers, "Żak"), "Edytuj")
    dialog = drivers.get_by_role("dialog", name="Edytuj kierowcę")
    expect(dialog.get_by_label("Imię", exact=True)).to_have_value("Anna")
    dialog.get_by_label("Nazwisko", exact=True).fill("Żak-Wójcik")
    with results_held_back(drivers, "Żak-Wójcik"):
        dialog.get_by_role("button", name="Aktualizuj").click()
        expect(toast(drivers, "Dane kierowcy zostały zaktualizowane")).to_be_visible()
        expect(row(drivers, "Żak-Wójcik")).to_contain_text("KR200001")
    result = toast(drivers, "Anna Żak-Wójcik: Wydany")
    expect(result).to_be_visible(timeout=10_000)  # after the other toast's five seconds


def test_a_driver_is_deleted_after_a_confirmation(drivers):
    open_menu_item(row(drivers, "Żak"), "Usuń kierowcę")
    confirmation = drivers.get_by_role("alertdialog", name="Usunąć kierowcę Anna Żak?")
    confirmation.get_by_role("button", name="Anuluj").click()
    expect(row(drivers, "Żak")).to_be_visible()
    open_menu_item(row(drivers, "Żak"), "Usuń kierowcę")
    confirmation.get_by_role("button", name="Usuń kierowcę").click()
    expect(toast(drivers, "Sukces")).to_contain_text("Kierowca został usunięty")
    expect(row(drivers, "Żak")).to_have_count(0)
    expect(drivers.get_by_text("1 kierowca", exact=True)).to_be_visible()


def test_a_manual_check_succeeds_and_appears_in_the_history(drivers):
    expect(row(drivers, "Ćwikła")).to_contain_text("Wydany")
    open_history(drivers, "Ćwikła")
    dialog = drivers.get_by_role("dialog")
    dialog.get_by_role("button", name="Zweryfikuj teraz").click()
    expect(toast(drivers, "Sukces")).to_contain_text("Weryfikacja zakończona pomyślnie")
    result = dialog.get_by_text("Wynik: Wydany").bounding_box()
    button = dialog.get_by_role("button", name="Więcej").bounding_box()
    assert result["y"] >= button["y"] + button["height"]
    assert dialog.get_by_text("Weryfikacja zakończona").bounding_box()["y"] == result["y"]
    expect(dialog.get_by_role("button", name="Wydany")).to_have_attribute("aria-expanded", "true")
    for label in ("Status dokumentu", "Powody zmiany statusu", "Organ wydający", "Kategorie"):
        expect(dialog.get_by_text(label, exact=True)).to_be_visible()
    dialog.get_by_role("button", name="Zweryfikuj teraz").click()
    expect(dialog.get_by_role("button", name="Wydany")).to_contain_text("3 sprawdzenia")
    drivers.get_by_role("dialog").get_by_role("button", name="Zamknij").click()
    expect(row(drivers, "Ćwikła")).to_contain_text("Wydany")


def test_a_manual_check_without_an_answer_fails_and_changes_nothing(open_page, product):
    company = product.create_company("baza")
    with product.register_failing("http_500"):  # also the check of the new driver
        company.add_driver("Anna", "Żak", "KR200001")
        drivers = open_drivers_page(open_page(company=company))
        open_history(drivers, "Żak")
        dialog = drivers.get_by_role("dialog")
        dialog.get_by_role("button", name="Zweryfikuj teraz").click()
        expect(dialog.get_by_role("alert")).to_contain_text("Nie udało się zweryfikować kierowcy")
        expect(toast(drivers, "Błąd")).to_contain_text("Nie udało się zweryfikować kierowcy")
        expect(dialog.get_by_text("Brak weryfikacji")).to_be_visible()
        dialog.get_by_role("button", name="Zamknij").click()
        expect(row(drivers, "Żak")).to_contain_text("Nieznany")


def test_one_entry_of_the_history_is_open_at_a_time_in_a_window_400_pixels_high(demo_drivers):
    open_history(demo_drivers, "Piątek")
    dialog = demo_drivers.get_by_role("dialog")
    window = dialog.get_by_role("region", name="Weryfikacje")
    expect(window).to_have_css("max-height", "400px")
    entries = window.locator("h3 button")
    expect(entries.nth(0)).to_have_attribute("aria-expanded", "true")
    entries.nth(1).click()
    expect(entries.nth(0)).to_have_attribute("aria-expanded", "false")
    expect(entries.nth(1)).to_have_attribute("aria-expanded", "true")
    window.get_by_role("button", name="Pokaż wszystkie").click()
    expect(window.get_by_role("list", name="Sprawdzenia").locator("time")).not_to_have_count(0)


def test_a_search_without_a_match_shows_a_message(demo_drivers):
    demo_drivers.get_by_label("Szukaj kierowcy").fill("Brzęczyszczykiewicz")
    expect(demo_drivers.get_by_text("Nikt nie pasuje do „Brzęczyszczykiewicz”")).to_be_visible()
    demo_drivers.get_by_role("button", name="Wyczyść wyszukiwanie").last.click()
    expect(demo_drivers.locator("tbody tr")).to_have_count(10)


def test_a_header_sorts_in_both_directions_by_polish_collation(demo_drivers):
    demo_drivers.get_by_label("Pozycji na stronę").select_option("25")
    header = demo_drivers.get_by_role("columnheader", name="Nazwisko")
    expect(header).to_have_attribute("aria-sort", "none")
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "ascending")
    ascending = last_names(demo_drivers)
    assert ascending[0] == "Ćwikliński"
    assert ascending[-2:] == ["Źrebiec", "Żółtowski"]
    assert ascending.index("Łęcka") < ascending.index("Nowak-Zając")
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "descending")
    assert last_names(demo_drivers) == ascending[::-1]
    for name in ("Imię", "Numer prawa jazdy", "Status"):
        header = demo_drivers.get_by_role("columnheader", name=name)
        header.get_by_role("button").click()
        expect(header).to_have_attribute("aria-sort", "ascending")


def test_twelve_drivers_are_shown_on_two_pages(demo_drivers):
    expect(demo_drivers.get_by_text("12 kierowców", exact=True)).to_be_visible()
    size = demo_drivers.get_by_label("Pozycji na stronę")
    expect(size).to_have_value("10")
    assert size.locator("option").all_inner_texts() == ["10", "25", "50", "100", "200"]
    pagination = demo_drivers.get_by_role("navigation", name="Strony listy kierowców")
    expect(pagination.get_by_text("Strona 1 z 2")).to_be_visible()
    expect(pagination.get_by_role("button", name=PREVIOUS_LABEL)).to_be_disabled()
    pagination.get_by_role("button", name=NEXT_LABEL).click()
    expect(pagination.get_by_text("Strona 2 z 2")).to_be_visible()
    expect(demo_drivers.locator("tbody tr")).to_have_count(2)
    expect(pagination.get_by_role("button", name=NEXT_LABEL)).to_be_disabled()
    size.select_option("25")
    expect(pagination.get_by_text("Strona 1 z 1")).to_be_visible()
    expect(demo_drivers.locator("tbody tr")).to_have_count(12)


def test_a_needed_category_that_is_missing_or_over_is_named_everywhere(open_page, product):
    company = product.create_company("kategorie")
    today = datetime.now(WARSAW).date()
    over = (today - timedelta(days=3)).isoformat()
    product.add_document(
        "KC300001", firstName="Jan", lastName="Potrzebny",
        categories=[
            {"kategoria": "B", "dataWaznosci": None}, {"kategoria": "C", "dataWaznosci": over},
        ],
    )  # fmt: skip
    page = open_page(company=company)
    page.goto("/panel/drivers")
    page.get_by_role("button", name="Dodaj kierowcę").first.click()
    fill_driver_form(page, "Jan", "Potrzebny", "KC300001")
    for category in ("C", "C+E"):
        page.get_by_role("checkbox", name=category, exact=True).check()
    page.get_by_role("button", name="Zapisz", exact=True).click()
    expect(row(page, "Potrzebny")).to_be_visible()
    product.run_daily_check()
    page.reload()

    day = (today - timedelta(days=3)).strftime("%d.%m.%Y")
    expired = f"Kategoria C wygasła {day}"
    for text in (expired, "Brak kategorii C+E"):
        expect(row(page, "Potrzebny").get_by_text(text)).to_be_visible()
    expect(row(page, "Potrzebny").get_by_text("Wydany")).to_be_visible()
    open_history(page, "Potrzebny")
    history = page.get_by_role("dialog", name="Historia weryfikacji")
    expect(history.get_by_text("Brak kategorii C+E").first).to_be_visible()
    mail = product.wait_for_mail(company.email, "Brak ważnej kategorii: Jan Potrzebny")
    assert "C+E" in str(mail)

    page.goto("/panel")
    expect(page.get_by_text("w tym 1 bez potrzebnej kategorii")).to_be_visible()
    listed = page.get_by_role("listitem").filter(has_text="Potrzebny")
    expect(listed.get_by_text(expired)).to_be_visible()

    # What is no longer needed is no longer a problem, and nobody says "restored".
    page.goto("/panel/drivers")
    open_menu_item(row(page, "Potrzebny"), "Edytuj")
    for category in ("C", "C+E"):
        page.get_by_role("checkbox", name=category, exact=True).uncheck()
    page.get_by_role("button", name="Aktualizuj").click()
    expect(toast(page, "Dane kierowcy zostały zaktualizowane")).to_be_visible()
    expect(row(page, "Potrzebny")).to_be_visible()
    expect(row(page, "Potrzebny").get_by_text("Brak kategorii C+E")).to_have_count(0)
    [driver] = company.client.get("/api/drivers").json()
    assert (driver["status"], driver["neededCategories"]) == ("valid", [])
    assert not [one for one in product.list_mails(company.email) if "Przywrócone" in str(one)]
