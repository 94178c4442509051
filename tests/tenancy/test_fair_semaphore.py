"""The slots of a semaphore, which waiting companies get in turns."""

import asyncio

import pytest

from prawko_tenants.fair_semaphore import FairSemaphore
from prawko_tenants.ids import TenantId, new_id

pytestmark = pytest.mark.anyio

ACME, RIVAL, OTHER = (TenantId(new_id()) for _ in range(3))


class Work:
    """Acquires slots and keeps them until it is ended; records which company got one."""

    def __init__(self, semaphore: FairSemaphore) -> None:
        self._semaphore = semaphore
        self._end = asyncio.Semaphore(0)
        self._tasks: list[asyncio.Task[None]] = []
        self.begun: list[TenantId] = []

    async def ask(self, *companies: TenantId) -> None:
        self._tasks += [asyncio.create_task(self._work(company)) for company in companies]
        await asyncio.sleep(0)

    async def end(self, number: int = 1) -> None:
        for _ in range(number):
            self._end.release()
        for _ in range(5):
            await asyncio.sleep(0)

    async def finish(self) -> None:
        await self.end(len(self._tasks))
        await asyncio.gather(*self._tasks)

    async def _work(self, company: TenantId) -> None:
        async with self._semaphore.slot(company):
            self.begun.append(company)
            await self._end.acquire()


async def test_a_company_gets_so_many_slots() -> None:
    work = Work(FairSemaphore(4, per_company=2))

    await work.ask(ACME, ACME, ACME, ACME, RIVAL)

    assert work.begun == [ACME, ACME, RIVAL]
    await work.finish()
    assert work.begun == [ACME, ACME, RIVAL, ACME, ACME]


async def test_waiting_companies_are_served_round_robin() -> None:
    work = Work(FairSemaphore(1, per_company=1))

    await work.ask(ACME, ACME, ACME, ACME, RIVAL, RIVAL, OTHER)
    await work.finish()

    assert work.begun == [ACME, ACME, RIVAL, OTHER, ACME, RIVAL, ACME]


async def test_a_request_that_waited_too_long_blocks_no_other() -> None:
    semaphore = FairSemaphore(1, per_company=1)
    work = Work(semaphore)
    await work.ask(ACME)

    with pytest.raises(TimeoutError):
        async with semaphore.slot(ACME, seconds=0.01):
            raise AssertionError("there was no slot")
    await work.ask(RIVAL)
    await work.finish()

    assert work.begun == [ACME, RIVAL]


async def test_a_slot_given_to_a_request_cancelled_at_that_moment_is_passed_on() -> None:
    semaphore = FairSemaphore(1, per_company=1)
    holder = semaphore.slot(ACME)
    await holder.__aenter__()
    leaving = asyncio.create_task(semaphore.slot(ACME).__aenter__())
    work = Work(semaphore)
    await asyncio.sleep(0)
    await work.ask(RIVAL)

    await holder.__aexit__(None, None, None)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    await work.finish()

    assert leaving.cancelled()
    assert work.begun == [RIVAL]
