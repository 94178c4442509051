"""Journeys of the console's operations: the daily check, companies, statements, incidents."""

import itertools
import json
import re
import zipfile
from collections.abc import Iterable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from companies import CompanyClient
from console_page import REASON, confirm_act, expect_toast, press_action, press_company_action
from panel_page import heading
from payment_steps import create_buyer
from playwright.sync_api import Locator, Page, Route, expect

from support.waiting import poll

WARSAW = ZoneInfo("Europe/Warsaw")
MT940 = """:20:1
:25:PL00000000000000000000000000
:28C:1
:60F:C261101PLN0,00
{lines}:62F:C261120PLN50,00
-
"""
_bank_ids = itertools.count(770)

# Whether no column is cut off at the edge of the screen.
FITS = "(table) => table.getBoundingClientRect().right <= innerWidth"


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


def test_a_mass_change_is_reviewed_and_rejected(page, product):
    fleets = [product.create_company("odrzucona") for _ in range(5)]
    for number in range(1, 26):
        fleets[number % 5].add_driver("Jan", "Odrzucony", f"MO{number:05}0")
    product.run_daily_check()
    for number in range(1, 26):
        product.add_document(
            f"MO{number:05}0", firstName="Jan", lastName="Odrzucony",
            state={"kod": "DICT003_UNI", "wartosc": "Unieważniony"},
        )  # fmt: skip
    in_two_days = datetime.now(WARSAW).replace(hour=6, minute=30) + timedelta(days=2)
    with product.clock_set_to(in_two_days.isoformat()):
        product.run_daily_check()
        page.goto("/admin/check-runs")
        expect(heading_of_review(page)).to_be_visible()
        page.get_by_role("button", name="Odrzuć wszystkie").click()
        confirm_act(page, "Odrzuć wszystkie")
        expect_toast(page, "Sukces", "Zmiany zostały odrzucone")
        expect(heading_of_review(page)).to_have_count(0)
        product.dev_api.post("/dev/jobs")
        assert statuses(fleets) == {"valid"}
        page.goto("/admin/actions")
        row = page.get_by_role("row").filter(has_text=REASON).first
        expect(row).to_contain_text("Odrzucono masową zmianę")


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
    row.get_by_text(company.email).first.click()  # anywhere in the row
    press_action(page.get_by_role("dialog"), "Zawieś")
    confirm_act(page, "Zawieś firmę")
    expect_toast(page, "Sukces", "Firma została zawieszona")
    expect(row.locator("[data-tone=withheld]")).to_have_text("Zawieszona")
    press_company_action(row, "Wznów")
    confirm_act(page, "Wznów firmę")
    expect(row.locator("[data-tone=valid]")).to_be_visible()

    page.goto("/admin/actions")
    expect(page.get_by_role("row").filter(has_text=REASON).first).to_contain_text("Wznowiono firmę")


def test_a_subscription_is_extended(page, product):
    company = product.create_company("przedluzona")
    end = datetime.fromisoformat(company.client.get("/api/subscription").json()["endDate"])
    page.goto("/admin/companies")
    page.get_by_label("Szukaj po nazwie").fill(company.email)
    press_company_action(page.get_by_role("row").filter(has_text=company.email), "Przedłuż")
    page.get_by_label("O ile dni").fill("10")
    confirm_act(page, "Przedłuż")
    expect_toast(page, "Sukces", "Subskrypcja została przedłużona")
    later = datetime.fromisoformat(company.client.get("/api/subscription").json()["endDate"])
    assert (later.astimezone(WARSAW).date() - end.astimezone(WARSAW).date()).days == 10


def test_a_company_is_erased(page, product):
    company = product.create_company("wymazana")
    page.goto("/admin/companies")
    page.get_by_label("Szukaj po nazwie").fill(company.email)
    press_company_action(page.get_by_role("row").filter(has_text=company.email), "Usuń dane")
    confirm_act(page, "Usuń dane")
    expect_toast(page, "Sukces", "Dane firmy zostały usunięte")
    expect(page.get_by_text("Nic nie pasuje do tych filtrów.")).to_be_visible()
    assert company.client.get("/api/user").status_code == 401


