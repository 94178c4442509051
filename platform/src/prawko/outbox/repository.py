"""SQL of the outbox. Leases, attempts and pauses use system time.

A channel is paused while a message with `account_rejected` waits for its next attempt, so the
pause needs no table and survives a restart.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.outbox.messages import OutboxMessage
from prawko_tenants.ids import DeliveryId, NoticeId, TenantId, UserId


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


_INSERT = text("""
    INSERT INTO delivery (id, tenant_id, kind, channel_medium, user_id, notice_id, subject_id,
                          batch_at, encrypted, not_before, key, next_try_at, created_at)
    SELECT r.*, :now, :now
      FROM unnest(CAST(:ids AS uuid[]), CAST(:tenant_ids AS uuid[]), CAST(:kinds AS text[]),
                  CAST(:media AS text[]), CAST(:user_ids AS uuid[]), CAST(:notice_ids AS uuid[]),
                  CAST(:subject_ids AS uuid[]), CAST(:batch_at AS timestamptz[]),
                  CAST(:encrypted AS bytea[]), CAST(:not_before AS timestamptz[]),
                  CAST(:keys AS text[])) AS r
    ON CONFLICT (key) DO NOTHING
""")
_PAUSES = """
    SELECT channel_medium, max(next_try_at) AS until FROM delivery
     WHERE state = 'pending' AND error_kind = 'account_rejected' AND next_try_at > :now
     GROUP BY channel_medium
"""
_CLAIM = text(f"""
    WITH due AS (
        SELECT id FROM delivery
         WHERE state = 'pending' AND next_try_at <= :now AND channel_medium = :medium
           AND (lease_until IS NULL OR lease_until <= :now)
           AND (not_before IS NULL OR not_before <= :product_now)
           AND NOT EXISTS (SELECT FROM ({_PAUSES}) AS pause WHERE channel_medium = :medium)
         ORDER BY next_try_at, id LIMIT :limit
           FOR UPDATE SKIP LOCKED
    )
    UPDATE delivery AS d
       SET lease_until = :lease_until, fence = fence + 1, attempts = attempts + 1
      FROM due WHERE d.id = due.id
    RETURNING d.id, d.tenant_id, d.kind, d.user_id, d.notice_id, d.subject_id, d.batch_at,
              d.encrypted, d.key, d.attempts, d.fence
""")  # noqa: S608 (constants only)
_STILL_CLAIMED = "WHERE id = :id AND fence = :fence AND state = 'pending'"
_MARK_SENT = text(f"""
    UPDATE delivery
       SET state = 'sent', sent_at = :now, carrier_ref = :carrier_ref, encrypted = NULL,
           lease_until = NULL, error_kind = NULL, error = NULL
    {_STILL_CLAIMED}
""")  # noqa: S608
_MARK_FAILED = text(f"""
    UPDATE delivery
       SET state = 'failed', encrypted = NULL, lease_until = NULL,
           error_kind = :failure, error = :reason
    {_STILL_CLAIMED}
""")  # noqa: S608
_RESCHEDULE = text(f"""
    UPDATE delivery
       SET next_try_at = :next_try_at, lease_until = NULL, error_kind = :failure, error = :reason
    {_STILL_CLAIMED}
""")  # noqa: S608
_RELEASE = text(f"""
    UPDATE delivery
       SET attempts = attempts - 1, lease_until = NULL,
           next_try_at = coalesce(:next_try_at, next_try_at),
           error_kind = coalesce(:failure, error_kind), error = coalesce(:reason, error)
    {_STILL_CLAIMED}
""")  # noqa: S608
_NEXT_DUE = text(f"""
    SELECT min(greatest(d.next_try_at, d.lease_until, d.not_before - CAST(:offset AS interval),
                        pause.until))
      FROM delivery d LEFT JOIN ({_PAUSES}) AS pause USING (channel_medium)
     WHERE d.state = 'pending' AND d.channel_medium = ANY (:media)
""")  # noqa: S608
_COUNT_IN_FLIGHT = text("""
    SELECT count(*) FROM delivery
     WHERE state = 'pending' AND next_try_at <= :now AND lease_until > :now
