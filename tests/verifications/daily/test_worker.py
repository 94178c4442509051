"""Workers and jobs of the daily check: rate, retries, planning and continuation."""

import asyncio
import dataclasses
import time
from datetime import datetime, timedelta

import msgspec
import pytest

from prawko.apps.composition_root import create_renderer_registry
from prawko.apps.worker.scheduler import Scheduler
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.clock import WARSAW, warsaw_date
from prawko.kit.context import ShutdownFlag
from prawko.kit.work.queue import SaqQueue
from prawko.verifications.daily.planning import plan_missing_items, plan_run
from prawko.verifications.daily.recorder import record_answers
from prawko.verifications.daily.run_now import run_daily_check
from prawko.verifications.daily.worker import CheckWorker
from prawko.verifications.jobs import MAX_WORKERS, reconcile_runs, run_check_worker
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

SECONDS = 120.0  # until a test gives up
NOBODY_LISTENS = "redis://127.0.0.1:9"


def licence_numbers(count):
    return [f"AA{index:06d}" for index in range(count)]


def tomorrow_at(clock, hour, minute=0):
    """Tomorrow at this time in Warsaw."""
    day = warsaw_date(clock.now()) + timedelta(days=1)
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=WARSAW)


def queried_numbers(register):
    return [query.number for query in register.queries]


class JobRecorder:
    """Collects the jobs that the worker enqueues and runs them on demand."""

    def __init__(self, worker):
        self._worker = worker
        self.enqueued = []

    async def enqueue(self, job, **arguments):
        self.enqueued.append((job, arguments))

    def take_worker_jobs(self):
        """The worker jobs enqueued since the last call."""
        jobs, self.enqueued = self.enqueued, []
        return [(job, arguments) for job, arguments in jobs if job is run_check_worker]

    async def run_tick(self):
        """Run one tick of the scheduler: the reconciler and the worker jobs it enqueues."""
        await reconcile_runs(self._worker)
        while jobs := self.take_worker_jobs():
            await asyncio.gather(*(job(self._worker, **arguments) for job, arguments in jobs))


@pytest.fixture
def job_recorder(worker, queue):
    recorder = JobRecorder(worker)
    queue.handler = recorder.enqueue
    return recorder


@pytest.fixture
def rate_limited_worker(worker):
    """The worker with a realistic register rate; an answer may take as long as a test."""
    settings = msgspec.structs.replace(
        worker.settings, register_rate=10.0, register_deadline=SECONDS
    )
    return dataclasses.replace(worker, settings=settings)


async def test_slow_answers_do_not_stop_the_other_workers(
    fleet, clock, register, rate_limited_worker
):
    """As long as one worker has no slow answer, the others' queries are sent at the same rate."""
    slow_numbers = set(licence_numbers(64)[::20][: MAX_WORKERS - 1])
    others, others_done = set(licence_numbers(64)) - slow_numbers, asyncio.Event()
    query_times = []

    async def wait(query):
        query_times.append(time.monotonic())
        if query.number in slow_numbers:
            await others_done.wait()
        elif set(queried_numbers(register)) >= others:
            others_done.set()

    register.before_answer = wait
    await fleet.add_companies(licence_numbers(64), clock.now())
    async with asyncio.timeout(SECONDS):
        report = await run_daily_check(
            rate_limited_worker, create_renderer_registry(rate_limited_worker)
        )
    assert (report.done, len(register.queries)) == (64, 64)
    # Eight a second; a stall of the machine as long as the whole check does not fail the test.
    assert query_times[-1] - query_times[0] < 2 * 64 / 8


async def test_all_workers_together_keep_the_rate_limit(
    fleet, clock, register, rate_limited_worker
):
    await fleet.add_companies(licence_numbers(40), clock.now(), companies=5)
    query_times = []
    register.before_answer = lambda query: query_times.append(time.monotonic())
    started = time.monotonic()
    await asyncio.gather(
        *(
            run_daily_check(rate_limited_worker, create_renderer_registry(rate_limited_worker))
            for _ in range(2)
        )
    )
    assert len(query_times) == 40
    # Eight a second, and four at once at most; a busy machine only makes queries later.
    earliest = [started + (number - 4) / 8 for number in range(40)]
    assert all(at >= allowed for at, allowed in zip(sorted(query_times), earliest, strict=True))


