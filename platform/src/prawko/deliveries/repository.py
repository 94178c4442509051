"""SQL of the outbox. Leases, tries and pauses go by the machine's clock.

A channel is paused as long as a message it refused on our account's behalf waits for its next
try: the pause is a row like any other, survives a restart and needs no table of its own.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.deliveries.orders import Order
from prawko_tenants.ids import DeliveryId, NoticeId, TenantId, UserId


class Trouble(StrEnum):
    """Why a message has not been sent, as stored."""

    AGAIN = "again"  # the carrier could not take it now
    DEADLINE = "deadline"  # the carrier did not answer in time
    ACCOUNT = "account"  # our own account was refused: the channel is paused
    BUG = "bug"
    PERMANENT = "permanent"  # the address is at fault
    UNREACHABLE = "unreachable"  # there is no address
    UNWANTED = "unwanted"  # nobody needs it any more
    UNREADABLE = "unreadable"  # what it carries was sealed with a key that is gone


_ADD = text("""
    INSERT INTO delivery (id, tenant_id, kind, channel_medium, user_id, notice_id, subject_id,
                          sealed, not_before, key, next_try_at, created_at)
    SELECT r.*, :now, :now
      FROM unnest(CAST(:ids AS uuid[]), CAST(:tenant_ids AS uuid[]), CAST(:kinds AS text[]),
                  CAST(:media AS text[]), CAST(:user_ids AS uuid[]), CAST(:notice_ids AS uuid[]),
                  CAST(:subject_ids AS uuid[]), CAST(:sealed AS bytea[]),
                  CAST(:not_before AS timestamptz[]), CAST(:keys AS text[])) AS r
    ON CONFLICT (key) DO NOTHING
""")
_PAUSED = """
    SELECT channel_medium, max(next_try_at) AS until FROM delivery
     WHERE state = 'pending' AND error_kind = 'account' AND next_try_at > :now
     GROUP BY channel_medium
"""
_CLAIM = text(f"""
    WITH due AS (
        SELECT id FROM delivery
         WHERE state = 'pending' AND next_try_at <= :now AND channel_medium = :medium
           AND (lease_until IS NULL OR lease_until <= :now)
           AND (not_before IS NULL OR not_before <= :product_now)
           AND NOT EXISTS (SELECT FROM ({_PAUSED}) AS paused WHERE channel_medium = :medium)
         ORDER BY next_try_at, id LIMIT :most
           FOR UPDATE SKIP LOCKED
    )
    UPDATE delivery AS d
       SET lease_until = :lease_until, fence = fence + 1, attempts = attempts + 1
      FROM due WHERE d.id = due.id
    RETURNING d.id, d.tenant_id, d.kind, d.user_id, d.notice_id, d.subject_id, d.sealed, d.key,
              d.attempts, d.fence
""")  # noqa: S608 (both parts are ours)
_MINE = "WHERE id = :id AND fence = :fence AND state = 'pending'"
_SENT = text(f"""
    UPDATE delivery
       SET state = 'sent', sent_at = :now, carrier_ref = :carrier_ref, sealed = NULL,
           lease_until = NULL, error_kind = NULL, error = NULL
    {_MINE}
""")  # noqa: S608
_FAILED = text(f"""
    UPDATE delivery
       SET state = 'failed', sealed = NULL, lease_until = NULL,
           error_kind = :trouble, error = :reason
    {_MINE}
""")  # noqa: S608
_AGAIN = text(f"""
    UPDATE delivery
       SET next_try_at = :next_try_at, lease_until = NULL, error_kind = :trouble, error = :reason
    {_MINE}
""")  # noqa: S608
_GIVE_BACK = text(f"""
    UPDATE delivery
       SET attempts = attempts - 1, lease_until = NULL,
           next_try_at = coalesce(:next_try_at, next_try_at),
           error_kind = coalesce(:trouble, error_kind), error = coalesce(:reason, error)
    {_MINE}
""")  # noqa: S608
_NEXT_DUE = text(f"""
    SELECT min(greatest(d.next_try_at, d.lease_until, d.not_before - CAST(:offset AS interval),
                        paused.until))
      FROM delivery d LEFT JOIN ({_PAUSED}) AS paused USING (channel_medium)
     WHERE d.state = 'pending' AND d.channel_medium = ANY (:media)
