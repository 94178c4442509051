"""Messages of the outbox. Leases are by PostgreSQL's clock, attempts by the system clock."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, Update, and_, delete, false, func, or_, select, update
from sqlalchemy.types import DateTime

from prawko.hooks.channels import DeliveryReport, DeliveryReportKind, Medium
from prawko.kit.database import count_changes, insert_rows, to_arrays
from prawko.kit.outbox.models import Delivery, OutboxMessage, waiting_since
from prawko.kit.work.lease import claim_rows, is_due, renew_claimed, update_claimed
from prawko_tenants.sessions import HotStatement, TenantAwareSession

# The error of a message that is tried again after an attempt of which no result was recorded.
UNANSWERED = "its process ended, or could not record the result"
ALONE_FOR = timedelta(minutes=5)  # after the lease of such a message
# The lease of a claim and of each renewal. The hard limit ends a process that stands still for a
# little longer.
SHORT_LEASE = timedelta(seconds=4)
# The clocks of two workers may differ by more than a lease lasts.
_DATABASE_NOW = func.statement_timestamp(type_=DateTime(timezone=True))

_INSERT = insert_rows(
    Delivery,
    *(name for name in OutboxMessage.__struct_fields__ if name != "medium"),
    "channel_medium",
    "next_try_at",
    "created_at",
).on_conflict_do_nothing(index_elements=["key"])
# Of each message; the other results are rare, and made by `update_claimed`.
_MARK_SENT = HotStatement("""
    UPDATE delivery
       SET state = 'sent', sent_at = :now, carrier_ref = :carrier_ref, encrypted = NULL,
           error_kind = NULL, error = NULL, lease_until = NULL
     WHERE id = :id AND fence = :fence AND state = 'pending'
    RETURNING id
