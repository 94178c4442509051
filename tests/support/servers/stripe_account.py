"""A provider for the fake of Stripe, and the objects of its events."""

from prawko.hooks.environment import Environment
from prawko_payments_stripe import PREFIX, payment_providers
from prawko_payments_stripe.provider import StripeProvider
from support.servers.stripe import SECRET_KEY, WEBHOOK_SECRET, FakeStripe

CARD_DECLINED = {"code": "card_declined", "decline_code": "insufficient_funds"}
CONSENT_REQUIRED = {"code": "authentication_required"}
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


def stripe_environment(**settings: str) -> Environment:
    variables = {"SECRET_KEY": SECRET_KEY, "WEBHOOK_SECRET": WEBHOOK_SECRET, **settings}
    return Environment({f"{PREFIX}_{name}": value for name, value in variables.items()})


def create_provider(server: FakeStripe, **settings: str) -> StripeProvider:
    methods = {"BLIK": "true", "PRZELEWY24": "true"}
    [provider] = payment_providers(stripe_environment(**{"URL": server.url, **methods, **settings}))
    return provider
