"""Transfers to our own account: nobody can be asked, and nobody calls."""

from prawko.hooks.callbacks import Callback, ForgedCallbackError
from prawko.hooks.payments import (
    Capabilities,
    EventKind,
    Method,
    Money,
    Order,
    Payment,
    PaymentEvent,
    PaymentRef,
    PaymentState,
    Redirect,
    Refund,
    RefundState,
    Transfer,
)
from prawko_payments_transfer import titles
from prawko_payments_transfer.settings import Settings

_DAY_SECONDS = 24 * 60 * 60


class TransferProvider:
    """Tells a payer where to send the money; the operator's word is the truth about it."""

    name = "transfer"
    capabilities = Capabilities(
        methods=frozenset({Method.TRANSFER}), asks=False, refunds=False, cancels=False
    )

    def __init__(self, settings: Settings, iban: str) -> None:
        self._settings = settings
        self._iban = iban

    async def available(self, money: Money) -> frozenset[Method]:  # noqa: ARG002 (of any sum)
        return self.capabilities.methods

    async def start(self, order: Order) -> Redirect:
        if order.method is not Method.TRANSFER:
            raise ValueError(f"an account is not paid on by {order.method}")
        return Redirect(
            ref=PaymentRef(order.key),
            transfer=Transfer(
                title=titles.title(self._settings.prefix, order.key),
                iban=self._iban,
                owner=self._settings.owner,
                address=self._settings.address,
            ),
            open_seconds=self._settings.days * _DAY_SECONDS,
        )

    def key_in(self, title: str) -> str | None:
        return titles.key_in(self._settings.prefix, title)

    def read_event(self, callback: Callback) -> PaymentEvent | None:  # noqa: ARG002 (of anybody)
        raise ForgedCallbackError("no bank calls here")

    async def confirm(self, event: PaymentEvent, *, expected: Money) -> Payment | None:
        if event.kind is not EventKind.PAID or event.money is None:
            return None
        state = PaymentState.PAID if event.money == expected else PaymentState.CLAIMED
        return Payment(ref=event.ref, state=state, money=event.money)

    async def status(self, ref: PaymentRef) -> Payment | None:  # noqa: ARG002 (of any)
        return None

    async def cancel(self, ref: PaymentRef) -> Payment | None:  # noqa: ARG002 (of any)
        return None

    async def refund(self, ref: PaymentRef, amount: Money, *, key: str) -> Refund:  # noqa: ARG002
        return Refund(RefundState.REFUSED, "a person sends the money back by bank")

    async def close(self) -> None:
        """There is nothing to give back."""
