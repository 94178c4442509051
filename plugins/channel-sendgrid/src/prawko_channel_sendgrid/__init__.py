"""Sends notices by e-mail through SendGrid."""

from prawko.hooks import hookimpl
from prawko.hooks.carrier_connection import is_safe
from prawko.hooks.environment import Environment, SettingError
from prawko_channel_sendgrid.channel import ReportingSendGridChannel, SendGridChannel
from prawko_channel_sendgrid.reports import read_public_key
from prawko_channel_sendgrid.settings import Settings

PREFIX = "CHANNEL_SENDGRID"


@hookimpl
def channels(environment: Environment) -> list[SendGridChannel]:
    """One channel, if an account is configured; it reads reports if it has the key to them."""
    settings = environment.read(Settings, PREFIX)
    if settings is None:
        return []
    if settings.sender_address is None:
        raise SettingError(f"{PREFIX}_SENDER", "is malformed: Name <address@domain> is expected")
    if not is_safe(settings.address):
        raise SettingError(f"{PREFIX}_URL", "is malformed: an https address is expected")
    if not settings.report_key:
        return [SendGridChannel(settings)]
    try:
        key = read_public_key(settings.report_key)
    except ValueError:
        raise SettingError(
            f"{PREFIX}_REPORT_KEY", "is malformed: the webhook's verification key is expected"
        ) from None
    return [ReportingSendGridChannel(settings, key)]
