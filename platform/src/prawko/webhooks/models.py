"""Table of webhook events."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from prawko_tenants.base import Base, GlobalTable
from prawko_tenants.ids import new_id


class WebhookEvent(GlobalTable, Base):
    """An event of a provider, unique by the provider's own id.

    Stored before it is processed, so that no failure loses it. `body` is encrypted, and cleared
    when `outcome` is set. Times are system time.
    """

    __tablename__ = "webhook_event"
    __table_args__ = (
        UniqueConstraint("provider", "event_id"),
        Index(
            "ix_webhook_event_unprocessed",
            "next_try_at",
            postgresql_where=text("processed_at IS NULL"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    provider: Mapped[str]
    event_id: Mapped[str]
    body: Mapped[bytes | None]
    received_at: Mapped[datetime]
    next_try_at: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    processed_at: Mapped[datetime | None]
    outcome: Mapped[str | None]
