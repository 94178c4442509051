"""Stores notices, and reads who gets them: one statement for a company and many drivers."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Function, bindparam, func, select, true

from prawko.accounts.models import Membership, UserAccount
from prawko.accounts.roles import ROLES_OF, CompanyAct
from prawko.kit.database import insert_rows, to_arrays
from prawko.kit.outbox.models import Delivery
from prawko.kit.text.i18n import Language
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import AddedRecipient, Member, SmsHours, bundle_timestamp
from prawko.notifications.models import AlertRecipient, Notice, Notification, PushBrowser
from prawko.notifications.repository import has_lasting_session
from prawko_tenants.ids import BundleId, DeliveryId, DriverId, NoticeId, TenantId, UserId, new_id
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import HotStatement, TenantAwareSession

# How long a message waits for notices that are being written, before it is tried again later.
BUNDLE_PATIENCE = "2s"


class NewNotice(msgspec.Struct, frozen=True, kw_only=True):
    """A notice to insert."""

    id: NoticeId
    kind: NoticeKind
    driver_id: DriverId | None
    dedup_key: str
    params: dict[str, Any]
    created_at: datetime
    bundle_id: BundleId | None


class SentAlert(NamedTuple):
    """The notice of a message about one driver, and the member whom the message is for."""

    user_id: UserId
    language: Language
    driver_id: DriverId
    notice: Notice


class NewNotification(msgspec.Struct, frozen=True, kw_only=True):
    """A notification to insert."""

    user_id: UserId
    notice_id: NoticeId
    type: str
    title: str
    content: str


# Statements that are made once: to make them for each notice takes longer than to execute them.
_INSERT_NOTICES = HotStatement(
    insert_rows(Notice, "tenant_id", *NewNotice.__struct_fields__)
    .on_conflict_do_nothing(index_elements=["tenant_id", "kind", "dedup_key"])
    .returning(Notice.__table__.c.id)
)
_INSERT_NOTIFICATIONS = HotStatement(
    insert_rows(Notification, "id", "created_at", "tenant_id", *NewNotification.__struct_fields__)
)
_PUSH_BROWSERS = (
    select(func.array_agg(PushBrowser.id))
    .where(
        PushBrowser.tenant_id == bindparam("tenant_id"),
        PushBrowser.user_id == UserAccount.id,
        has_lasting_session(),
    )
    .scalar_subquery()
)
_SELECT_MEMBERS = HotStatement(
    select(
        UserAccount.id.label("user_id"),
        Membership.role,
        UserAccount.language,
        UserAccount.email_verified,
        UserAccount.phone_verified,
        UserAccount.email_notifications_enabled.label("email_on"),
        UserAccount.sms_notifications_enabled.label("sms_on"),
        func.coalesce(_PUSH_BROWSERS, []).label("push_browsers"),
        Membership.alert_groups.label("groups"),
        Membership.sms_from_hour,
        Membership.sms_until_hour,
        Membership.monthly_summary,
    )
    .join(Membership, Membership.user_id == UserAccount.id)
    .where(Membership.tenant_id == bindparam("tenant_id"))
    .order_by(UserAccount.id)
)
_SELECT_RECIPIENTS = HotStatement(
    select(
        AlertRecipient.id.label("recipient_id"),
        AlertRecipient.language,
        AlertRecipient.confirmed_at.is_not(None).label("confirmed"),
        AlertRecipient.stopped_at.is_not(None).label("stopped"),
        AlertRecipient.email_enabled.label("email_on"),
        AlertRecipient.alert_groups.label("groups"),
    )
    .where(AlertRecipient.tenant_id == bindparam("tenant_id"))
    .order_by(AlertRecipient.id)
)


def to_sms_hours(start: int | None, end: int | None) -> SmsHours | None:
    """Return the hours of two columns; None for those that were never chosen."""
    return None if start is None or end is None else SmsHours(start, end)


class NoticeRepository:
    """Reads members and inserts notices in the caller's transaction, bound to a company."""

    def __init__(self, session: TenantAwareSession, tenant_id: TenantId) -> None:
        self._session = session
        self._tenant_id = tenant_id

    async def join_bundles(self, bundles: Collection[BundleId]) -> None:
        """Hold the messages of bundles back until this transaction, which adds to them, ends."""
        await self._lock_bundles(func.pg_advisory_xact_lock_shared, bundles)

    async def close_bundles(self, bundles: Collection[BundleId]) -> None:
        """Wait for the transactions that add to bundles.

        Raises DBAPIError when one takes longer than BUNDLE_PATIENCE.
        """
        if bundles:
            await self._session.execute(
                select(func.set_config("lock_timeout", BUNDLE_PATIENCE, true()))
            )
        await self._lock_bundles(func.pg_advisory_xact_lock, bundles)

    async def _lock_bundles(
        self, lock: Callable[..., Function[Any]], bundles: Collection[BundleId]
    ) -> None:
        for instant in sorted({bundle_timestamp(bundle) for bundle in bundles}):  # in one order
            # As the previous release locks a first check's bundle: both may publish and send.
            key = func.hashtextextended(f"{self._tenant_id} {instant}", 0)
            await self._session.execute(select(lock(key)))

    async def list_members(self) -> list[Member]:
        """Return the members of the company."""
        rows = await self._session.fetch(_SELECT_MEMBERS, {"tenant_id": self._tenant_id})
        return [
            msgspec.convert({**row, "sms_hours": hours}, Member)
            for row in map(dict, rows)
            for hours in [to_sms_hours(row["sms_from_hour"], row["sms_until_hour"])]
        ]

    async def list_added_recipients(self) -> list[AddedRecipient]:
        """Return the persons without an account, also those who have not agreed or have stopped."""
        rows = await self._session.fetch(_SELECT_RECIPIENTS, {"tenant_id": self._tenant_id})
        return [msgspec.convert(dict(row), AddedRecipient) for row in rows]

    async def lock_alert(
        self, delivery_id: DeliveryId, notice_id: NoticeId | None = None
    ) -> SentAlert | None:
        """Return the alert of a message; None unless it is about one driver, for a member.

        Of a message about several, `notice_id` names the one.

        The membership is kept until the transaction ends. One of a company that is being erased, or
        of a person whose address is not verified, counts as none: neither can sign in. So does one
        whose role may not acknowledge.
        """
        is_carried = (Notice.id == Delivery.notice_id) | (Notice.bundle_id == Delivery.bundle_id)
        statement = (
            select(Membership.user_id, UserAccount.language, Notice.driver_id, Notice)
            .select_from(Delivery)
            .join(Membership, Membership.user_id == Delivery.user_id)
            .join(Tenant, Tenant.id == Membership.tenant_id)
            .join(UserAccount, UserAccount.id == Membership.user_id)
            .join(Notice, is_carried & (Notice.tenant_id == Membership.tenant_id))
            .where(
                Delivery.id == delivery_id,
                Delivery.tenant_id == self._tenant_id,
                Membership.tenant_id == self._tenant_id,
                Tenant.erasure_requested_at.is_(None),
                UserAccount.email_verified,
                Membership.role.in_(ROLES_OF[CompanyAct.ACKNOWLEDGE]),
            )
            .with_for_update(read=True, key_share=True, of=Membership)
        )
        if notice_id is not None:
            statement = statement.where(Notice.id == notice_id)
        alerts = [
            SentAlert(user_id, language, driver_id, notice)
            for user_id, language, driver_id, notice in await self._session.execute(statement)
            if driver_id is not None
        ]
        return alerts[0] if len(alerts) == 1 else None

    async def add_notices(self, notices: Sequence[NewNotice]) -> set[NoticeId]:
        """Insert the notices that are new and return their ids."""
        rows = [self._to_row(notice) for notice in notices]
        inserted = await self._session.fetch(_INSERT_NOTICES, to_arrays(rows))
        return {NoticeId(row["id"]) for row in inserted}

    async def add_notifications(
        self, notifications: Sequence[NewNotification], now: datetime
    ) -> None:
        """Insert notifications."""
        rows = [{"id": new_id(), "created_at": now, **self._to_row(one)} for one in notifications]
        await self._session.fetch(_INSERT_NOTIFICATIONS, to_arrays(rows))

    def _to_row(self, new: NewNotice | NewNotification) -> dict[str, object]:
        return {"tenant_id": self._tenant_id, **msgspec.structs.asdict(new)}
