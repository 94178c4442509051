"""The values that payments and billing exchange."""

from datetime import datetime
from uuid import UUID

import msgspec

from prawko.hooks.payments import Money, Payer, PaymentMethod, TransferInstructions
from prawko.payments.state_machine import UNFINISHED_STATES, UNKNOWN_TIMEOUT, PaymentRecordState


class PaymentIntent(msgspec.Struct, frozen=True, kw_only=True):
    """A payment that a request asks for; it is not stored.

    The payer reads `description`; the browser returns to `return_url`. `blik_code` was entered
    on our page. `save_payment_method` asks for a mandate, if the provider supports it.
    """

    order_id: UUID
    money: Money
    method: PaymentMethod
    description: str
    payer: Payer
    return_url: str
    blik_code: str | None = None
    save_payment_method: bool = False


class StartedPayment(msgspec.Struct, frozen=True, kw_only=True):
    """The payer's next step: `url`, a bank transfer, or with neither the bank's app."""

    payment_id: UUID
    url: str | None
    transfer: TransferInstructions | None


class OfferedMethod(msgspec.Struct, frozen=True, kw_only=True):
    """A payment method and its provider. `is_recurring`: its mandates can be charged."""

    method: PaymentMethod
    provider: str
    accepts_blik_codes: bool
    is_recurring: bool


class PaymentView(msgspec.Struct, frozen=True, kw_only=True):
    """A payment for other domains. `reason` is the provider's explanation of a failure."""

    id: UUID
    order_id: UUID
    state: PaymentRecordState
    method: PaymentMethod
    provider: str
    money: Money
    url: str | None
    transfer: TransferInstructions | None
    mandate_id: UUID | None
    reason: str | None
    expires_at: datetime | None
    created_at: datetime
    finished_at: datetime | None

    def is_being_charged(self, now: datetime) -> bool:
        """Return whether a mandate is being charged and the result is unknown.

        False once the payer is asked for consent, and after an hour without a result.
        """
        is_pending = (
            self.mandate_id is not None and self.state in UNFINISHED_STATES and self.url is None
        )
        return is_pending and now < self.created_at + UNKNOWN_TIMEOUT


class MandateView(msgspec.Struct, frozen=True, kw_only=True):
    """A saved card or consent, as its company may see it."""

    id: UUID
    provider: str
    method: PaymentMethod
    label: str
    created_at: datetime
