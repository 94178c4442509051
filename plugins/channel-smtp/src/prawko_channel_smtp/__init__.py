"""A notification channel: e-mail over SMTP."""

import ssl

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.urls import LOOPBACK_HOSTS
from prawko_channel_smtp.channel import SmtpChannel
from prawko_channel_smtp.settings import SmtpSettings, TlsMode

PREFIX = "CHANNEL_SMTP"
prawko_hooks = "1.0"


@hookimpl
def channels(environment: Environment) -> list[SmtpChannel]:
    """Return the channel if `CHANNEL_SMTP_…` is set."""
    settings = environment.read_settings(SmtpSettings, PREFIX)
    if settings is None:
        return []
    if settings.tls is TlsMode.NONE and settings.host not in LOOPBACK_HOSTS:
        raise SettingsError(f"{PREFIX}_TLS", "is malformed: none is for servers on this machine")
    if (settings.username == "") is not (settings.password == ""):
        missing = "USERNAME" if settings.username == "" else "PASSWORD"
        raise SettingsError(f"{PREFIX}_{missing}", "is missing: a login needs both")
    try:
        tls_context = ssl.create_default_context(cafile=settings.ca_file or None)
    except OSError as error:
        raise SettingsError(f"{PREFIX}_CA_FILE", f"is malformed: {error.strerror}") from None
    return [SmtpChannel(settings, tls_context)]
