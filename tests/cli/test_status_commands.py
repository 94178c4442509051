"""The operators' daily questions: doctor, status, deliveries, and the log of a company."""

import json

import asyncpg
import pytest
from sqlalchemy import make_url

from prawko.apps.composition_root import create_renderer_registry
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.incidents.heartbeats import HeartbeatKind, record_heartbeat
from prawko.kit.incidents.service import open_incident
from prawko.kit.startup_checks import SCHEMA_VERSION
from prawko.verifications.daily.run_now import run_daily_check
from prawko_tenants.logins import _connection_steps, _run_steps
from prawko_tenants.roles import ROLE_NAMES
from support.database import execute_as_owner, fetch_rows

pytestmark = pytest.mark.anyio


@pytest.fixture
async def watched(worker, enqueued_jobs) -> None:
    """A worker and monitoring are alive."""
    async with worker.database.system() as session:
        await record_heartbeat(session, HeartbeatKind.WORKER, "one")
        await record_heartbeat(session, HeartbeatKind.MONITORING)


async def test_the_doctor_finds_a_good_installation(
    watched, worker, run_command, logins, servers
) -> None:
    database = make_url(logins.app).database
    server = await asyncpg.connect(servers.urls.admin_url)
    for name in ROLE_NAMES[1:]:  # the database is a copy, without its settings
        await _run_steps(server, _connection_steps(database, name, f"prawko_{name}"))
    # A run of no drivers is not late, at whatever hour.
    await run_daily_check(worker, create_renderer_registry(worker))

    code, output, _ = await run_command("doctor")

    assert code == 0, output
    assert "ok    DATABASE_URL: set" in output
    assert "ok    SECRET_KEY: set" in output
    assert "ok    DATABASE_URL: connects as prawko_worker" in output
    assert "ok    PLANNER_DATABASE_URL: connects as prawko_planner" in output
    assert "ok    REDIS_URL: answers" in output
    assert "ok    schema (OWNER_DATABASE_URL): 0" in output
    assert "ok    watch: 1 worker(s)" in output
    assert "hunter2" not in output
    assert logins.worker not in output

    panel = await asyncpg.connect(logins.app)
    change = f"ALTER ROLE CURRENT_USER IN DATABASE {database} SET statement_timeout ="
    await panel.execute(f"{change} 0")  # which no right prevents
    code, output, _ = await run_command("doctor")
    await panel.close()
    await server.close()
    assert code == 1
    assert "settings of logins: prawko_app: statement_timeout=0 was added" in output
    assert "settings of logins: prawko_app: statement_timeout=30s is missing" in output


async def test_the_doctor_shows_the_work_with_the_consoles_login_too(
    watched, worker, anna, fleet, run_command, logins, monkeypatch
) -> None:
    await run_daily_check(worker, create_renderer_registry(worker))
    await fleet.admin.execute(
        "UPDATE delivery SET error_kind = 'transient', error = '421 too busy', state = 'pending',"
        " sent_at = NULL, created_at = now() - interval '1 hour'"
    )
    monkeypatch.setenv("DATABASE_URL", logins.operator)
    monkeypatch.delenv("PLANNER_DATABASE_URL")

    code, output, _ = await run_command("doctor")

    assert code == 1, output
    assert "ok    DATABASE_URL: connects as prawko_operator" in output
    assert "ok    watch: 1 worker(s)" in output
    assert "ok    sms: no message waits" in output
    assert "(transient: 421 too busy)" in output


async def test_the_doctor_says_what_is_wrong_without_a_secret(
    run_command, monkeypatch, logins
) -> None:
    monkeypatch.setenv("PLANNER_DATABASE_URL", logins.planner.replace("@", "x@"))
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:9")
    monkeypatch.setenv("CHANNEL_SMTP_PASWORD", "hunter2")
    await execute_as_owner(logins, "UPDATE alembic_version SET version_num = '0012'")
    try:
        code, output, _ = await run_command("doctor", "--json")
    finally:
        restore = f"UPDATE alembic_version SET version_num = '{SCHEMA_VERSION}'"
        await execute_as_owner(logins, restore)

    found = {one["about"]: one for one in map(json.loads, output.splitlines())}
    assert code == 2
    assert found["PLANNER_DATABASE_URL"] == {
        "state": "fail", "about": "PLANNER_DATABASE_URL", "text": "cannot connect (28P01)",
    }  # fmt: skip
    assert found["REDIS_URL"]["state"] == "warn"
    assert found["CHANNEL_SMTP_PASWORD"]["text"].endswith("CHANNEL_SMTP_PASSWORD is meant?")
    assert found["schema (DATABASE_URL)"]["text"].startswith("is 0012, 0")
    assert found["watch"]["state"] == "fail"
    assert "hunter2" not in output


