"""A provider that never responds delays only its own payers."""

import asyncio
from collections import defaultdict
from datetime import timedelta

import pytest

from prawko.apps.worker.schedule import SCHEDULE, PeriodicJob
from prawko.apps.worker.scheduler import Scheduler
from prawko.kit.work.jobs import job

pytestmark = pytest.mark.anyio

started_jobs: list[str] = []
third_run = asyncio.Event()


@job(timeout=60)
async def hanging_job(context) -> None:
    started_jobs.append("silent")
    await asyncio.Event().wait()


@job(timeout=60)
async def frequent_job(context) -> None:
    started_jobs.append("daily")
    if started_jobs.count("daily") == 3:
        third_run.set()


async def test_a_hanging_job_does_not_delay_others(worker) -> None:
    started_jobs.clear()
    third_run.clear()
    always = timedelta(0)
    jobs = (PeriodicJob(hanging_job, always, waits_for="nobody"), PeriodicJob(frequent_job, always))
    scheduler = Scheduler(worker, jobs, timedelta(milliseconds=20))
    ticking = asyncio.create_task(scheduler.run())
    async with asyncio.timeout(20):
        await third_run.wait()
    ticking.cancel()
    await asyncio.gather(ticking, return_exceptions=True)

    assert started_jobs.count("silent") == 1


def test_jobs_that_call_providers_delay_only_each_other() -> None:
    waiting = defaultdict(set)
    for periodic in SCHEDULE:
        waiting[periodic.waits_for].add(periodic.job.name.rpartition(".")[2])

    payments = {"process_payment_events", "poll_open_payments", "renew_subscriptions"}
    assert payments | {"make_requested_refunds"} == waiting["payment providers"]
    assert waiting["invoice issuer"] == {"build_due_invoices"}
    assert waiting["dead-man switch"] == {"ping_dead_man_switch"}
