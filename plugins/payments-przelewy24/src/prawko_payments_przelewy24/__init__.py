"""A payment provider: Przelewy24, by its page, a BLIK code on ours, or a bank transfer."""

from yarl import URL

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.http_client import is_https_or_loopback
from prawko_payments_przelewy24.provider import Przelewy24Provider
from prawko_payments_przelewy24.settings import Przelewy24Settings

PREFIX = "PAYMENTS_PRZELEWY24"
WEBHOOK_PATH = "/api/webhooks/przelewy24"


@hookimpl
def payment_providers(environment: Environment) -> list[Przelewy24Provider]:
    """Return the provider if `PAYMENTS_PRZELEWY24_…` is set."""
    settings = environment.read_settings(Przelewy24Settings, PREFIX)
    if settings is None:
        return []
    if not is_https_or_loopback(settings.base_url):
        raise SettingsError(f"{PREFIX}_URL", "is malformed: an https URL is expected")
    if not _is_webhook_url(settings.events):
        raise SettingsError(
            f"{PREFIX}_EVENTS", f"is malformed: https://<panel>{WEBHOOK_PATH} is expected"
        )
    return [Przelewy24Provider(settings)]


def _is_webhook_url(setting: str) -> bool:
    try:
        url = URL(setting)
    except ValueError:
        return False
    return is_https_or_loopback(url) and url.path == WEBHOOK_PATH
