"""Names that were stored under earlier rules, and that today's would change or refuse."""

import base64
import csv
import io

import pytest
from sqlalchemy import update

from prawko.drivers.models import Driver
from prawko_tenants.ids import TenantId
from prawko_testing.fakes import withheld_licence
from support.pdf import printed_text
from support.people import deliver_outbox
from support.workbooks import read_cells

pytestmark = pytest.mark.anyio

NUMBER = "AA123456"
CYRILLIC_A = "J\u0430n"
# With what an SMS and a PDF write of it.
STORED = {
    "-Jan": ("-Jan", "-Jan"),
    "Jan-": ("Jan-", "Jan-"),
    "Jan - Maria": ("Jan - Maria", "Jan - Maria"),
    CYRILLIC_A: ("Jan", CYRILLIC_A),
    "\u7530\u4e2d": ("TianZhong", "TianZhong"),
    "=Jan": ("=Jan", "=Jan"),
}


@pytest.fixture
def store(anna, context):
    async def store(first_name: str) -> str:
        driver_id = await anna.add_driver(NUMBER)
        async with context.database.tenant(TenantId(await anna.tenant_id(context))) as session:
            await session.execute(update(Driver).values(first_name=first_name))
        return driver_id

    return store


@pytest.mark.parametrize("stored", STORED)
async def test_every_output_has_the_name_as_it_is_stored(
    anna, worker, register, mailbox, sms_inbox, run_daily_check, store, stored
) -> None:
    in_sms, in_pdf = STORED[stored]
    register.answers[NUMBER] = withheld_licence(NUMBER)
    driver_id = await store(stored)

    await run_daily_check()
    await deliver_outbox(worker)

    assert register.queries[-1].first_name == stored
    [driver] = await anna.list_drivers()
    assert (driver["firstName"], driver["status"]) == (stored, "invalid")
    [alert] = [one.message for one in mailbox.sent if NUMBER in one.message.text]
    assert f"{stored} Kowalski" in alert.text
    assert f"{in_sms} Kowalski" in alert.sms_text
    check = driver["verifications"][0]["id"]
    pdf = await anna.get(f"/api/drivers/{driver_id}/verifications/{check}/confirmation")
    assert pdf.status_code == 200
    assert f"{in_pdf} Kowalski" in printed_text(pdf.content)


@pytest.mark.parametrize("stored", STORED)
async def test_an_exported_name_is_no_formula_and_its_file_can_be_imported(
    anna, store, stored
) -> None:
    await store(stored)

    exported = (await anna.get("/api/drivers/export?format=csv")).content
    book = (await anna.get("/api/drivers/export")).content

    cell = list(csv.reader(io.StringIO(exported.decode("utf-8-sig")), delimiter=";"))[1][0]
    assert cell == (f"'{stored}" if stored[0] in "-=" else stored)
    assert read_cells(book)[1][0] == stored
    file = {"contentBase64": base64.b64encode(exported).decode()}
    preview = await anna.post("/api/drivers/import/preview", file)
    assert preview.json()["rows"][0]["state"] in {"existing", "invalid"}, preview.text


@pytest.mark.parametrize("stored", STORED)
async def test_a_form_that_sends_it_back_changes_the_rest(anna, register, store, stored) -> None:
    driver_id = await store(stored)
    sent = {"firstName": stored, "lastName": "Kowalski", "licenseNumber": NUMBER}

    answer = await anna.put(f"/api/drivers/{driver_id}", sent | {"neededCategories": ["C"]})

    assert answer.status_code == 200, answer.text
    [driver] = await anna.list_drivers()
    assert (driver["firstName"], driver["neededCategories"]) == (stored, ["C"])


@pytest.mark.parametrize("stored", [one for one in STORED if " " not in one])
async def test_it_can_be_corrected_and_is_checked_anew(anna, store, enqueued_jobs, stored) -> None:
    driver_id = await store(stored)
    enqueued_jobs.clear()

    answer = await anna.put(f"/api/drivers/{driver_id}", {"firstName": "Jan"})

    assert (answer.status_code, answer.json()["firstName"]) == (200, "Jan")
    assert [name for name, _ in enqueued_jobs] == ["check_new_documents"]


@pytest.mark.parametrize("other", ["=Ewa", "\u7530", f"{CYRILLIC_A} Maria"])
async def test_another_name_is_judged_by_the_rules_of_today(anna, store, other) -> None:
    driver_id = await store("=Jan")

    answer = await anna.put(f"/api/drivers/{driver_id}", {"firstName": other})

    assert (answer.status_code, [*answer.json()["fields"]]) == (422, ["firstName"])
