"""A pump: leases what two seconds can carry, asks, records, until nothing is due.

Killed at any line, it leaves leases that run out and rows that are whole. Several pumps work
side by side, in one process or in many; the bucket keeps all of them together to the pace.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import aclosing
from datetime import date, timedelta

import msgspec

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.deliveries.jobs import deliver_pending
from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import RegisterError, RegisterTrouble
from prawko.verifications import pace
from prawko.verifications.asking import Asker
from prawko.verifications.bucket import RUN, Bucket
from prawko.verifications.leases import LEASE, anything_due, give_back, lease
from prawko.verifications.outcome import Outcome
from prawko.verifications.pace import closed_until
from prawko.verifications.questions import Answered, Question, Result, Unanswered, Unasked
from prawko.verifications.recording import record, try_again

log = logs.logger(__name__)

AHEAD_SECONDS = 2.0
# How long a pump waits for slots when others have taken those within reach.
DRY_SECONDS = 1.0
# However fast the register may be asked: what is leased stands in memory.
LARGEST_LEASE = 1000

Enough = Callable[[], bool]


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
        self.pumped = Pumped()

    async def run(self, enough: Enough, *, patient: bool = False) -> None:
        """Pump. A patient one waits while the register is closed, and sends its probes."""
        while not (self._tools.stopping or enough()):
            if not await anything_due(self._tools.database, self._day, self._tools.clock.now()):
                return
            slots = await self._bucket.take(RUN, wanted=LARGEST_LEASE, ahead=AHEAD_SECONDS)
            if slots is None:
                if not patient and closed_until(await self._bucket.pace(), machine_now()):
                    return
                await asyncio.sleep(DRY_SECONDS)
                continue
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
                        await self._write(results)
                        for result in results:
                            waiting.pop(result.question.driver_id, None)
                        if self._tools.stopping:
                            break
            finally:
                await give_back(self._tools.database, list(waiting.values()))

    async def _write(self, results: list[Result]) -> None:
        """Record what was answered, note what was not, and tell the bucket."""
        answered = [one for one in results if isinstance(one, Answered)]
        unanswered = [one for one in results if isinstance(one, Unanswered)]
        unasked: list[Question] = [one.question for one in results if isinstance(one, Unasked)]
        if answered:
            recorded = await record(self._tools, self._day, answered)
            self.pumped.outcomes += recorded.outcomes
            self.pumped.notices += recorded.notices
            if recorded.notices:
                await self._tools.queue.put(deliver_pending)
        await try_again(self._tools, self._day, unanswered)
        await give_back(self._tools.database, unasked)
        self.pumped.unanswered += len(unanswered)
        await note_trouble(self._bucket, answered=bool(answered), unanswered=unanswered)


async def note_trouble(bucket: Bucket, *, answered: bool, unanswered: list[Unanswered]) -> None:
    """Tell the bucket how the register behaves; silence about nothing new costs no write."""
    if answered and (await bucket.pace()).troubled:
        await bucket.note(pace.answered)
    for one in unanswered:
        error = one.error
        if isinstance(error, AccountError):
            reason = type(error).__name__
            await bucket.note(lambda known, now, why=reason: pace.refused(known, now, why))  # type: ignore[misc]
            log.error("register_refused_our_account")
            return
        if isinstance(error, RegisterError) and error.trouble is RegisterTrouble.THROTTLED:
            after = error.retry_after
            await bucket.note(lambda known, now, s=after: pace.throttled(known, now, s))  # type: ignore[misc]
            return
    silent = sum(
        isinstance(one.error, RegisterError) and one.error.trouble is RegisterTrouble.UNAVAILABLE
        for one in unanswered
    )
    if silent and not answered:
        await bucket.note(lambda known, now: pace.failed(known, now, silent))
