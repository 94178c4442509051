"""The log of what people did that matters for safety, with the address and the program.

It is written in the transaction of the act itself: one cannot stand without the other. The SQL
of this one theme stands here. Details hold ids and numbers, never names, numbers of licences or
addresses: the log outlives what it tells of.
"""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.identity import Identity
from prawko.base.clock import Clock
from prawko_tenants.ids import TenantId, UserId, new_id

_NOTE = text("""
    INSERT INTO user_activity
           (id, user_id, tenant_id, activity_type, details, ip, agent, created_at)
    VALUES (:id, :user_id, :tenant_id, :act, CAST(:details AS jsonb), :ip, :agent, :now)
""")


class Act(StrEnum):
    """What a person did; the word is the `activityType` of the specification.

    docs/activities.md says when each is noted; a test compares the two. What fails is noted as
    often as its limit lets it be tried, so that nobody can fill the log.
    """

    REGISTERED = "registered"
    SIGNED_IN = "signed_in"
    SIGN_IN_FAILED = "sign_in_failed"
    SIGNED_OUT = "signed_out"
    CODE_SENT = "code_sent"
    CODE_REFUSED = "code_refused"
    EMAIL_VERIFIED = "email_verified"
    PASSWORD_RESET_REQUESTED = "password_reset_requested"  # noqa: S105 (an act)
    RESET_LINK_REFUSED = "reset_link_refused"
    PASSWORD_RESET = "password_reset"  # noqa: S105
    PASSWORD_CHANGED = "password_changed"  # noqa: S105
    PASSWORD_REFUSED = "password_refused"  # noqa: S105
    SESSIONS_REVOKED = "sessions_revoked"
    LANGUAGE_CHANGED = "language_changed"
    PHONE_CODE_SENT = "phone_code_sent"
    PHONE_CODE_REFUSED = "phone_code_refused"
    PHONE_VERIFIED = "phone_verified"
    SETTINGS_CHANGED = "settings_changed"
    DRIVER_ADDED = "driver_added"
    DRIVER_CHANGED = "driver_changed"
    DRIVER_REMOVED = "driver_removed"
    DRIVER_CHECKED = "driver_checked"
    TRIAL_STARTED = "trial_started"
    BILLING_DETAILS_SET = "billing_details_set"
    ORDER_PLACED = "order_placed"
    LIMIT_CHANGED = "limit_changed"
    SUBSCRIPTION_CANCELLED = "subscription_cancelled"
    SUBSCRIPTION_RESUMED = "subscription_resumed"
    TICKET_SENT = "ticket_sent"
    EXPORT_MADE = "export_made"
    TRANSFER_BOOKED = "transfer_booked"


class Origin(msgspec.Struct, frozen=True):
    """Where a request came from: kept with sessions, accepted terms and activities."""

    ip: str
    agent: str


class Somebody(msgspec.Struct, frozen=True):
    """A person who is not, or not yet, signed in."""

    user_id: UserId
    tenant_id: TenantId | None


async def note(
    session: AsyncSession, act: Act, who: Identity | Somebody, origin: Origin, now: datetime,
    /, **details: UUID | int | str,
) -> None:  # fmt: skip
    """Keep one act. An operator who works in somebody's name is kept with it (reading R21)."""
    if isinstance(who, Identity) and who.impersonator_id is not None:
        details["impersonator"] = who.impersonator_id
    await session.execute(
        _NOTE,
        {
            "id": new_id(), "user_id": who.user_id, "tenant_id": who.tenant_id,
            "act": act.value, "details": msgspec.json.encode(details).decode() if details else None,
            "ip": origin.ip, "agent": origin.agent, "now": now,
        },
    )  # fmt: skip


class Journal:
    """The log of one request: what its caller does, in the request's own transaction."""

    def __init__(
        self, session: AsyncSession, identity: Identity, origin: Origin, clock: Clock
    ) -> None:
        self._session = session
        self._identity = identity
        self._origin = origin
        self._clock = clock

    async def note(self, act: Act, /, **details: UUID | int | str) -> None:
        """Keep one act of the caller."""
        now = self._clock.now()
        await note(self._session, act, self._identity, self._origin, now, **details)


__all__ = ["Act", "Journal", "Origin", "Somebody", "note"]
