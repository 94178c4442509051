"""The retention job deletes what is due, by the product's clock, and nothing else."""

import dataclasses
import uuid
from datetime import UTC, date, datetime, timedelta

import asyncpg
import msgspec
import pytest

from prawko.hooks.licence_register import LicenceCategory
from prawko.kit.clock import RealTimeClock, utc_now, warsaw_date
from prawko.personal_data import jobs
from prawko.personal_data.jobs import apply_retention
from prawko.personal_data.repository import RetentionRepository
from prawko.personal_data.retention import COMPANY_RULES, GLOBAL_RULES
from prawko.verifications.expiry_reminders import ScanCursor, send_document_expiry_reminders
from prawko_testing.fakes import licence_answer, withheld_licence
from support.database import count_rows, fetch_rows, set_subscription_end
from support.people import Person, deliver_outbox

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)
# A row of each table: `$1` is its timestamp, `$2` its id, `$3` Anna, `$4` Acme.
INSERTS = {
    "one_time_code": """
        INSERT INTO one_time_code (id, user_id, kind, code_hash, created_at, expires_at)
        VALUES ($2, $3, 'reset', '', $1, $1)""",
    "login_session": """
        INSERT INTO login_session
            (id, token_hash, user_id, tenant_id, created_at, last_seen_at, expires_at, revoked_at)
        VALUES ($2, uuid_send($2), $3, $4, $1, $1, $1::timestamptz + interval '14 days', $1)""",
    "throttle": """
        INSERT INTO throttle (key, window_started_at, count) VALUES ($2::uuid::text, $1, 1)""",
    "user_activity": """
        INSERT INTO user_activity (id, user_id, activity_type, created_at)
        VALUES ($2, $3, 'signed_in', $1)""",
    "contact_message": """
        INSERT INTO contact_message (id, name, email, email_key, company, drivers_count, message,
            created_at)
        VALUES ($2, 'Ewa', 'ewa@nowak.test', 'ewa@nowak.test', 'Nowak', 1, '?', $1)""",
    "notice": """
        INSERT INTO notice (tenant_id, id, kind, dedup_key, params, created_at)
        VALUES ($4, $2, 'results_stale', $2::uuid::text, '{}', $1)""",
    "notification": """
        INSERT INTO notification (tenant_id, id, user_id, type, title, content, created_at)
        VALUES ($4, $2, $3, 'results_stale', '?', '?', $1)""",
    "support_ticket": """
        INSERT INTO support_ticket (tenant_id, id, user_id, subject, message, created_at)
        VALUES ($4, $2, $3, '?', '?', $1)""",
    "payment": """
        INSERT INTO payment (tenant_id, id, reference, order_id, provider, method, grosze, currency,
            save_payment_method, state, attempts, created_at)
        VALUES ($4, $2, $2::uuid::text, uuidv7(), 'fake', 'card', 18327, 'PLN', false, 'paid', 0,
            $1)""",
    "payment_discrepancy": """
        INSERT INTO payment_discrepancy (id, kind, provider, reference, provider_ref, grosze,
            currency, detail, detected_at)
        VALUES ($2, 'paid_twice', 'fake', $2::uuid::text, '', 18327, 'PLN', '?', $1)""",
    "booked_entry": """
        INSERT INTO booked_entry (reference, fingerprint, booked_at)
        VALUES ($2::uuid::text, '', $1)""",
    "incident": """
        INSERT INTO incident (id, kind, key, opened_at, closed_at, detail)
        VALUES ($2, 'run_late', $2::uuid::text, $1::timestamptz - interval '1 day', $1, '?')""",
}
KEYS = {"throttle": "key", "booked_entry": "reference"}


async def insert_row(fleet, table: str, *values: object) -> None:
    statement = INSERTS[table]
    parameters = [n for n in range(1, 5) if f"${n}" in statement]
    for position, number in enumerate(parameters, start=1):
        statement = statement.replace(f"${number}", f"<{position}>")
    for position in range(1, len(parameters) + 1):
        statement = statement.replace(f"<{position}>", f"${position}")
    await fleet.admin.execute(statement, *(values[number - 1] for number in parameters))