""")
_has_lapsed = Delivery.lease_until.between(_DATABASE_NOW - ALONE_FOR, _DATABASE_NOW)
_REPORT_KINDS = [kind.value for kind in DeliveryReportKind]  # from best to worst


class FailureReason(StrEnum):
    """Why a message has not been sent; stored in `error_kind`."""

    TRANSIENT = "transient"  # the carrier could not accept it now
    TIMEOUT = "timeout"  # the carrier did not answer in time
    ACCOUNT_REJECTED = "account_rejected"  # our account at the carrier: the channel is paused
    INTERNAL_ERROR = "internal_error"
    ADDRESS_REJECTED = "address_rejected"
    NO_ADDRESS = "no_address"
    OBSOLETE = "obsolete"  # its renderer or the feedback dropped it
    UNDECRYPTABLE = "undecryptable"  # the key of its secret is missing


class DeliveryRepository:
    """Reads and writes the outbox in the caller's transaction."""

    def __init__(self, session: TenantAwareSession) -> None:
        self._session = session

    async def insert(self, messages: Sequence[OutboxMessage], now: datetime) -> int:
        """Insert messages with new keys; returns how many."""
        rows = [_to_row(message, now) for message in messages]
        return await count_changes(self._session, _INSERT, to_arrays(rows))

    async def claim(
        self, medium: Medium, *conditions: ColumnElement[bool], carrier: str, limit: int,
        now: datetime, product_now: datetime, longest: timedelta, is_idle: bool = True,
        lapsed_before: datetime | None = None,
    ) -> Sequence[Delivery]:  # fmt: skip
        """Claim up to `limit` due messages of a medium for one of its carriers.

        The lease lasts for SHORT_LEASE, and for `longest` at most if it is renewed. A *lapsed*
        message, whose last attempt neither renewed nor released its lease, may end this process as
        well: for ALONE_FOR it is claimed alone, if its claimer is idle and no other message is due,
        and only if the lease ended before `lapsed_before`. Afterwards it is claimed as any other,
        so that no stream of messages delays it for longer.
        """
        has_lapsed = func.coalesce(_has_lapsed, false())
        claim = partial(
            claim_rows,
            Delivery,
            *conditions,
            Delivery.state == "pending",
            is_due(Delivery.next_try_at, now),
            Delivery.channel_medium == medium.value,
            or_(Delivery.not_before.is_(None), Delivery.not_before <= product_now),
            order_by=Delivery.next_try_at,
            now=_DATABASE_NOW,
            lease=min(longest, SHORT_LEASE),
            longest=longest,
        )
        others = claim(~has_lapsed, limit=limit).values(carrier=carrier)
        claimed = (await self._session.scalars(others)).all()
        if claimed or not is_idle:
            return claimed
        has_ended = Delivery.lease_until <= (lapsed_before or _DATABASE_NOW)
        lapsed = claim(has_lapsed, has_ended, limit=1).values(
            carrier=carrier, error_kind=FailureReason.INTERNAL_ERROR.value, error=UNANSWERED
        )
        return (await self._session.scalars(lapsed)).all()

    async def find_lapsed(self, now: datetime, *media: Medium) -> datetime | None:
        """Return PostgreSQL's time if a due message of the media has lapsed.

        None if there is no such message.
        """
        found = select(_DATABASE_NOW).where(
            Delivery.state == "pending",
            Delivery.next_try_at <= now,
            Delivery.channel_medium.in_([medium.value for medium in media]),
            _has_lapsed,
        )
        return await self._session.scalar(found.limit(1))

    async def renew(self, rows: Sequence[Delivery]) -> set[tuple[UUID, int]]:
        """Renew leases for SHORT_LEASE; return ids and fences of the messages still held."""
        statement = renew_claimed(rows, now=_DATABASE_NOW, until=_DATABASE_NOW + SHORT_LEASE)
        renewed = await self._session.scalars(statement.where(Delivery.state == "pending"))
        return {(row.id, row.fence) for row in renewed}

    async def mark_sent(self, claimed: Delivery, now: datetime, carrier_ref: str | None) -> bool:
        """Record that the carrier accepted it. False, here and below: the lease was lost."""
        values = {"id": claimed.id, "fence": claimed.fence, "now": now, "carrier_ref": carrier_ref}
        return bool(await self._session.fetch(_MARK_SENT, values))

    async def mark_failed(self, claimed: Delivery, failure: FailureReason, reason: str) -> bool:
        """Record that it will not be sent."""
        values = {"error_kind": failure.value, "error": reason}
        return await self._end_claim(
            update_claimed(claimed).values(state="failed", encrypted=None, **values)
        )

    async def reschedule(
        self,
        claimed: Delivery,
        next_try_at: datetime,
        failure: FailureReason,
        reason: str,
        *,
        carrier: str,
    ) -> bool:
        """Schedule the next attempt, with a carrier; a rejected account costs none."""
        values: dict[str, object] = {
            "error_kind": failure.value,
            "error": reason,
            "carrier": carrier,
        }
        if failure is FailureReason.ACCOUNT_REJECTED:
            values["attempts"] = Delivery.attempts - 1
        return await self._end_claim(
            update_claimed(claimed).values(next_try_at=next_try_at, **values)
        )

    async def release(self, claimed: Delivery, *, next_try_at: datetime | None = None) -> bool:
        """Give back the lease of a message that was not tried, and its attempt."""
        return await self._end_claim(
            update_claimed(claimed).values(
                attempts=Delivery.attempts - 1,
                next_try_at=Delivery.next_try_at if next_try_at is None else next_try_at,
            )
        )

    async def restart(self, delivery_id: UUID, now: datetime) -> bool:
        """Make a message that was sent or failed pending again; False if there is none."""
        restarted = (
            update(Delivery)
            .where(Delivery.id == delivery_id, Delivery.state != "pending")
            .values(
                state="pending",
                attempts=0,
                next_try_at=now,
                lease_until=None,
                error_kind=None,
                error=None,
                report=None,
                reported_at=None,
            )
        )
        return bool(await count_changes(self._session, restarted))

    async def record_report(
        self, report: DeliveryReport, medium: Medium, carrier: str, reason: str, now: datetime
    ) -> Delivery | None:
        """Store a report on its message; None when no message of ours gets a worse report.

        A carrier that reports on a message has accepted it, even if its response was lost. None of
        another carrier's messages is its own.
        """
        better = _REPORT_KINDS[: _REPORT_KINDS.index(report.kind.value)]
        return await self._session.scalar(
            update(Delivery)
            .where(
                *_is_about(report, medium),
                Delivery.carrier == carrier,
                or_(Delivery.report.is_(None), Delivery.report.in_(better)),
            )
            .values(
                report=report.kind.value,
                reported_at=report.occurred_at,
                error=reason or Delivery.error,
                state="sent",
                sent_at=func.coalesce(Delivery.sent_at, now),
                encrypted=None,
                lease_until=None,
            )
            .returning(Delivery)
            .execution_options(synchronize_session=False)
        )

    async def is_known(self, report: DeliveryReport, medium: Medium) -> bool:
        """Return whether a report is about a message of ours."""
        statement = select(Delivery.id).where(*_is_about(report, medium))
        return await self._session.scalar(statement) is not None

    async def count_reports(self, medium: Medium, since: datetime) -> tuple[int, int]:
        """Return how many messages were reported as lost since then, and how many in all."""
        lost = func.count().filter(Delivery.report == DeliveryReportKind.FAILED.value)
        statement = select(lost, func.count()).where(
            Delivery.channel_medium == medium.value, Delivery.reported_at > since
        )
        lost_count, count = (await self._session.execute(statement)).one()
        return lost_count, count

    async def count_waiting(
        self, medium: Medium, since_before: datetime
    ) -> tuple[int, datetime | None]:
        """Return how many messages have waited since before then, and since when the oldest."""
        statement = select(func.count(), func.min(waiting_since)).where(
            _is_waiting(medium, since_before)
        )
        count, oldest = (await self._session.execute(statement)).one()
        return count, oldest

    async def find_waiting_reason(self, medium: Medium, since_before: datetime) -> str:
        """Return the most frequent error of the messages that have waited since before then.

        Empty when none of them was tried.
        """
        reason = (
            select(Delivery.error_kind, Delivery.error)
            .where(_is_waiting(medium, since_before), Delivery.error_kind.is_not(None))
            .group_by(Delivery.error_kind, Delivery.error)
            .order_by(func.count().desc())
            .limit(1)
        )
        row = (await self._session.execute(reason)).one_or_none()
        return ": ".join(filter(None, row)) if row else ""

    async def count_in_flight(self, now: datetime) -> int:
        """Return how many messages are being sent."""
        return (
            await self._session.scalar(
                select(func.count()).where(
                    Delivery.state == "pending",
                    Delivery.next_try_at <= now,
                    Delivery.lease_until > _DATABASE_NOW,
                )
            )
            or 0
        )

    async def delete_finished_before(self, before: datetime, limit: int) -> int:
        """Delete old messages that are sent or failed; returns how many."""
        old = select(Delivery.id).where(Delivery.state != "pending", Delivery.created_at < before)
        return await count_changes(
            self._session, delete(Delivery).where(Delivery.id.in_(old.limit(limit)))
        )

    async def _end_claim(self, statement: Update) -> bool:
        is_pending = Delivery.state == "pending"
        return bool(await count_changes(self._session, statement.where(is_pending)))


def _to_row(message: OutboxMessage, now: datetime) -> dict[str, object]:
    row = msgspec.structs.asdict(message)
    medium: Medium = row.pop("medium")
    return {**row, "channel_medium": medium.value, "next_try_at": now, "created_at": now}


def _is_waiting(medium: Medium, since_before: datetime) -> ColumnElement[bool]:
    return and_(
        Delivery.state == "pending",
        Delivery.channel_medium == medium.value,
        waiting_since < since_before,
    )


def _is_about(report: DeliveryReport, medium: Medium) -> list[ColumnElement[bool]]:
    conditions = [Delivery.key == report.idempotency_key, Delivery.channel_medium == medium.value]
    if report.carrier_ref is not None:
        conditions.append(
            or_(Delivery.carrier_ref.is_(None), Delivery.carrier_ref == report.carrier_ref)
        )
    return conditions
