"""A payment provider that does as it is told, with its payers: for tests of the platform."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import msgspec

from prawko.base.clock import machine_now
from prawko.hooks import hookimpl
from prawko.hooks.callbacks import Callback, ForgedCallbackError, GarbledCallbackError
from prawko.hooks.environment import Environment
from prawko.hooks.payments import (
    Capabilities,
    EventKind,
    Mandate,
    Method,
    Money,
    Order,
    Payment,
    PaymentError,
    PaymentEvent,
    PaymentProvider,
    PaymentRef,
    PaymentState,
    Redirect,
    Refund,
    RefundState,
)

_SIGNATURE = "x-fake-signature"
_MAY_BE_CANCELLED = frozenset({PaymentState.OPEN, PaymentState.FAILED})


class _Call(msgspec.Struct):
    id: str
    kind: EventKind
    key: str
    money: Money
    refund_key: str | None = None


class FakeProvider:
    """Takes every method, in memory; its name is `fake`.

    `pay` and `fail` are its payers. `broken` makes every call fail; `refuses` makes charges
    fail for good.
    """

    name = "fake"
    capabilities = Capabilities(
        methods=frozenset(Method), renews=frozenset({Method.CARD}), blik_codes=True, cancels=True
    )

    def __init__(self, secret: bytes = b"fake") -> None:
        self.orders: dict[str, Order] = {}
        self.payments: dict[str, Payment] = {}
        self.refunds: dict[str, tuple[str, Money]] = {}
        self._charged: Counter[str] = Counter()
        self.broken: Exception | None = None
        self.refuses = False
        self._secret = secret

    async def available(self, money: Money) -> frozenset[Method]:  # noqa: ARG002
        self._ask()
        return self.capabilities.methods

    async def start(self, order: Order) -> Redirect:
        self._ask()
        payment = self._register(order)
        return Redirect(ref=payment.ref, url=f"https://pay.test/{order.key}", open_seconds=900)

    def read_event(self, callback: Callback) -> PaymentEvent | None:
        given = callback.headers.get(_SIGNATURE, "")
        if not hmac.compare_digest(given.encode(), self._sign(callback.body).encode()):
            raise ForgedCallbackError("the signature is missing or wrong")
        try:
            call = msgspec.json.decode(callback.body, type=_Call)
        except (msgspec.MsgspecError, ValueError):
            raise GarbledCallbackError("this is no call of ours") from None
        if call.key not in self.orders:
            return None
        ref = self.payments[call.key].ref
        return PaymentEvent(
            event_id=call.id,
            kind=call.kind,
            ref=ref,
            at=callback.received_at,
            money=call.money,
            refund_key=call.refund_key,
        )

    async def confirm(self, event: PaymentEvent, *, expected: Money) -> Payment | None:
        self._ask()
        found = self.payments.get(event.ref.key)
        if found and found.state is PaymentState.CLAIMED and found.money == expected:
            return self._becomes(found, PaymentState.PAID)
        return found

    async def status(self, ref: PaymentRef) -> Payment | None:
        self._ask()
        return self.payments.get(ref.key)

    async def cancel(self, ref: PaymentRef) -> Payment | None:
        self._ask()
        found = self.payments.get(ref.key)
        if found and found.state in _MAY_BE_CANCELLED:
            return self._becomes(found, PaymentState.FAILED)
        return found

    async def refund(self, ref: PaymentRef, amount: Money, *, key: str) -> Refund:
        self._ask()
        found = self.payments.get(ref.key)
        if key in self.refunds:
            return Refund(RefundState.DONE)
        if found is None or found.state is not PaymentState.PAID:
            return Refund(RefundState.REFUSED, "nothing was paid")
        left = found.money.grosze - self.refunded(ref)
        if amount.currency != found.money.currency or amount.grosze > left:
            return Refund(RefundState.REFUSED, "there is less than that")
        self.refunds[key] = (ref.key, amount)
        if amount.grosze == left:
            self._becomes(found, PaymentState.REFUNDED)
        return Refund(RefundState.DONE)

    async def charge(self, mandate: Mandate, order: Order) -> Payment:
        self._ask()
        if self.refuses or mandate.token not in self.orders:
            raise PaymentError("the card was refused", permanent=True)
        if order.key not in self.payments:
            self._charged[order.key] += 1
            self._becomes(self._register(order), PaymentState.PAID)
        return self.payments[order.key]

    async def close(self) -> None:
        """There is nothing to give back."""

    async def pay(self, redirect: Redirect, money: Money | None = None) -> Callback:
        """Be the payer, who pays what was asked, or `money`; return the provider's call."""
        key = redirect.ref.key
        mandate = Mandate(key, "•••• 4242") if self.orders[key].save else None
        found = msgspec.structs.replace(
            self.payments[key], money=money or self.payments[key].money, mandate=mandate
        )
        return self._tell(self._becomes(found, PaymentState.CLAIMED), EventKind.PAID)

    async def fail(self, redirect: Redirect) -> Callback:
        """Be the payer, whose bank refuses; return the provider's call."""
        found = self.payments[redirect.ref.key]
        return self._tell(self._becomes(found, PaymentState.FAILED), EventKind.FAILED)

    def refunded(self, ref: PaymentRef) -> int:
        """How many grosze of a payment went back to its payer."""
        return sum(money.grosze for key, money in self.refunds.values() if key == ref.key)

    def charges(self, order: Order) -> int:
        """How often a saved card was charged for an order."""
        return self._charged[order.key]

    def call(self, body: bytes, headers: Mapping[str, str] | None = None) -> Callback:
        """A call with this body, signed, or with these headers instead."""
        signed = {_SIGNATURE: self._sign(body)} if headers is None else headers
        return Callback(headers=signed, query={}, body=body, received_at=machine_now())

    def _tell(self, payment: Payment, kind: EventKind) -> Callback:
        key = payment.ref.key
        told = _Call(id=f"{kind}-{key}", kind=kind, key=key, money=payment.money)
        return self.call(msgspec.json.encode(told))

    def _register(self, order: Order) -> Payment:
        if order.key in self.orders:
            raise ValueError("this order was started before")
        self.orders[order.key] = order
        ref = PaymentRef(order.key, f"fake-{len(self.orders)}")
        self.payments[order.key] = Payment(ref=ref, state=PaymentState.OPEN, money=order.money)
        return self.payments[order.key]

    def _becomes(self, payment: Payment, state: PaymentState) -> Payment:
        changed = msgspec.structs.replace(payment, state=state)
        self.payments[payment.ref.key] = changed
        return changed

    def _sign(self, body: bytes) -> str:
        return hmac.new(self._secret, body, hashlib.sha256).hexdigest()

    def _ask(self) -> None:
        if self.broken is not None:
            raise self.broken


def payment_plugin(*providers: PaymentProvider) -> Any:
    """A plugin that takes payments through exactly these."""

    @hookimpl
    def payment_providers(environment: Environment) -> list[PaymentProvider]:  # noqa: ARG001
        return list(providers)

    return SimpleNamespace(payment_providers=payment_providers)
