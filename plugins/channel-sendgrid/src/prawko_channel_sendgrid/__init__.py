"""A notification channel: e-mail through SendGrid."""

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment, SettingsError
from prawko_channel_sendgrid.channel import ReportingSendGridChannel, SendGridChannel
from prawko_channel_sendgrid.delivery_reports import create_verifier
from prawko_channel_sendgrid.settings import SendGridSettings

PREFIX = "CHANNEL_SENDGRID"
prawko_hooks = "1.0"


@hookimpl
def channels(environment: Environment) -> list[SendGridChannel]:
    """Return the channel if `CHANNEL_SENDGRID_…` is set; with a report key it parses reports."""
    settings = environment.read_settings(SendGridSettings, PREFIX)
    if settings is None:
        return []
    if not settings.report_key:
        return [SendGridChannel(settings)]
    try:
        verifier = create_verifier(settings.report_key)
    except ValueError:
        raise SettingsError(
            f"{PREFIX}_REPORT_KEY", "is malformed: the webhook's verification key is expected"
        ) from None
    return [ReportingSendGridChannel(settings, verifier)]