async def test_many_jobs_do_not_start_more_workers_than_slots(
    fleet, clock, register, worker, job_recorder, monkeypatch
):
    clock.set(tomorrow_at(clock, 12))
    await fleet.add_companies(licence_numbers(40), clock.now())
    await reconcile_runs(worker)
    assert len(job_recorder.take_worker_jobs()) == MAX_WORKERS
    register.before_answer = lambda query: asyncio.sleep(0.3)
    running = []

    async def count_running(worker, *args, run=CheckWorker.run, **options):
        running.append(1 + (running[-1] if running else 0))
        try:
            await run(worker, *args, **options)
        finally:
            running.append(running[-1] - 1)

    monkeypatch.setattr(CheckWorker, "run", count_running)
    day = warsaw_date(clock.now())
    await asyncio.gather(*(run_check_worker(worker, day=day) for _ in range(30 * MAX_WORKERS)))

    assert max(running) == MAX_WORKERS
    assert await fleet.fetch_value("SELECT count(*) FROM verification") == 40


async def test_writes_are_retried_while_the_database_is_away_without_new_queries(
    fleet, register, rate_limited_worker, monkeypatch
):
    await fleet.add_companies(licence_numbers(30), rate_limited_worker.clock.now(), companies=3)
    failures = iter([ConnectionResetError, ConnectionResetError])

    async def fail_twice(*args):
        for failure in failures:
            raise failure
        return await record_answers(*args)

    monkeypatch.setattr("prawko.verifications.daily.worker.record_answers", fail_twice)
    report = await run_daily_check(
        rate_limited_worker, create_renderer_registry(rate_limited_worker)
    )
    assert (report.done, report.unresolved, len(register.queries)) == (30, 0, 30)


async def test_a_bug_in_recording_is_not_retried(fleet, register, rate_limited_worker, monkeypatch):
    tries = []

    async def fail(*args):
        tries.append(args)
        raise ZeroDivisionError

    monkeypatch.setattr("prawko.verifications.daily.worker.record_answers", fail)
    await fleet.add_companies(licence_numbers(1), rate_limited_worker.clock.now())
    await run_daily_check(rate_limited_worker, create_renderer_registry(rate_limited_worker))
    assert len(tries) == 2  # the batch, then each of its answers alone
    assert await fleet.statuses() == {"AA000000": "unknown"}
    assert (await fleet.latest_items())["AA000000"]["error_kind"] == "ZeroDivisionError"


async def test_the_reconciler_plans_drivers_without_an_item(
    fleet, clock, register, worker, job_recorder
):
    """A new driver, a changed document, and a company that subscribes after the start."""
    clock.set(tomorrow_at(clock, 12))
    await fleet.add_companies(["AA000001", "AA000002"], clock.now())
    await job_recorder.run_tick()

    async def plan_counts():
        return await plan_missing_items(worker.database, clock.now(), first_checks_only=False)

    assert await plan_counts() == 0
    await fleet.add_companies(["AA000003"], clock.now())
    assert (await plan_counts(), await plan_counts()) == (1, 0)
    await fleet.admin.execute(
        "UPDATE driver SET document_version = 2, status = 'unknown'"
        " WHERE license_number = 'AA000001'"
    )
    assert (await plan_counts(), await plan_counts()) == (1, 0)
    await fleet.admin.execute("UPDATE subscription SET status = 'inactive'")
    await fleet.add_companies(["AA000004"], clock.now())
    await fleet.admin.execute(
        "UPDATE driver SET status = 'valid' WHERE license_number = 'AA000004'"
    )
    assert (await plan_counts(), await plan_counts()) == (1, 0)


async def test_a_full_outage_opens_the_breaker_after_a_few_queries(
    fleet, clock, register, rate_limited_worker
):
    register.default_answer = lambda query: RegisterError(RegisterErrorKind.UNAVAILABLE, "down")
    await fleet.add_companies(licence_numbers(300), clock.now())
    report = await run_daily_check(
        rate_limited_worker, create_renderer_registry(rate_limited_worker)
    )
    assert (report.done, report.unresolved) == (0, 300)
    assert len(register.queries) <= 40
    assert (
        await fleet.fetch_value("SELECT breaker FROM register_limiter WHERE lane = 'run'") == "open"
    )
    assert await fleet.fetch_value("SELECT count(*) FROM check_item WHERE lease_until > now()") == 0


