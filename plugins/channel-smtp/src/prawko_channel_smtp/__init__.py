"""Sends notices by e-mail over SMTP."""

import ssl

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment, SettingError
from prawko_channel_smtp.channel import SmtpChannel
from prawko_channel_smtp.settings import LOOPBACK, Settings, Tls

PREFIX = "CHANNEL_SMTP"


@hookimpl
def channels(environment: Environment) -> list[SmtpChannel]:
    """One channel, if a server is configured."""
    settings = environment.read(Settings, PREFIX)
    if settings is None:
        return []
    if settings.tls is Tls.NONE and settings.host not in LOOPBACK:
        raise SettingError(f"{PREFIX}_TLS", "is malformed: none is for this machine alone")
    if (settings.username == "") is not (settings.password == ""):
        missing = "USERNAME" if settings.username == "" else "PASSWORD"
        raise SettingError(f"{PREFIX}_{missing}", "is missing: one does not go without the other")
    if settings.sender_address is None:
        raise SettingError(f"{PREFIX}_SENDER", "is malformed: Name <address@domain> is expected")
    try:
        trust = ssl.create_default_context(cafile=settings.ca_file or None)
    except OSError as error:
        raise SettingError(f"{PREFIX}_CA_FILE", f"is malformed: {error.strerror}") from None
    return [SmtpChannel(settings, trust)]