def test_a_companys_data_are_downloaded(page, product):
    company = product.create_company("eksport")
    company.add_driver("Edyta", "Eksportowa", "PO500002")
    page.goto("/admin/companies")
    page.get_by_label("Szukaj po nazwie").fill(company.email)
    row = page.get_by_role("row").filter(has_text=company.email)
    press_company_action(row, "Eksportuj dane")
    with page.expect_download() as download:
        confirm_act(page, "Pobierz plik")
    expect_toast(page, "Sukces", "Plik z danymi został pobrany")
    assert re.fullmatch(r"prawko-company-\d{4}-\d\d-\d\d\.zip", download.value.suggested_filename)
    with zipfile.ZipFile(download.value.path()) as archive:
        [driver] = json.loads(archive.read("drivers.json"))
    assert driver["lastName"] == "Eksportowa"


def statement_of(*transfers: tuple[str, str]) -> dict[str, str | bytes]:
    """Return the file of a bank statement with these amounts and titles."""
    lines = "".join(
        f":61:2611201120CN{amount}NTRFNONREF//{number}\n"
        f":86:020~00Przelew~20{title}~32Jan Kowalski\n"
        for number, (amount, title) in enumerate(transfers, next(_bank_ids) * 100)
    )
    content = MT940.format(lines=lines)
    return {"name": "wyciag.sta", "mimeType": "text/plain", "buffer": content.encode()}


def test_a_statements_transfer_pays_for_its_order(page, product):
    buyer = create_buyer(product, "przelewem")
    buyer.post("/api/subscription/create-checkout-session", driverLimit=5, method="transfer")
    title = buyer.client.get("/api/subscription").json()["openOrder"]["transfer"]["title"]
    page.goto("/admin/statements")
    page.locator("input[type=file]").set_input_files(statement_of(("183,27", title)))
    line = page.get_by_role("row").filter(has_text=title)
    expect(line.locator("[data-tone=valid]")).to_have_text("Pasuje")
    expect(line.get_by_role("checkbox")).to_be_checked()
    page.get_by_role("button", name="Zaksięguj 1 pozycję").click()
    confirm_act(page, "Zaksięguj")
    expect_toast(page, "Sukces", "Zaksięgowano 1 pozycję.")
    product.dev_api.post("/dev/jobs")
    poll(lambda: buyer.client.get("/api/subscription").json()["status"] == "active")


def test_a_statements_unknown_transfer_becomes_a_discrepancy_that_is_resolved(page):
    page.goto("/admin/statements")
    file = statement_of(("50,17", "za paliwo"), ("20,00", "za myjnię"))
    page.locator("input[type=file]").set_input_files(file)
    line = page.get_by_role("row").filter(has_text="za paliwo")
    expect(line).to_contain_text("Brak zamówienia")
    line.get_by_role("checkbox").check()
    page.get_by_role("button", name="Zaksięguj 1 pozycję").click()
    confirm_act(page, "Zaksięguj")
    expect_toast(page, "Sukces", "Zaksięgowano 1 pozycję.")

    page.get_by_role("link", name="Pokaż rozbieżności").click()
    row = page.get_by_role("row").filter(has_text="50,17")
    expect(row).to_contain_text("Nieznana wpłata")
    expect(page.get_by_role("row").filter(has_text="20,00")).to_have_count(0)
    press_action(row, "Oznacz jako wyjaśnioną")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Jak została wyjaśniona").fill("Zwrócona przelewem")
    dialog.get_by_role("button", name="Oznacz jako wyjaśnioną").click()
    expect_toast(page, "Sukces", "Rozbieżność została wyjaśniona")
    expect(row).to_have_count(0)
    page.get_by_label("Stan", exact=True).click()
    page.get_by_role("option", name="Wyjaśniona").click()
    expect(row).to_contain_text("Zwrócona przelewem")


@pytest.mark.parametrize(
    "resource", ["check-runs", "deliveries", "discrepancies", "payments", "refunds"]
)
def test_a_list_of_what_jobs_change_comes_up_to_date_by_itself(page, resource):
    first_page = re.compile(rf"/api/admin/{resource}\?.*range=%5B0%2C9%5D")
    with page.expect_response(first_page):
        page.goto(f"/admin/{resource}")
    with page.expect_response(first_page):
        expect(page.get_by_role("main")).to_be_visible()


