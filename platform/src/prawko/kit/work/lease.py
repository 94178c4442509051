"""Leases: a due row is held by one process until a time.

A claim sets `lease_until` and counts `fence` and `attempts` at once, so that a crash counts as an
attempt, too (check items have a claim of their own, which does not). A row whose lease has ended is
due again; its previous holder can write nothing more, because its `fence` has changed. A lease that
ends later than any can was set by a wrong clock, and counts as ended. The time is the system
clock's, for messages PostgreSQL's. A holder may claim for a short time and renew
(`kit.work.lease_renewal`).
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from sqlalchemy import BigInteger, ColumnElement, Update, or_, select, text, tuple_, update
from sqlalchemy.orm import InstrumentedAttribute, Mapped, mapped_column
from sqlalchemy.sql.dml import ReturningUpdate
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    wait_exponential,
)

from prawko.kit.clock import MAX_CLOCK_SKEW, utc_now
from prawko.kit.observability import logs
from prawko_tenants.ids import new_id
from prawko_tenants.outages import is_retryable

log = logs.get_logger(__name__)

# Between two tries of a message or webhook event, also where a provider asks for a longer one.
LONGEST_DELAY = timedelta(days=1)
# An outage of PostgreSQL that a holder outlives: longer than any call that it makes meanwhile.
MAX_RENEWAL_DELAY = timedelta(minutes=3)

T = TypeVar("T")


class LeasedRow:
    """Columns of a table whose rows are claimed."""

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id, sort_order=-1)
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    lease_until: Mapped[datetime | None]
    fence: Mapped[int] = mapped_column(BigInteger, default=0, server_default=text("0"))


RowT = TypeVar("RowT", bound=LeasedRow)


def claim_rows(
    model: type[RowT],
    *is_due: ColumnElement[bool],
    order_by: InstrumentedAttribute[datetime] | InstrumentedAttribute[datetime | None],
    limit: int,
    now: datetime | ColumnElement[datetime],
    lease: timedelta,
    longest: timedelta | None = None,
) -> ReturningUpdate[RowT]:
    """Return the statement that claims due rows without a holder, and returns them.

    `longest` is the longest lease that any release has set, if that is not `lease`.
    """
    is_free = or_(
        model.lease_until.is_(None),
        model.lease_until <= now,
        model.lease_until > now + (longest or lease) + MAX_CLOCK_SKEW,
    )
    # A CTE, because a subquery could be evaluated once for every row and claim them all.
    due = (
        select(model.id)
        .where(*is_due, is_free)
        .order_by(order_by, model.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    return (
        update(model)
        .where(model.id == due.c.id)
        .values(lease_until=now + lease, fence=model.fence + 1, attempts=model.attempts + 1)
        .returning(model)
        .execution_options(synchronize_session=False)
    )


def is_due(next_try_at: InstrumentedAttribute[datetime], now: datetime) -> ColumnElement[bool]:
    """Return the condition that a row is due.

    A row that would wait longer than any can was dated by a wrong clock, and is due.
    """
    return or_(next_try_at <= now, next_try_at > now + LONGEST_DELAY + MAX_CLOCK_SKEW)


def renew_claimed(
    rows: Sequence[RowT],
    *,
    now: datetime | ColumnElement[datetime],
    until: datetime | ColumnElement[datetime],
    skip_locked: bool = False,
) -> ReturningUpdate[RowT]:
    """Return the statement that extends the leases of rows that are still held; it returns them.

    A lease that ended a short while ago is extended as well if no other process has the row.
    `skip_locked`: it does not wait for rows that another transaction is writing.
    """
    model = type(rows[0])
    is_claimed = tuple_(model.id, model.fence).in_([(row.id, row.fence) for row in rows])
    held = (
        select(model.id)
        .where(is_claimed, model.lease_until > now - MAX_RENEWAL_DELAY)
        .with_for_update(skip_locked=skip_locked)
        .cte("held")
    )
    return (
        update(model)
        .where(model.id == held.c.id)
        .values(lease_until=until)
        .returning(model)
        .execution_options(synchronize_session=False)
    )


def update_claimed(row: LeasedRow) -> Update:
    """Return an update of a claimed row that releases it, and does nothing if it was lost."""
    model = type(row)
    return (
        update(model)
        .where(model.id == row.id, model.fence == row.fence)
        .values(lease_until=None)
        .execution_options(synchronize_session=False)
    )


async def retry_write(
    lease_ends: datetime,
    write: Callable[[], Awaitable[T]],
    *,
    should_retry: Callable[[BaseException], bool] = is_retryable,
    **details: str,
) -> T:
    """Write, with retries of some errors while the lease lasts; `details` are logged with each."""

    def log_retry(state: RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        log.warning("write_retried", exc_info=error, **details)

    retrying = AsyncRetrying(
        retry=retry_if_exception(should_retry),
        wait=wait_exponential(0.2, max=5),
        stop=lambda state: utc_now() + timedelta(seconds=state.upcoming_sleep) >= lease_ends,
        before_sleep=log_retry,
        reraise=True,
    )

    async def attempt() -> T:  # a lambda that returns an awaitable would not be awaited
        return await write()

    result: T = await retrying(attempt)
    return result
