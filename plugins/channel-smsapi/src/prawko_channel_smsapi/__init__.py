"""Sends notices by SMS through SMSAPI."""

from prawko.hooks import hookimpl
from prawko.hooks.carrier_connection import is_safe
from prawko.hooks.environment import Environment, SettingError
from prawko_channel_smsapi.channel import ReportingSmsApiChannel, SmsApiChannel
from prawko_channel_smsapi.reports import report_key
from prawko_channel_smsapi.settings import Settings

PREFIX = "CHANNEL_SMSAPI"


@hookimpl
def channels(environment: Environment) -> list[SmsApiChannel]:
    """One channel, if an account is configured; it reads reports if it knows where they come."""
    settings = environment.read(Settings, PREFIX)
    if settings is None:
        return []
    if not is_safe(settings.address):
        raise SettingError(f"{PREFIX}_URL", "is malformed: an https address is expected")
    if not settings.reports:
        return [SmsApiChannel(settings)]
    key = report_key(settings.reports)
    if key is None:
        raise SettingError(
            f"{PREFIX}_REPORTS",
            "is malformed: https://<panel>/api/webhooks/smsapi?key=<32 or more random characters>"
            " is expected",
        )
    return [ReportingSmsApiChannel(settings, key)]
