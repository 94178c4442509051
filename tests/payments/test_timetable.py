"""A provider that says nothing keeps nobody waiting but its own payers."""

import asyncio
from datetime import timedelta

import pytest

from prawko.base.jobs import job
from prawko.worker import ticker
from prawko.worker.ticker import Ticker
from prawko.worker.timetable import TIMETABLE, Periodic

pytestmark = pytest.mark.anyio

ran: list[str] = []
thrice = asyncio.Event()


@job(timeout=60)
async def silent(tools) -> None:
    ran.append("silent")
    await asyncio.Event().wait()


@job(timeout=60)
async def daily(tools) -> None:
    ran.append("daily")
    if ran.count("daily") == 3:
        thrice.set()


async def test_what_waits_for_others_holds_up_nothing(worker, monkeypatch) -> None:
    ran.clear()
    thrice.clear()
    always = timedelta(0)
    jobs = (Periodic(silent, always, aside=True), Periodic(daily, always))
    monkeypatch.setattr(ticker, "TIMETABLE", jobs)
    monkeypatch.setattr(ticker, "TICK", timedelta(milliseconds=20))
    ticking = asyncio.create_task(Ticker(worker).run())
    async with asyncio.timeout(20):
        await thrice.wait()
    ticking.cancel()
    await asyncio.gather(ticking, return_exceptions=True)

    assert ran.count("silent") == 1


def test_whoever_asks_providers_waits_aside() -> None:
    aside = {periodic.job.name.rpartition(".")[2] for periodic in TIMETABLE if periodic.aside}

    assert {"work_on_payments", "ask_open_payments", "renew_subscriptions"} <= aside