def test_every_rule_has_an_insert_statement_here() -> None:
    assert {rule.table for rule in (*GLOBAL_RULES, *COMPANY_RULES)} == set(INSERTS)


async def test_each_rule_deletes_older_rows_and_keeps_younger_ones(
    anna, worker, logins, fleet, clock
) -> None:
    """Two rows of each table, a day older and a day younger than its rule allows."""
    user = await fleet.fetch_value("SELECT id FROM user_account")
    company = await anna.tenant_id(worker)
    await fleet.admin.execute("UPDATE membership SET created_at = created_at - interval '3 years'")
    clock.set(datetime.now(UTC) + 10 * DAY)  # the two clocks differ: each rule uses its own
    older, younger = {}, {}
    for rule in (*GLOBAL_RULES, *COMPANY_RULES):
        now = utc_now() if rule.uses_system_clock else clock.now()
        older[rule.table], younger[rule.table] = uuid.uuid4(), uuid.uuid4()
        for key, row_age in ((older, rule.keep_for + DAY), (younger, rule.keep_for - DAY)):
            await insert_row(fleet, rule.table, now - row_age, key[rule.table], user, company)

    await apply_retention(worker)
    await apply_retention(worker)

    for table in INSERTS:
        column = KEYS.get(table, "id")
        remaining = {
            row["key"]
            for row in await fetch_rows(logins, f"SELECT {column}::text AS key FROM {table}")
        }
        assert str(older[table]) not in remaining, table
        assert str(younger[table]) in remaining, table


async def test_an_open_incident_is_kept_however_old(anna, worker, logins, fleet) -> None:
    await fleet.admin.execute(
        "INSERT INTO incident (id, kind, key, opened_at, detail)"
        " VALUES (gen_random_uuid(), 'run_late', 'today', now() - interval '9 years', '?')"
    )

    await apply_retention(worker)

    assert len(await fetch_rows(logins, "SELECT 1 FROM incident WHERE key = 'today'")) == 1


async def test_a_new_company_loses_nothing(anna, worker, logins, register, run_daily_check) -> None:
    register.answers["AA123456"] = withheld_licence("AA123456")
    await anna.add_driver("AA123456")
    await run_daily_check()
    await anna.post("/api/help/ticket", {"subject": "?", "message": "Jak dodać kierowcę?"})
    tables = ("tenant", "user_account", "driver", "verification", "register_answer", "notice",
              "notification", "delivery", "user_activity", "login_session", "one_time_code",
              "support_ticket", "throttle")  # fmt: skip
    before = {table: await count_rows(logins, table) for table in tables}
    assert all(before.values())

    await apply_retention(worker)

    assert {table: await count_rows(logins, table) for table in tables} == before


async def test_a_company_is_erased_five_years_after_the_year_of_its_end(
    anna, celina, worker, logins, clock, run_daily_check, fleet
) -> None:
    await anna.add_driver("AA123456")
    await run_daily_check()
    next_year = clock.now().year + 1
    await set_subscription_end(anna, worker, datetime(next_year, 3, 1, 12, tzinfo=UTC))
    await set_subscription_end(celina, worker, datetime(next_year + 1, 1, 2, tzinfo=UTC))
    acme = await anna.tenant_id(worker)
    await fleet.admin.execute("UPDATE login_session SET revoked_at = now() - interval '40 days'")

    clock.set(datetime(next_year + 5, 12, 31, 22, 0, tzinfo=UTC))  # 23:00 in Warsaw
    await apply_retention(worker)
    assert await count_rows(logins, "tenant") == 2

    clock.set(datetime(next_year + 5, 12, 31, 23, 1, tzinfo=UTC))
    await apply_retention(worker)
    remaining = {row["id"] for row in await fetch_rows(logins, "SELECT id FROM tenant")}
    assert remaining == {await celina.tenant_id(worker)}
    assert acme not in remaining
    people = await fetch_rows(logins, "SELECT email FROM user_account")
    assert [person["email"] for person in people] == ["celina@rival.test"]
    assert await count_rows(logins, "driver") == await count_rows(logins, "verification") == 0


