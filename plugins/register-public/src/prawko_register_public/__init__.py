"""A licence register: the public JSON service behind the citizens' form.

A fallback and a second source: no carrier is entitled to use it daily, so it decides only when
the setting `REGISTER` names it.
"""

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment
from prawko_register_public.register import PublicRegister
from prawko_register_public.settings import PREFIX, PublicRegisterSettings

__all__ = ["PublicRegister", "licence_registers"]

prawko_hooks = "1.0"


@hookimpl
def licence_registers(environment: Environment) -> list[PublicRegister]:
    """Return the register if `REGISTER_PUBLIC_…` is set."""
    settings = environment.read_settings(PublicRegisterSettings, PREFIX)
    return [] if settings is None else [PublicRegister(settings)]