""")


class ClaimedDelivery(msgspec.Struct, frozen=True, kw_only=True):
    """A message leased to this process. `attempts` includes the current one."""

    id: DeliveryId
    tenant_id: TenantId | None
    kind: str
    user_id: UserId | None
    notice_id: NoticeId | None
    subject_id: UUID | None
    batch_at: datetime | None
    encrypted: bytes | None
    key: str
    attempts: int
    fence: int


class DeliveryRepository:
    """Reads and writes the outbox in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def insert(self, messages: Sequence[OutboxMessage], now: datetime) -> int:
        """Insert messages with new keys; returns how many."""
        result = await self._session.execute(
            _INSERT,
            {
                "now": now,
                "ids": [message.id for message in messages],
                "tenant_ids": [message.tenant_id for message in messages],
                "kinds": [message.kind for message in messages],
                "media": [message.medium.value for message in messages],
                "user_ids": [message.user_id for message in messages],
                "notice_ids": [message.notice_id for message in messages],
                "subject_ids": [message.subject_id for message in messages],
                "batch_at": [message.batch_at for message in messages],
                "encrypted": [message.encrypted for message in messages],
                "not_before": [message.not_before for message in messages],
                "keys": [message.key for message in messages],
            },
        )
        return int(result.rowcount)  # type: ignore[attr-defined]

    async def claim(
        self, medium: str, *, limit: int, now: datetime, product_now: datetime, lease: timedelta
    ) -> list[ClaimedDelivery]:
        """Lease up to `limit` due messages of a medium.

        The attempt is counted at once, so that a message that crashes its process is given up
        in the end.
        """
        rows = await self._session.execute(
            _CLAIM,
            {
                "medium": medium,
                "limit": limit,
                "now": now,
                "product_now": product_now,
                "lease_until": now + lease,
            },
        )
        return [msgspec.convert(dict(row), ClaimedDelivery) for row in rows.mappings()]

    async def mark_sent(
        self, claimed: ClaimedDelivery, now: datetime, carrier_ref: str | None
    ) -> bool:
        """Record that the carrier accepted it. False, here and below: the lease was lost."""
        return await self._update_claimed(_MARK_SENT, claimed, now=now, carrier_ref=carrier_ref)

    async def mark_failed(
        self, claimed: ClaimedDelivery, failure: FailureReason, reason: str
    ) -> bool:
        """Record that it will not be sent."""
        return await self._update_claimed(
            _MARK_FAILED, claimed, failure=failure.value, reason=reason
        )

    async def reschedule(
        self, claimed: ClaimedDelivery, next_try_at: datetime, failure: FailureReason, reason: str
    ) -> bool:
        """Schedule the next attempt."""
        return await self._update_claimed(
            _RESCHEDULE, claimed, next_try_at=next_try_at, failure=failure.value, reason=reason
        )

    async def release(self, claimed: ClaimedDelivery) -> bool:
        """Give back the lease of a message that was not tried, and its attempt."""
        return await self._update_claimed(
            _RELEASE, claimed, next_try_at=None, failure=None, reason=None
        )

    async def pause_channel(self, claimed: ClaimedDelivery, until: datetime, reason: str) -> bool:
        """Give back the lease and the attempt, and pause the medium until then."""
        return await self._update_claimed(
            _RELEASE,
            claimed,
            next_try_at=until,
            failure=FailureReason.ACCOUNT_REJECTED.value,
            reason=reason,
        )

    async def next_due_at(
        self, media: Sequence[str], now: datetime, offset: timedelta
    ) -> datetime | None:
        """Return when the next message of the media is due (system time); None without one."""
        next_due: datetime | None = await self._session.scalar(
            _NEXT_DUE, {"media": list(media), "now": now, "offset": offset}
        )
        return next_due

    async def count_in_flight(self, now: datetime) -> int:
        """Return how many messages are being sent."""
        return int(await self._session.scalar(_COUNT_IN_FLIGHT, {"now": now}) or 0)

    async def _update_claimed(
        self, statement: object, claimed: ClaimedDelivery, **values: object
    ) -> bool:
        result = await self._session.execute(
            statement,  # type: ignore[call-overload]
            {"id": claimed.id, "fence": claimed.fence, **values},
        )
        return bool(result.rowcount)
