"""What billing hands over to be paid, and what it gets back. Sums are in grosze."""

from datetime import datetime
from uuid import UUID

import msgspec

from prawko.hooks.payments import Method, Money, Payer, Transfer
from prawko.payments.settling import UNFINISHED, UNKNOWN_FOR, State


class Purchase(msgspec.Struct, frozen=True, kw_only=True):
    """An order on its way to a provider; kept by nobody but the request that makes it.

    `title` is for the payer to read, `return_url` where the browser comes back to, `blik_code`
    what was typed on our page. `save` asks for a mandate, where the provider gives one.
    """

    order_id: UUID
    money: Money
    method: Method
    title: str
    payer: Payer
    return_url: str
    blik_code: str | None = None
    save: bool = False


class Started(msgspec.Struct, frozen=True, kw_only=True):
    """Where the payer goes on: to `url`, to a bank with `transfer`, or to an app (neither)."""

    payment_id: UUID
    url: str | None
    transfer: Transfer | None


class OfferedMethod(msgspec.Struct, frozen=True, kw_only=True):
    """A way to pay, and who takes it. `renews`: it can be charged again without the payer."""

    method: Method
    provider: str
    blik_codes: bool
    renews: bool


class PaymentView(msgspec.Struct, frozen=True, kw_only=True):
    """A payment as others may see it. `reason` says why it failed, in the provider's words."""

    id: UUID
    order_id: UUID
    state: State
    method: Method
    provider: str
    money: Money
    url: str | None
    transfer: Transfer | None
    mandate_id: UUID | None
    reason: str | None
    open_until: datetime | None
    created_at: datetime
    settled_at: datetime | None

    def is_being_charged(self, now: datetime) -> bool:
        """Whether a mandate is charged for it and nobody has said yet what came of that.

        Not once its payer is asked to consent, nor after an hour of the bank's silence.
        """
        asked = self.mandate_id is not None and self.state in UNFINISHED and self.url is None
        return asked and now < self.created_at + UNKNOWN_FOR


class MandateView(msgspec.Struct, frozen=True, kw_only=True):
    """A saved card or consent as its company may see it."""

    id: UUID
    provider: str
    method: Method
    label: str
    created_at: datetime
