"""Journeys of the console's operations: the daily check, companies, statements, incidents."""

import json
import re
import zipfile
from collections.abc import Iterable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from companies import CompanyClient
from console_page import REASON, confirm_act, expect_toast, press_action
from panel_page import heading
from playwright.sync_api import Locator, Page, expect

WARSAW = ZoneInfo("Europe/Warsaw")
MT940 = """:20:1
:25:PL00000000000000000000000000
:28C:1
:60F:C261101PLN0,00
:61:2611201120CN50,00NTRFNONREF//77001
:86:020~00Przelew~20za paliwo~32Jan Kowalski
:62F:C261120PLN50,00
-
"""


@pytest.fixture
def page(open_page, product):
    """A page of the signed-in operator."""
    return open_page(company=product.log_in_operator())


def test_the_check_is_paused_and_resumed(page, product):
    product.create_company("kontrola").add_driver("Jan", "Kowalski", "PO500001")
    product.run_daily_check()
    page.goto("/admin/check-runs")
    page.get_by_role("button", name="Wstrzymaj").click()
    confirm_act(page, "Wstrzymaj")
    expect_toast(page, "Sukces", "Kontrola została wstrzymana")
    expect(page.locator("[data-tone=caution]").filter(has_text="Wstrzymana")).to_be_visible()
    page.get_by_role("button", name="Wznów").click()
    confirm_act(page, "Wznów")
    expect_toast(page, "Sukces", "Kontrola została wznowiona")
    expect(page.get_by_role("button", name="Wstrzymaj")).to_be_visible()


def test_a_mass_change_is_reviewed_and_approved(page, product):
    fleets = [product.create_company("masowa") for _ in range(5)]
    for number in range(1, 26):
        fleets[number % 5].add_driver("Jan", "Masowy", f"MZ{number:05}0")
    product.run_daily_check()
    for number in range(1, 26):
        product.add_document(
            f"MZ{number:05}0", firstName="Jan", lastName="Masowy",
            state={"kod": "DICT003_UNI", "wartosc": "Unieważniony"},
        )  # fmt: skip
    tomorrow = datetime.now(WARSAW).replace(hour=6, minute=30) + timedelta(days=1)
    with product.clock_set_to(tomorrow.isoformat()):
        product.run_daily_check()
        page.goto("/admin/check-runs")
        expect(heading_of_review(page)).to_be_visible()
        expect(page.get_by_text("Wstrzymaliśmy 25 zmian.")).to_be_visible()
        assert statuses(fleets) == {"valid"}

        page.get_by_role("button", name="Zatwierdź wszystkie").click()
        confirm_act(page, "Zatwierdź wszystkie")
        expect_toast(page, "Sukces", "Zmiany zostały zatwierdzone")
        expect(heading_of_review(page)).to_have_count(0)
        for _ in range(60):  # a worker applies the changes
            if statuses(fleets) == {"attention"}:
                break
            page.wait_for_timeout(250)
        assert statuses(fleets) == {"attention"}


def heading_of_review(page: Page) -> Locator:
    return page.get_by_role("heading", name="Masowa zmiana do decyzji")


def statuses(fleets: Iterable[CompanyClient]) -> set[str]:
    return {
        driver["status"]
        for company in fleets
        for driver in company.client.get("/api/drivers").json()
    }


def test_a_company_is_suspended_and_resumed(page, product):
    company = product.create_company("zawieszona")
    page.goto("/admin/companies")
    page.get_by_label("Szukaj po nazwie").fill(company.email)
    row = page.get_by_role("row").filter(has_text=company.email)
    press_action(row, "Zawieś")
    confirm_act(page, "Zawieś firmę")
    expect_toast(page, "Sukces", "Firma została zawieszona")
    expect(row.locator("[data-tone=withheld]")).to_have_text("Zawieszona")
    press_action(row, "Wznów")
    confirm_act(page, "Wznów firmę")
    expect(row.locator("[data-tone=valid]")).to_be_visible()

    page.goto("/admin/actions")
    expect(page.get_by_role("row").filter(has_text=REASON).first).to_contain_text("Wznowiono firmę")


def test_a_companys_data_are_downloaded(page, product):
    company = product.create_company("eksport")
    company.add_driver("Edyta", "Eksportowa", "PO500002")
    page.goto("/admin/companies")
    page.get_by_label("Szukaj po nazwie").fill(company.email)
    row = page.get_by_role("row").filter(has_text=company.email)
    press_action(row, "Eksportuj dane")
    with page.expect_download() as download:
        confirm_act(page, "Pobierz plik")
    expect_toast(page, "Sukces", "Plik z danymi został pobrany")
    assert re.fullmatch(r"prawko-company-\d{4}-\d\d-\d\d\.zip", download.value.suggested_filename)
    with zipfile.ZipFile(download.value.path()) as archive:
        [driver] = json.loads(archive.read("drivers.json"))
    assert driver["lastName"] == "Eksportowa"


def test_a_statement_is_previewed_and_booked(page):
    page.goto("/admin/statements")
    page.locator("input[type=file]").set_input_files(
        {"name": "wyciag.sta", "mimeType": "text/plain", "buffer": MT940.encode()}
    )
    line = page.get_by_role("row").filter(has_text="za paliwo")
    expect(line).to_contain_text("Brak zamówienia")
    line.get_by_role("checkbox").check()
    page.get_by_role("button", name="Zaksięguj 1 pozycję").click()
    confirm_act(page, "Zaksięguj")
    expect_toast(page, "Sukces", "Zaksięgowano 1 pozycję.")


def test_a_ticket_is_read_and_answered(page, product):
    company = product.create_company("pytanie")
    company.post("/api/help/ticket", subject="Brak kierowcy", message="Nie widzę kierowcy.",
                 userInfo={"email": company.email, "companyName": "Pytanie"})  # fmt: skip
    page.goto("/admin/tickets")
    expect(heading(page, "Zgłoszenia")).to_be_visible()
    row = page.get_by_role("row").filter(has_text=company.email)
    press_action(row, "Odpowiedz")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Nie widzę kierowcy.")
    dialog.get_by_label("Odpowiedź").fill("Kierowca jest już na liście.")
    dialog.get_by_role("button", name="Wyślij odpowiedź").click()
    expect_toast(page, "Sukces", "Odpowiedź została wysłana")
    expect(row).to_contain_text("Z odpowiedzią")
