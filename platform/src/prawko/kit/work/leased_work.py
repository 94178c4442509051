"""The loop over rows that are leased: claim what is due, handle it, reschedule what failed.

A crash needs no code here: the row is due again when its lease ends (`base.lease`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from prawko.kit.context import AppContext
from prawko.kit.observability import logs
from prawko.kit.work.lease import LeasedRow

log = logs.get_logger(__name__)

RowT = TypeVar("RowT", bound=LeasedRow)


async def run_work(
    context: AppContext,
    *,
    claim: Callable[[], Awaitable[Sequence[RowT]]],
    handle: Callable[[RowT], Awaitable[object]],
    on_error: Callable[[RowT, Exception], Awaitable[bool]],
) -> int:
    """Handle rows until nothing is due, the process stops or an error ends it; returns how many.

    `claim` leases rows that are due; none means that nothing is due now. `handle` works on one: no
    transaction is open while it calls a provider. The rows of a claim are handled at the same time,
    and one's failure does not affect the others. `on_error` schedules the next attempt or gives
    up, and returns whether the loop goes on: False when no other row can succeed now. It ends as
    well where `on_error` fails: then the database does.
    """

    async def handle_one(row: RowT) -> bool:
        try:
            await handle(row)
        except Exception as error:  # noqa: BLE001 (the boundary of a job)
            try:
                return await on_error(row, error)
            except Exception:
                log.exception("work_not_rescheduled", id=str(row.id))
                return False
        return True

    handled = 0
    while not context.must_stop() and (rows := await claim()):
        handled += len(rows)
        if not all(await asyncio.gather(*(handle_one(row) for row in rows))):
            break
    return handled
