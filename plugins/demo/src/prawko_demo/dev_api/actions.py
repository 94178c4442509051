"""Runs the worker's jobs at once, in the panel's process, and waits for them."""

import asyncio
from time import monotonic

from litestar import Controller, post
from litestar.di import NamedDependency
from sqlalchemy import exists, select

from prawko.apps.composition_root import create_renderer_registry
from prawko.apps.worker.schedule import SCHEDULE
from prawko.apps.worker.scheduler import run_exclusively
from prawko.invoices.jobs import build_due_invoices
from prawko.kit.context import AppContext
from prawko.kit.http.schemas import ResponseModel
from prawko.kit.webhooks.models import WebhookEvent
from prawko.payments.jobs import process_payment_events
from prawko.verifications.daily.run_now import DailyCheckReport, run_daily_check
from prawko_demo.dev_api.inline_queue import InlineQueue
from prawko_demo.payments import SandboxProvider

POLL_SECONDS = 0.05
WORKER_WAIT_SECONDS = 5.0

_HAS_PENDING_EVENTS = select(
    exists().where(
        WebhookEvent.provider == SandboxProvider.name, WebhookEvent.processed_at.is_(None)
    )
)


class JobsOut(ResponseModel):
    """The names of the periodic jobs that ran, in their order."""

    ran: list[str]


class WorkerActions:
    """A worker without a job queue: it runs the jobs that its jobs enqueue before it returns."""

    def __init__(self, worker: AppContext, queue: InlineQueue) -> None:
        self._worker = worker
        self._queue = queue

    async def check_drivers(self) -> DailyCheckReport:
        """Run the daily check of the product's day, deliveries included."""
        report = await run_daily_check(self._worker, create_renderer_registry(self._worker))
        await self._queue.run_pending(self._worker)
        return report

    async def process_payments(self) -> None:
        """Process the stored webhooks and build the invoices that follow from them.

        The worker's process may have claimed a webhook before; that one is waited for.
        """
        await process_payment_events(self._worker)
        await self._queue.run_pending(self._worker)
        until = monotonic() + WORKER_WAIT_SECONDS
        # The worker is another process, which sends no event to this one.
        while await self._has_pending_events() and monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(POLL_SECONDS)
        await build_due_invoices(self._worker)

    async def _has_pending_events(self) -> bool:
        async with self._worker.database.system() as session:
            return bool(await session.scalar(_HAS_PENDING_EVENTS))

    async def run_jobs(self) -> list[str]:
        """Run every periodic job once and return their names; each does what is due."""
        for periodic in SCHEDULE:
            # False while the worker's process runs the same job.
            while not await run_exclusively(self._worker, periodic):  # noqa: ASYNC110
                await asyncio.sleep(POLL_SECONDS)
            await self._queue.run_pending(self._worker)
        return [periodic.job.function.__name__ for periodic in SCHEDULE]


class ActionsController(Controller):
    """Runs the daily check and the periodic jobs."""

    @post("/daily-check", status_code=200)
    async def check_drivers(self, actions: NamedDependency[WorkerActions]) -> DailyCheckReport:
        """Plan the due drivers, check until no item is due before its next try, and deliver."""
        return await actions.check_drivers()

    @post("/jobs", status_code=200)
    async def run_jobs(self, actions: NamedDependency[WorkerActions]) -> JobsOut:
        """Run every periodic job and return their names."""
        return JobsOut(ran=await actions.run_jobs())
