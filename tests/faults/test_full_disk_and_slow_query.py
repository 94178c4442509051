"""A full disk and a slow statement cost what needs them, and nobody else."""

import asyncio
import logging
import os
import time
from functools import partial

import pytest

from prawko.kit.observability.log_output import BufferedLogHandler
from prawko.personal_data import archive
from prawko_tenants.engine import Database
from support.fleet import licence_numbers

pytestmark = pytest.mark.anyio

STATEMENT_SECONDS = 1.0
SECONDS_OF_LOGGING = 5.0
DRIVER = {"firstName": "Jan", "lastName": "Kowalski", "licenseNumber": "AA123456"}
_FILL = """
CREATE FUNCTION refuse_for_full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
END $$;
CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_for_full_disk();
"""
_EMPTY = "DROP TRIGGER full_disk ON {table}; DROP FUNCTION refuse_for_full_disk();"


async def test_a_full_disk_of_the_database_is_a_503_and_reads_go_on(anna, fleet) -> None:
    await fleet.admin.execute(_FILL.format(table="driver"))
    try:
        refused = await anna.post("/api/drivers", DRIVER)
        listed = await anna.get("/api/drivers")
    finally:
        await fleet.admin.execute(_EMPTY.format(table="driver"))

    assert (refused.status_code, refused.json()["error"]) == (503, "unavailable")
    assert refused.headers["retry-after"] == "5"
    assert (listed.status_code, listed.json()) == (200, [])
    assert (await anna.post("/api/drivers", DRIVER)).status_code < 300


async def test_the_check_goes_on_after_a_full_disk_and_misses_no_driver(
    fleet, run_daily_check, clock
) -> None:
    licences = licence_numbers(10)
    await fleet.add_companies(licences, clock.now(), companies=2)
    await fleet.admin.execute(_FILL.format(table="verification"))
    try:
        with pytest.raises(ExceptionGroup):
            await run_daily_check()
    finally:
        await fleet.admin.execute(_EMPTY.format(table="verification"))
    assert set((await fleet.statuses()).values()) == {"unknown"}

    await fleet.admin.execute("UPDATE check_item SET lease_until = NULL")
    clock.forward(minutes=31)
    await run_daily_check()

    assert {row["verifications"] for row in (await fleet.driver_rows()).values()} == {1}


async def test_a_full_disk_for_exports_is_a_503(anna, monkeypatch) -> None:
    monkeypatch.setattr(archive, "TemporaryFile", partial(open, "/dev/full", "w+b"))

    for _ in range(2):  # each releases its slot
        refused = await anna.get("/api/company/export")
        assert (refused.status_code, refused.json()["error"]) == (503, "unavailable")

    monkeypatch.undo()
    assert (await anna.get("/api/company/export")).status_code == 200


def test_a_full_disk_of_the_log_stops_no_process() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    stream = os.fdopen(full, "w")
    handler = BufferedLogHandler(stream, max_lines=50)
    began = time.monotonic()
    for number in range(1000):
        handler.emit(logging.makeLogRecord({"msg": f"{number} {'x' * 1000}"}))
    handler.close()
    assert time.monotonic() - began < SECONDS_OF_LOGGING

    os.dup2(os.open(os.devnull, os.O_WRONLY), full)  # for what waits in the stream
    stream.close()


async def test_a_slow_statement_is_a_503_in_time_and_delays_no_other(
    context, logins, fleet, anna, browser_for_app
) -> None:
    database = Database(logins.app, pool_size=2, statement_timeout=STATEMENT_SECONDS)
    browser = browser_for_app(context, database=database)
    browser.cookies = anna.browser.cookies
    async with fleet.admin.transaction():
        await fleet.admin.execute("LOCK TABLE driver IN ACCESS EXCLUSIVE MODE")
        began = time.monotonic()
        slow = asyncio.create_task(browser.get("/api/drivers"))
        await asyncio.sleep(0.1)
        other = await browser.get("/api/notifications")
        assert (other.status_code, slow.done()) == (200, False)
        assert (await slow).status_code == 503
        assert time.monotonic() - began < STATEMENT_SECONDS + 9  # the product waits for 35
    assert (await browser.get("/api/drivers")).status_code == 200
    await database.close()
