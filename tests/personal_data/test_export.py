"""An archive holds all that is kept of a company, or of one driver, and nothing of anybody else."""

import asyncio
import csv
import io
import json
import re
import zipfile

import asyncpg
import pytest
from sqlalchemy import text

from prawko.base.texts import Language
from prawko.billing.renewal_repository import RenewalRepository
from prawko.billing.renewals import Step
from prawko.billing.repository import SubscriptionRepository
from prawko.invoices.jobs import finish_invoices
from prawko.personal_data.archive import TableWriter
from prawko.personal_data.export import ROWS_AT_ONCE, Exporter
from prawko.personal_data.reading import INVOICE_FILES, OF_A_COMPANY
from prawko.personal_data.service import ARCHIVES_AT_ONCE
from prawko.testing.fakes import answer, withheld
from prawko_tenants.ids import TenantId
from prawko_tenants.policies import TENANT_TABLES
from sales import issued, with_issuer
from stored import look, ordered, paid_by_card

pytestmark = pytest.mark.anyio

TABLES = [
    "company", "members", "drivers", "verifications", "register_answers", "notices",
    "notifications", "messages", "subscriptions", "subscription_history", "orders",
    "renewals", "invoices", "invoice_lines", "payments", "mandates", "tickets", "activity",
]  # fmt: skip
TICKET = {"subject": "=1+1", "message": "Jak dodać kierowcę?"}


def opened(download) -> zipfile.ZipFile:
    assert download.status_code == 200, download.text
    assert download.headers["content-type"] == "application/zip"
    assert int(download.headers["content-length"]) == len(download.content)
    archive = zipfile.ZipFile(io.BytesIO(download.content))
    assert archive.testzip() is None
    return archive


def rows(archive: zipfile.ZipFile, table: str) -> list[dict]:
    return json.loads(archive.read(f"{table}.json"))


def sheet(archive: zipfile.ZipFile, table: str) -> list[dict]:
    said = archive.read(f"{table}.csv").decode()
    assert said.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(said.removeprefix("\ufeff"), newline="")))


def all_words(archive: zipfile.ZipFile) -> str:
    return "".join(archive.read(name).decode() for name in archive.namelist())


@pytest.fixture
async def two_drivers(anna, register, run_daily_check) -> tuple[str, str]:
    """One whose name a spreadsheet would calculate, and one whose licence is withheld."""
    register.says["AA123456"] = answer("AA123456", notes=("=cmd|'/c calc'!A1",))
    register.says["AA123457"] = withheld("AA123457")
    drivers = (
        await anna.adds("AA123456", "=HYPERLINK(1)", "Żółć"),
        await anna.adds("AA123457", "Zbigniew", "Nowak"),
    )
    await run_daily_check()
    return drivers


async def charged(person, worker) -> None:
    """What a charge by our own timetable leaves."""
    async with worker.database.tenant(TenantId(await person.tenant_id(worker))) as session:
        subscription = await SubscriptionRepository(session).current()
        await RenewalRepository(session).take(
            subscription, Step.FIRST_CHARGE, None, worker.clock.now()
        )