async def test_recent_activity_keeps_a_company(anna, worker, logins, clock, fleet) -> None:
    next_year = clock.now().year + 1
    await set_subscription_end(anna, worker, datetime(next_year, 3, 1, 12, tzinfo=UTC))
    clock.set(datetime(next_year + 6, 1, 2, tzinfo=UTC))
    recently = clock.now() - DAY
    set_last_seen = "UPDATE login_session SET last_seen_at = $1, expires_at = $1, revoked_at = NULL"
    await fleet.admin.execute(set_last_seen, recently)
    await fleet.admin.execute("DELETE FROM user_activity")

    await apply_retention(worker)
    assert await count_rows(logins, "tenant") == 1

    await fleet.admin.execute("DELETE FROM login_session")
    user = await fleet.fetch_value("SELECT id FROM user_account")
    await insert_row(fleet, "user_activity", recently, uuid.uuid4(), user)
    set_company = "UPDATE user_activity SET tenant_id = $1"
    await fleet.admin.execute(set_company, await anna.tenant_id(worker))
    await apply_retention(worker)
    assert await count_rows(logins, "tenant") == 1

    await fleet.admin.execute("DELETE FROM user_activity")
    await apply_retention(worker)
    assert await count_rows(logins, "tenant") == 0


async def test_the_last_operator_is_kept(anna, worker, logins, clock, fleet) -> None:
    await fleet.admin.execute("UPDATE user_account SET is_admin = true")
    await set_subscription_end(anna, worker, datetime(2027, 3, 1, 12, tzinfo=UTC))
    clock.set(datetime(2040, 1, 2, tzinfo=UTC))

    await apply_retention(worker)
    assert await count_rows(logins, "tenant") == await count_rows(logins, "user_account") == 1

    await fleet.admin.execute("""
        INSERT INTO user_account (id, email, email_key, password_hash, is_admin, email_verified,
            created_at, updated_at)
        VALUES (uuidv7(), 'o@p.test', 'o@p.test', '', true, true, now(), now())
    """)
    await apply_retention(worker)
    assert await count_rows(logins, "tenant") == 0


async def test_an_account_of_no_company_is_kept_as_long_as_its_events(
    anna, bartek, worker, logins, clock
) -> None:
    [row] = [one for one in (await anna.get("/api/members")).json() if one["role"] == "manager"]
    assert (await anna.delete(f"/api/members/{row['id']}")).status_code == 200
    people = "SELECT email FROM user_account ORDER BY email"

    clock.forward(days=729)
    await apply_retention(worker)
    assert [one["email"] for one in await fetch_rows(logins, people)] == [anna.email, bartek.email]

    clock.forward(days=2)
    await apply_retention(worker)
    assert [one["email"] for one in await fetch_rows(logins, people)] == [anna.email]


async def test_a_company_whose_founder_left_loses_old_rows_as_well(
    anna, bartek, worker, logins, fleet, clock
) -> None:
    company = await anna.tenant_id(worker)
    ids = {one["email"]: one["id"] for one in (await anna.get("/api/members")).json()}
    user = uuid.UUID(ids[bartek.email])
    await insert_row(fleet, "notice", clock.now() - 3 * 365 * DAY, uuid.uuid4(), user, company)
    await anna.put(f"/api/members/{user}", {"role": "owner"})
    assert (await anna.delete(f"/api/members/{ids[anna.email]}")).status_code == 200

    await apply_retention(worker)

    assert await count_rows(logins, "notice") == 0


async def test_an_account_that_is_never_verified_is_deleted_with_its_company(
    anna, bartek, new_browser, worker, logins, clock, fleet
) -> None:
    dorota = Person("dorota@nowa.test", new_browser())
    await dorota.sign_up()
    await deliver_outbox(worker)
    await fleet.admin.execute(
        "UPDATE user_account SET email_verified = false WHERE email = 'bartek@acme.test'"
    )
    companies = await count_rows(logins, "tenant")

    clock.forward(days=29)
    await apply_retention(worker)
    assert await count_rows(logins, "tenant") == companies
    assert await count_rows(logins, "user_account") == 3

    clock.forward(days=2)
    await apply_retention(worker)
    people = await fetch_rows(logins, "SELECT email FROM user_account")
    assert [person["email"] for person in people] == ["anna@acme.test"]
    assert await count_rows(logins, "tenant") == companies - 1  # Anna's stays, though Bartek went
    assert (await anna.get("/api/drivers")).status_code == 200


