"""Health checks open incidents: one operator mail for each."""

import dataclasses
from datetime import UTC, datetime, time, timedelta, timezone

import pytest

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.clock import WARSAW, warsaw_date
from prawko.kit.text.i18n import Language, load_catalog
from prawko.kit.work.queue import SaqQueue
from prawko.verifications.daily.run_repository import RunProgress
from prawko.verifications.daily.schedule import CheckSchedule
from prawko.verifications.jobs import reconcile_runs
from prawko.verifications.monitoring import (
    check_certificate,
    check_daily_run,
    check_health,
    check_register,
)
from prawko.verifications.register.rate_limit_policy import LimiterState
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

OPERATOR = "operator@prawko.test"
DOWN = RegisterError(RegisterErrorKind.UNAVAILABLE, "down")


@pytest.fixture
def set_time(clock):
    """Move the clock to a Warsaw time, of tomorrow unless `days` says otherwise."""

    def set_clock(hour, minute=0, days=1):
        day = warsaw_date(clock.now()) + timedelta(days=days)
        clock.set(datetime(day.year, day.month, day.day, hour, minute, tzinfo=WARSAW))

    return set_clock


@pytest.fixture
def dropped_jobs(queue):
    async def drop(*_, **__):
        """Enqueue nothing."""

    queue.handler = drop


@pytest.fixture
def run_monitoring(worker, fleet, mailbox, dropped_jobs):
    """Check twice, send the mails, and return the open incidents and the number of mails."""

    async def check_and_count():
        for _ in range(2):
            await check_health(worker)
            await deliver_outbox(worker)
        rows = await fleet.admin.fetch(
            "SELECT kind FROM incident WHERE closed_at IS NULL ORDER BY kind"
        )
        return [row["kind"] for row in rows], len(mailbox.messages_to(OPERATOR))

    return check_and_count


async def test_a_normal_run_opens_no_incident(fleet, run_check, clock, set_time, run_monitoring):
    set_time(6)
    await fleet.add_companies(["AA000001"], clock.now())
    await run_check()
    clock.forward(minutes=31)
    assert await run_monitoring() == ([], 0)


async def test_a_run_that_never_started_is_late_until_the_next_day(
    fleet, clock, set_time, run_monitoring, run_check
):
    set_time(6, 29)
    await fleet.add_companies(["AA000001"], clock.now())
    assert await run_monitoring() == ([], 0)
    clock.forward(minutes=1, seconds=1)
    assert await run_monitoring() == (["run_late"], 1)
    set_time(5)
    assert await run_monitoring() == ([], 1)
    set_time(6, 31, days=0)
    await run_check()
    assert await run_monitoring() == ([], 1)


async def test_an_outage_of_redis_is_an_incident_until_its_end(worker, fleet):
    open_kinds = "SELECT array_agg(kind) FROM incident WHERE closed_at IS NULL"
    without_redis = dataclasses.replace(worker, queue=SaqQueue("redis://127.0.0.1:9"))
    await check_health(without_redis)
    await without_redis.queue.close()
    assert await fleet.fetch_value(open_kinds) == ["queue_down"]

    await check_health(worker)
    assert await fleet.fetch_value(open_kinds) is None


async def test_new_drivers_and_rechecks_are_no_incident(
    fleet, run_check, clock, set_time, run_monitoring, register, worker, dropped_jobs
):
    set_time(6)
    await fleet.add_companies(["AA000001", "AA000002"], clock.now())
    await run_check()
    set_time(6)
    register.answers["AA000001"] = None
    await run_check()
    set_time(12, days=0)
    await fleet.add_companies(["BB000001"], clock.now())
    await reconcile_runs(worker)
    assert await fleet.fetch_value("SELECT count(*) FROM check_item WHERE state = 'due'") == 2
    assert await run_monitoring() == ([], 0)


@pytest.mark.parametrize("answer", [KeyError("its bug"), TimeoutError()], ids=["crash", "hang"])
async def test_a_register_whose_plugin_fails_is_one_incident(
    fleet, run_check, clock, set_time, run_monitoring, register, answer
):
    set_time(6)
    licences = [f"AA{index:06d}" for index in range(30)]
    await fleet.add_companies(licences, clock.now())
    register.answers = dict.fromkeys(licences, answer)
    await run_check()
    assert await run_monitoring() == (["plugin_failing"], 1)

    # Half an hour later the register itself may be down.
    await fleet.admin.execute("UPDATE incident SET opened_at = opened_at - interval '31 minutes'")
    kinds, _ = await run_monitoring()
    assert ("register_down" in kinds) is isinstance(answer, TimeoutError)