async def test_a_company_gets_all_of_its_data_and_no_cell_is_a_formula(
    anna, bartek, two_drivers, worker
) -> None:
    await anna.post("/api/help/ticket", TICKET)
    await bartek.signs_in()
    await ordered(anna, worker)
    await paid_by_card(anna, worker)
    await charged(anna, worker)
    await issued(with_issuer(worker), await anna.tenant_id(worker))
    await finish_invoices(worker)

    download = await anna.get("/api/company/export")

    archive = opened(download)
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
        assert rows(archive, table), table
        assert len(sheet(archive, table)) == len(rows(archive, table))
        assert [*sheet(archive, table)[0]] == [*rows(archive, table)[0]]
    assert [d["lastName"] for d in rows(archive, "drivers")] == ["Żółć", "Nowak"]
    assert {d["createdBy"] for d in rows(archive, "drivers")} == {"anna@acme.test"}
    checked = rows(archive, "verifications")
    assert [v["documentStatus"] for v in checked] == ["Wydany", "Zatrzymany"]
    assert checked[0]["categories"] == [
        {"kategoria": "B", "dataWaznosci": "2039-12-31"},
        {"kategoria": "C", "dataWaznosci": "2039-12-31"},
    ]
    kept = {a["id"]: a for a in rows(archive, "register_answers")}
    for verification in checked:
        raw = kept[verification["answerId"]]["verificationResponse"]
        assert raw["seriaNumerBlankietuDruku"] == verification["licenseNumber"]
    assert rows(archive, "notices")[0]["facts"]["license_number"] == "AA123457"
    assert {n["recipient"] for n in rows(archive, "notifications")} == {
        "anna@acme.test", "bartek@acme.test",
    }  # fmt: skip
    [subscription] = rows(archive, "subscriptions")
    assert subscription["priceNet"] == "0.00"
    [step] = rows(archive, "renewals")
    assert step["subscriptionId"] == subscription["id"]
    assert step["periodEnd"] == subscription["endDate"] == subscription["checkedUntil"]
    assert step["step"] == "first_charge"
    assert rows(archive, "invoices")[0]["gross"] == 259_12
    assert [line["net"] for line in rows(archive, "invoice_lines")] == [11_67, 199_00]
    assert archive.read("invoices/FV-2026-000001.pdf").startswith(b"%PDF-")
    assert "Gęślą" in archive.read("invoices/FV-2026-000001.xml").decode()
    assert rows(archive, "tickets")[0]["subject"] == "=1+1"
    told = archive.read("README.txt").decode()
    assert "stan na" in told
    explained = re.findall(r"^([a-z_, ]+):", told, re.MULTILINE)
    assert {*", ".join(explained).split(", ")} == {*TABLES}, "every table is explained"
    assert all(step in told for step in Step)
    assert rows(archive, "drivers")[0]["firstName"] == "=HYPERLINK(1)"
    assert sheet(archive, "drivers")[0]["firstName"] == "'=HYPERLINK(1)"
    assert sheet(archive, "verifications")[0]["notes"] == "'=cmd|'/c calc'!A1"
    assert sheet(archive, "tickets")[0]["subject"] == "'=1+1"
    for table in TABLES:
        for row in sheet(archive, table):
            assert not [value for value in row.values() if value[:1] in {*"=+-@\t\r\n"}]


async def test_no_secret_no_id_and_nothing_private_of_somebody_else_is_among_it(
    anna, bartek, celina, two_drivers, worker, logins, tools
) -> None:
    await celina.adds("CC777777", "Cezary", "Rywal")
    await bartek.put("/api/user/language", {"language": "en"})
    async with tools.database.system() as session:
        await session.execute(
            text("UPDATE user_account SET phone_number = '+4860010020' || length(email) % 10")
        )
    owner = await asyncpg.connect(logins.owner)
    await owner.execute(
        'UPDATE user_activity SET details = details || \'{"impersonator": "somebody"}\''
        " WHERE activity_type = 'driver_added'"
    )
    await owner.close()
    archive = opened(await anna.get("/api/company/export"))
    words = all_words(archive)

    people = await look(logins, "SELECT id, email, password_hash FROM user_account")
    hidden = [str(person["id"]) for person in people]
    hidden += [person["password_hash"] for person in people]
    hidden += ["celina@rival.test", "Cezary", "Rywal", "CC777777"]
    hidden += [str(await person.tenant_id(worker)) for person in (anna, celina)]
    for table, column in (("login_session", "token_hash"), ("register_answer", "hash"),
                          ("one_time_code", "code_hash")):  # fmt: skip
        found = await look(logins, f"SELECT encode({column}, 'hex') AS hash FROM {table}")
        assert found
        hidden += [row["hash"] for row in found]
    for secret in hidden:
        assert secret not in words
    phones = {m["email"]: m["phoneNumber"] for m in rows(archive, "members")}
    assert phones["anna@acme.test"] is not None
    assert phones["bartek@acme.test"] is None
    acts = rows(archive, "activity")
    assert {act["email"] for act in acts} == {"anna@acme.test", "bartek@acme.test"}
    for act in acts:
        for device in (act["ipAddress"], act["userAgent"]):
            hers = act["email"] == "anna@acme.test" and act["activityType"] != "driver_added"
            assert (device is not None) == hers


