"""A payment provider: Stripe Checkout, and charges of the cards that were saved there."""

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment
from prawko.hooks.payments import PaymentProvider
from prawko_payments_stripe.settings import StripeSettings

PREFIX = "PAYMENTS_STRIPE"
prawko_hooks = "1.0"


@hookimpl
def payment_providers(environment: Environment) -> list[PaymentProvider]:
    """Return the provider if `PAYMENTS_STRIPE_…` is set."""
    settings = environment.read_settings(StripeSettings, PREFIX)
    if settings is None:
        return []
    # Stripe's SDK takes two seconds to import.
    from prawko_payments_stripe.provider import StripeProvider  # noqa: PLC0415

    return [StripeProvider(settings)]
