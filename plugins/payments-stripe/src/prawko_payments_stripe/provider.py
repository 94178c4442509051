"""The provider: Stripe's pages and charges as orders and payments.

An order is a page (`cs_…`), a renewal a charge of a saved card (`pi_…`) or, where the card's
holder must be asked, a page again. Our key goes along with each of them.
"""

from prawko.hooks.callbacks import Callback
from prawko.hooks.failures import AccountError
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
from prawko_payments_stripe import events, pages, payments
from prawko_payments_stripe.answers import (
    CHARGE,
    ORDER,
    REFUND,
    SUCCEEDED,
    Given,
    Intent,
    Session,
    ours,
)
from prawko_payments_stripe.client import Client
from prawko_payments_stripe.failures import (
    NO_MONEY,
    REFUSED_REFUNDS,
    ConsentNeededError,
    RejectedRequestError,
)
from prawko_payments_stripe.settings import Settings, is_safe_address

SESSION, INTENT = "cs_", "pi_"
LEAST = {"PLN": 200}  # Stripe takes no less
REFUNDS = {
    "succeeded": RefundState.DONE,
    "pending": RefundState.PENDING,
    "requires_action": RefundState.PENDING,
    "failed": RefundState.REFUSED,
    "canceled": RefundState.REFUSED,
}


