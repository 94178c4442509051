"""A notification channel: SMS through SMSAPI."""

from prawko.hooks import hookimpl
from prawko.hooks.channels import Channel
from prawko.hooks.environment import Environment, SettingsError
from prawko_channel_smsapi.delivery_reports import parse_report_key
from prawko_channel_smsapi.settings import SmsApiSettings

PREFIX = "CHANNEL_SMSAPI"
prawko_hooks = "1.0"


@hookimpl
def channels(environment: Environment) -> list[Channel]:
    """Return the channel if `CHANNEL_SMSAPI_…` is set; with a report URL it parses reports."""
    settings = environment.read_settings(SmsApiSettings, PREFIX)
    if settings is None:
        return []
    # SMSAPI's client takes 5 MiB to import, and most processes do not use it.
    from prawko_channel_smsapi.channel import (  # noqa: PLC0415
        ReportingSmsApiChannel,
        SmsApiChannel,
    )

    if not settings.reports:
        return [SmsApiChannel(settings)]
    key = parse_report_key(settings.reports)
    if key is None:
        raise SettingsError(
            f"{PREFIX}_REPORTS",
            "is malformed: https://<panel>/api/webhooks/smsapi?key=<32 or more random characters>"
            " is expected",
        )
    return [ReportingSmsApiChannel(settings, key)]
