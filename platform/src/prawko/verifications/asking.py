"""Asks the register, many questions at once and none before its slot. Touches no database."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from datetime import datetime, timedelta

from prawko.base import logs
from prawko.base.clock import Clock, machine_now
from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import (
    LicenceAnswer,
    LicenceQuery,
    LicenceRegister,
    RegisterError,
    RegisterTrouble,
)
from prawko.verifications.pace import FAILURES_TO_OPEN, Slots
from prawko.verifications.questions import (
    Answered,
    Asked,
    Question,
    Result,
    Unanswered,
    Unasked,
)

log = logs.logger(__name__)

# The adapter has a deadline of its own; this one is for an adapter that forgets it.
PATIENCE = 1.5


class Asker:
    """Asks one register for one process; `parallel` bounds what is under way at once."""

    def __init__(
        self, register: LicenceRegister, clock: Clock, *, deadline: float, parallel: int
    ) -> None:
        self._register = register
        self._clock = clock
        self._deadline = deadline
        self._parallel = parallel

    async def ask_one(self, query: LicenceQuery) -> LicenceAnswer | None:
        """Ask once. Raises RegisterError or AccountError; a bug of the adapter passes through.

        An answer about another document than the one asked for is garbage, whatever the
        adapter made of it.
        """
        try:
            async with asyncio.timeout(self._deadline * PATIENCE):
                answer = await self._register.look_up(query)
        except TimeoutError:
            raise RegisterError(RegisterTrouble.UNAVAILABLE, "no answer in time") from None
        if answer is not None and answer.serial != query.number:
            raise RegisterError(RegisterTrouble.GARBAGE, "the answer bears another serial")
        return answer

    async def ask(
        self, questions: Sequence[Question], slots: Slots, *, every: float
    ) -> AsyncGenerator[list[Result], None]:
        """Ask all of them, each at its slot, and hand over what has come every few seconds.

        Once the register throttles or refuses us, or has been silent several times in a row,
        nothing more is asked.
        """
        door = _Door()
        results: list[Result] = []
        left = iter(enumerate(questions))

        async def one_after_the_other() -> None:
            for index, question in left:
                results.append(await self._result(question, slots.at(index), door))

        places = min(self._parallel, len(questions))
        asking = {asyncio.create_task(one_after_the_other()) for _ in range(places)}
        working = asking
        try:
            while working:
                _, working = await asyncio.wait(working, timeout=every)
                batch = results.copy()
                results.clear()
                if batch:
                    yield batch
        finally:
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)

    async def _result(self, question: Question, at: datetime, door: "_Door") -> Result:
        wait = (at - machine_now()).total_seconds()
        if wait > 0:
            await asyncio.sleep(wait)
        # Too near the end of the lease, somebody else would be asking before we wrote.
        too_late = question.lease_until - timedelta(seconds=self._deadline * PATIENCE)
        if door.closed or machine_now() > too_late:
            return Unasked(question)
        asked = Asked(
            tenant_id=question.tenant_id,
            driver_id=question.driver_id,
            document_no=question.document_no,
            query=question.query,
            at=self._clock.now(),
        )
        try:
            answer = await self.ask_one(question.query)
        except (RegisterError, AccountError) as error:
            door.heard(error)
            return Unanswered(question, error)
        except Exception as error:  # the edge of a job: a bug of an adapter is no answer
            log.exception("register_adapter_broke", register=self._register.name)
            return Unanswered(question, error)
        door.silent = 0
        return Answered(question, asked, answer)


class _Door:
    """Whether to go on asking, as far as these questions tell; the bucket knows all of them."""

    def __init__(self) -> None:
        self.closed = False
        self.silent = 0

    def heard(self, error: RegisterError | AccountError) -> None:
        trouble = error.trouble if isinstance(error, RegisterError) else None
        if trouble is RegisterTrouble.UNAVAILABLE:
            self.silent += 1
        if trouble in {None, RegisterTrouble.THROTTLED} or self.silent >= FAILURES_TO_OPEN:
            self.closed = True
