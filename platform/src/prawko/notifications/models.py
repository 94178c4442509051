"""Notices, and the notifications that show them to members."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from prawko_tenants.base import Base, TenantTable, tenant_foreign_key
from prawko_tenants.ids import BundleId, DriverId, NoticeId, UserId


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