async def test_one_driver_gets_what_is_kept_of_it_alone_and_each_archive_is_noted(
    anna, celina, two_drivers, logins
) -> None:
    _, withheld_one = two_drivers
    archive = opened(await anna.get(f"/api/drivers/{withheld_one}/export"))

    assert archive.namelist() == [
        "README.txt",
        *(f"{table}.{kind}" for table in ("driver", "verifications", "register_answers", "notices")
          for kind in ("json", "csv")),
    ]  # fmt: skip
    assert [d["lastName"] for d in rows(archive, "driver")] == ["Nowak"]
    for table in ("verifications", "register_answers", "notices"):
        assert {row["driverId"] for row in rows(archive, table)} == {withheld_one}
    assert "Żółć" not in all_words(archive)
    statuses = [(await anna.get("/api/company/export")).status_code for _ in range(6)]
    assert statuses == [200] * 5 + [429]
    assert (await celina.get("/api/company/export")).status_code == 200
    noted = await look(
        logins,
        "SELECT details->>'about' AS about, details->>'driver' AS driver FROM user_activity"
        " WHERE activity_type = 'export_made' ORDER BY id",
    )
    assert [row["about"] for row in noted] == ["driver"] + ["company"] * 6
    assert noted[0]["driver"] == withheld_one


async def test_neither_a_lost_key_nor_a_long_history_takes_rows_away(
    anna, worker, two_drivers, tools, monkeypatch
) -> None:
    """Rows come in pieces of 500; one more than two pieces shows that none is lost between."""
    pieces = []
    add = TableWriter.add

    def noted(self, some):
        some = list(some)
        pieces.append(len(some))
        add(self, some)

    monkeypatch.setattr(TableWriter, "add", noted)
    async with worker.database.tenant(TenantId(await anna.tenant_id(worker))) as session:
        await session.execute(text("UPDATE register_answer SET key_id = 'lost'"))
    many = text("""
        INSERT INTO notification (tenant_id, id, user_id, type, title, content, created_at)
        SELECT n.tenant_id, uuidv7(), n.user_id, n.type, 'Nr ' || i, 'x', n.created_at
          FROM (SELECT * FROM notification LIMIT 1) AS n, generate_series(1, 1001) AS i
    """)
    async with tools.database.tenant(TenantId(await anna.tenant_id(worker))) as session:
        await session.execute(many)
    archive = opened(await anna.get("/api/company/export"))

    assert [a["verificationResponse"] for a in rows(archive, "register_answers")] == [None, None]
    assert len(rows(archive, "verifications")) == 2
    assert max(pieces) == ROWS_AT_ONCE  # memory stays flat
    titles = [n["title"] for n in rows(archive, "notifications")]
    assert sorted(t for t in titles if t.startswith("Nr ")) == sorted(
        f"Nr {i}" for i in range(1, 1002)
    )
    assert len(sheet(archive, "notifications")) == len(titles)


async def test_an_archive_sees_one_moment_and_few_are_made_at_once(
    anna, worker, tools, monkeypatch
) -> None:
    company = TenantId(await anna.tenant_id(worker))
    now = tools.clock.now()
    async with tools.database.tenant(company) as session:
        exporter = Exporter(session, tools.vault, brand="", language=Language.PL, now=now)
        (await exporter.company(None)).close()
        assert await session.scalar(text("SHOW transaction_isolation")) == "repeatable read"
    async with tools.database.tenant(company) as session:
        assert await session.scalar(text("SHOW transaction_isolation")) == "read committed"

    at_once, most = 0, 0
    made = Exporter.driver

    async def slowly(self, driver_id):
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.05)
        at_once -= 1
        return await made(self, driver_id)

    monkeypatch.setattr(Exporter, "driver", slowly)
    driver = await anna.adds("AA123456")
    paths = [f"/api/drivers/{driver}/export"] * 6
    answers = await asyncio.gather(*(anna.get(path) for path in paths))
    assert [answer.status_code for answer in answers] == [200] * 6
    assert most == ARCHIVES_AT_ONCE


async def test_the_words_beside_it_follow_the_language(anna) -> None:
    await anna.put("/api/user/language", {"language": "en"})
    archive = opened(await anna.get("/api/company/export"))

    assert "the company's data as of" in archive.read("README.txt").decode()


def test_no_table_of_a_company_s_own_is_left_out() -> None:
    read = " ".join(str(sql) for sql in (*(table.sql for table in OF_A_COMPANY), INVOICE_FILES))

    assert set(re.findall(r"(?:FROM|JOIN) (\w+)", read)) >= TENANT_TABLES.keys()