async def test_the_doctor_names_wrong_variables_all_at_once(run_command, monkeypatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "changeme" * 8)
    monkeypatch.setenv("PORT", "many")

    code, output, _ = await run_command("doctor")

    assert code == 2
    assert "fail  SECRET_KEY: is not random" in output
    assert "fail  PORT: is malformed" in output
    assert "changeme" not in output


async def test_status_answers_the_daily_questions(
    anna, watched, worker, register, run_command, logins
) -> None:
    await anna.add_driver("AA123456")
    await anna.add_driver("AA123457")
    down = RegisterError(RegisterErrorKind.UNAVAILABLE, "down")
    register.answers["AA123457"] = down
    await run_daily_check(worker, create_renderer_registry(worker))

    code, output, _ = await run_command("status")

    day = warsaw_date(worker.clock.now())
    assert f"check of {day}: 1 of 2 done, 1 unresolved (unavailable 1)" in output
    assert "register fake (run): answers" in output
    assert "ok    watch: 1 worker(s), monitoring" in output
    assert code in {0, 1}

    async with worker.database.system() as session:
        await open_incident(session, kind="run_late", key="x", detail="1/2", now=utc_now())
    code, output, _ = await run_command("status")
    assert code == 1
    assert "warn  incident: run_late x since" in output

    await execute_as_owner(logins, "UPDATE heartbeat SET seen_at = now() - interval '1 hour'")
    code, output, _ = await run_command("status")
    assert code == 2
    assert "fail  watch: monitoring has stopped: no worker has been seen for two minutes" in output


async def test_missing_monitoring_is_worse_than_an_incident(watched, run_command, logins) -> None:
    assert (await run_command("incidents"))[0] == 0

    await execute_as_owner(
        logins, "UPDATE heartbeat SET seen_at = now() - interval '6 min' WHERE kind = 'monitoring'"
    )
    code, _, errors = await run_command("incidents")
    assert (code, errors) == (
        2,
        "monitoring has stopped: the health checks have not run for five minutes\n",
    )

    await execute_as_owner(logins, "DELETE FROM heartbeat")
    assert (await run_command("incidents"))[0] == 2


async def test_messages_are_listed_with_their_reason_and_tried_at_once(
    anna, enqueued_jobs, run_command, logins, fleet
) -> None:
    await fleet.admin.execute(
        "UPDATE delivery SET attempts = 2, error_kind = 'transient', error = '421 too busy',"
        " next_try_at = now() + interval '1 hour', state = 'pending', sent_at = NULL",
    )

    code, output, _ = await run_command("deliveries", "list")
    assert code == 0
    assert "2 tries  transient: 421 too busy" in output
    assert anna.email not in output

    rows = await fetch_rows(logins, "SELECT id FROM delivery")
    code, output, _ = await run_command("deliveries", "retry", "--waiting")
    assert (code, output) == (0, f"{len(rows)} message(s) will be tried within a minute\n")
    waiting = "SELECT count(*) AS n FROM delivery WHERE next_try_at > now()"
    assert (await fetch_rows(logins, waiting))[0]["n"] == 0

    await fleet.admin.execute("UPDATE delivery SET state = 'failed', kind = 'notice'")
    failed = str(rows[0]["id"])
    assert failed in (await run_command("deliveries", "list", "--failed"))[1]
    assert (await run_command("deliveries", "retry", failed))[0] == 0
    states = await fetch_rows(logins, "SELECT state FROM delivery WHERE id = $1", rows[0]["id"])
    assert states[0]["state"] == "pending"
    assert (await run_command("deliveries", "retry"))[0] == 1
    unknown = "01890a5d-ac96-774b-bcce-b302099a8057"
    assert (await run_command("deliveries", "retry", unknown))[0] == 1


async def test_a_command_with_a_login_that_has_no_right_to_it_says_so(
    anna, run_command, logins, monkeypatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", logins.operator)

    code, _, errors = await run_command("deliveries", "list")

    reason = "permission denied for table delivery"
    assert code == 2
    assert errors == f"prawko: the command's database login has no right to this: {reason}\n"


async def test_the_log_of_a_company_says_who_changed_what(
    anna, celina, worker, run_command
) -> None:
    await anna.add_driver("AA123456")
    await celina.add_driver("BB654321")
    await run_daily_check(worker, create_renderer_registry(worker))
    company = str(await anna.tenant_id(worker))

    code, output, _ = await run_command("company", "log", company)

    lines = output.splitlines()
    assert code == 0
    assert [line[:20] for line in lines] == sorted(line[:20] for line in lines)
    assert any(f"Z  {anna.email}  driver_added" in line for line in lines), output
    assert any("product  subscription" in line for line in lines)
    assert any("1 driver(s) done, " in line for line in lines)
    assert celina.email not in output
    assert "AA123456" not in output
    past = await run_command("company", "log", "01890a5d-ac96-774b-bcce-b302099a8057")
    assert past[0] == 1
