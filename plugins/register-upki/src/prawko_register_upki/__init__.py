"""A licence register: the official service for carriers (UpKi), SOAP 1.1 over mutual TLS."""

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment
from prawko_register_upki.register import UpkiRegister
from prawko_register_upki.settings import PREFIX, UpkiSettings

__all__ = ["UpkiRegister", "licence_registers"]


@hookimpl
def licence_registers(environment: Environment) -> list[UpkiRegister]:
    """Return the register if `REGISTER_UPKI_…` is set; a bad certificate stops the start."""
    settings = environment.read_settings(UpkiSettings, PREFIX)
    return [] if settings is None else [UpkiRegister.from_settings(settings)]
