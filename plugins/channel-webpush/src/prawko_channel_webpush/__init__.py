"""A notification channel: push messages to browsers (RFC 8030, 8291 and 8292)."""

from prawko.hooks import hookimpl
from prawko.hooks.channels import Channel
from prawko.hooks.environment import Environment, SettingsError
from prawko_channel_webpush.address import parse_hosts
from prawko_channel_webpush.settings import WebPushSettings

PREFIX = "CHANNEL_WEBPUSH"
prawko_hooks = "1.1"


@hookimpl
def channels(environment: Environment) -> list[Channel]:
    """Return the channel if `CHANNEL_WEBPUSH_…` is set."""
    settings = environment.read_settings(WebPushSettings, PREFIX)
    if settings is None:
        return []
    # Most processes send no push messages, and do not need the packages for them.
    from prawko_channel_webpush.channel import WebPushChannel  # noqa: PLC0415
    from prawko_channel_webpush.signature import parse_private_key  # noqa: PLC0415

    private_key = parse_private_key(settings.private_key)
    if private_key is None:
        raise SettingsError(
            f"{PREFIX}_PRIVATE_KEY",
            "is malformed: what `python -m prawko_channel_webpush` printed is expected",
        )
    hosts = parse_hosts(settings.hosts)
    if hosts is None:
        raise SettingsError(
            f"{PREFIX}_HOSTS",
            "is malformed: names such as push.example.com or *.example.com are expected",
        )
    return [WebPushChannel(settings, private_key, hosts)]
