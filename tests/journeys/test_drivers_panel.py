"""The drivers' screen: adding, finding, ordering, changing, checking and removing."""

from contextlib import ExitStack
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from panel import NEXT, PREVIOUS, add_driver, heading, row, toast, type_driver
from playwright.sync_api import Page, expect

WARSAW = ZoneInfo("Europe/Warsaw")
LIMIT = "Osiągnięto limit kierowców. Rozszerz swój plan, aby dodać więcej kierowców."
TAKEN = "Numer prawa jazdy już istnieje"


@pytest.fixture
def drivers(browse, product) -> Page:
    """The drivers' screen of a company of its own, with two drivers."""
    company = product.company("baza")
    company.add("Anna", "Żak", "KR200001")
    company.add("Łukasz", "Ćwikła", "KR200002")
    return shown(browse(company=company))


@pytest.fixture
def demo_drivers(browse, product) -> Page:
    """The drivers' screen of the demo's company, with twelve drivers."""
    return shown(browse(company=product.demo_company()))


def shown(page: Page) -> Page:
    page.goto("/panel/drivers")
    expect(page.get_by_role("table")).to_be_visible()
    return page


def last_names(page: Page) -> list[str]:
    return page.locator("tbody tr td:nth-child(2)").all_inner_texts()


def open_history(page: Page, name: str) -> None:
    row(page, name).get_by_role("button", name="Historia weryfikacji").click()
    expect(page.get_by_role("dialog", name="Historia weryfikacji")).to_be_visible()


def test_the_form_says_what_is_missing_and_which_format_a_number_has(drivers):
    drivers.get_by_role("button", name="Dodaj kierowcę").click()
    dialog = drivers.get_by_role("dialog", name="Dodaj nowego kierowcę")
    expect(dialog.get_by_text("Numer prawa jazdy musi być w formacie AA123456")).to_be_visible()
    dialog.get_by_role("button", name="Zapisz").click()
    for text in ("Imię jest wymagane", "Nazwisko jest wymagane", "Numer prawa jazdy jest wymagany"):
        expect(dialog.get_by_text(text)).to_be_visible()
    number = dialog.get_by_label("Numer prawa jazdy", exact=True)
    expect(number).to_have_attribute("placeholder", "AA123456")
    expect(number).to_have_attribute("maxlength", "8")
    type_driver(drivers, "Jan", "Nowak", "123abc")
    expect(number).to_have_value("123ABC")
    dialog.get_by_role("button", name="Zapisz").click()
    expect(number).to_have_attribute("aria-invalid", "true")
    expect(number).to_have_accessible_description("Numer prawa jazdy musi być w formacie AA123456")


def test_a_number_typed_in_small_letters_is_saved_in_capitals(drivers):
    add_driver(drivers, "Jan", "Nowak", "kr200003")
    expect(row(drivers, "Nowak")).to_contain_text("KR200003")
    expect(drivers.get_by_role("dialog")).to_have_count(0)


def test_a_taken_number_is_refused_in_the_form_and_in_a_toast(drivers):
    add_driver(drivers, "Jan", "Nowak", "KR200001")
    form = drivers.get_by_role("form", name="Dodaj nowego kierowcę")
    expect(form.get_by_text(TAKEN)).to_be_visible()
    expect(toast(drivers, "Błąd")).to_contain_text(TAKEN)


def test_the_sixth_driver_of_a_trial_is_one_too_many(drivers):
    for number in (3, 4, 5):
        add_driver(drivers, "Jan", f"Trzeci {number}", f"KR20000{number}")
        expect(row(drivers, f"Trzeci {number}")).to_be_visible()
    add_driver(drivers, "Jan", "Szósty", "KR200006")
    form = drivers.get_by_role("form", name="Dodaj nowego kierowcę")
    expect(form.get_by_role("alert")).to_contain_text(LIMIT)
    expect(toast(drivers, "Błąd")).to_contain_text(LIMIT)
    drivers.get_by_role("dialog").get_by_role("button", name="Zamknij").click()
    expect(row(drivers, "Szósty")).to_have_count(0)


