"""Companies share what a process has little of: places are had in turns."""

import asyncio

import pytest

from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.shares import CompanyShares

pytestmark = pytest.mark.anyio

ACME, RIVAL, OTHER = (TenantId(new_id()) for _ in range(3))


class Work:
    """Takes places and keeps them until it is told to end; remembers who had one."""

    def __init__(self, shares: CompanyShares) -> None:
        self._shares = shares
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
        async with self._shares.reserve(company):
            self.begun.append(company)
            await self._end.acquire()


async def test_a_company_has_no_more_than_its_share() -> None:
    work = Work(CompanyShares(4, each=2))

    await work.ask(ACME, ACME, ACME, ACME, RIVAL)

    assert work.begun == [ACME, ACME, RIVAL]
    await work.finish()
    assert work.begun == [ACME, ACME, RIVAL, ACME, ACME]


async def test_companies_that_wait_have_their_turns_in_a_circle() -> None:
    work = Work(CompanyShares(1, each=1))

    await work.ask(ACME, ACME, ACME, ACME, RIVAL, RIVAL, OTHER)
    await work.finish()

    assert work.begun == [ACME, ACME, RIVAL, OTHER, ACME, RIVAL, ACME]


async def test_whoever_waits_too_long_gives_up_and_blocks_nobody() -> None:
    shares = CompanyShares(1, each=1)
    work = Work(shares)
    await work.ask(ACME)

    with pytest.raises(TimeoutError):
        async with shares.reserve(ACME, seconds=0.01):
            raise AssertionError("there was no place")
    await work.ask(RIVAL)
    await work.finish()

    assert work.begun == [ACME, RIVAL]


async def test_a_place_given_to_somebody_who_leaves_in_that_moment_is_passed_on() -> None:
    shares = CompanyShares(1, each=1)
    holder = shares.reserve(ACME)
    await holder.__aenter__()
    leaving = asyncio.create_task(shares.reserve(ACME).__aenter__())
    work = Work(shares)
    await asyncio.sleep(0)
    await work.ask(RIVAL)

    await holder.__aexit__(None, None, None)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    await work.finish()

    assert leaving.cancelled()
    assert work.begun == [RIVAL]
