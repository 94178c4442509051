"""Notices, the notifications that show them to members, and whom else they are sent to."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from prawko.accounts.models import ALERT_GROUPS, ALERT_GROUPS_DEFAULT
from prawko.kit.text.i18n import Language
from prawko_tenants.base import Base, EnumText, TenantTable, enum_check, tenant_foreign_key
from prawko_tenants.ids import (
    BundleId,
    DriverId,
    NoticeId,
    PushBrowserId,
    RecipientId,
    SessionId,
    UserId,
    new_id,
)


class Notice(TenantTable, Base):
    """An event that members are notified of, once per `kind` and `dedup_key`.

    `params` is the payload at that moment (names, number, dates), so that a later message says
    what was true then. Notices of one `bundle_id` share a message for each reader and medium. A
    notice about a driver is deleted with the driver.
    """

    __tablename__ = "notice"
    __table_args__ = (
        UniqueConstraint("tenant_id", "kind", "dedup_key"),
        # By name: drivers are a domain above this one.
        tenant_foreign_key("driver_id", "driver.id"),
        Index(None, "tenant_id", "driver_id"),
    )

    kind: Mapped[str]
    driver_id: Mapped[DriverId | None]
    dedup_key: Mapped[str]
    params: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]
    bundle_id: Mapped[BundleId | None]


class Notification(TenantTable, Base):
    """A notice in the panel of one member."""

    __tablename__ = "notification"
    __table_args__ = (
        tenant_foreign_key("user_id", "membership.user_id"),
        tenant_foreign_key("notice_id", "notice.id"),
        Index(None, "tenant_id", "user_id", "created_at"),
        Index(None, "tenant_id", "notice_id"),
    )

    user_id: Mapped[UserId]
    notice_id: Mapped[NoticeId | None]
    type: Mapped[str]
    title: Mapped[str]
    content: Mapped[str]
    read: Mapped[bool] = mapped_column(default=False, server_default="false")
    created_at: Mapped[datetime]


class AlertRecipient(TenantTable, Base):
    """A person without an account whom a member of the company added.

    Nothing about drivers is sent before `confirmed_at`, when the person agreed by the link of the
    invitation, nor after `stopped_at`, when the person refused or stopped them by the link of a
    mail; only that person takes this back. `invited_at` is when the newest invitation was made:
    its link is the one that is valid. `email_state` is what carriers reported of the address,
    unless that was before `email_trusted_at` (system time).
    """

    __tablename__ = "alert_recipient"
    __table_args__ = (
        enum_check("language", *Language),
        enum_check("email_state", "ok", "bounced", "dropped", "spam"),
        tenant_foreign_key("created_by", "membership.user_id", ondelete="SET NULL"),
        UniqueConstraint("tenant_id", "email_key"),
    )

    id: Mapped[RecipientId] = mapped_column(primary_key=True, default=new_id, sort_order=-1)
    name: Mapped[str]
    email: Mapped[str]
    email_key: Mapped[str]
    language: Mapped[Language] = mapped_column(EnumText(Language), server_default="pl")
    email_enabled: Mapped[bool] = mapped_column(default=True, server_default="true")
    alert_groups: Mapped[list[str]] = mapped_column(
        ARRAY(Text), default=lambda: [*ALERT_GROUPS], server_default=ALERT_GROUPS_DEFAULT
    )
    email_state: Mapped[str] = mapped_column(default="ok", server_default="ok")
    email_trusted_at: Mapped[datetime | None]
    invited_at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None]
    stopped_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    created_by: Mapped[UserId | None]


class PushBrowser(TenantTable, Base):
    """A browser in which a member switched push messages on.

    `session_id` is the last session of the member in that browser: nothing is sent once it was
    revoked, and the row is deleted when it is purged. `endpoint`, `p256dh` and `auth` came from the
    browser, `server_key` is our key that they were made for.
    """

    __tablename__ = "push_browser"
    __table_args__ = (
        tenant_foreign_key("user_id", "membership.user_id"),
        tenant_foreign_key("session_id", "login_session.id"),
        UniqueConstraint("tenant_id", "user_id", "endpoint"),
        Index(None, "tenant_id", "session_id"),
    )

    id: Mapped[PushBrowserId] = mapped_column(primary_key=True, default=new_id, sort_order=-1)
    user_id: Mapped[UserId]
    session_id: Mapped[SessionId]
    endpoint: Mapped[str]
    p256dh: Mapped[str]
    auth: Mapped[str]
    server_key: Mapped[str]
    agent: Mapped[str]
    created_at: Mapped[datetime]