async def test_no_query_is_sent_during_the_pause_of_a_429(
    fleet, clock, register, rate_limited_worker
):
    register.default_answer = lambda query: RegisterError(
        RegisterErrorKind.RATE_LIMITED, "slow down", retry_after=60
    )
    await fleet.add_companies(licence_numbers(100), clock.now())
    await run_daily_check(rate_limited_worker, create_renderer_registry(rate_limited_worker))
    count = len(register.queries)
    assert count <= 20
    await run_daily_check(rate_limited_worker, create_renderer_registry(rate_limited_worker))
    assert len(register.queries) == count


async def test_a_driver_added_at_night_is_checked_at_once(fleet, clock, register, job_recorder):
    clock.set(tomorrow_at(clock, 12))
    await fleet.add_companies(["AA000001"], clock.now())
    await job_recorder.run_tick()
    clock.forward(hours=13.5)
    await fleet.add_companies(["AA000002"], clock.now())
    await job_recorder.run_tick()
    assert queried_numbers(register) == ["AA000001", "AA000002"]
    clock.forward(hours=8)
    await job_recorder.run_tick()
    assert queried_numbers(register)[2:] == ["AA000001"]
    assert await fleet.fetch_value("SELECT count(*) FROM check_run") == 2


async def test_a_driver_added_at_night_does_not_supersede_yesterdays_run(
    fleet, clock, register, job_recorder
):
    clock.set(tomorrow_at(clock, 23, 50))
    await fleet.add_companies(["AA000001"], clock.now())
    await fleet.admin.execute("UPDATE driver SET status = 'valid'")
    register.answers["AA000001"] = RegisterError(RegisterErrorKind.INVALID_RESPONSE, "no")
    await job_recorder.run_tick()
    clock.forward(minutes=20)
    await fleet.add_companies(["AA000002"], clock.now())
    await job_recorder.run_tick()
    clock.forward(hours=1)
    register.answers.clear()
    await job_recorder.run_tick()
    assert (await fleet.driver_rows())["AA000001"]["verifications"] == 1
    clock.forward(hours=6)
    await job_recorder.run_tick()
    assert (await fleet.driver_rows())["AA000001"]["verifications"] == 2


async def test_the_next_try_is_due_by_the_product_clock(fleet, clock, register, run_check):
    clock.set(clock.now().replace(hour=10))  # an hour later is the same day
    await fleet.add_companies(["AA000001"], clock.now())
    register.answers["AA000001"] = RegisterError(RegisterErrorKind.INVALID_QUERY, "malformed")
    assert (await run_check()).unresolved == 1
    register.answers.clear()
    clock.forward(minutes=59)
    assert (await run_check()).done == 0
    clock.forward(minutes=2)
    assert (await run_check()).done == 1


async def test_a_clock_set_back_does_not_delay_retries(fleet, clock, register, run_check):
    clock.set(tomorrow_at(clock, 18))
    await fleet.add_companies(["AA000001"], clock.now() - timedelta(days=1))
    register.answers["AA000001"] = RegisterError(RegisterErrorKind.INVALID_QUERY, "malformed")
    assert (await run_check()).unresolved == 1
    register.answers.clear()
    clock.forward(hours=-5)
    assert (await run_check()).done == 1


async def test_a_missed_start_is_made_up_for_by_the_next_tick(fleet, clock, register, job_recorder):
    clock.set(tomorrow_at(clock, 12))
    await fleet.add_companies(["AA000001"], clock.now())
    await job_recorder.run_tick()
    clock.forward(hours=17, minutes=59)
    await job_recorder.run_tick()
    assert len(register.queries) == 1
    clock.forward(hours=9)
    await job_recorder.run_tick()
    assert len(register.queries) == 2


async def test_all_open_items_are_checked_when_the_register_recovers(
    fleet, clock, register, job_recorder
):
    clock.set(tomorrow_at(clock, 12))
    await fleet.add_companies(licence_numbers(30), clock.now())
    register.answers[licence_numbers(30)[7]] = RegisterError(
        RegisterErrorKind.INVALID_RESPONSE, "?"
    )
    await job_recorder.run_tick()
    assert await fleet.fetch_value("SELECT count(*) FROM verification") == 29
    register.answers.clear()
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 second'")
    await job_recorder.run_tick()
    assert await fleet.fetch_value("SELECT count(*) FROM verification") == 30
    assert await fleet.fetch_value("SELECT state FROM check_run") == "finished"


