"""A provider that takes nobody's money: cards, BLIK and Przelewy24, as the demo has them."""

import asyncio
import re
import sqlite3
from collections.abc import Callable
from enum import StrEnum
from typing import ParamSpec, TypeVar

from prawko.hooks.callbacks import Callback
from prawko.hooks.payments import (
    Capabilities,
    Mandate,
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
)
from prawko_demo.payments import events, webhook
from prawko_demo.payments.store import Charge, Kept, Mood, Store

P = ParamSpec("P")
T = TypeVar("T")

EVENTS = "/api/webhooks/sandbox"
PAGE = "/dev/pay/"
OPEN_SECONDS = 30 * 60
CONSENT_SECONDS = 1.0  # between a BLIK code and the payer's consent in the app
CARD = "Visa •••• 4242"
_BLIK_CODE = re.compile("[0-9]{6}", re.ASCII)
_BLIK_SUCCEEDS = "777"
_ENDED = frozenset({PaymentState.PAID, PaymentState.REFUNDED})


class Button(StrEnum):
    """What the buttons of the hosted page do."""

    PAID = "paid"
    FAILED = "failed"
    ABANDONED = "abandoned"


class EndedError(Exception):
    """The payment has ended another way."""


class SandboxProvider:
    """Believes the hosted page's buttons; calls us of each, and can be asked as well."""

    name = "sandbox"
    capabilities = Capabilities(
        methods=frozenset({Method.CARD, Method.BLIK, Method.PRZELEWY24}),
        renews=frozenset({Method.CARD}),
        blik_codes=True,
        cancels=True,
    )

    def __init__(self, store: Store, url: str, secret: bytes) -> None:
        self._store = store
        self._url = url
        self._secret = secret
        self._consents: set[asyncio.Task[None]] = set()

    async def available(self, money: Money) -> frozenset[Method]:  # noqa: ARG002 (of any sum)
        await _ask(self._store.newest, 0)
        return self.capabilities.methods

    async def start(self, order: Order) -> Redirect:
        by_code = order.blik_code is not None
        if order.method not in self.capabilities.methods or (
            by_code and order.method is not Method.BLIK
        ):
            raise ValueError(f"the sandbox is not paid by {order.method} that way")
        if order.blik_code is not None:
            return await self._start_by_code(order, order.blik_code)
        kept = await _ask(self._store.add, order, PaymentState.OPEN)
        return Redirect(ref=_ref(kept), url=self.page(kept.key), open_seconds=OPEN_SECONDS)

    def read_event(self, callback: Callback) -> PaymentEvent | None:
        return events.read_event(callback, self._secret)

    async def confirm(self, event: PaymentEvent, *, expected: Money) -> Payment | None:
        def take(kept: Kept) -> None:
            if kept.state is PaymentState.CLAIMED and kept.money == expected:
                kept.state = PaymentState.PAID

        return _payment(await _ask(self._store.change, event.ref.key, take))

    async def status(self, ref: PaymentRef) -> Payment | None:
        return _payment(await _ask(self._store.get, ref.key))

    async def cancel(self, ref: PaymentRef) -> Payment | None:
        def end(kept: Kept) -> None:
            if kept.state is PaymentState.OPEN:
                kept.state, kept.reason = PaymentState.FAILED, "cancelled"

        return _payment(await _ask(self._store.change, ref.key, end))

    async def refund(self, ref: PaymentRef, amount: Money, *, key: str) -> Refund:
        refused: list[str] = []

        def give(kept: Kept) -> None:
            left = kept.grosze - sum(kept.refunds.values())
            if key in kept.refunds:
                return
            if kept.state not in _ENDED:
                refused.append("nothing was paid")
            elif amount.currency != kept.currency or amount.grosze > left:
                refused.append("there is less than that")
            else:
                kept.refunds[key] = amount.grosze
                if amount.grosze == left:
                    kept.state = PaymentState.REFUNDED

        found = await _ask(self._store.change, ref.key, give)
        if found is None or refused:
            return Refund(RefundState.REFUSED, (refused or ["nothing was paid"])[0])
        return Refund(RefundState.DONE)

    async def charge(self, mandate: Mandate, order: Order) -> Payment:
        kept, result = await _ask(self._store.charge, order, mandate.token)
        if result is Charge.SILENT:
            raise PaymentError("no answer")
        payment = _payment(kept)
        if payment is None or payment.state is PaymentState.FAILED:
            raise PaymentError(kept.reason, permanent=True)
        if payment.state is PaymentState.OPEN:
            return Payment(
                ref=payment.ref, state=payment.state, money=payment.money, url=self.page(kept.key)
            )
        return payment

    async def close(self) -> None:
        for consent in self._consents:
            consent.cancel()
        await asyncio.gather(*self._consents, return_exceptions=True)

    def page(self, key: str) -> str:
        """Where the payer goes on."""
        return f"{self._url}{PAGE}{key}"

    async def kept(self, key: str) -> Kept | None:
        """A payment as the sandbox knows it."""
        return await _ask(self._store.get, key)

    async def newest(self, most: int) -> list[Kept]:
        """The latest payments, newest first."""
        return await _ask(self._store.newest, most)

    async def press(self, key: str, button: Button) -> Kept | None:
        """What a button of the hosted page does; None where there is no such payment.

        Pressed again, it changes nothing. Raises EndedError when another one was.
        """

        def end(kept: Kept) -> None:
            paid = kept.state in {PaymentState.CLAIMED, *_ENDED}
            if kept.state is not PaymentState.OPEN:
                if paid is not (button is Button.PAID) or (not paid and kept.reason != button):
                    raise EndedError(kept.reason or kept.state)
            elif button is Button.PAID:
                kept.state = PaymentState.CLAIMED
            else:
                kept.state, kept.reason = PaymentState.FAILED, button.value

        return await _ask(self._store.change, key, end)

    async def tell(self, kept: Kept, times: int = 1) -> list[int]:
        """Call the panel of what became of a payment, so many times; returns the answers."""
        answers = []
        for _ in range(times):
            at = events.now()
            body = events.body_of(kept, at)
            headers = events.signed(body, self._secret, at)
            answers.append(await webhook.call(f"{self._url}{EVENTS}", body, headers))
        return answers

    async def mood(self) -> Mood:
        """What becomes of the next charges of saved cards."""
        return await _ask(self._store.mood)

    async def set_mood(self, mood: Mood) -> None:
        """Choose what becomes of them."""
        await _ask(self._store.set_mood, mood)

    async def _start_by_code(self, order: Order, code: str) -> Redirect:
        if not _BLIK_CODE.fullmatch(code) or not code.startswith(_BLIK_SUCCEEDS):
            raise PaymentError("the BLIK code is wrong", permanent=True)
        kept = await _ask(self._store.add, order, PaymentState.OPEN)
        consent = asyncio.create_task(self._consent(kept.key))
        self._consents.add(consent)
        consent.add_done_callback(self._consents.discard)
        return Redirect(ref=_ref(kept), open_seconds=OPEN_SECONDS)

    async def _consent(self, key: str) -> None:
        """The payer's own, in the app of a bank that nobody sees."""
        await asyncio.sleep(CONSENT_SECONDS)
        kept = await self.press(key, Button.PAID)
        if kept is not None:
            await self.tell(kept)


async def _ask(ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return await asyncio.to_thread(ask, *args, **kwargs)
    except (sqlite3.Error, OSError) as error:
        raise PaymentError(f"the sandbox is away: {type(error).__name__}") from None


def _ref(kept: Kept) -> PaymentRef:
    return PaymentRef(kept.key, kept.ref)


def _payment(kept: Kept | None) -> Payment | None:
    if kept is None:
        return None
    saved = kept.save and kept.state in {PaymentState.CLAIMED, PaymentState.PAID}
    return Payment(
        ref=_ref(kept),
        state=kept.state,
        money=kept.money,
        mandate=Mandate(kept.key, CARD) if saved else None,
        reason=kept.reason,
    )
