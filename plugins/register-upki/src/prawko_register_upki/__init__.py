"""A licence register: the official service for carriers (UpKi), SOAP 1.1 over mutual TLS."""

import msgspec

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment, SettingsError
from prawko_register_upki.register import NAME, UpkiRegister
from prawko_register_upki.settings import (
    PREFIX,
    UpkiCertificate,
    UpkiSettings,
)

__all__ = ["UpkiRegister", "licence_registers"]

prawko_hooks = "1.0"


@hookimpl
def licence_registers(environment: Environment) -> list[UpkiRegister]:
    """Return the register if `REGISTER_UPKI_…` is set; a bad certificate stops the start.

    It is returned once for each certificate: as `upki`, and for `REGISTER_UPKI_2_…` as `upki-2`.
    """
    settings = environment.read_settings(UpkiSettings, PREFIX)
    certificates = environment.read_numbered_settings(UpkiCertificate, PREFIX)
    if settings is None:
        for number in certificates:
            raise SettingsError(f"{PREFIX}_URL", f"is missing ({PREFIX}_{number}_P12 is set)")
        return []
    return [
        UpkiRegister.from_settings(settings),
        *(
            UpkiRegister.from_settings(
                msgspec.structs.replace(settings, **msgspec.structs.asdict(certificate)),
                name=f"{NAME}-{number}",
                prefix=f"{PREFIX}_{number}",
            )
            for number, certificate in certificates.items()
        ),
    ]