def test_a_driver_is_edited(drivers):
    row(drivers, "Żak").get_by_role("button", name="Edytuj").click()
    dialog = drivers.get_by_role("dialog", name="Edytuj kierowcę")
    expect(dialog.get_by_label("Imię", exact=True)).to_have_value("Anna")
    dialog.get_by_label("Nazwisko", exact=True).fill("Żak-Wójcik")
    dialog.get_by_role("button", name="Aktualizuj").click()
    expect(toast(drivers, "Sukces")).to_contain_text("Dane kierowcy zostały zaktualizowane")
    expect(row(drivers, "Żak-Wójcik")).to_contain_text("KR200001")


def test_a_driver_is_deleted_after_a_second_question(drivers):
    row(drivers, "Żak").get_by_role("button", name="Usuń").click()
    question = drivers.get_by_role("alertdialog", name="Usunąć kierowcę Anna Żak?")
    question.get_by_role("button", name="Anuluj").click()
    expect(row(drivers, "Żak")).to_be_visible()
    row(drivers, "Żak").get_by_role("button", name="Usuń").click()
    question.get_by_role("button", name="Usuń kierowcę").click()
    expect(toast(drivers, "Sukces")).to_contain_text("Kierowca został usunięty")
    expect(row(drivers, "Żak")).to_have_count(0)
    expect(drivers.get_by_text("1 kierowca", exact=True)).to_be_visible()


def test_a_check_by_hand_succeeds_and_stands_in_the_history(drivers):
    open_history(drivers, "Ćwikła")
    dialog = drivers.get_by_role("dialog")
    expect(dialog.get_by_text("Brak weryfikacji")).to_be_visible()
    dialog.get_by_role("button", name="Zweryfikuj teraz").click()
    expect(toast(drivers, "Sukces")).to_contain_text("Weryfikacja zakończona pomyślnie")
    entry = dialog.get_by_role("button", name="Wydany")
    entry.click()
    for label in ("Status dokumentu", "Powody zmiany statusu", "Organ wydający", "Kategorie"):
        expect(dialog.get_by_text(label, exact=True)).to_be_visible()
    dialog.get_by_role("button", name="Zweryfikuj teraz").click()
    expect(dialog.locator("time")).to_have_count(2)
    drivers.get_by_role("dialog").get_by_role("button", name="Zamknij").click()
    expect(row(drivers, "Ćwikła")).to_contain_text("Wydany")


def test_a_check_by_hand_that_gets_no_answer_fails_and_changes_nothing(drivers, product):
    open_history(drivers, "Żak")
    dialog = drivers.get_by_role("dialog")
    with product.register_failing("http_500"):
        dialog.get_by_role("button", name="Zweryfikuj teraz").click()
        expect(dialog.get_by_role("alert")).to_contain_text("Nie udało się zweryfikować kierowcy")
        expect(toast(drivers, "Błąd")).to_contain_text("Nie udało się zweryfikować kierowcy")
    expect(dialog.get_by_text("Brak weryfikacji")).to_be_visible()
    drivers.get_by_role("dialog").get_by_role("button", name="Zamknij").click()
    expect(row(drivers, "Żak")).to_contain_text("Nieznany")


