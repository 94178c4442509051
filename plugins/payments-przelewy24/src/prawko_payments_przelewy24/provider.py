"""The provider: Przelewy24's transactions as orders and payments."""

from prawko.hooks.callbacks import Callback
from prawko.hooks.failures import AccountError
from prawko.hooks.payments import (
    Capabilities,
    EventKind,
    Method,
    Money,
    Order,
    Payment,
    PaymentError,
    PaymentEvent,
    PaymentRef,
    PaymentState,
    Redirect,
    Refund,
    RefundState,
    Transfer,
)
from prawko_payments_przelewy24 import events
from prawko_payments_przelewy24.answers import RejectedRequestError, Transaction
from prawko_payments_przelewy24.client import Client
from prawko_payments_przelewy24.registration import registration
from prawko_payments_przelewy24.settings import Settings

STATES = {
    0: PaymentState.OPEN,
    1: PaymentState.CLAIMED,  # an "advance": paid, and the payer's until we verify it
    2: PaymentState.PAID,
    3: PaymentState.REFUNDED,
}
REFUNDS = {
    1: RefundState.DONE,
    2: RefundState.PENDING,
    3: RefundState.PENDING,
    4: RefundState.REFUSED,
}
GROUPS = {"Blik": Method.BLIK, "TraditionalTransfer": Method.TRANSFER}
NO_MONEY = "Insufficient funds"


class Przelewy24Provider:
    """Przelewy24 can end no order: what nobody pays in time ends by itself."""

    name = "przelewy24"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client = Client(settings)
        methods = {Method.PRZELEWY24, Method.BLIK}
        if settings.transfers:
            methods.add(Method.TRANSFER)
        self.capabilities = Capabilities(methods=frozenset(methods), blik_codes=settings.blik_codes)

    async def available(self, money: Money) -> frozenset[Method]:
        offered = [method for method in await self._client.methods(money) if method.status]
        found = {GROUPS[method.group] for method in offered if method.group in GROUPS}
        if offered:
            found.add(Method.PRZELEWY24)
        return self.capabilities.methods & found

    async def start(self, order: Order) -> Redirect:
        by_code = order.blik_code is not None
        if order.method not in self.capabilities.methods or (
            by_code and not (order.method is Method.BLIK and self._settings.blik_codes)
        ):
            raise ValueError(f"this account is not paid by {order.method} that way")
        token = await self._client.register(registration(order, self._settings))
        if order.method is Method.TRANSFER:
            return await self._transfer(order, token)
        seconds = self._settings.minutes * 60
        if order.blik_code is not None:
            number = await self._client.charge_blik(token, order.blik_code)
            return Redirect(ref=PaymentRef(order.key, str(number)), open_seconds=seconds)
        return Redirect(
            ref=PaymentRef(order.key), url=self._client.page(token), open_seconds=seconds
        )

    def read_event(self, callback: Callback) -> PaymentEvent | None:
        return events.read_event(callback, self._settings)

    async def confirm(self, event: PaymentEvent, *, expected: Money) -> Payment | None:
        found = await self.status(event.ref)
        said = {money for money in (event.money, event.ordered) if money is not None}
        if (
            found is None
            or found.state is not PaymentState.CLAIMED
            or event.kind is not EventKind.PAID
            or {found.money, *said} != {expected}
        ):
            return found
        number = int(found.ref.provider_ref or 0)
        if await self._client.verify(event.ref.key, number, expected):
            return _paid(found)
        found = await self.status(event.ref)  # another of us may have been faster
        if found is not None and found.state is PaymentState.PAID:
            return found
        raise RejectedRequestError("a payment that we expected could not be verified")

    async def status(self, ref: PaymentRef) -> Payment | None:
        found = await self._client.transaction(ref.key)
        return None if found is None else _payment(found)

    async def cancel(self, ref: PaymentRef) -> Payment | None:
        return await self.status(ref)

    async def refund(self, ref: PaymentRef, amount: Money, *, key: str) -> Refund:
        if ref.provider_ref is None:
            found = await self.status(ref)
            if found is None or found.ref.provider_ref is None:
                return Refund(RefundState.REFUSED, "nothing was paid")
            ref = found.ref
        number = int(ref.provider_ref or 0)
        try:
            refused = await self._client.refund(ref.key, number, key, amount)
        except KeyError:
            return await self._refund_so_far(number, key)
        if refused is None:
            return Refund(RefundState.PENDING)
        if NO_MONEY in refused:
            raise AccountError(f"there is not enough on our account: {refused}")
        return Refund(RefundState.REFUSED, refused)

    async def close(self) -> None:
        await self._client.close()

    async def _transfer(self, order: Order, token: str) -> Redirect:
        offline = await self._client.offline(token)
        if (offline.session_id, offline.amount) != (order.key, order.money.grosze):
            raise PaymentError("the transfer is another order's")
        return Redirect(
            ref=PaymentRef(order.key, str(offline.order_id)),
            transfer=Transfer(
                title=offline.statement,
                iban=offline.iban,
                owner=offline.iban_owner,
                address=offline.iban_owner_address,
            ),
        )

    async def _refund_so_far(self, number: int, key: str) -> Refund:
        for refund in await self._client.refunds(number):
            if refund.request_id == key and refund.status in REFUNDS:
                return Refund(REFUNDS[refund.status])
        raise PaymentError("the refund was asked for before and is not listed yet")


def _payment(found: Transaction) -> Payment:
    if found.status not in STATES:
        raise PaymentError(f"the transaction has an unknown status {found.status}")
    number = str(found.order_id) if found.order_id else None
    state = STATES[found.status]
    if state is PaymentState.CLAIMED and number is None:
        raise PaymentError("the transaction is paid and has no number")
    return Payment(
        ref=PaymentRef(found.session_id, number),
        state=state,
        money=Money(found.amount, found.currency),
    )


def _paid(found: Payment) -> Payment:
    return Payment(ref=found.ref, state=PaymentState.PAID, money=found.money)
