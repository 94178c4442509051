"""Journey: twelve rows pasted from a spreadsheet, three of them with mistakes."""

import pytest
from driver_lists import results_held_back
from panel_page import row, toast
from playwright.sync_api import expect

# The box of a driver and the bar of chosen ones.
CHOICE = {
    "pl-PL": ("Zaznacz: Jan Pierwszy", "Zaznaczeni kierowcy"),
    "en-GB": ("Choose: Jan Pierwszy", "Chosen drivers"),
}
SHEET = "\n".join(
    (
        "Imię\tNazwisko\tNumer prawa jazdy\tKategorie",
        *(
            f"Jan\tZaimportowany-{letter}\tim 80000{n}\tC, CE"
            for n, letter in enumerate("abcdefgh")
        ),
        "J4n\tKowalski\tIM800010\t",
        "Ala\tKot\t00123/15/1465\t",
        "Ola\tSroka\tIM800001\t",
        "Żaneta\tŁęcka\tIM800011\tB",
    )
)


def test_pasted_rows_are_previewed_and_the_good_ones_added(open_page, product):
    company = product.create_company("import")
    page = open_page(company=company)
    page.goto("/panel/drivers")
    page.get_by_role("button", name="Dodaj wielu kierowców").first.click()
    page.get_by_role("menuitem", name="Wklej z Excela").click()
    dialog = page.get_by_role("dialog", name="Dodaj wielu kierowców")

    dialog.get_by_label("Wiersze z arkusza").fill(SHEET)

    expect(dialog.get_by_role("button", name="Z błędami: 3")).to_be_visible()
    for number, reason in (
        (10, "kolumna 1: Imię zawiera niedozwolone znaki"),
        (11, "kolumna 3: To wygląda na numer z pola 5."),
        (12, "kolumna 3: Ten sam numer ma wiersz 3"),
    ):
        item = dialog.get_by_role("listitem").filter(has_text=f"wiersz {number}").first
        expect(item).to_contain_text(reason)
    # The trial is for five drivers: that is said before anything is written.
    expect(dialog.get_by_text("Wolne miejsca w planie: 5, poprawne wiersze: 9")).to_be_visible()
    # It opens on the rows that need a person.
    dialog.get_by_role("button", name="Wszystkie: 12").click()
    dialog.get_by_role("checkbox").first.uncheck()
    with results_held_back(page, "Zaimportowany"):
        dialog.get_by_role("button", name="Dodaj 4 kierowców").click()
        expect(toast(page, "Sukces")).to_contain_text("Dodano 4 kierowców")
        expect(page.get_by_role("heading", name="Pierwsze sprawdzenie: 0 z 4")).to_be_focused()
        assert page.evaluate("scrollY") == 0
    expect(page).to_have_url(f"{product.url}/panel?firstCheck")
    page.goto("/panel/drivers")
    expect(row(page, "Zaimportowany-b")).to_contain_text("IM800001")
    expect(
        page.get_by_text("4 kierowców", exact=True).or_(page.get_by_text("4 kierowcy"))
    ).to_be_visible()


def test_chosen_drivers_are_deleted_after_a_question_with_their_number(open_page, product):
    company = product.create_company("usuwanie")
    for number, name in enumerate(("Pierwszy", "Drugi", "Trzeci")):
        company.add_driver("Jan", name, f"US80000{number}")
    company.await_first_checks()
    page = open_page(company=company)
    page.goto("/panel/drivers")
    before = row(page, "Trzeci").bounding_box()
    for name in ("Pierwszy", "Drugi"):
        page.get_by_role("checkbox", name=f"Zaznacz: Jan {name}").check()
    bar = page.get_by_role("region", name="Zaznaczeni kierowcy")
    expect(bar).to_contain_text("2 kierowców")
    assert row(page, "Trzeci").bounding_box() == before
    page.get_by_role("button", name="Usuń zaznaczonych").click()
    dialog = page.get_by_role("alertdialog", name="Usunąć 2 kierowców?")
    expect(dialog).to_contain_text("Jan Drugi, Jan Pierwszy")
    dialog.get_by_role("button", name="Usuń 2 kierowców").click()

    expect(toast(page, "Sukces")).to_contain_text("Usunięto 2 kierowców")
    expect(row(page, "Trzeci")).to_be_visible()
    expect(row(page, "Pierwszy")).to_have_count(0)