async def test_a_run_continues_past_midnight_until_the_next_one_supersedes_it(
    fleet, clock, register, worker, job_recorder
):
    clock.set(tomorrow_at(clock, 23, 59))
    await fleet.add_companies(["AA000001", "AA000002"], clock.now())
    await fleet.admin.execute("UPDATE driver SET status = 'valid'")  # no new drivers
    register.answers["AA000001"] = register.answers["AA000002"] = RegisterError(
        RegisterErrorKind.INVALID_RESPONSE, "no"
    )
    await job_recorder.run_tick()
    yesterday = warsaw_date(clock.now())
    clock.forward(hours=1)
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 second'")
    del register.answers["AA000001"]
    await job_recorder.run_tick()  # the jobs of before midnight are lost
    assert (await fleet.driver_rows())["AA000001"]["verifications"] == 1
    assert await fleet.fetch_value("SELECT done FROM check_run") == 1

    clock.forward(hours=6)
    await reconcile_runs(worker)
    assert (
        await fleet.fetch_value("SELECT state FROM check_run WHERE day = $1", yesterday)
        == "finished"
    )
    register.answers.clear()
    queries_before = len(register.queries)
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 second'")
    await run_check_worker(worker, day=yesterday)
    assert len(register.queries) == queries_before, "they are checked by today's run"
    await run_check_worker(worker, day=warsaw_date(clock.now()))
    finished = await fleet.admin.fetch("SELECT done FROM check_run ORDER BY day")
    assert [run["done"] for run in finished] == [1, 2]


async def test_without_redis_a_run_continues_past_midnight(fleet, clock, register, worker):
    clock.set(tomorrow_at(clock, 23, 50))
    await fleet.add_companies(["AA000001"], clock.now())
    await fleet.admin.execute("UPDATE driver SET status = 'valid'")  # no new drivers
    register.answers["AA000001"] = RegisterError(RegisterErrorKind.INVALID_RESPONSE, "no")
    await run_daily_check(worker, create_renderer_registry(worker))
    register.answers.clear()
    clock.forward(hours=2)

    without_redis = dataclasses.replace(
        worker, queue=SaqQueue(NOBODY_LISTENS), shutdown=ShutdownFlag()
    )
    ticking = asyncio.create_task(Scheduler(without_redis, ()).run())
    try:
        await wait_until(lambda: fleet.fetch_value("SELECT count(*) FROM verification"))
    finally:
        without_redis.shutdown.set()
        await ticking
        await without_redis.queue.close()

    assert await fleet.fetch_value("SELECT done FROM check_run") == 1


async def test_a_worker_at_work_leaves_a_run_that_is_superseded(
    fleet, clock, register, worker, job_recorder, monkeypatch
):
    clock.set(tomorrow_at(clock, 23, 59))
    await fleet.add_companies([f"AA{number:06}" for number in range(40)], clock.now())
    await fleet.admin.execute("UPDATE driver SET status = 'valid'")  # no new drivers
    await reconcile_runs(worker)
    yesterday = warsaw_date(clock.now())
    claim, claimed = CheckWorker._claim_items, []

    async def supersede_after_the_first(self, limit):
        tasks = await claim(self, min(limit, 10))
        claimed.append(len(tasks))
        if len(claimed) == 1:
            clock.forward(hours=7)
            await plan_run(worker.database, clock.now())
        return tasks

    monkeypatch.setattr(CheckWorker, "_claim_items", supersede_after_the_first)
    await run_check_worker(worker, day=yesterday)

    assert claimed == [10]
    runs = await fleet.admin.fetch("SELECT state, done FROM check_run ORDER BY day")
    assert [tuple(run) for run in runs] == [("finished", 10), ("running", 0)]


async def test_a_run_whose_next_day_had_no_worker_is_finished_by_the_next_run(
    fleet, clock, register, worker, job_recorder
):
    clock.set(tomorrow_at(clock, 12))
    await fleet.add_companies(["AA000001"], clock.now())
    await fleet.admin.execute("UPDATE driver SET status = 'valid'")  # no new drivers
    register.answers["AA000001"] = RegisterError(RegisterErrorKind.INVALID_RESPONSE, "no")
    await job_recorder.run_tick()
    register.answers.clear()

    clock.forward(days=1)
    clock.set(tomorrow_at(clock, 5))
    await job_recorder.run_tick()
    states = "SELECT array_agg(state ORDER BY day) FROM check_run"
    assert await fleet.fetch_value(states) == ["running"], "nothing supersedes it yet"
    queries_before = len(register.queries)
    clock.forward(hours=8)
    await job_recorder.run_tick()

    assert await fleet.fetch_value(states) == ["finished", "finished"]
    assert len(register.queries) == queries_before + 1, "it is checked for today alone"
