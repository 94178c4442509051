"""Table of webhook events."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped

from prawko.kit.crypto import KeyRing
from prawko.kit.work.lease import LeasedRow
from prawko_tenants.base import Base, GlobalTable


class WebhookEvent(LeasedRow, GlobalTable, Base):
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

    provider: Mapped[str]
    event_id: Mapped[str]
    body: Mapped[bytes | None]
    received_at: Mapped[datetime]
    next_try_at: Mapped[datetime]
    processed_at: Mapped[datetime | None]
    outcome: Mapped[str | None]

    def decrypt_body(self, key_ring: KeyRing) -> bytes:
        """Return the decrypted body. Raises DecryptionError."""
        return key_ring.payload_cipher.decrypt(
            key_ring.payload_cipher.current_key_id, self.body or b"", associated_data=self.id.bytes
        )
