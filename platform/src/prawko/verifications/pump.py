"""A pump: leases what two seconds can carry, asks, records, until nothing is due.

While one batch of answers is being written, the next questions are asked. Killed at any line,
it leaves leases that run out and rows that are whole. Several pumps work side by side, in one
process or in many; the bucket keeps all of them together to the pace.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from datetime import date, datetime, timedelta
from typing import ParamSpec, TypeVar

import msgspec

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.deliveries.jobs import deliver_pending
from prawko.verifications.asking import Asker
from prawko.verifications.bucket import RUN, Bucket
from prawko.verifications.leases import LEASE, anything_due, anything_leased, give_back, lease
from prawko.verifications.outcome import Outcome
from prawko.verifications.pace import Slots, closed_until
from prawko.verifications.questions import Answered, Question, Result, Unanswered, Unasked
from prawko.verifications.recording import record, try_again
from prawko_tenants.outages import is_database_gone, may_be_tried_again

log = logs.logger(__name__)

AHEAD_SECONDS = 2.0
# How long a pump waits for slots when others have taken those within reach.
DRY_SECONDS = 1.0
# However fast the register may be asked: what is leased stands in memory.
LARGEST_LEASE = 500
# Between two tries to write answers that the database did not take; the last goes on.
WRITE_AGAIN_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0)

Enough = Callable[[], bool]
P = ParamSpec("P")
T = TypeVar("T")


class Pumped(msgspec.Struct):
    """What a pump came to; grows while it works."""

    outcomes: Counter[Outcome] = msgspec.field(default_factory=Counter)
    notices: int = 0
    unanswered: int = 0


class Pump:
    """Works on one day's run until nothing is due, the register closes, or it is enough."""

    def __init__(self, tools: Tools, day: date) -> None:
        settings = tools.settings
        register = tools.plugins.register(settings.register)
        self._tools = tools
        self._day = day
        self._bucket = Bucket(tools.database, register.name, settings.register_rate)
        self._asker = Asker(
            register,
            tools.clock,
            deadline=settings.register_deadline,
            parallel=settings.register_parallel,
        )
        self._lasting = LEASE + 2 * timedelta(seconds=settings.register_deadline)
        self._writing: asyncio.Task[None] | None = None
        self.pumped = Pumped()

    async def run(self, enough: Enough, *, patient: bool = False) -> None:
        """Pump. A patient one waits while the register is closed or the database away."""
        try:
            while not (self._tools.stopping or enough()):
                try:
                    if not await self._turn(patient=patient):
                        return
                except Exception as error:
                    if not (patient and is_database_gone(error)):
                        raise
                    log.warning("pump_waits_for_the_database", error=type(error).__name__)
                    await asyncio.sleep(DRY_SECONDS)
        finally:
            await self._written()

    async def _turn(self, *, patient: bool) -> bool:
        """Ask once more, or wait for slots; False when there is nothing to stay for."""
        database = self._tools.database
        if not await anything_due(database, self._day, self._tools.clock.now()):
            await self._written()
            # What others have in hand may come back: unasked, or with the end of a lease.
            if not patient or not await anything_leased(database, self._day):
                return False
            await asyncio.sleep(DRY_SECONDS)
            return True
        slots = await self._bucket.take(RUN, wanted=LARGEST_LEASE, ahead=AHEAD_SECONDS)
        if slots is not None:
            await self._ask(slots)
            return True
        if not patient and not await self.may_ask():
            return False
        await asyncio.sleep(DRY_SECONDS)
        return True

    async def may_ask(self) -> bool:
        """Whether the register takes questions, or a probe, this moment."""
        return closed_until(await self._bucket.pace(), machine_now()) is None

    async def _ask(self, slots: Slots) -> None:
        """Lease as many items as there are slots, ask, and hand over what comes."""
        questions = await lease(
            self._tools.database,
            self._day,
            self._tools.clock.now(),
            slots.count,
            lasting=self._lasting,
        )
        waiting = {question.driver_id: question for question in questions}
        try:
            asking = self._asker.ask(questions, slots, every=AHEAD_SECONDS)
            async with aclosing(asking):  # asks no more before the rest is given back
                async for results in asking:
                    try:
                        await self._written()
                    finally:  # whatever became of the batch before
                        self._writing = asyncio.create_task(self._write(results))
                        for result in results:
                            waiting.pop(result.question.driver_id, None)
                    await self._hear(results)
                    if self._tools.stopping:
                        break
        finally:
            await give_back(self._tools.database, list(waiting.values()))

    async def _hear(self, results: Sequence[Result]) -> None:
        """Tell the bucket how the register behaves, before anybody asks more."""
        errors = [one.error for one in results if isinstance(one, Unanswered)]
        answered = any(isinstance(one, Answered) for one in results)
        await self._bucket.hear(answered=answered, errors=errors)

    async def _written(self) -> None:
        """Wait until the batch before has been written; raises what went wrong with it."""
        writing, self._writing = self._writing, None
        if writing is not None:
            await writing

    async def _write(self, results: Sequence[Result]) -> None:
        """Record what was answered, note what was not, and give back what was not asked."""
        answered = [one for one in results if isinstance(one, Answered)]
        unanswered = [one for one in results if isinstance(one, Unanswered)]
        unasked: list[Question] = [one.question for one in results if isinstance(one, Unasked)]
        ours_until = min(one.question.lease_until for one in results)
        if answered:
            recorded = await _stubbornly(ours_until, record, self._tools, self._day, answered)
            self.pumped.outcomes += recorded.outcomes
            self.pumped.notices += recorded.notices
            if recorded.notices:
                await self._tools.queue.put(deliver_pending)
        await _stubbornly(ours_until, try_again, self._tools, self._day, unanswered)
        await _stubbornly(ours_until, give_back, self._tools.database, unasked)
        self.pumped.unanswered += len(unanswered)


async def _stubbornly(
    ours_until: datetime,
    write: Callable[P, Awaitable[T]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Write, again and again while the database is away and the leases are ours.

    What was committed though nobody heard so is not written twice: the fence says so.
    """
    tries = 0
    while True:
        try:
            return await write(*args, **kwargs)
        except Exception as error:
            wait = WRITE_AGAIN_SECONDS[min(tries, len(WRITE_AGAIN_SECONDS) - 1)]
            still_ours = machine_now() + timedelta(seconds=wait) < ours_until
            if not (may_be_tried_again(error) and still_ours):
                raise
            log.warning("answers_wait_for_the_database", error=type(error).__name__)
            tries += 1
            await asyncio.sleep(wait)
