"""The interface through which payments notify the domain that sells.

Payments know no subscriptions. The process registers the handler once at its start.
"""

from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

import msgspec

from prawko.hooks.payments import Money, PaymentMethod
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import BatchSession, TenantSession


class FulfilmentResult(StrEnum):
    """What a payment was good for. The last three are reported to operators."""

    FULFILLED = "fulfilled"
    ALREADY_APPLIED = "already_applied"  # this payment was applied before
    PAID_TWICE = "paid_twice"  # its order, or another for the same, was paid already
    VOID = "void"  # the order can no longer be fulfilled
    SUSPENDED = "suspended"  # an operator has closed the subscription


class PaidPayment(msgspec.Struct, frozen=True, kw_only=True):
    """A payment of exactly the requested amount, captured.

    `mandate_id` is the mandate that the payer gave with it, or that was charged.
    """

    tenant_id: TenantId
    payment_id: UUID
    order_id: UUID
    money: Money
    method: PaymentMethod
    provider: str
    mandate_id: UUID | None
    paid_at: datetime


class FailedPayment(msgspec.Struct, frozen=True, kw_only=True):
    """A payment that failed or expired; a late payment may still arrive."""

    tenant_id: TenantId
    payment_id: UUID
    order_id: UUID
    reason: str
    expired: bool


class RefundedPayment(msgspec.Struct, frozen=True, kw_only=True):
    """A paid payment that was refunded in full."""

    tenant_id: TenantId
    payment_id: UUID
    order_id: UUID
    money: Money


class OrderHandler(Protocol):
    """Handles the results of payments, in a session of the payment's company.

    All methods but `is_chargeable` are called in the transaction that updates the payment.
    """

    async def is_chargeable(self, session: TenantSession, order_id: UUID) -> bool:
        """Return whether a charge would fulfil this order; False for an unknown one.

        Called before each attempt to charge a mandate. It waits for concurrent cancellations
        and changes nothing.
        """
        ...

    async def on_paid(
        self, session: TenantSession | BatchSession, payment: PaidPayment
    ) -> FulfilmentResult:
        """Fulfil the order. A second call for the same payment changes nothing."""
        ...

    async def on_failed(
        self, session: TenantSession | BatchSession, payment: FailedPayment
    ) -> None:
        """Record a failed payment; called once for it."""
        ...

    async def on_refunded(
        self, session: TenantSession | BatchSession, payment: RefundedPayment
    ) -> None:
        """Record a refunded payment; called once for it."""
        ...


class OrderHandlerRegistry:
    """Holds the order handler of this process."""

    def __init__(self) -> None:
        self._handler: OrderHandler | None = None

    def register(self, handler: OrderHandler) -> None:
        """Set the handler; once, at the start of the process."""
        self._handler = handler

    @property
    def handler(self) -> OrderHandler:
        """The registered handler. Raises RuntimeError if there is none."""
        if self._handler is None:
            raise RuntimeError("no order handler is registered in this process")
        return self._handler
