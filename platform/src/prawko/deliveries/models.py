"""The outbox, a row for every mail and SMS; the inbox; and what the operators must be told."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from prawko_tenants.base import Base, ControlTable, GlobalTable, one_of
from prawko_tenants.ids import DeliveryId, NoticeId, TenantId, UserId, new_id


class Delivery(ControlTable, Base):
    """A message on its way. Ids and states only: what it says is read from its notice.

    `tenant_id` is empty for mail to the operators. `subject_id` points at what the kind is
    about when that is no notice. `sealed` holds, encrypted, what must not be stored plainly
    (a code), and is emptied when the message has left. `key` makes it leave once. `report` is
    what the carrier said later of a message it had taken, and when by its clock.
    """

    __tablename__ = "delivery"
    __table_args__ = (
        one_of("channel_medium", "email", "sms"),
        one_of("state", "pending", "sent", "failed"),
        one_of("report", "delivered", "failed", "dropped", "bounced", "spam"),
        Index("ix_delivery_pending", "next_try_at", postgresql_where=text("state = 'pending'")),
        Index(None, "tenant_id"),
    )

    id: Mapped[DeliveryId] = mapped_column(primary_key=True, default=new_id)
    tenant_id: Mapped[TenantId | None] = mapped_column(ForeignKey("tenant.id", ondelete="CASCADE"))
    kind: Mapped[str]
    channel_medium: Mapped[str]
    user_id: Mapped[UserId | None]
    notice_id: Mapped[NoticeId | None]
    subject_id: Mapped[UUID | None]
    sealed: Mapped[bytes | None]
    state: Mapped[str] = mapped_column(default="pending", server_default="pending")
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    not_before: Mapped[datetime | None]
    next_try_at: Mapped[datetime]
    lease_until: Mapped[datetime | None]
    fence: Mapped[int] = mapped_column(BigInteger, default=0, server_default=text("0"))
    key: Mapped[str] = mapped_column(unique=True)
    carrier_ref: Mapped[str | None]
    error_kind: Mapped[str | None]
    error: Mapped[str | None]
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
    report: Mapped[str | None]
    reported_at: Mapped[datetime | None]


class WebhookEvent(GlobalTable, Base):
    """What a provider told us of its own accord, once per its own event id.

    Stored before it is worked on, so that no fault of ours loses it. `body` is sealed, and
    emptied with the work. Times are the machine's; `outcome` says what came of it.
    """

    __tablename__ = "webhook_event"
    __table_args__ = (
        UniqueConstraint("provider", "event_id"),
        Index(
            "ix_webhook_event_waiting",
            "next_try_at",
            postgresql_where=text("worked_at IS NULL"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    provider: Mapped[str]
    event_id: Mapped[str]
    body: Mapped[bytes | None]
    received_at: Mapped[datetime]
    next_try_at: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    worked_at: Mapped[datetime | None]
    outcome: Mapped[str | None]


class Incident(GlobalTable, Base):
    """Something the operators must know, told them once while it lasts."""

    __tablename__ = "incident"
    __table_args__ = (UniqueConstraint("kind", "key"),)

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    kind: Mapped[str]
    key: Mapped[str]
    opened_at: Mapped[datetime]
    mailed_at: Mapped[datetime | None]
    closed_at: Mapped[datetime | None]
    detail: Mapped[str]