def test_a_statements_line_is_not_booked_twice(page):
    page.goto("/admin/statements")
    file = statement_of(("33,00", "za opony"))
    page.locator("input[type=file]").set_input_files(file)
    line = page.get_by_role("row").filter(has_text="za opony")
    line.get_by_role("checkbox").check()
    page.get_by_role("button", name="Zaksięguj 1 pozycję").click()
    confirm_act(page, "Zaksięguj")
    expect_toast(page, "Sukces", "Zaksięgowano 1 pozycję.")
    page.locator("input[type=file]").set_input_files(file)
    expect(line).to_contain_text("Już zaksięgowana")
    expect(line.get_by_role("checkbox")).to_be_disabled()


def test_a_file_that_is_no_statement_is_refused_with_its_reason(page):
    page.goto("/admin/statements")
    page.locator("input[type=file]").set_input_files(
        {"name": "zdjecie.png", "mimeType": "image/png", "buffer": b"\x89PNG"}
    )
    expect(page.get_by_role("main").get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("table")).to_have_count(0)


def test_a_discrepancy_is_described_in_the_consoles_language_and_refunded(page, product):
    buyer = create_buyer(product, "zwrot")
    order = buyer.post("/api/subscription/create-checkout-session", driverLimit=5, method="card")
    paid = {"url": order["url"], "result": "paid"}
    operator = product.log_in_operator()
    [company] = operator.client.get(
        "/api/admin/companies", params={"filter": json.dumps({"q": buyer.email})}
    ).json()
    # Paid after the company was erased, so that nothing can be activated.
    path = f"/api/admin/companies/{company['id']}/erase"
    erased = operator.client.post(path, json={"reason": REASON})
    assert erased.is_success, erased.text
    assert product.dev_api.post("/dev/payments", json=paid).is_success
    product.dev_api.post("/dev/jobs")

    page.goto("/admin/discrepancies")
    row = page.get_by_role("row").filter(has_text="dane tej firmy usunięto").first
    expect(row).to_contain_text("Zamówienie już nieaktualne")
    page.get_by_role("button", name="EN English").click()
    english = page.get_by_role("row").filter(has_text="its company was erased").first
    expect(english).to_be_visible()
    page.get_by_role("button", name="PL Polski").click()
    press_action(row, "Zwróć pieniądze")
    confirm_act(page, "Zleć zwrot")
    expect_toast(page, "Sukces", "Zwrot został zlecony")
    product.dev_api.post("/dev/jobs")
    page.goto("/admin/refunds")
    expect(page.get_by_role("row").filter(has_text="183,27").first).to_be_visible()


def test_a_message_that_was_lost_is_sent_again(page):
    """The demo's mailbox refuses nothing, so the list shows a message that was lost."""
    lost = {
        "id": "00000000-0000-7000-8000-0000000000d1", "companyId": None, "companyName": "Acme",
        "medium": "email", "kind": "notice", "state": "failed", "attempts": 3,
        "createdAt": "2026-11-20T05:00:00Z", "nextAttemptAt": None, "sentAt": None,
        "reason": "550 no such mailbox", "carrier": "mailbox", "resendable": True,
    }  # fmt: skip
    sent: list[dict[str, str]] = []

    def answer(route: Route) -> None:
        if route.request.method == "POST":
            sent.append(route.request.post_data_json)
            route.fulfill(json={**lost, "state": "pending", "resendable": False})
            return
        rows = [{**lost, "state": "pending", "resendable": False} if sent else lost]
        route.fulfill(json=rows, headers={"Content-Range": "deliveries 0-0/1"})

    page.route(re.compile(r"/api/admin/deliveries(\?|/[0-9a-f-]{36}/resend)"), answer)
    page.goto("/admin/deliveries")
    row = page.get_by_role("row").filter(has_text="550 no such mailbox")
    expect(row).to_be_visible()
    assert page.locator("main table").evaluate(FITS)
    press_action(row, "Wyślij ponownie")
    confirm_act(page, "Wyślij ponownie")
    expect_toast(page, "Sukces", "Wiadomość czeka na wysłanie")
    assert sent == [{"reason": REASON}]
    expect(row.get_by_role("button", name=re.compile("^Wyślij ponownie: "))).to_have_count(0)


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
    mail = product.wait_for_mail(company.email, "Brak kierowcy")
    assert "Kierowca jest już na liście." in mail["text"]

    press_action(row, "Zamknij")
    confirm_act(page, "Zamknij")
    expect(row).to_contain_text("Zamknięte")
    press_action(row, "Otwórz ponownie")
    confirm_act(page, "Otwórz ponownie")
    expect(row.get_by_role("button", name=re.compile("^Zamknij: "))).to_be_visible()
