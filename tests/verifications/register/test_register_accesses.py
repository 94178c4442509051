"""Several accesses to the register: each has its own rate, pauses and incidents."""

import asyncio
import dataclasses
import time
from datetime import date, datetime, timedelta
from datetime import time as wall_time

import msgspec
import pytest

from prawko.apps.composition_root import create_renderer_registry
from prawko.console.check_run_progress import load_activity
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.clock import WARSAW, warsaw_date
from prawko.kit.incidents.plugin_faults import get_experience
from prawko.kit.providers.registry import PluginKind
from prawko.verifications.daily.run_now import run_daily_check
from prawko.verifications.daily.schedule import CheckSchedule
from prawko.verifications.monitoring import check_health
from prawko_testing.fakes import FakeRegister

pytestmark = pytest.mark.anyio

ACCOUNT_REJECTED = ProviderAccountError("certificate refused")
THROTTLED = RegisterError(RegisterErrorKind.RATE_LIMITED, "429", retry_after=600)
DOWN = RegisterError(RegisterErrorKind.UNAVAILABLE, "down")


def licence_numbers(count):
    return [f"AA{index:06d}" for index in range(count)]


def with_accesses(context, register, second, *, rate):
    """The context with two accesses, each allowed `rate` queries a second."""
    return dataclasses.replace(
        context,
        settings=msgspec.structs.replace(
            context.settings, register="fake,fake-2", register_rate=rate
        ),
        plugins=msgspec.structs.replace(
            context.plugins, registers={"fake": register, "fake-2": second}
        ),
    )


@pytest.fixture
def second():
    """The register through the second certificate."""
    register = FakeRegister()
    register.name = "fake-2"
    return register


@pytest.fixture
def run_with_two_accesses(worker, register, second):
    context = with_accesses(worker, register, second, rate=10_000.0)

    async def run(rate=None):
        one = with_accesses(worker, register, second, rate=rate) if rate else context
        return await run_daily_check(one, create_renderer_registry(one))

    run.context = context
    return run


async def test_two_accesses_query_at_twice_the_rate_of_one(
    fleet, clock, register, second, run_with_two_accesses
):
    await fleet.add_companies(licence_numbers(64), clock.now())
    started, query_times = time.monotonic(), {register: [], second: []}
    for one, times in query_times.items():
        one.before_answer = lambda _, times=times: times.append(time.monotonic())

    report = await run_with_two_accesses(rate=10.0)

    assert report.done == 64
    assert sum(map(len, query_times.values())) == 64
    for times in query_times.values():
        # Eight a second each, and four at once at most; a stall moves work to the other access.
        earliest = [started + (number - 4) / 8 for number in range(len(times))]
        assert all(at >= allowed for at, allowed in zip(sorted(times), earliest, strict=True))
        assert len(times) > 10


@pytest.mark.parametrize(
    ("error", "incidents"),
    [(ACCOUNT_REJECTED, ["register_refused fake-2"]), (THROTTLED, [])],
    ids=["rejected", "throttled"],
)
async def test_an_access_that_is_refused_leaves_the_run_to_the_other(
    fleet, clock, register, second, run_with_two_accesses, error, incidents
):
    licences = licence_numbers(60)
    day = warsaw_date(clock.now()) + timedelta(days=1)
    clock.set(datetime.combine(day, wall_time(6, 0), WARSAW))
    await fleet.add_companies(licences, clock.now(), companies=2)
    second.answers = dict.fromkeys(licences, error)

    await run_with_two_accesses(rate=20.0)
    tries = len(second.queries)
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 hour'")
    await run_with_two_accesses()

    rows = await fleet.driver_rows()
    assert {row["status"] for row in rows.values()} == {"valid"}
    assert 0 < tries == len(second.queries)  # it is paused
    clock.forward(minutes=31)
    await check_health(run_with_two_accesses.context)
    opened = await fleet.admin.fetch("SELECT kind || ' ' || key AS incident FROM incident")
    assert [row["incident"] for row in opened] == incidents


