"""Notices, and the notifications that show them to members."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from prawko.accounts.models import Membership
from prawko_tenants.base import Base, TenantTable
from prawko_tenants.ids import DriverId, NoticeId, UserId


class Notice(TenantTable, Base):
    """An event that members are notified of, once per `kind` and `dedup_key`.

    `params` is the payload at that moment (names, number, dates), so that a later message says
    what was true then. A notice about a driver is deleted with the driver.
    """

    __tablename__ = "notice"
    __table_args__ = (
        UniqueConstraint("tenant_id", "kind", "dedup_key"),
        # By name: drivers are a domain above this one.
        ForeignKeyConstraint(
            ["tenant_id", "driver_id"], ["driver.tenant_id", "driver.id"], ondelete="CASCADE"
        ),
        Index(None, "tenant_id", "driver_id"),
    )

    kind: Mapped[str]
    driver_id: Mapped[DriverId | None]
    dedup_key: Mapped[str]
    params: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]


class Notification(TenantTable, Base):
    """A notice in the panel of one member."""

    __tablename__ = "notification"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "user_id"],
            [Membership.tenant_id, Membership.user_id],
            ondelete="CASCADE",
        ),
        ForeignKeyConstraint(
            ["tenant_id", "notice_id"],
            [Notice.tenant_id, Notice.id],
            ondelete="CASCADE",
        ),
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
