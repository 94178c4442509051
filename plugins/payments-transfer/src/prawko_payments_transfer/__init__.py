"""A payment provider: transfers to our own account, recorded by operators from its statement."""

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment, SettingsError
from prawko_payments_transfer.iban import InvalidIbanError, parse_iban
from prawko_payments_transfer.provider import TransferProvider
from prawko_payments_transfer.settings import TransferSettings

PREFIX = "TRANSFER"
prawko_hooks = "1.0"


@hookimpl
def payment_providers(environment: Environment) -> list[TransferProvider]:
    """Return the provider if `TRANSFER_…` is set."""
    settings = environment.read_settings(TransferSettings, PREFIX)
    if settings is None:
        return []
    for name in ("owner", "address"):
        if not getattr(settings, name).strip():
            raise SettingsError(f"{PREFIX}_{name.upper()}", "is empty")
    try:
        iban = parse_iban(settings.iban)
    except InvalidIbanError as error:
        raise SettingsError(f"{PREFIX}_IBAN", f"is malformed: {error}") from None
    return [TransferProvider(settings, iban)]
