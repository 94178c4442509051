"""Takes payments by bank transfer to our own account; an operator books them from its statement."""

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment, SettingError
from prawko_payments_transfer.iban import InvalidIbanError, compact
from prawko_payments_transfer.provider import TransferProvider
from prawko_payments_transfer.settings import Settings

PREFIX = "TRANSFER"


@hookimpl
def payment_providers(environment: Environment) -> list[TransferProvider]:
    """One provider, if an account is configured."""
    settings = environment.read(Settings, PREFIX)
    if settings is None:
        return []
    for name in ("owner", "address"):
        if not getattr(settings, name).strip():
            raise SettingError(f"{PREFIX}_{name.upper()}", "is empty")
    try:
        iban = compact(settings.iban)
    except InvalidIbanError as error:
        raise SettingError(f"{PREFIX}_IBAN", f"is malformed: {error}") from None
    return [TransferProvider(settings, iban)]
