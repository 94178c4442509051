"""What payments ask of whoever sells: the domain above them answers.

They know no subscription. The process that takes or works on payments says once, while it
starts, who buys (`till.wire`), as deliveries are told who writes their mails.
"""

from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

import msgspec

from prawko.hooks.payments import Method, Money
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import BatchSession, TenantSession


class Verdict(StrEnum):
    """What a payment was good for. The last three are told to the operators."""

    FULFILLED = "fulfilled"
    REPEATED = "repeated"  # this very payment was counted before
    PAID_TWICE = "paid_twice"  # its order was paid already, or bought again meanwhile
    VOID = "void"  # what was ordered is no longer to be had
    SUSPENDED = "suspended"  # an operator has closed the subscription


class PaidPayment(msgspec.Struct, frozen=True, kw_only=True):
    """Money that is ours, exactly as much as was asked for.

    `mandate_id` is the mandate that the payer gave with it, or that was charged.
    """

    tenant_id: TenantId
    payment_id: UUID
    order_id: UUID
    money: Money
    method: Method
    provider: str
    mandate_id: UUID | None
    paid_at: datetime


class FailedPayment(msgspec.Struct, frozen=True, kw_only=True):
    """A payment that came to nothing, so far as is known: money may still come for it."""

    tenant_id: TenantId
    payment_id: UUID
    order_id: UUID
    reason: str
    expired: bool


class RefundedPayment(msgspec.Struct, frozen=True, kw_only=True):
    """A payment that was ours and went back to its payer."""

    tenant_id: TenantId
    payment_id: UUID
    order_id: UUID
    money: Money


class Buyers(Protocol):
    """Whose orders are paid. Called in a transaction that is bound to the payment's company.

    All but `still_wanted` are called in the one that writes the payment.
    """

    async def still_wanted(self, session: TenantSession, order_id: UUID) -> bool:
        """Whether a charge for this order would bring what was ordered; False for an unknown one.

        Asked before a mandate is charged, and held against whoever is about to cancel: it waits
        for them. Changes nothing, and is asked again for the next try.
        """
        ...

    async def paid(self, session: TenantSession | BatchSession, paid: PaidPayment) -> Verdict:
        """Give what was paid for. A second call for the same payment changes nothing."""
        ...

    async def failed(self, session: TenantSession | BatchSession, payment: FailedPayment) -> None:
        """Note that this try has failed; called once for it."""
        ...

    async def refunded(
        self, session: TenantSession | BatchSession, payment: RefundedPayment
    ) -> None:
        """Note that the money went back; called once for it."""
        ...


class Till:
    """Who buys, in this process."""

    def __init__(self) -> None:
        self._buyers: Buyers | None = None

    def wire(self, buyers: Buyers) -> None:
        """Say who buys; once, while the process starts."""
        self._buyers = buyers

    @property
    def buyers(self) -> Buyers:
        """Who buys. Raises RuntimeError in a process that was never told."""
        if self._buyers is None:
            raise RuntimeError("payments were not wired while the process started")
        return self._buyers


till = Till()
