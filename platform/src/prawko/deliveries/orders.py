"""An order to send one message, as its domain gives it."""

from datetime import datetime
from uuid import UUID

import msgspec

from prawko.base.secrets import Vault
from prawko.hooks.channels import Medium
from prawko_tenants.ids import DeliveryId, NoticeId, TenantId, UserId, new_id


def _new_delivery_id() -> DeliveryId:
    return DeliveryId(new_id())


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """A message to be sent once: a second order with the same `key` changes nothing.

    `kind` names the composer. `not_before` is an instant of the product's clock; without it
    the message leaves at once. What it says is looked up when it leaves, by the ids.
    """

    kind: str
    medium: Medium
    key: str
    tenant_id: TenantId | None = None
    user_id: UserId | None = None
    notice_id: NoticeId | None = None
    subject_id: UUID | None = None
    not_before: datetime | None = None
    id: DeliveryId = msgspec.field(default_factory=_new_delivery_id)
    sealed: bytes | None = None

    def carrying(self, secret: str, vault: Vault) -> "Order":
        """The same order with what must not be stored plainly; it opens in its own row only."""
        sealed = vault.payloads.close(secret.encode(), about=self.id.bytes)
        return msgspec.structs.replace(self, sealed=sealed)
