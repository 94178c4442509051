"""A payment provider: Przelewy24, by its page, a BLIK code on ours, or a bank transfer."""

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.urls import parse_secure_url
from prawko_payments_przelewy24.provider import Przelewy24Provider
from prawko_payments_przelewy24.settings import Przelewy24Settings

PREFIX = "PAYMENTS_PRZELEWY24"
WEBHOOK_PATH = "/api/webhooks/przelewy24"
prawko_hooks = "1.0"


@hookimpl
def payment_providers(environment: Environment) -> list[Przelewy24Provider]:
    """Return the provider if `PAYMENTS_PRZELEWY24_…` is set."""
    settings = environment.read_settings(Przelewy24Settings, PREFIX)
    if settings is None:
        return []
    webhook_url = parse_secure_url(settings.events)
    if webhook_url is None or webhook_url.path != WEBHOOK_PATH:
        raise SettingsError(
            f"{PREFIX}_EVENTS", f"is malformed: https://<panel>{WEBHOOK_PATH} is expected"
        )
    return [Przelewy24Provider(settings)]