@pytest.mark.parametrize("language", CHOICE)
def test_what_can_be_done_with_chosen_drivers_is_one_line_on_a_tablet(open_page, product, language):
    company = product.create_company(f"tablet-{language.lower()}")
    company.add_driver("Jan", "Pierwszy", "TB800000")
    page = open_page(company=company, language=language, width=768)
    page.goto("/panel/drivers")
    box, bar = CHOICE[language]
    page.get_by_role("checkbox", name=box).check()
    region = page.get_by_role("region", name=bar)
    parts = [region.get_by_role("status"), *region.get_by_role("button").all()]
    assert len(parts) == 5
    boxes = [part.bounding_box() for part in parts]
    assert len({round(one["y"] + one["height"] / 2) for one in boxes}) == 1


def test_back_asks_before_typed_data_is_lost_and_closes_an_empty_form(open_page, product):
    page = open_page(company=product.create_company("wstecz"))
    page.goto("/panel/drivers")
    page.get_by_role("button", name="Dodaj kierowcę").first.click()
    page.get_by_label("Nazwisko").fill("Nowak")
    page.go_back()
    question = page.get_by_role("alertdialog", name="Odrzucić wpisane dane?")
    question.get_by_role("button", name="Wróć do formularza").click()
    expect(page.get_by_label("Nazwisko")).to_have_value("Nowak")
    page.get_by_label("Nazwisko").fill("")
    page.go_back()

    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.url.endswith("/panel/drivers")


def test_columns_are_confirmed_and_a_cell_is_corrected_in_place(open_page, product):
    page = open_page(company=product.create_company("kolumny"))
    page.goto("/panel/drivers")
    page.get_by_role("button", name="Dodaj wielu kierowców").first.click()
    page.get_by_role("menuitem", name="Wklej z Excela").click()
    dialog = page.get_by_role("dialog", name="Dodaj wielu kierowców")
    dialog.get_by_label("Wiersze z arkusza").fill(
        "Kowalski Jan\tKL800001\tGdynia\nWilk Ala\t80000\tGdynia\nRazem 2"
    )
    expect(dialog.get_by_text("Niewykorzystane kolumny: kolumna 3")).to_be_visible()
    expect(dialog.get_by_role("button", name="Z błędami: 2")).to_be_visible()
    dialog.get_by_role("button", name="Kolumny się zgadzają").click()
    expect(dialog.get_by_role("button", name="Z błędami: 1")).to_be_visible()
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Pobierz wiersze z błędami").click()
    saved = download.value.path().read_text("utf-8-sig").splitlines()
    assert saved[1].startswith("Wilk Ala;80000;Gdynia;")
    cell = dialog.get_by_label("Numer prawa jazdy", exact=True).last
    cell.fill("KL 800002")
    cell.press("Enter")
    with results_held_back(page, "Kowalski"):
        dialog.get_by_role("button", name="Dodaj 2 kierowców").click()
        expect(toast(page, "Sukces")).to_contain_text("Dodano 2 kierowców")
    page.goto("/panel/drivers")
    expect(row(page, "Wilk")).to_contain_text("KL800002")


def test_the_form_is_loaded_when_it_is_near_and_again_after_a_failure(open_page, product):
    company = product.create_company("formularz")
    company.add_driver("Jan", "Pierwszy", "FO800000")
    page = open_page(company=company)
    script = "**/assets/import-form-*"
    page.route(script, lambda route: route.abort())
    page.goto("/panel/drivers")
    ways = page.get_by_role("button", name="Dodaj wielu kierowców").first
    with page.expect_request(script):
        ways.hover()
    ways.click()
    page.get_by_role("menuitem", name="Importuj plik").click()
    dialog = page.get_by_role("dialog", name="Dodaj wielu kierowców")
    expect(dialog.get_by_role("alert")).to_contain_text("Nie udało się wczytać formularza")
    page.unroute(script)
    dialog.get_by_role("button", name="Spróbuj ponownie").click()

    expect(dialog.get_by_label("Plik XLSX albo CSV")).to_be_visible()
    dialog.get_by_role("button", name="Zamknij").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.url.endswith("/panel/drivers")
