"""The interface through which payments notify the domain that sells.

Payments know no subscriptions. The composition root names the handler.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol
from uuid import UUID

import msgspec

from prawko.kit.context import AppContext
from prawko.payments.models import Payment
from prawko_tenants.sessions import TenantSession


class FulfilmentResult(StrEnum):
    """Result of applying a payment to its order; the last three are reported to operators."""

    FULFILLED = "fulfilled"
    ALREADY_APPLIED = "already_applied"  # this payment was applied before
    PAID_TWICE = "paid_twice"  # its order, or another for the same, was paid already
    VOID = "void"  # the order can no longer be fulfilled
    SUSPENDED = "suspended"  # an operator has closed the subscription


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
        self, session: TenantSession, payment: Payment, mandate_id: UUID | None
    ) -> FulfilmentResult:
        """Fulfil the order of a payment of exactly the requested amount, captured.

        `mandate_id` is the mandate that the payer gave with it, if any. A second call for the same
        payment changes nothing.
        """
        ...

    async def on_failed(self, session: TenantSession, payment: Payment) -> None:
        """Record a payment that failed or expired; called once for it.

        A late payment may still arrive.
        """
        ...

    async def on_refunded(self, session: TenantSession, payment: Payment) -> None:
        """Record a paid payment that was refunded in full; called once for it."""
        ...

    async def on_disputed(self, session: TenantSession, payment: Payment) -> None:
        """End the automatic renewal: the payer disputes a payment at the bank. Repeatable."""
        ...


class OrderHandlerFactory(msgspec.Struct, frozen=True):
    """What creates the order handler of a context."""

    create: Callable[[AppContext], OrderHandler]


def get_order_handler(context: AppContext) -> OrderHandler:
    """Return the order handler of this context."""
    return context.components.get(OrderHandlerFactory).create(context)
