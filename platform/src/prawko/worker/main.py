"""`prawko worker`: one loop for the queue's rings and the ticker, until SIGTERM.

Being asked to end, it leases nothing more; pumps write what was answered, give back the rest,
and deliveries finish the message in hand. After 30 seconds it ends anyway.
"""

import asyncio
import gc
import signal
from collections.abc import Mapping
from typing import Any

from saq.types import Context
from saq.worker import Worker

from prawko.base import logs
from prawko.base.jobs import Job, Tools
from prawko.base.queue import SaqQueue
from prawko.base.start import close_tools, open_tools
from prawko.deliveries.jobs import deliver_pending
from prawko.invoices.jobs import finish_invoice
from prawko.verifications.jobs import pump
from prawko.worker.ticker import Ticker
from prawko.worker.timetable import TIMETABLE
from prawko.worker.wiring import wire

log = logs.logger(__name__)

DRAIN_SECONDS = 25
CONCURRENCY = 8
RETRY_SECONDS = 2.0

RUNG_FOR: tuple[Job[Any], ...] = (deliver_pending, pump, finish_invoice)
JOBS = (*RUNG_FOR, *(periodic.job for periodic in TIMETABLE))


def run(variables: Mapping[str, str]) -> None:
    """Work until SIGTERM or SIGINT."""
    asyncio.run(work(open_tools(variables)))


def _look_for_garbage_less_often() -> None:
    """What was imported stays, and answers leave no cycles: a tenth of a check's time was this."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


async def work(tools: Tools) -> None:
    """Work with these tools until the process is told to end, then close them."""
    wire(tools)
    _look_for_garbage_less_often()
    loop = asyncio.get_running_loop()
    ending = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ending.set)
    ticker = asyncio.create_task(Ticker(tools).run()) if tools.settings.timetable else None
    listener = asyncio.create_task(_listen(tools, ending))
    log.info("worker_started")
    await ending.wait()
    tools.stopping.say()  # before anything is cancelled: pumps then write and give back
    log.info("worker_draining")
    tasks = [task for task in (listener, ticker) if task is not None]
    _, late = await asyncio.wait(tasks, timeout=DRAIN_SECONDS)
    for task in late:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await close_tools(tools)
    log.info("worker_stopped")


async def _listen(tools: Tools, ending: asyncio.Event) -> None:
    """Answer rings. Redis may go and come back: the worker outlives it."""
    queue = tools.queue
    if not isinstance(queue, SaqQueue):
        raise TypeError("a worker listens to the queue on Redis")
    while not ending.is_set():
        worker = _worker(tools, queue)
        running = asyncio.create_task(worker.start())
        asked_to_end = asyncio.create_task(ending.wait())
        await asyncio.wait({running, asked_to_end}, return_when=asyncio.FIRST_COMPLETED)
        asked_to_end.cancel()
        if ending.is_set():
            await worker.stop()
        try:
            await running
        except Exception as error:  # noqa: BLE001 (the edge of the process)
            log.warning("queue_lost", reason=type(error).__name__)
            await asyncio.sleep(RETRY_SECONDS)


class _Listener(Worker[Context]):
    """SAQ's worker without its own idea of signals, and patient while Redis is away."""

    SIGNALS: list[signal.Signals] = []  # noqa: RUF012 (SAQ declares it so)
    ours: SaqQueue
    chores: tuple[asyncio.Task[None], ...] = ()

    async def upkeep(self) -> list[asyncio.Task[None]]:
        chores = await super().upkeep()
        self.chores = tuple(chores)
        return chores

    async def stop(self) -> None:
        """Wait for jobs, not for chores: they sleep up to a minute between two turns."""
        for chore in self.chores:
            chore.cancel()
        await super().stop()

    async def process(self) -> bool:
        if not await self.ours.answers():
            await asyncio.sleep(RETRY_SECONDS)
            return False
        return await super().process()


def _worker(tools: Tools, queue: SaqQueue) -> _Listener:
    listener = _Listener(
        queue.saq,
        functions=[(job.name, _handler(tools, job)) for job in JOBS],
        concurrency=CONCURRENCY,
        shutdown_grace_period_s=DRAIN_SECONDS,
        dequeue_timeout=1.0,
    )
    listener.ours = queue
    return listener


def _handler(tools: Tools, job: Job[Any]) -> Any:
    async def handle(_: Context, *, payload: dict[str, Any]) -> None:
        try:
            await job.run_payload(tools, payload)
        except Exception:
            log.exception("job_failed", job=job.name)
            raise

    return handle
