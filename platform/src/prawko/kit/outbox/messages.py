"""A message to be sent, as a domain enqueues it."""

from datetime import datetime
from uuid import UUID

import msgspec

from prawko.hooks.channels import Medium
from prawko.kit.crypto import KeyRing
from prawko_tenants.ids import BundleId, DeliveryId, NoticeId, TenantId, UserId, new_id


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