class StripeProvider:
    """Stripe takes the money as soon as it is paid: nothing is ever CLAIMED."""

    name = "stripe"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client = Client(settings)
        methods = {Method.CARD}
        if settings.blik:
            methods.add(Method.BLIK)
        if settings.przelewy24:
            methods.add(Method.PRZELEWY24)
        self.capabilities = Capabilities(
            methods=frozenset(methods), renews=frozenset({Method.CARD}), cancels=True
        )

    async def available(self, money: Money) -> frozenset[Method]:
        configurations = await self._client.configurations()
        if money.grosze < LEAST.get(money.currency, 0):
            return frozenset()
        found: set[Method] = set()
        for one in configurations:
            if one.decides:
                offered = {
                    Method.CARD: one.card, Method.BLIK: one.blik, Method.PRZELEWY24: one.p24,
                }  # fmt: skip
                found |= {name for name, how in offered.items() if how and how.available}
        return self.capabilities.methods & found

    async def start(self, order: Order) -> Redirect:
        if order.method not in self.capabilities.methods or order.blik_code is not None:
            raise ValueError(f"this account is not paid by {order.method} that way")
        minutes = self._settings.minutes
        save = order.save and order.method in self.capabilities.renews
        params = pages.page(order, minutes=minutes, save=save)
        session = await self._client.open(params, f"order-{order.key}")
        offered = session.payment_method_types
        if offered and pages.TYPES[order.method] not in offered:
            await self._client.expire(session.id)
            raise AccountError(f"{order.method} is not switched on")
        return Redirect(
            ref=PaymentRef(order.key, session.id), url=_url(session), open_seconds=minutes * 60
        )

    async def charge(self, mandate: Mandate, order: Order) -> Payment:
        try:
            payment = await self._charged(mandate, order)
        except ConsentNeededError:
            payment = await self._ask_for_consent(mandate, order)
        except RejectedRequestError as error:
            if error.is_missing:  # the card was taken away on Stripe's pages
                raise PaymentError(str(error), permanent=True) from None
            raise
        if payment.state is PaymentState.FAILED:
            raise PaymentError(f"the charge has failed: {payment.reason}", permanent=True)
        return payment

    def read_event(self, callback: Callback) -> PaymentEvent | None:
        return events.read_event(callback, self._settings)

    async def confirm(self, event: PaymentEvent, *, expected: Money) -> Payment | None:  # noqa: ARG002
        return await self.status(event.ref)

    async def status(self, ref: PaymentRef) -> Payment | None:
        found = await self._found(ref)
        if found is None:
            return None
        if isinstance(found, Session):
            return payments.of_session(found)
        return payments.of_charge(found)

    async def cancel(self, ref: PaymentRef) -> Payment | None:
        found = await self.status(ref)
        if found is None or found.state is not PaymentState.OPEN:
            return found
        name = found.ref.provider_ref or ""
        await (self._client.expire if name.startswith(SESSION) else self._client.cancel)(name)
        return await self.status(found.ref)

    async def refund(self, ref: PaymentRef, amount: Money, *, key: str) -> Refund:
        found = await self._found(ref)
        intent = found.payment_intent if isinstance(found, Session) else found
        if not isinstance(intent, Intent) or intent.status != SUCCEEDED:
            return Refund(RefundState.REFUSED, "nothing was paid")
        for given in await self._client.refunds(intent.id):
            if ours(given.metadata, REFUND) == key:
                return _refund(given)
        left = intent.money.grosze - intent.given_back
        if amount.currency != intent.money.currency or amount.grosze > left:
            return Refund(RefundState.REFUSED, f"{left} {intent.money.currency} are left")
        try:
            return _refund(await self._client.refund(intent.id, ref.key, amount, key))
        except RejectedRequestError as error:
            if error.code in NO_MONEY:
                raise AccountError(f"there is not enough on our account: {error}") from None
            if error.code in REFUSED_REFUNDS or error.param == "amount":
                return Refund(RefundState.REFUSED, str(error))
            raise

    async def close(self) -> None:
        await self._client.close()

    async def _charged(self, mandate: Mandate, order: Order) -> Payment:
        # Stripe forgets an idempotency key after a day, and an answer may be lost for longer.
        customer, _ = pages.names(mandate)
        found = await self._client.charge_of_customer(customer, order.key)
        if found is None:
            params = pages.charge(order, mandate)
            found = await self._client.charge(params, f"charge-{order.key}")
        if payments.waits_for_consent(found):
            raise ConsentNeededError
        return payments.of_charge(found)

    async def _ask_for_consent(self, mandate: Mandate, order: Order) -> Payment:
        customer, _ = pages.names(mandate)
        session = await self._client.session_of_customer(customer, order.key)
        if session is None:
            params = pages.consent_page(order, mandate)
            session = await self._client.open(params, f"consent-{order.key}")
        payment = payments.of_session(session)
        if payment.state is PaymentState.OPEN:
            _url(session)
        return payment

    async def _found(self, ref: PaymentRef) -> Session | Intent | None:
        """What bears both names, or the key where Stripe's is not known; None elsewhere."""
        name = ref.provider_ref or ""
        if name.startswith(SESSION):
            session = await self._client.session(name)
            return session if session and ours(session.metadata, ORDER) == ref.key else None
        if name.startswith(INTENT):
            intent = await self._client.intent(name)
            return await self._of_intent(intent, ref.key) if intent else None
        return await self._of_key(ref.key)

    async def _of_key(self, key: str) -> Session | Intent | None:
        """By our key alone: Stripe lists pages by their time, and searches for payments.

        A page's payment exists only once its payer has tried, and a search may be a minute
        late; a page that is a day old has been paid or has expired.
        """
        if (session := await self._client.session_of_key(key)) is not None:
            return session
        intents = await self._client.intents_of_key(key)
        return await self._of_intent(intents[0], key) if intents else None

    async def _of_intent(self, intent: Intent, key: str) -> Session | Intent | None:
        if ours(intent.metadata, ORDER) == key:
            return await self._client.session_of_intent(intent.id, key)
        if ours(intent.metadata, CHARGE) != key:
            return None
        if payments.waits_for_consent(intent) and intent.customer is not None:
            return await self._client.session_of_customer(intent.customer, key) or intent
        return intent


def _url(session: Session) -> str:
    if session.url is None or not is_safe_address(session.url):
        raise PaymentError("Stripe's page has no address")
    return session.url


def _refund(given: Given) -> Refund:
    if given.status not in REFUNDS:
        raise PaymentError(f"the refund has an unknown status {given.status}")
    return Refund(REFUNDS[given.status], given.failure_reason or "")
