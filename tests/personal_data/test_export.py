"""Exports of a company or a driver are complete and have no data of anybody else."""

import asyncio
import csv
import io
import re
import zipfile
from collections import Counter

import asyncpg
import pytest
from sqlalchemy import text

from prawko.billing.models import RenewalStepKind
from prawko.billing.repository import RenewalRepository, SubscriptionRepository
from prawko.invoices.jobs import build_due_invoices
from prawko.kit.text.i18n import Language
from prawko.personal_data.archive import TableWriter
from prawko.personal_data.export import MAX_CONCURRENT_EXPORTS, ROW_BATCH_SIZE, DataExporter
from prawko.personal_data.export_queries import COMPANY_TABLES, CONSOLE_TABLES, SELECT_INVOICE_FILES
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.policies import TENANT_TABLES
from prawko_testing.fakes import RecordingPushChannel, licence_answer, withheld_licence
from support.archives import json_rows, open_archive
from support.database import fetch_rows, insert_order
from support.invoices import issue_sale, with_issuer

pytestmark = pytest.mark.anyio

TABLES = [
    "company", "members", "legal_acceptances", "drivers", "verifications", "register_answers",
    "acknowledgements", "notices", "notifications", "push_browsers", "alert_recipients", "messages",
    "subscriptions", "subscription_history", "orders", "renewals", "invoices", "invoice_lines",
    "payments", "mandates", "tickets", "activity",
]  # fmt: skip
BROWSER = {"endpoint": "https://push.test/geheim", "p256dh": "geheim", "auth": "geheim"}
TICKET = {"subject": "=1+1", "message": "Jak dodać kierowcę?"}


def csv_rows(archive: zipfile.ZipFile, table: str) -> list[dict]:
    csv_text = archive.read(f"{table}.csv").decode()
    assert csv_text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(csv_text.removeprefix("\ufeff"), newline="")))


def all_text(archive: zipfile.ZipFile) -> str:
    return "".join(archive.read(name).decode() for name in archive.namelist())


INSERT_PAYMENT = text("""
    INSERT INTO payment (id, tenant_id, reference, order_id, provider, method, grosze, currency,
                         save_payment_method, state, created_at, finished_at)
    VALUES (:id, :tenant_id, '0123456789AB', :id, 'fake', 'card', 18327, 'PLN', true, 'paid',
            :now, :now)
""")
INSERT_MANDATE = text("""
    INSERT INTO payment_mandate (tenant_id, id, provider, method, token, key_id, label, created_at)
    VALUES (:tenant_id, :id, 'fake', 'card', 'encrypted', 'payload', '•••• 4242', :now)
""")


@pytest.fixture
def push_inbox() -> RecordingPushChannel:
    """A push channel that records its messages."""
    return RecordingPushChannel()


@pytest.fixture
async def two_drivers(anna, register, run_daily_check) -> tuple[str, str]:
    """One driver whose name looks like a formula, and one who is withheld and off the road."""
    register.answers["AA123456"] = licence_answer("AA123456", notes=("=cmd|'/c calc'!A1",))
    register.answers["AA123457"] = withheld_licence("AA123457")
    drivers = (
        await anna.add_driver("AA123456", "Jan", "Żółć"),
        await anna.add_driver("AA123457", "Zbigniew", "Nowak"),
    )
    await run_daily_check()
    withheld = (await anna.list_drivers())[0]
    entry = {"since": withheld["episode"]["since"], "note": "=Auto oddane"}
    answer = await anna.post(f"/api/drivers/{withheld['id']}/acknowledgements", entry)
    assert answer.status_code == 200, answer.text
    return drivers


async def insert_renewal_step(person, worker) -> None:
    """Insert the rows of an automatic renewal."""
    async with worker.database.tenant(TenantId(await person.tenant_id(worker))) as session:
        subscription = await SubscriptionRepository(session).get_current()
        await RenewalRepository(session).record_step(
            subscription, RenewalStepKind.FIRST_CHARGE, None, worker.clock.now()
        )


async def fill_every_table(anna, bartek, worker) -> None:
    """Insert rows of every table of an export, beside drivers and their checks."""
    await anna.post("/api/help/ticket", TICKET)
    await anna.post("/api/alert-recipients", {"name": "=1+1", "email": "nocna@acme.test"})
    await bartek.sign_in()
    for person in (anna, bartek):
        await person.post("/api/notifications/push", BROWSER)
    await insert_order(anna, worker)
    await insert_card_payment(anna, worker)
    await insert_renewal_step(anna, worker)
    await issue_sale(with_issuer(worker), await anna.tenant_id(worker))
    await build_due_invoices(worker)