async def test_a_plugin_that_blocked_this_process_counts_against_it_in_no_other(
    fleet, clock, register, second, run_with_two_accesses
):
    licences = licence_numbers(60)
    await fleet.add_companies(licences, clock.now())
    resting = get_experience(run_with_two_accesses.context, PluginKind.REGISTER, "fake-2")
    resting.count_block("it blocked the process for 2.0 s")

    report = await run_with_two_accesses(rate=20.0)

    assert report.done == 60
    assert (len(register.queries), len(second.queries)) == (60, 0)
    limiters = "SELECT breaker, failures FROM register_limiter"
    assert {tuple(row) for row in await fleet.admin.fetch(limiters)} == {("closed", 0)}
    assert await fleet.admin.fetchval("SELECT max(attempts) FROM check_item") == 1


@pytest.mark.parametrize(
    ("down", "kinds"),
    [
        (["fake"], ["register_down", "run_late", "run_unresolved"]),
        (["fake", "fake-2"], ["register_down", "register_down", "run_unresolved"]),
    ],
    ids=["one", "both"],
)
async def test_a_run_is_late_unless_every_access_is_down(
    fleet, clock, register, second, run_with_two_accesses, down, kinds
):
    day = warsaw_date(clock.now()) + timedelta(days=1)
    clock.set(datetime.combine(day, wall_time(6, 0), WARSAW))
    licences = licence_numbers(40)
    await fleet.add_companies(licences, clock.now())
    register.answers = second.answers = dict.fromkeys(licences, DOWN)
    await run_with_two_accesses(rate=20.0)
    await fleet.admin.execute(
        "UPDATE register_limiter SET (breaker, failures) ="
        " (SELECT CASE WHEN register = any($1) THEN 'open' ELSE 'closed' END,"
        "         CASE WHEN register = any($1) THEN 10 ELSE 0 END)",
        down,
    )
    clock.forward(minutes=31)

    await check_health(run_with_two_accesses.context)

    opened = await fleet.admin.fetch("SELECT kind FROM incident ORDER BY kind, key")
    assert [row["kind"] for row in opened] == kinds


async def test_a_manual_check_takes_the_access_that_is_free(
    context, anna, browser_for_app, register, second
):
    drivers = [await anna.add_driver(number) for number in licence_numbers(2)]
    limited = with_accesses(context, register, second, rate=0.1)  # a slot in 50 seconds
    async with browser_for_app(limited) as browser:
        browser.cookies = anna.browser.cookies
        started = time.monotonic()
        answers = await asyncio.gather(
            *(browser.post(f"/api/drivers/{driver}/verify") for driver in drivers)
        )

    assert [answer.status_code for answer in answers] == [200, 200]
    assert [len(one.queries) for one in (register, second)] == [1, 1]
    assert time.monotonic() - started < 40


async def test_the_schedule_counts_every_access(context):
    one, two = (
        CheckSchedule.from_settings(msgspec.structs.replace(context.settings, register=names))
        for names in ("upki", "upki, upki-2")
    )
    assert two.drivers_per_second == 2 * one.drivers_per_second
    assert two.capacity(date(2026, 11, 2)) == pytest.approx(2 * one.capacity(date(2026, 11, 2)), 1)


@pytest.mark.parametrize(
    ("blocked", "registers", "is_blocked"),
    [
        (["fake"], ("fake",), True),
        (["fake"], ("fake", "fake-2"), False),
        (["fake", "fake-2"], ("fake", "fake-2"), True),
        (["fake"], ("fake", "never-used"), False),
        (["fake"], ("fake-2",), False),
    ],
    ids=str,
)
async def test_a_run_is_blocked_when_every_access_in_use_is(
    console, fleet, clock, blocked, registers, is_blocked
):
    await fleet.admin.execute(
        "INSERT INTO register_limiter (register, lane, next_free_at, paused_until, updated_at)"
        " SELECT name, 'run', now(), CASE WHEN name = any($1) THEN now() + interval '1 hour' END,"
        " now() FROM unnest(ARRAY['fake', 'fake-2']) AS name",
        blocked,
    )
    async with console.database.operator() as session:
        activity = await load_activity(session, warsaw_date(clock.now()), clock.now(), registers)
    assert activity.is_blocked is is_blocked
