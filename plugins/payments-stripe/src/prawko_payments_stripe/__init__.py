"""Takes payments through Stripe: on its page, and from the cards that were saved there."""

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment, SettingError
from prawko.hooks.payments import PaymentProvider
from prawko_payments_stripe.settings import Settings, is_safe_address

PREFIX = "PAYMENTS_STRIPE"


@hookimpl
def payment_providers(environment: Environment) -> list[PaymentProvider]:
    """One provider, if an account is configured."""
    settings = environment.read(Settings, PREFIX)
    if settings is None:
        return []
    if not is_safe_address(settings.url):
        raise SettingError(f"{PREFIX}_URL", "is malformed: an https address is expected")
    # Stripe's SDK takes two seconds to import: only where an account is configured.
    from prawko_payments_stripe.provider import StripeProvider  # noqa: PLC0415

    return [StripeProvider(settings)]
