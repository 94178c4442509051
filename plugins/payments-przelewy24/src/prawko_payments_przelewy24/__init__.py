"""Takes payments through Przelewy24: on its page, by a BLIK code on ours, by bank transfer."""

from yarl import URL

from prawko.hooks import hookimpl
from prawko.hooks.carrier_connection import is_safe
from prawko.hooks.environment import Environment, SettingError
from prawko_payments_przelewy24.provider import Przelewy24Provider
from prawko_payments_przelewy24.settings import Settings

PREFIX = "PAYMENTS_PRZELEWY24"
PATH = "/api/webhooks/przelewy24"


@hookimpl
def payment_providers(environment: Environment) -> list[Przelewy24Provider]:
    """One provider, if an account is configured."""
    settings = environment.read(Settings, PREFIX)
    if settings is None:
        return []
    if not is_safe(settings.address):
        raise SettingError(f"{PREFIX}_URL", "is malformed: an https address is expected")
    if not _is_ours(settings.events):
        raise SettingError(f"{PREFIX}_EVENTS", f"is malformed: https://<panel>{PATH} is expected")
    return [Przelewy24Provider(settings)]


def _is_ours(address: str) -> bool:
    try:
        url = URL(address)
    except ValueError:
        return False
    return is_safe(url) and url.path == PATH