async def test_a_company_export_is_complete_and_no_cell_is_a_formula(
    anna, bartek, two_drivers, worker
) -> None:
    await fill_every_table(anna, bartek, worker)

    download = await anna.get("/api/company/export")

    archive = open_archive(download)
    assert download.headers["content-disposition"].startswith(
        'attachment; filename="prawko-company-2'
    )
    assert download.headers["cache-control"] == "no-store"
    assert archive.namelist() == [
        "README.txt",
        *(f"{table}.{kind}" for table in TABLES for kind in ("json", "csv")),
        "invoices/FV-2026-000001.pdf",
        "invoices/FV-2026-000001.xml",
    ]
    for table in TABLES:
        assert json_rows(archive, table), table
        assert len(csv_rows(archive, table)) == len(json_rows(archive, table))
        assert [*csv_rows(archive, table)[0]] == [*json_rows(archive, table)[0]]
    assert [driver["lastName"] for driver in json_rows(archive, "drivers")] == ["Żółć", "Nowak"]
    browsers = json_rows(archive, "push_browsers")
    assert [row["email"] for row in browsers] == [anna.email, bartek.email]
    assert all(row["browser"] for row in browsers)
    assert not any("geheim" in str(row) for row in browsers)
    assert {driver["createdBy"] for driver in json_rows(archive, "drivers")} == {"anna@acme.test"}
    checked = json_rows(archive, "verifications")
    assert [verification["documentStatus"] for verification in checked] == ["Wydany", "Zatrzymany"]
    assert checked[0]["categories"] == [
        {"kategoria": "B", "dataWaznosci": "2039-12-31"},
        {"kategoria": "C", "dataWaznosci": "2039-12-31"},
    ]
    answers_by_id = {answer["id"]: answer for answer in json_rows(archive, "register_answers")}
    for verification in checked:
        raw = answers_by_id[verification["answerId"]]["verificationResponse"]
        assert raw["seriaNumerBlankietuDruku"] == verification["licenseNumber"]
    assert json_rows(archive, "notices")[0]["facts"]["license_number"] == "AA123457"
    assert {notification["recipient"] for notification in json_rows(archive, "notifications")} == {
        "anna@acme.test", "bartek@acme.test",
    }  # fmt: skip
    [subscription] = json_rows(archive, "subscriptions")
    assert subscription["priceNet"] == "0.00"
    [step] = json_rows(archive, "renewals")
    assert step["subscriptionId"] == subscription["id"]
    assert step["periodEnd"] == subscription["endDate"] == subscription["checkedUntil"]
    assert step["step"] == "first_charge"
    assert json_rows(archive, "invoices")[0]["gross"] == 259_12
    assert [line["net"] for line in json_rows(archive, "invoice_lines")] == [11_67, 199_00]
    assert archive.read("invoices/FV-2026-000001.pdf").startswith(b"%PDF-")
    assert "Gęślą" in archive.read("invoices/FV-2026-000001.xml").decode()
    assert json_rows(archive, "tickets")[0]["subject"] == "=1+1"
    readme = archive.read("README.txt").decode()
    assert "stan na" in readme
    explained = re.findall(r"^([a-z_, ]+):", readme, re.MULTILINE)
    assert {*", ".join(explained).split(", ")} == {*TABLES}, "every table is explained"
    assert all(step in readme for step in RenewalStepKind)
    assert json_rows(archive, "drivers")[0]["firstName"] == "Jan"
    assert csv_rows(archive, "verifications")[0]["notes"] == "'=cmd|'/c calc'!A1"
    assert csv_rows(archive, "tickets")[0]["subject"] == "'=1+1"
    for table in TABLES:
        for row in csv_rows(archive, table):
            assert not [value for value in row.values() if value[:1] in {*"=+-@\t\r\n"}]


