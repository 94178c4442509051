"""What happened to a company's drivers, and who was told."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from prawko.accounts.models import Membership
from prawko_tenants.base import Base, TenantTable
from prawko_tenants.ids import DriverId, NoticeId, UserId


class Notice(TenantTable, Base):
    """Something worth telling, written once: `dedup` tells two of a kind apart.

    `params` are the words of that moment (names, number, dates): the message says what was
    true then. What names a driver goes with the driver.
    """

    __tablename__ = "notice"
    __table_args__ = (
        UniqueConstraint("tenant_id", "kind", "dedup"),
        # By name, for drivers are a domain above this one.
        ForeignKeyConstraint(
            ["tenant_id", "driver_id"], ["driver.tenant_id", "driver.id"], ondelete="CASCADE"
        ),
        Index(None, "tenant_id", "driver_id"),
    )

    kind: Mapped[str]
    driver_id: Mapped[DriverId | None]
    dedup: Mapped[str]
    params: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]


class Notification(TenantTable, Base):
    """A notice as one member reads it in the panel."""

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