""")  # noqa: S608
_IN_FLIGHT = text("""
    SELECT count(*) FROM delivery
     WHERE state = 'pending' AND next_try_at <= :now AND lease_until > :now
""")


class Claimed(msgspec.Struct, frozen=True, kw_only=True):
    """A message that is ours until its lease ends. `attempts` counts this one."""

    id: DeliveryId
    tenant_id: TenantId | None
    kind: str
    user_id: UserId | None
    notice_id: NoticeId | None
    subject_id: UUID | None
    sealed: bytes | None
    key: str
    attempts: int
    fence: int


class DeliveryRepository:
    """Reads and writes the outbox in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, orders: Sequence[Order], now: datetime) -> int:
        """Add what is new by its key; returns how many were."""
        added = await self._session.execute(
            _ADD,
            {
                "now": now,
                "ids": [order.id for order in orders],
                "tenant_ids": [order.tenant_id for order in orders],
                "kinds": [order.kind for order in orders],
                "media": [order.medium.value for order in orders],
                "user_ids": [order.user_id for order in orders],
                "notice_ids": [order.notice_id for order in orders],
                "subject_ids": [order.subject_id for order in orders],
                "sealed": [order.sealed for order in orders],
                "not_before": [order.not_before for order in orders],
                "keys": [order.key for order in orders],
            },
        )
        return int(added.rowcount)  # type: ignore[attr-defined]

    async def claim(
        self, medium: str, *, most: int, now: datetime, product_now: datetime, lease: timedelta
    ) -> list[Claimed]:
        """Take up to `most` due messages.

        Each counts an attempt at once: one that kills its process does not come back for ever.
        """
        rows = await self._session.execute(
            _CLAIM,
            {
                "medium": medium,
                "most": most,
                "now": now,
                "product_now": product_now,
                "lease_until": now + lease,
            },
        )
        return [msgspec.convert(dict(row), Claimed) for row in rows.mappings()]

    async def sent(self, claimed: Claimed, now: datetime, carrier_ref: str | None) -> bool:
        """The carrier has it. False, here and below: the lease was lost to somebody else."""
        return await self._mark(_SENT, claimed, now=now, carrier_ref=carrier_ref)

    async def failed(self, claimed: Claimed, trouble: Trouble, reason: str) -> bool:
        """It will not be sent."""
        return await self._mark(_FAILED, claimed, trouble=trouble.value, reason=reason)

    async def again(
        self, claimed: Claimed, next_try_at: datetime, trouble: Trouble, reason: str
    ) -> bool:
        """It will be tried again."""
        return await self._mark(
            _AGAIN, claimed, next_try_at=next_try_at, trouble=trouble.value, reason=reason
        )

    async def give_back(self, claimed: Claimed) -> bool:
        """It was not tried: nothing is counted."""
        return await self._mark(_GIVE_BACK, claimed, next_try_at=None, trouble=None, reason=None)

    async def pause(self, claimed: Claimed, until: datetime, reason: str) -> bool:
        """Our account was refused: nothing is counted, and its medium rests until then."""
        return await self._mark(
            _GIVE_BACK, claimed, next_try_at=until, trouble=Trouble.ACCOUNT.value, reason=reason
        )

    async def next_due(
        self, media: Sequence[str], now: datetime, offset: timedelta
    ) -> datetime | None:
        """When the next message of these media may be tried; None when none waits."""
        found: datetime | None = await self._session.scalar(
            _NEXT_DUE, {"media": list(media), "now": now, "offset": offset}
        )
        return found

    async def in_flight(self, now: datetime) -> int:
        """How many messages somebody is sending at this moment."""
        return int(await self._session.scalar(_IN_FLIGHT, {"now": now}) or 0)

    async def _mark(self, statement: object, claimed: Claimed, **values: object) -> bool:
        marked = await self._session.execute(
            statement,  # type: ignore[call-overload]
            {"id": claimed.id, "fence": claimed.fence, **values},
        )
        return bool(marked.rowcount)