async def test_an_export_has_no_secrets_no_foreign_ids_and_no_private_data_of_others(
    anna, bartek, celina, two_drivers, worker, logins, context
) -> None:
    await celina.add_driver("CC777777", "Cezary", "Rywal")
    await bartek.put("/api/user/language", {"language": "en"})
    async with context.database.system() as session:
        await session.execute(
            text("UPDATE user_account SET phone_number = '+4860010020' || length(email) % 10")
        )
    owner = await asyncpg.connect(logins.owner)
    await owner.execute(
        'UPDATE user_activity SET details = details || \'{"impersonator": "somebody"}\''
        " WHERE activity_type = 'driver_added'"
    )
    await owner.close()
    archive = open_archive(await anna.get("/api/company/export"))
    content = all_text(archive)

    people = await fetch_rows(logins, "SELECT id, email, password_hash FROM user_account")
    hidden = [str(person["id"]) for person in people]
    hidden += [person["password_hash"] for person in people]
    hidden += ["celina@rival.test", "Cezary", "Rywal", "CC777777"]
    hidden += [str(await person.tenant_id(worker)) for person in (anna, celina)]
    for table, column in (("login_session", "token_hash"), ("register_answer", "hash"),
                          ("one_time_code", "code_hash")):  # fmt: skip
        hash_rows = await fetch_rows(logins, f"SELECT encode({column}, 'hex') AS hash FROM {table}")
        assert hash_rows
        hidden += [row["hash"] for row in hash_rows]
    for secret in hidden:
        assert secret not in content
    phones = {member["email"]: member["phoneNumber"] for member in json_rows(archive, "members")}
    assert phones["anna@acme.test"] is not None
    assert phones["bartek@acme.test"] is None
    events = json_rows(archive, "activity")
    assert {event["email"] for event in events} == {"anna@acme.test", "bartek@acme.test"}
    for event in events:
        for device in (event["ipAddress"], event["userAgent"]):
            is_visible = (
                event["email"] == "anna@acme.test" and event["activityType"] != "driver_added"
            )
            assert (device is not None) == is_visible


async def test_operators_get_the_export_of_a_member_without_private_data_of_people(
    anna, bartek, celina, olga, two_drivers, worker, logins, context
) -> None:
    await celina.add_driver("CC777777", "Cezary", "Rywal")
    await fill_every_table(anna, bartek, worker)
    async with context.database.system() as session:
        await session.execute(text("UPDATE user_account SET phone_number = '+48600100200'"))
    company = await anna.tenant_id(worker)

    of_member = open_archive(await anna.get("/api/company/export"))
    download = await olga.post(f"/api/admin/companies/{company}/export", {"reason": "RODO"})

    archive = open_archive(download)
    assert download.headers["content-disposition"].startswith(
        'attachment; filename="prawko-company-2'
    )
    assert download.headers["cache-control"] == "no-store"
    assert archive.namelist() == of_member.namelist()
    private = {"phoneNumber", "ipAddress", "userAgent"}
    for table in TABLES:
        rows = json_rows(archive, table)
        if table == "activity":
            assert rows.pop()["activityType"] == "export_made"  # the member's
        expected = [
            {name: None if name in private else value for name, value in row.items()}
            for row in json_rows(of_member, table)
        ]
        assert rows, table
        assert rows == expected, table
    for name in of_member.namelist():
        if name.startswith("invoices/"):
            assert archive.read(name) == of_member.read(name)
    content = "".join(archive.read(f"{table}.json").decode() for table in TABLES)
    hidden = ["+48600100200", celina.email, "Cezary", "Rywal", "CC777777", olga.email]
    hidden += [str(company), str(await celina.tenant_id(worker))]
    for secret in hidden:
        assert secret not in content, secret
    [action] = await fetch_rows(
        logins,
        "SELECT action_type, reason, tenant_id, u.email FROM admin_action"
        " JOIN user_account u ON u.id = admin_id",
    )
    assert (action["action_type"], action["reason"]) == ("company_exported", "RODO")
    assert (str(action["tenant_id"]), action["email"]) == (str(company), olga.email)


async def test_a_driver_export_has_only_that_drivers_data_and_exports_are_recorded(
    anna, celina, two_drivers, logins
) -> None:
    _, withheld_driver = two_drivers
    archive = open_archive(await anna.get(f"/api/drivers/{withheld_driver}/export"))

    assert archive.namelist() == [
        "README.txt",
        *(f"{table}.{kind}" for table in ("driver", "verifications", "register_answers",
                                          "acknowledgements", "notices")
          for kind in ("json", "csv")),
    ]  # fmt: skip
    assert [driver["lastName"] for driver in json_rows(archive, "driver")] == ["Nowak"]
    for table in ("verifications", "register_answers", "notices"):
        assert {row["driverId"] for row in json_rows(archive, table)} == {withheld_driver}
    assert "Żółć" not in all_text(archive)
    statuses = [(await anna.get("/api/company/export")).status_code for _ in range(6)]
    assert statuses == [200] * 5 + [429]
    assert (await celina.get("/api/company/export")).status_code == 200
    audit_rows = await fetch_rows(
        logins,
        "SELECT details->>'about' AS about, details->>'driver' AS driver FROM user_activity"
        " WHERE activity_type = 'export_made' ORDER BY id",
    )
    assert [row["about"] for row in audit_rows] == ["driver"] + ["company"] * 6
    assert audit_rows[0]["driver"] == withheld_driver


