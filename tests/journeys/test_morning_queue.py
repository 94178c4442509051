"""A dispatcher's morning: what is new, who was taken off the road, and that a colleague sees it."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from companies import CompanyClient
from panel_page import heading, toast
from payment_steps import create_subscriber
from playwright.sync_api import Locator, Page, Route, expect

HEADING = "WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI"
NOTE = "Telefonicznie, auto przejęła Anna Żak"


def create_company_with_withheld_driver(product) -> CompanyClient:
    company = create_subscriber(product, "poranna")
    product.add_document(
        "PO700001", firstName="Ewa", lastName="Wójcik",
        state={"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"},
    )  # fmt: skip
    product.add_document("PO700002", firstName="Anna", lastName="Żak")
    company.add_driver("Ewa", "Wójcik", "PO700001")
    company.add_driver("Anna", "Żak", "PO700002")
    product.run_daily_check()
    return company


def open_dashboard(page: Page) -> Locator:
    page.goto("/panel")
    section = page.get_by_role("region", name=HEADING)
    expect(section).to_be_visible()
    return section


def test_the_arrows_of_drivers_that_need_attention_stand_in_one_line(open_page, product):
    company = product.create_company("strzalki")
    soon = datetime.now(ZoneInfo("Europe/Warsaw")).date() + timedelta(days=12)
    product.add_document("PO700011", firstName="Ewa", lastName="Lis", expiryDate=str(soon))
    company.add_driver("Ewa", "Lis", "PO700011")  # nothing to do yet: no button
    company.add_driver("Adam", "Nieznany", "PO700018")
    product.run_daily_check()
    page = open_page(company=company)
    page.goto("/panel")
    section = page.get_by_role("region", name="Wymaga uwagi")
    expect(section.get_by_role("listitem")).to_have_count(2)
    expect(section.get_by_role("button", name="Odsunięty od jazdy")).to_have_count(1)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        arrows = section.locator("li > svg").evaluate_all(
            "(arrows) => arrows.map((arrow) => arrow.getBoundingClientRect().right)"
        )
        assert len(set(arrows)) == 1, width


def test_a_withheld_driver_is_taken_off_the_road_and_everybody_sees_by_whom(open_page, product):
    company = create_company_with_withheld_driver(product)
    page, colleague = open_page(company=company), open_page(company=company)
    section, seen_elsewhere = open_dashboard(page), open_dashboard(colleague)
    expect(
        page.get_by_text(re.compile(r"^Sprawdzono [\d.]+, \d\d:\d\d \(2 z\s2\)$"))
    ).to_be_visible()
    expect(section.get_by_role("heading", name="Nowe od wczoraj (1)")).to_be_visible()
    expect(section.get_by_text(re.compile(r"^Stwierdzono: .+ \(dzisiaj\)$"))).to_be_visible()

    section.get_by_role("button", name="Odsunięty od jazdy: Ewa Wójcik").click()
    note = section.get_by_label("Notatka")
    expect(note).to_be_focused()
    note.fill(NOTE)
    note.press("Enter")
    expect(toast(page, "Sukces")).to_contain_text("Ewa Wójcik")
    expect(section.get_by_role("heading", name="Nowe od wczoraj (0)")).to_be_visible()
    expect(
        section.get_by_text(re.compile(rf"^Odsunięto: {company.email}, \d\d:\d\d"))
    ).to_be_visible()
    expect(seen_elsewhere.get_by_text("Nowe od wczoraj (0)")).to_be_visible(timeout=30_000)

    section.get_by_role("button", name="Zobacz szczegóły: Ewa Wójcik").click()
    dialog = page.get_by_role("dialog", name="Szczegóły weryfikacji")
    expect(dialog).to_contain_text("Co zrobić")
    expect(dialog).to_contain_text(NOTE)
    dialog.get_by_role("button", name="Wycofaj wpis").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Wycofaj wpis").click()
    expect(dialog).not_to_contain_text(NOTE)
    page.keyboard.press("Escape")
    expect(section.get_by_role("heading", name="Nowe od wczoraj (1)")).to_be_visible()


@pytest.fixture(scope="module")
def morning(product) -> CompanyClient:
    """A company with seven drivers who may not drive: five withheld, two expired."""
    company = create_subscriber(product, "siodemka", drivers=10)
    for number, name in enumerate(("Abacka", "Bąk", "Czyż", "Duda", "Ertel", "Fus", "Gil")):
        withheld = {"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"}
        given = {"state": withheld} if number < 5 else {"expiryDate": "2021-03-01"}
        serial = f"PO71000{number}"
        product.add_document(serial, firstName="Jan", lastName=name, **given)
        company.add_driver("Jan", name, serial)
    product.run_daily_check()
    return company


def open_at(open_page, company: CompanyClient, width: int, height: int) -> Page:
    """Open the panel of a company in its first days."""
    page = open_page(company=company, width=width, reusable=False)
    page.set_viewport_size({"width": width, "height": height})
    return page


def test_who_may_not_drive_is_seen_without_a_click(open_page, morning):
    page = open_at(open_page, morning, 1280, 800)
    section = open_dashboard(page)
    expect(heading(page, "7 kierowców nie może dziś jechać")).to_be_in_viewport()
    expect(section.get_by_role("listitem").last).to_be_in_viewport()
    rows = [row.bounding_box() for row in page.locator("[data-queue-row]").all()]
    assert rows[0]["y"] <= 240
    assert {round(row["height"]) for row in rows} <= {44, 45}  # with the line between them
    expect(page).to_have_title(re.compile(r"^\(7\) Panel główny"))
    cut = "(texts) => texts.filter((text) => text.scrollWidth > text.clientWidth).length"
    assert section.locator("li p").evaluate_all(cut) == 0
    # Neither a choice nor a driver that is opened moves the rows.
    section.get_by_role("checkbox", name="Zaznacz wszystkich").check()
    section.get_by_role("link").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(section.get_by_role("button", name="Odsunięci od jazdy (5)")).to_be_visible()
    opened = [row.bounding_box() for row in page.locator("[data-queue-row]").all()]
    assert [(row["y"], row["height"]) for row in opened] == [
        (row["y"], row["height"]) for row in rows
    ]
    panel = page.get_by_role("dialog").bounding_box()
    assert max(row["x"] + row["width"] for row in opened) <= panel["x"]
    expect(section.get_by_role("button", name="Zobacz szczegóły").first).to_be_hidden()


def test_the_note_is_one_line_of_its_row_and_a_phone_has_the_ready_notes_first(open_page, morning):
    page = open_at(open_page, morning, 1280, 800)
    section = open_dashboard(page)
    row = section.get_by_role("listitem").first
    before = row.bounding_box()["height"]
    row.get_by_role("button", name="Odsunięty od jazdy").click()
    form = section.get_by_role("form")
    expect(form).to_be_visible()
    assert form.bounding_box()["height"] <= 52
    assert row.bounding_box()["height"] <= before + 60
    page.set_viewport_size({"width": 390, "height": 844})
    ready = form.get_by_role("button", name="Kluczyki zdane").bounding_box()
    assert ready["y"] + ready["height"] <= form.get_by_label("Notatka").bounding_box()["y"]


def test_a_phone_shows_the_first_driver_with_the_button(open_page, morning):
    page = open_at(open_page, morning, 390, 844)
    act = open_dashboard(page).get_by_role("button", name="Odsunięty od jazdy").first
    expect(act).to_be_in_viewport(ratio=1)
    assert act.bounding_box()["height"] >= 44
    assert page.locator("[data-queue-row] h4").first.bounding_box()["y"] <= 400
    expect(page.get_by_role("banner").get_by_role("link", name="Powiadomienia")).to_be_visible()


def test_long_names_take_two_lines_and_both_notes_leave_a_phone_its_first_driver(
    open_page, morning
):
    page = open_at(open_page, morning, 390, 844)
    long_name = {"firstName": "Jan", "lastName": "Konstantynopolitańczykowianeczka"}

    def answer(route: Route) -> None:
        response = route.fetch()
        rows = [{**one, **long_name} for one in response.json()]
        over = {"kategoria": "C", "dataWaznosci": "2020-01-01"}
        document = {"status": "valid", "documentStatus": "Wydany", "expiryDate": "2099-01-01"}
        for needed in ([], ["D"]):
            latest = {**rows[0]["verifications"][0], **document}
            valid = {"kategoria": "B", "dataWaznosci": "2099-01-01"}
            latest |= {"expired": False, "categories": [valid] if needed else [valid, over]}
            rows.append({
                **rows[0], "id": f"00000000-0000-7000-8000-{len(rows):012}", "episode": None,
                "mayDrive": "no" if needed else "yes", "neededCategories": needed,
                "verifications": [latest],
            })  # fmt: skip
        route.fulfill(response=response, json=rows)

    page.route("**/api/drivers?*", answer)
    section = open_dashboard(page)
    for note in ("w tym 1 z wygasłą kategorią", "w tym 1 bez potrzebnej kategorii"):
        expect(page.get_by_text(note)).to_be_attached()
    assert page.locator("[data-queue-row] h4").first.bounding_box()["y"] <= 400
    page.set_viewport_size({"width": 1280, "height": 800})
    name = section.get_by_role("listitem").first.locator("h4")
    assert name.bounding_box()["height"] <= 2 * 19


def test_a_tablet_has_the_buttons_beside_the_driver(open_page, morning):
    page = open_at(open_page, morning, 768, 1024)
    section = open_dashboard(page)
    for width in (700, 768, 1024, 1180):
        page.set_viewport_size({"width": width, "height": 1024})
        for row in section.get_by_role("listitem").all():
            name, button = row.locator("h4"), row.get_by_role("button").first
            assert button.bounding_box()["x"] > name.bounding_box()["x"] + 200, width
            assert row.bounding_box()["height"] <= 100, width


def test_the_paper_has_all_rows_of_the_queue(open_page, product):
    company = create_subscriber(product, "papier", drivers=10)
    soon = datetime.now(ZoneInfo("Europe/Warsaw")).date() + timedelta(days=12)
    for number in range(10):
        product.add_document(
            f"PO71100{number}", firstName="Ewa", lastName="Lis", expiryDate=str(soon)
        )
        company.add_driver("Ewa", "Lis", f"PO71100{number}")
    product.run_daily_check()
    page = open_page(company=company, width=1280, reusable=False)
    page.goto("/panel")
    rows, arrows = page.locator("[data-queue-row]"), page.locator("li svg.lucide-chevron-right")
    expect(rows).to_have_count(8)
    expect(arrows.first).to_be_visible()
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    expect(rows).to_have_count(10)
    expect(arrows.locator("visible=true")).to_have_count(0)


def test_seven_drivers_are_taken_off_the_road_by_seven_clicks_and_keys(open_page, morning):
    page = open_page(company=morning, width=1280)
    section = open_dashboard(page)
    section.get_by_role("checkbox", name="Zaznacz wszystkich").click()
    section.get_by_role("button", name="Odsunięci od jazdy (5)").click()
    section.get_by_label("Notatka").press("Enter")
    for left in (2, 1):
        expect(page.get_by_text(f"Do załatwienia: {left}")).to_be_visible()
        expect(page.locator("[data-queue-row] a:focus")).to_have_count(1)
        row, message = page.locator("[data-queue-row]:has(a:focus)"), page.locator("[data-toast]")
        expect(message).to_be_visible()
        assert row.bounding_box()["y"] + 44 <= message.bounding_box()["y"]
        page.keyboard.press("o")
        expect(page.get_by_label("Notatka")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.get_by_text("Wszystkie odsunięcia od jazdy są potwierdzone")).to_be_visible()
    expect(page).to_have_title(re.compile("^Panel główny"))
    expect(heading(page, HEADING).locator("..")).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    page.set_viewport_size({"width": 390, "height": 844})
    heights = [row.bounding_box()["height"] for row in page.locator("[data-queue-row]").all()]
    assert max(heights) <= 65  # with the line between them