@pytest.mark.parametrize(
    "event", ["email_verified = true", "created_at = now() + interval '31 days'"]
)
async def test_an_account_verified_or_signed_up_again_concurrently_is_kept(
    event, anna, bartek, new_browser, worker, logins, clock, fleet, monkeypatch
) -> None:
    dorota = Person("dorota@nowa.test", new_browser())
    await dorota.sign_up()
    await deliver_outbox(worker)
    other_people = "WHERE email <> 'anna@acme.test'"
    await fleet.admin.execute(f"UPDATE user_account SET email_verified = false {other_people}")
    companies = await count_rows(logins, "tenant")
    find = RetentionRepository.list_unverified

    async def found_just_before(self, threshold):
        accounts = await find(self, threshold)
        assert len(accounts) == 2
        await fleet.admin.execute(f"UPDATE user_account SET {event} {other_people}")
        return accounts

    monkeypatch.setattr(RetentionRepository, "list_unverified", found_just_before)
    clock.forward(days=31)
    await apply_retention(worker)

    assert await count_rows(logins, "user_account") == 3
    assert await count_rows(logins, "tenant") == companies


async def test_partitions_of_checks_are_dropped_after_five_full_years(
    anna, worker, logins, fleet, run_daily_check
) -> None:
    driver = await anna.add_driver("AA123456")
    await run_daily_check()
    year = datetime.now(UTC).year
    dropped_month, kept_month = (
        datetime(year - 6, 12, 31, 23, 59, tzinfo=UTC),
        datetime(year - 5, 1, 1, tzinfo=UTC),
    )
    for month in (dropped_month, kept_month):
        next_month = (month.replace(day=1) + 32 * DAY).replace(day=1)
        await fleet.admin.execute(
            f"CREATE TABLE verification_{month:%Y%m} PARTITION OF verification FOR VALUES"
            f" FROM ('{month:%Y-%m}-01 00:00+00') TO ('{next_month:%Y-%m}-01 00:00+00')"
        )
        await fleet.admin.execute(
            "ALTER TABLE verification_{m:%Y%m} OWNER TO {o}".format(
                m=month, o=await fleet.fetch_value("SELECT tableowner FROM pg_tables"
                                             " WHERE tablename = 'driver'")
            )
        )  # fmt: skip
        await fleet.admin.execute("""
            INSERT INTO register_answer
            SELECT tenant_id, driver_id, uuidv7(), $1, document_version, expiry_date, first_name,
                   last_name, license_number, sha256($2), key_id, raw, document_code,
                   document_status, issuing_authority, categories, reasons, notes
              FROM register_answer LIMIT 1
        """, month, str(month).encode())  # fmt: skip
        await fleet.admin.execute("""
            INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
            SELECT tenant_id, driver_id, uuidv7(), $1, id, 'valid' FROM register_answer
             WHERE first_seen_at = $1
        """, month)  # fmt: skip
    await fleet.admin.execute("UPDATE membership SET created_at = created_at - interval '9 years'")
    assert (
        await count_rows(logins, "verification") == await count_rows(logins, "register_answer") == 3
    )

    await apply_retention(worker)  # the months first …
    await apply_retention(worker)  # … then the answers that no check points to

    verified_at = {
        row["verified_at"] for row in await fetch_rows(logins, "SELECT * FROM verification")
    }
    assert dropped_month not in verified_at
    assert kept_month in verified_at
    assert await count_rows(logins, "register_answer") == 2
    assert (await anna.get("/api/drivers")).json()[0]["status"] == "valid"
    assert (await anna.get(f"/api/drivers/{driver}/verifications")).status_code == 200