async def test_an_export_is_complete_despite_a_lost_key_and_a_long_history(
    anna, worker, two_drivers, context, monkeypatch
) -> None:
    """Rows are read in batches of 500; two batches and one row show that none is lost."""
    batches = []
    add = TableWriter.add_rows

    def record_batch(self, rows):
        rows = list(rows)
        batches.append(len(rows))
        add(self, rows)

    monkeypatch.setattr(TableWriter, "add_rows", record_batch)
    async with worker.database.tenant(TenantId(await anna.tenant_id(worker))) as session:
        await session.execute(text("UPDATE register_answer SET key_id = 'lost'"))
    insert_many = text("""
        INSERT INTO notification (tenant_id, id, user_id, type, title, content, created_at)
        SELECT n.tenant_id, uuidv7(), n.user_id, n.type, 'Nr ' || i, 'x', n.created_at
          FROM (SELECT * FROM notification LIMIT 1) AS n, generate_series(1, 1001) AS i
    """)
    async with context.database.tenant(TenantId(await anna.tenant_id(worker))) as session:
        await session.execute(insert_many)
    archive = open_archive(await anna.get("/api/company/export"))

    assert [
        answer["verificationResponse"] for answer in json_rows(archive, "register_answers")
    ] == [None, None]
    assert len(json_rows(archive, "verifications")) == 2
    assert max(batches) == ROW_BATCH_SIZE  # memory stays flat
    titles = [notification["title"] for notification in json_rows(archive, "notifications")]
    assert sorted(title for title in titles if title.startswith("Nr ")) == sorted(
        f"Nr {number}" for number in range(1, 1002)
    )
    assert len(csv_rows(archive, "notifications")) == len(titles)


async def test_an_export_reads_one_snapshot_and_concurrent_exports_are_limited(
    anna, celina, worker, context, monkeypatch
) -> None:
    company = TenantId(await anna.tenant_id(worker))
    async with context.database.tenant(company) as session:
        exporter = DataExporter(context, session, Language.PL)
        (await exporter.export_company(None)).close()
        assert await session.scalar(text("SHOW transaction_isolation")) == "repeatable read"
    async with context.database.tenant(company) as session:
        assert await session.scalar(text("SHOW transaction_isolation")) == "read committed"

    running, busiest = Counter(), []
    all_slots_taken = asyncio.Event()
    original_export = DataExporter.export_driver

    async def slowly(self, driver_id):
        running[driver_id] += 1
        busiest.append((running.total(), max(running.values())))
        if running.total() == MAX_CONCURRENT_EXPORTS:
            all_slots_taken.set()
        await asyncio.wait_for(all_slots_taken.wait(), 30)
        await asyncio.sleep(0.05)  # an export beyond the limit would start here
        running[driver_id] -= 1
        return await original_export(self, driver_id)

    monkeypatch.setattr(DataExporter, "export_driver", slowly)
    drivers = {person: await person.add_driver("AA123456") for person in (anna, celina)}
    answers = await asyncio.gather(
        *(
            person.get(f"/api/drivers/{drivers[person]}/export")
            for person in drivers
            for _ in range(3)
        )
    )
    assert [answer.status_code for answer in answers] == [200] * 6
    assert max(busiest) == (MAX_CONCURRENT_EXPORTS, 1)  # one of each company


async def test_the_readme_follows_the_language(anna) -> None:
    await anna.put("/api/user/language", {"language": "en"})
    archive = open_archive(await anna.get("/api/company/export"))

    assert "the company's data as of" in archive.read("README.txt").decode()


def test_every_table_of_companies_is_exported() -> None:
    statements = (*(table.statement for table in COMPANY_TABLES), SELECT_INVOICE_FILES)
    read = " ".join(str(statement) for statement in statements)

    assert set(re.findall(r"(?:FROM|JOIN) (\w+)", read)) >= TENANT_TABLES.keys()
    assert [one.name for one in CONSOLE_TABLES] == [one.name for one in COMPANY_TABLES]


async def insert_card_payment(person, worker) -> None:
    """Insert a paid payment and the card that was saved with it."""
    tenant_id = TenantId(await person.tenant_id(worker))
    params = {"tenant_id": tenant_id, "id": new_id(), "now": worker.clock.now()}
    async with worker.database.tenant(tenant_id) as session:
        await session.execute(INSERT_PAYMENT, params)
        await session.execute(INSERT_MANDATE, params)
