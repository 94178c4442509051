"""A payment provider: Stripe Checkout, and charges of the cards that were saved there."""

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.payments import PaymentProvider
from prawko_payments_stripe.settings import StripeSettings, is_https_or_loopback_url

PREFIX = "PAYMENTS_STRIPE"


@hookimpl
def payment_providers(environment: Environment) -> list[PaymentProvider]:
    """Return the provider if `PAYMENTS_STRIPE_…` is set."""
    settings = environment.read_settings(StripeSettings, PREFIX)
    if settings is None:
        return []
    if not is_https_or_loopback_url(settings.url):
        raise SettingsError(f"{PREFIX}_URL", "is malformed: an https URL is expected")
    # Stripe's SDK takes two seconds to import.
    from prawko_payments_stripe.provider import StripeProvider  # noqa: PLC0415

    return [StripeProvider(settings)]
