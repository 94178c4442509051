"""Table of the outbox: a row for every message."""

from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from prawko.hooks.channels import Medium
from prawko.kit.crypto import KeyRing
from prawko.kit.work.lease import LeasedRow
from prawko_tenants.base import Base, ControlTable, enum_check
from prawko_tenants.ids import BundleId, DeliveryId, NoticeId, TenantId, UserId, new_id


class Delivery(LeasedRow, ControlTable, Base):
    """A message to send: ids and states only, its content is rendered when it is sent.

    `carrier` is the channel that was given the message last, or is to be given it next.
    `tenant_id` is empty for mail to the operators. `subject_id` is the object of a message without
    a notice; for one about a notice, the recipient who has no account or the browser of a push
    message. `bundle_id` is that of the notices that the message carries together; `batch_at` is
    what the previous release reads in its place, kept by a trigger (revision 0040). `encrypted` is
    a secret of the message, such as a code; cleared when it has been sent. `key` is the idempotency
    key. `report` is what the carrier reported after it had accepted the message, `reported_at`
    when, in the carrier's time.
    """

    __tablename__ = "delivery"
    __table_args__ = (
        enum_check("channel_medium", *Medium),
        enum_check("state", "pending", "sent", "failed"),
        enum_check("report", "delivered", "failed", "dropped", "bounced", "spam"),
        Index("ix_delivery_pending", "next_try_at", postgresql_where=text("state = 'pending'")),
        Index(None, "tenant_id"),
    )

    tenant_id: Mapped[TenantId | None] = mapped_column(ForeignKey("tenant.id", ondelete="CASCADE"))
    kind: Mapped[str]
    channel_medium: Mapped[str]
    user_id: Mapped[UserId | None]
    notice_id: Mapped[NoticeId | None]
    subject_id: Mapped[UUID | None]
    batch_at: Mapped[datetime | None]
    encrypted: Mapped[bytes | None]
    state: Mapped[str] = mapped_column(default="pending", server_default="pending")
    not_before: Mapped[datetime | None]
    next_try_at: Mapped[datetime]
    key: Mapped[str] = mapped_column(unique=True)
    carrier: Mapped[str | None]
    carrier_ref: Mapped[str | None]
    error_kind: Mapped[str | None]
    error: Mapped[str | None]
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
    report: Mapped[str | None]
    reported_at: Mapped[datetime | None]
    bundle_id: Mapped[BundleId | None]

    @property
    def failure(self) -> str:
        """The kind and the reason of the last failure, as one text; empty if there was none."""
        return ": ".join(filter(None, (self.error_kind, self.error)))

    @property
    def owner_id(self) -> UUID:
        """Whose messages wait for each other: a company's, or a person's without one."""
        return self.tenant_id or self.user_id or self.id


# When a message began to wait: when it was enqueued or, if it is to leave later, then.
waiting_since = func.greatest(Delivery.created_at, Delivery.not_before)
# `Delivery.owner_id`, as SQL.
owner = func.coalesce(Delivery.tenant_id, Delivery.user_id, Delivery.id)


def _new_delivery_id() -> DeliveryId:
    return DeliveryId(new_id())


class OutboxMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message to be sent once: another one with the same `key` is ignored.

    `kind` selects the renderer, which looks up the content by the ids when the message is sent.
    `not_before` is product time; without it the message is due at once.
    """

    kind: str
    medium: Medium
    key: str
    tenant_id: TenantId | None = None
    user_id: UserId | None = None
    notice_id: NoticeId | None = None
    subject_id: UUID | None = None
    bundle_id: BundleId | None = None
    not_before: datetime | None = None
    id: DeliveryId = msgspec.field(default_factory=_new_delivery_id)
    encrypted: bytes | None = None

    def with_secret(self, secret: str, key_ring: KeyRing) -> "OutboxMessage":
        """Return the message with an encrypted secret, bound to its own row."""
        encrypted = key_ring.payload_cipher.encrypt(secret.encode(), associated_data=self.id.bytes)
        return msgspec.structs.replace(self, encrypted=encrypted)
