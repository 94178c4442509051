"""An account at the Stripe of our tests, and what its events are about."""

import msgspec

from prawko.hooks.environment import Environment
from prawko.hooks.payments import Mandate, Method, Order
from prawko.testing.provider_contract import order
from prawko_payments_stripe import PREFIX, payment_providers
from prawko_payments_stripe.provider import StripeProvider
from stripe_stub import KEY, SECRET, FakeStripe

DECLINED = {"code": "card_declined", "decline_code": "insufficient_funds"}
CONSENT = {"code": "authentication_required"}
SESSION = {
    "id": "cs_test_1", "object": "checkout.session", "amount_total": 18327, "currency": "pln",
    "metadata": {"prawko_order": "K1"}, "payment_status": "paid", "status": "complete",
}  # fmt: skip
INTENT = {
    "id": "pi_1", "object": "payment_intent", "amount": 18327, "amount_received": 18327,
    "currency": "pln", "metadata": {"prawko_charge": "K1"}, "status": "succeeded",
}  # fmt: skip
REFUND = {
    "id": "re_1", "object": "refund", "amount": 327, "currency": "pln", "status": "succeeded",
    "payment_intent": "pi_1", "metadata": {"prawko_order": "K1", "prawko_refund": "R1"},
}  # fmt: skip
CHARGE = {
    "id": "ch_1", "object": "charge", "amount": 18327, "amount_refunded": 327,
    "currency": "pln", "payment_intent": "pi_1", "metadata": {"prawko_order": "K1"},
}  # fmt: skip


def given(**settings: str) -> Environment:
    own = {"SECRET_KEY": KEY, "WEBHOOK_SECRET": SECRET, **settings}
    return Environment({f"{PREFIX}_{name}": value for name, value in own.items()})


def provider_to(server: FakeStripe, **settings: str) -> StripeProvider:
    methods = {"BLIK": "true", "PRZELEWY24": "true"}
    [made] = payment_providers(given(**{"URL": server.url, **methods, **settings}))
    return made


def saving() -> Order:
    """An order that asks for a mandate."""
    return msgspec.structs.replace(order(Method.CARD), save=True)


async def saved_card(server: FakeStripe, provider: StripeProvider) -> Mandate:
    redirect = await provider.start(saving())
    await server.pay(redirect)
    return (await provider.status(redirect.ref)).mandate