def test_one_entry_of_the_history_is_open_at_a_time_in_a_window_400_pixels_high(demo_drivers):
    open_history(demo_drivers, "Ćwikliński")
    dialog = demo_drivers.get_by_role("dialog")
    window = dialog.get_by_role("region", name="Weryfikacje")
    expect(window).to_have_css("height", "400px")
    entries = window.locator("button[aria-expanded]")
    entries.nth(0).click()
    entries.nth(1).click()
    expect(entries.nth(0)).to_have_attribute("aria-expanded", "false")
    expect(entries.nth(1)).to_have_attribute("aria-expanded", "true")
    first = entries.count()
    dialog.get_by_role("button", name="Pokaż starsze").click()
    expect(entries.nth(first)).to_be_attached()


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("ŁĘCKA", ["Łęcka"]),
        ("oleks", ["Kowalczuk"]),
        ("ln2843", ["Piątek"]),
        ("kowal", ["Kowalczuk", "Kowalski"]),
    ],
)
def test_the_list_is_searched_by_names_and_numbers(demo_drivers, query, names):
    demo_drivers.get_by_label("Szukaj kierowcy").fill(query)
    expect(demo_drivers.locator("tbody tr")).to_have_count(len(names))
    assert sorted(last_names(demo_drivers)) == names


def test_a_search_that_finds_nobody_says_so(demo_drivers):
    demo_drivers.get_by_label("Szukaj kierowcy").fill("Brzęczyszczykiewicz")
    expect(demo_drivers.get_by_text("Nikt nie pasuje do „Brzęczyszczykiewicz”")).to_be_visible()
    demo_drivers.get_by_role("button", name="Wyczyść wyszukiwanie").last.click()
    expect(demo_drivers.locator("tbody tr")).to_have_count(10)


def test_a_header_sorts_up_and_down_the_polish_way(demo_drivers):
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


def test_twelve_drivers_stand_on_two_pages(demo_drivers):
    expect(demo_drivers.get_by_text("12 kierowców", exact=True)).to_be_visible()
    size = demo_drivers.get_by_label("Pozycji na stronę")
    expect(size).to_have_value("10")
    assert size.locator("option").all_inner_texts() == ["10", "25", "50"]
    pages = demo_drivers.get_by_role("navigation", name="Strony listy kierowców")
    expect(pages.get_by_text("Strona 1 z 2")).to_be_visible()
    expect(pages.get_by_role("button", name=PREVIOUS)).to_be_disabled()
    pages.get_by_role("button", name=NEXT).click()
    expect(pages.get_by_text("Strona 2 z 2")).to_be_visible()
    expect(demo_drivers.locator("tbody tr")).to_have_count(2)
    expect(pages.get_by_role("button", name=NEXT)).to_be_disabled()
    size.select_option("25")
    expect(pages.get_by_text("Strona 1 z 1")).to_be_visible()
    expect(demo_drivers.locator("tbody tr")).to_have_count(12)


@pytest.mark.parametrize(("time", "days_back"), [("06:58:00", 2), ("07:00:05", 1)])
@pytest.mark.parametrize("zone", ["Europe/Warsaw", "America/Los_Angeles"])
def test_the_day_of_the_data_turns_at_seven_in_warsaw(browse, product, time, days_back, zone):
    tomorrow = datetime.now(WARSAW) + timedelta(days=1)
    moment = datetime.fromisoformat(f"{tomorrow:%Y-%m-%d} {time}").replace(tzinfo=WARSAW)
    day = (tomorrow - timedelta(days=days_back)).strftime("%d.%m.%Y")
    company = product.company("zegar")
    company.add("Jan", "Nowak", "ZE300001")
    with ExitStack() as world:
        world.enter_context(product.clock_at(moment.isoformat()))
        page = browse(company=company, zone=zone)
        page.goto("/panel/drivers")
        expect(page.get_by_text(f"Stan na dzień: {day}", exact=True)).to_be_visible()
        page.goto("/panel")
        expect(heading(page, "Panel główny")).to_be_visible()


def test_without_a_subscription_the_screen_asks_for_one(browse, product):
    page = browse(company=product.verified("nowy"))
    page.goto("/panel/drivers")
    expect(heading(page, "Wymagana subskrypcja")).to_be_visible()
    expect(page.get_by_role("button", name="Dodaj kierowcę")).to_have_count(0)
    page.get_by_role("link", name="Wybierz plan").click()
    expect(heading(page, "Subskrypcja")).to_be_visible()
    expect(page).to_have_url(f"{product.url}/panel/subscription")