async def test_an_outage_past_the_deadline_opens_incidents_and_its_end_closes_them(
    fleet, run_check, clock, set_time, run_monitoring, register
):
    set_time(6)
    licences = [f"AA{index:06d}" for index in range(30)]
    await fleet.add_companies(licences, clock.now())
    register.answers = dict.fromkeys(licences, DOWN)
    await run_check()
    clock.forward(minutes=31)
    kinds, mails = await run_monitoring()
    assert kinds == ["register_down", "run_unresolved"]
    assert mails == 2

    register.answers = {}
    await fleet.clear_rate_limiter()
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 hour'")
    await run_check()
    assert await run_monitoring() == ([], 2)


async def test_one_unresolved_driver_in_a_hundred_is_no_incident(
    fleet, run_check, clock, set_time, run_monitoring, register
):
    set_time(6)
    licences = [f"AA{index:06d}" for index in range(100)]
    await fleet.add_companies(licences, clock.now())
    register.answers = {licences[0]: DOWN}
    await run_check()
    clock.forward(minutes=31)
    assert await run_monitoring() == ([], 0)


async def test_a_rejected_account_sends_one_mail(
    fleet, run_check, clock, set_time, run_monitoring, register
):
    set_time(6)
    numbers = ["AA000001", "AA000002"]  # of two companies: one document might be at fault
    await fleet.add_companies(numbers, clock.now(), companies=2)
    for number in numbers:
        register.answers[number] = ProviderAccountError("certificate of Kowalski refused")
    await run_check()
    kinds, mails = await run_monitoring()
    assert (kinds, mails) == (["register_refused"], 1)
    assert "Kowalski" not in await fleet.fetch_value("SELECT detail FROM incident")


async def test_certificate_expiry_is_reported_60_45_and_35_days_before(
    clock, run_monitoring, register
):
    expires_at = clock.now() + timedelta(days=61)
    register.certificate_expires_at = lambda: expires_at
    days_before, mails_before = [], 0
    for days in (61, 60, 59, 46, 45, 44, 36, 35, 34, 1):
        clock.set(expires_at - timedelta(days=days))
        kinds, mails = await run_monitoring()
        assert kinds in ([], ["certificate_ends"])
        if mails > mails_before:
            days_before.append(days)
        mails_before = mails
    assert days_before == [60, 45, 35]


@pytest.mark.parametrize(
    "read",
    [lambda: 1 / 0, lambda: None, lambda: datetime(1, 1, 1)],  # noqa: DTZ001
    ids=["crash", "none", "naive"],
)
async def test_a_certificate_that_a_plugin_does_not_read_stops_no_other_check(
    clock, run_monitoring, register, worker, fleet, read
):
    expires_at = clock.now() + timedelta(days=40)
    register.certificate_expires_at = lambda: expires_at
    assert await run_monitoring() == (["certificate_ends"], 1)
    register.certificate_expires_at = read
    await worker.queue.close()
    assert await run_monitoring() == (["certificate_ends", "plugin_failing"], 2)
    beat = "SELECT count(*) FROM heartbeat WHERE kind = 'monitoring'"
    assert await fleet.fetch_value(beat) == 1


@pytest.mark.parametrize("hours", [-12, 0, 14])
async def test_a_certificate_that_never_expires_opens_no_incident(run_monitoring, register, hours):
    zone = timezone(timedelta(hours=hours))
    register.certificate_expires_at = lambda: datetime(9999, 12, 31, 23, 59, 59, tzinfo=zone)
    assert await run_monitoring() == ([], 0)


@pytest.mark.parametrize("language", Language)
def test_every_health_check_has_a_mail_text(language):
    now = datetime(2026, 11, 20, 5, tzinfo=UTC)
    checks = [
        *check_daily_run(
            CheckSchedule(time(6), 8), now.date(), 1, RunProgress(), now, is_register_down=False
        ),
        *check_register("upki", LimiterState(next_free_at=now), now),
        *check_certificate("upki", now, now),
    ]
    kinds = {check.kind for check in checks}
    assert kinds <= load_catalog(language)["mails"]["operator"]["kinds"].keys()
