"""Asks the public JSON service, which also serves the citizens' form.

For cross-checks and as a fallback: nothing entitles a company to lean on it every day, so
it takes no part until it is configured, and decides only when `REGISTER` names it.
"""

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment
from prawko_register_public.register import PublicRegister
from prawko_register_public.settings import PREFIX, Settings

__all__ = ["PublicRegister", "licence_registers"]


@hookimpl
def licence_registers(environment: Environment) -> list[PublicRegister]:
    """Return the register when `REGISTER_PUBLIC_…` is set."""
    settings = environment.read(Settings, PREFIX)
    return [] if settings is None else [PublicRegister(settings)]
