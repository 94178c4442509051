"""The work that otherwise waits for its hour: done now, in this process, and waited for."""

import asyncio
from time import monotonic

from litestar import Controller, post
from litestar.di import NamedDependency
from sqlalchemy import text

from prawko.base.jobs import Tools
from prawko.base.schemas import Outgoing
from prawko.invoices.jobs import finish_invoices
from prawko.payments.jobs import work_on_payments
from prawko.verifications.daily import DailyCheckReport, run_daily_check
from prawko.worker.ticker import run_alone
from prawko.worker.timetable import TIMETABLE
from prawko.worker.wiring import correspondence, wire
from prawko_demo.doors.errands import Errands
from prawko_demo.payments import SandboxProvider

SECONDS_TO_LOOK_AGAIN = 0.05
SECONDS_FOR_OTHERS = 5.0

_WAITS = text("""
    SELECT EXISTS (SELECT FROM webhook_event WHERE provider = :provider AND worked_at IS NULL)
""")


class JobsOut(Outgoing):
    """The periodic jobs that ran, in their order."""

    ran: list[str]


class Work:
    """A worker without a queue: what its jobs ring for, it does itself before it answers."""

    def __init__(self, worker: Tools, errands: Errands) -> None:
        self._worker = worker
        self._errands = errands
        wire(worker)

    async def check(self) -> DailyCheckReport:
        """The daily check of the product's day, deliveries included."""
        report = await run_daily_check(self._worker, correspondence(self._worker))
        await self._errands.run(self._worker)
        return report

    async def take_payments(self) -> None:
        """Work on what providers have called us about, and on what follows from it.

        The worker may have been faster, and still be at it: it is waited for.
        """
        await work_on_payments(self._worker)
        await self._errands.run(self._worker)
        until = monotonic() + SECONDS_FOR_OTHERS
        while await self._events_wait() and monotonic() < until:  # noqa: ASYNC110 (see below)
            await asyncio.sleep(SECONDS_TO_LOOK_AGAIN)
        await finish_invoices(self._worker)

    async def _events_wait(self) -> bool:
        async with self._worker.database.system() as session:
            return bool(await session.scalar(_WAITS, {"provider": SandboxProvider.name}))

    async def run_jobs(self) -> list[str]:
        """Every periodic job once; each decides by the product's clock what is due."""
        for periodic in TIMETABLE:
            # No event reaches from the worker that is at it to this process.
            while not await run_alone(self._worker, periodic):  # noqa: ASYNC110
                await asyncio.sleep(SECONDS_TO_LOOK_AGAIN)
            await self._errands.run(self._worker)
        return [periodic.job.function.__name__ for periodic in TIMETABLE]


class WorkDoor(Controller):
    """Runs what the timetable would."""

    @post("/daily-check", status_code=200)
    async def check(self, work: NamedDependency[Work]) -> DailyCheckReport:
        """Plan who is due, check until nothing is due before its next try, and deliver."""
        return await work.check()

    @post("/jobs", status_code=200)
    async def run_jobs(self, work: NamedDependency[Work]) -> JobsOut:
        return JobsOut(ran=await work.run_jobs())
