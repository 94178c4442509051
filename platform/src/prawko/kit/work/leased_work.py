"""The loop over work that is due: claim rows, handle each, and deal with those that fail.

A crash needs no code here: a leased row is due again when its lease ends (`kit.work.lease`), and a
row without a lease is listed again by the next run.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, TypeVar, TypeVarTuple
from uuid import UUID

from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.observability import logs
from prawko.kit.work.lease import renew_claimed
from prawko.kit.work.lease_renewal import RENEWAL_SECONDS, LeaseRenewal

log = logs.get_logger(__name__)

# How often rows are claimed while others are being handled.
CLAIM_SECONDS = 1.0

# Of rows whose leases are renewed: four renewals.
LEASE = timedelta(seconds=4 * RENEWAL_SECONDS)
# What the release before this one set.
LONGEST_LEASE = timedelta(minutes=5)

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


async def run_work(
    context: AppContext,
    *,
    claim: Callable[[int], Awaitable[Sequence[T]]],
    handle: Callable[[T], Awaitable[object]],
    on_error: Callable[[T, Exception], Awaitable[bool]],
    limit: int,
    renews: bool = False,
) -> int:
    """Handle rows until nothing is due, the process stops or an error ends it; returns how many.

    `claim` returns the rows that are due, as many as there is room for: at most `limit` are handled
    at the same time, and one that hangs does not delay those that become due meanwhile. `handle`
    works on one row: no transaction is open while it calls a provider. A failure does not affect
    the other rows: `on_error` schedules the next attempt or gives up, and returns whether the loop
    goes on, False when no other row can succeed now. The loop also ends where `on_error` fails,
    because then the database does. `renews`: the rows were claimed for LEASE, and it is renewed
    while they are handled; what a killed or blocked process holds is due again after LEASE.
    """
    handled, goes_on, unfinished = 0, True, list[T]()

    async def handle_one(row: T) -> None:
        nonlocal goes_on
        try:
            await handle(row)
        except Exception as error:  # noqa: BLE001 (the boundary of a job)
            try:
                goes_on = await on_error(row, error) and goes_on
            except Exception:
                log.exception("work_not_rescheduled", row=str(getattr(row, "id", row)))
                goes_on = False
        finally:
            unfinished.remove(row)

    claims: set[asyncio.Future[Any]] = set()
    async with _renewed(context, unfinished) if renews else nullcontext():
        try:
            while True:
                is_open = goes_on and len(unfinished) < limit and not context.must_stop()
                if is_open and (rows := await claim(limit - len(unfinished))):
                    handled += len(rows)
                    unfinished += rows
                    claims.add(asyncio.gather(*map(handle_one, rows)))
                if not claims:
                    return handled
                ended, claims = await asyncio.wait(
                    claims, timeout=CLAIM_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                for one in ended:
                    one.result()  # raises what no row's failure is, such as a cancellation
        except asyncio.CancelledError:
            for one in claims:
                one.cancel()
            raise
        finally:  # a claim that fails must not cancel others in the middle of a call
            await asyncio.gather(*claims, return_exceptions=True)


def _renewed(context: AppContext, rows: Sequence[Any]) -> AbstractAsyncContextManager[None]:
    """Renew within the block the leases of the leased rows that are in the list at the time.

    A locked row is being written by its handler, which may wait for its company: no other process
    can claim it meanwhile, and the rows of other companies are renewed.
    """

    async def renew(ends_at: datetime) -> None:
        if rows:
            statement = renew_claimed(rows, now=utc_now(), until=ends_at, skip_locked=True)
            async with context.database.system() as session:
                await session.execute(statement)

    return LeaseRenewal(renew, LEASE, utc_now() + LEASE).running()


async def run_each(
    context: AppContext,
    due: Iterable[tuple[*Ts]],
    handle: Callable[[*Ts], Awaitable[object]],
    *,
    failure: str,
) -> None:
    """Handle rows that need no lease, because it does no harm to handle one twice; in turn.

    `handle` takes a row's values. A failure is logged as the event `failure`, with the row's ids.
    """
    rows = iter(due)

    async def claim(room: int) -> Sequence[tuple[*Ts]]:
        return list(islice(rows, room))

    async def log_failure(row: tuple[*Ts], error: Exception) -> bool:
        log.error(
            failure, ids=[str(value) for value in row if isinstance(value, UUID)], exc_info=error
        )
        return True

    await run_work(
        context, claim=claim, handle=lambda row: handle(*row), on_error=log_failure, limit=1
    )
