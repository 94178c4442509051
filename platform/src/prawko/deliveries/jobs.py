"""The jobs that empty the outbox and the inbox, and forget what is long done."""

from datetime import timedelta

from prawko.base.clock import machine_now
from prawko.base.jobs import Tools, job
from prawko.deliveries.composing import Correspondence
from prawko.deliveries.incidents import say_untold
from prawko.deliveries.losses import watch_for_losses
from prawko.deliveries.reports import work_on_reports
from prawko.deliveries.retention import forget
from prawko.deliveries.sending import deliver_due

SHIFT = timedelta(minutes=1)


class Postman:
    """One at a time in a process: rings are many, and a slow carrier must not fill the worker.

    A ring while he is out makes him look once more.
    """

    def __init__(self) -> None:
        self._correspondence: Correspondence | None = None
        self._out = False
        self._rung = False

    def wire(self, correspondence: Correspondence) -> None:
        """Say who writes what; once, while the process starts."""
        self._correspondence = correspondence

    @property
    def correspondence(self) -> Correspondence:
        """Who writes what. Raises RuntimeError in a process that was never told."""
        if self._correspondence is None:
            raise RuntimeError("deliveries were not wired while the process started")
        return self._correspondence

    async def go(self, tools: Tools) -> bool:
        """Send what is due for a minute; True when there may be more."""
        self._rung = True
        if self._out:
            return False
        self._out = True
        back = machine_now() + SHIFT
        try:
            while self._rung and not tools.stopping:
                self._rung = False
                await deliver_due(tools, self.correspondence, enough=lambda: machine_now() > back)
                if machine_now() > back:
                    return True
            return False
        finally:
            self._out = False


postman = Postman()


@job(timeout=300)
async def deliver_pending(tools: Tools) -> None:
    """Send what is due."""
    if await postman.go(tools):
        await tools.queue.put(deliver_pending)


@job(timeout=300)
async def read_reports(tools: Tools) -> None:
    """Work on what the carriers reported; periodic, too, for a lost ring."""
    await work_on_reports(tools, postman.correspondence.addresses)


@job(timeout=60)
async def watch_reports(tools: Tools) -> None:
    """Tell the operators when messages get lost after a carrier took them."""
    if await watch_for_losses(tools.database):
        await tools.queue.put(deliver_pending)


@job(timeout=30)
async def watch_incidents(tools: Tools) -> None:
    """Say in the log what the operators could not be mailed."""
    async with tools.database.system() as session:
        await say_untold(session, machine_now())


@job(timeout=300)
async def forget_messages(tools: Tools) -> None:
    """Delete messages and events that are long done."""
    await forget(tools.database)
