"""The audit log: security-relevant events with IP address and user agent.

An event is written in the transaction of the change that it records. Details hold ids and
numbers, never names, licence numbers or addresses: the log outlives those rows.
"""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.authentication import Actor, Identity
from prawko.accounts.known_browsers import KnownBrowser
from prawko.accounts.models import UserActivity
from prawko.kit.clock import Clock


class AuditEvent(StrEnum):
    """An event of the audit log: the `activityType` of docs/rules.md P26.

    docs/activities.md says when each is recorded; a test compares the two. Failures are
    recorded only as often as their rate limits allow an attempt, so that clients cannot flood it.
    """

    REGISTERED = "registered"
    SIGNED_IN = "signed_in"
    SIGN_IN_FAILED = "sign_in_failed"
    SIGNED_OUT = "signed_out"
    CODE_SENT = "code_sent"
    CODE_REFUSED = "code_refused"
    EMAIL_VERIFIED = "email_verified"
    PASSWORD_RESET_REQUESTED = "password_reset_requested"  # noqa: S105 (an event)
    RESET_LINK_REFUSED = "reset_link_refused"
    PASSWORD_RESET = "password_reset"  # noqa: S105
    PASSWORD_CHANGED = "password_changed"  # noqa: S105
    PASSWORD_REFUSED = "password_refused"  # noqa: S105
    SECOND_FACTOR_REQUESTED = "second_factor_requested"
    SECOND_FACTOR_REFUSED = "second_factor_refused"
    SECOND_FACTOR_ENABLED = "second_factor_enabled"
    SECOND_FACTOR_DISABLED = "second_factor_disabled"
    RECOVERY_CODE_USED = "recovery_code_used"
    RECOVERY_CODES_REPLACED = "recovery_codes_replaced"
    SESSIONS_REVOKED = "sessions_revoked"
    DOCUMENTS_ACCEPTED = "documents_accepted"
    LANGUAGE_CHANGED = "language_changed"
    PHONE_CODE_SENT = "phone_code_sent"
    PHONE_CODE_REFUSED = "phone_code_refused"
    PHONE_VERIFIED = "phone_verified"
    SETTINGS_CHANGED = "settings_changed"
    OWN_ALERTS_CHANGED = "own_alerts_changed"
    RECIPIENT_ADDED = "recipient_added"
    RECIPIENT_CHANGED = "recipient_changed"
    RECIPIENT_REMOVED = "recipient_removed"
    RECIPIENT_INVITED = "recipient_invited"
    MEMBER_CHANGED = "member_changed"
    MEMBER_REMOVED = "member_removed"
    COMPANY_LEFT = "company_left"
    DRIVER_ADDED = "driver_added"
    DRIVER_CHANGED = "driver_changed"
    DRIVER_REMOVED = "driver_removed"
    DRIVERS_IMPORTED = "drivers_imported"
    DRIVER_CHECKED = "driver_checked"
    DRIVER_ACKNOWLEDGED = "driver_acknowledged"
    ACKNOWLEDGEMENT_WITHDRAWN = "acknowledgement_withdrawn"
    TRIAL_STARTED = "trial_started"
    BILLING_DETAILS_SET = "billing_details_set"
    ORDER_PLACED = "order_placed"
    LIMIT_CHANGED = "limit_changed"
    SUBSCRIPTION_CANCELLED = "subscription_cancelled"
    SUBSCRIPTION_RESUMED = "subscription_resumed"
    TICKET_SENT = "ticket_sent"
    EXPORT_MADE = "export_made"
    ERASURE_REQUESTED = "erasure_requested"
    IMPERSONATION_STARTED = "impersonation_started"
    IMPERSONATION_ENDED = "impersonation_ended"
    IMPERSONATED_CALL = "impersonated_call"


class ClientInfo(msgspec.Struct, frozen=True):
    """The origin of a request: stored with sessions, accepted terms and audit events.

    `known_browsers` is what the browser's cookie proves; it is not stored.
    """

    ip: str
    user_agent: str
    known_browsers: tuple[KnownBrowser, ...] = ()


async def record_event(
    session: AsyncSession, event: AuditEvent, actor: Actor,
    client_info: ClientInfo, now: datetime, /, **details: UUID | int | str,
) -> None:  # fmt: skip
    """Insert one event. An impersonating operator's id is added to the details (rule R21)."""
    if actor.impersonator_id is not None:
        details["impersonator"] = actor.impersonator_id
    statement = insert(UserActivity).values(
        user_id=actor.user_id,
        tenant_id=actor.tenant_id,
        activity_type=event,
        ip=client_info.ip,
        agent=client_info.user_agent,
        created_at=now,
    )
    if details:  # without them the column stays null, which JSON's own null is not
        statement = statement.values(details=msgspec.to_builtins(details))
    await session.execute(statement)


class AuditLog:
    """Records events of the caller in the transaction of the request."""

    def __init__(
        self, session: AsyncSession, identity: Identity, client_info: ClientInfo, clock: Clock
    ) -> None:
        self._session = session
        self._identity = identity
        self._client_info = client_info
        self._clock = clock

    async def record(self, event: AuditEvent, /, **details: UUID | int | str) -> None:
        now = self._clock.now()
        await record_event(self._session, event, self._identity, self._client_info, now, **details)