@pytest.mark.parametrize(("second", "year"), [(5, 2021), (30, 2022)])
async def test_at_new_year_months_are_dropped_when_it_has_begun_by_every_clock(
    worker, monkeypatch, second, year
) -> None:
    """PostgreSQL refuses a year too early, and its clock may be behind this machine's."""
    moment, asked = datetime(2027, 1, 1, 0, 0, second, tzinfo=UTC), []

    class NewYear(RealTimeClock):
        def now(self) -> datetime:
            return moment

    async def record(_session, before: date) -> int:
        asked.append(before)
        return 0

    monkeypatch.setattr(jobs, "utc_now", lambda: moment)
    monkeypatch.setattr(jobs, "drop_months", record)

    await apply_retention(dataclasses.replace(worker, clock=NewYear()))

    assert asked == [date(year, 1, 1)]


async def test_the_database_refuses_to_drop_younger_partitions(logins) -> None:
    connection = await asyncpg.connect(logins.worker)
    year = datetime.now(UTC).year
    for before in (f"{year - 5}-01-02", f"{year}-01-01", "2999-01-01", None):
        with pytest.raises(asyncpg.InvalidParameterValueError, match="kept for five years"):
            await connection.execute(f"SELECT drop_months({(before and repr(before)) or 'NULL'})")
    assert await connection.fetchval(f"SELECT drop_months('{year - 5}-01-01')") == 0
    await connection.close()
    panel = await asyncpg.connect(logins.app)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await panel.execute(f"SELECT drop_months('{year - 9}-01-01')")
    await panel.close()


async def test_a_status_without_a_verification_becomes_unknown(
    anna, worker, logins, clock, run_daily_check, fleet
) -> None:
    await anna.add_driver("AA123456")
    await run_daily_check()
    await fleet.admin.execute("UPDATE driver SET verified_at = verified_at - interval '7 years'")
    await fleet.admin.execute("UPDATE membership SET created_at = created_at - interval '9 years'")

    await apply_retention(worker)

    [driver] = (await anna.get("/api/drivers?verifications=1")).json()
    assert (driver["status"], driver["verifications"]) == ("unknown", [])


async def test_what_cannot_be_erased_keeps_nothing_of_others(
    anna, celina, new_browser, worker, logins, clock, fleet, monkeypatch
) -> None:
    for address in ("dorota@nowa.test", "ewa@nowa.test"):
        await Person(address, new_browser()).sign_up()
    await deliver_outbox(worker)
    for person in (anna, celina):
        await set_subscription_end(person, worker, clock.now() + DAY)
    await fleet.admin.execute("UPDATE login_session SET revoked_at = now() - interval '40 days'")
    refused = set[object]()
    erase = jobs.erase_company

    async def fail_for_the_first(session) -> None:
        is_unverified = await fleet.fetch_value(
            "SELECT NOT email_verified FROM membership JOIN user_account ON id = user_id"
            " WHERE tenant_id = $1", session.tenant_id,
        )  # fmt: skip
        if is_unverified not in refused:
            refused.add(is_unverified)
            raise RuntimeError("a bug")
        await erase(session)

    monkeypatch.setattr(jobs, "erase_company", fail_for_the_first)
    clock.forward(days=7 * 365)
    await apply_retention(worker)

    assert refused == {True, False}
    assert await count_rows(logins, "tenant") == 1, "the one that was refused last"


async def test_a_date_has_one_notice_however_old_that_is(
    anna, worker, register, fleet, clock, run_daily_check
) -> None:
    over = LicenceCategory("T", warsaw_date(clock.now()) - 400 * DAY)
    answer = licence_answer("AA123456")
    register.answers["AA123456"] = msgspec.structs.replace(answer, categories=(over,))
    await set_subscription_end(anna, worker, clock.now() + 2000 * DAY)
    await anna.add_driver("AA123456")
    await run_daily_check()

    for _ in range(3):
        worker.components.get(ScanCursor).full_scan_on = None
        await send_document_expiry_reminders(worker)
        clock.forward(days=731)
        await apply_retention(worker)

    mails = "SELECT count(*) FROM delivery WHERE batch_at IS NOT NULL AND channel_medium = 'email'"
    assert await fleet.fetch_value(mails) == 1
    assert await fleet.fetch_value("SELECT count(*) FROM notification") == 0
    [driver] = await anna.list_drivers()
    assert (await anna.delete(f"/api/drivers/{driver['id']}")).status_code == 200
    assert await fleet.fetch_value("SELECT count(*) FROM notice") == 0
