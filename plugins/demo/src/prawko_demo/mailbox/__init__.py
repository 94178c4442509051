"""The demo's mailbox: channels that store e-mails and SMS instead of sending them."""

from pathlib import Path

import msgspec

from prawko.hooks import hookimpl
from prawko.hooks.channels import Channel, Medium
from prawko.hooks.environment import Environment
from prawko_demo.mailbox.channel import MailboxChannel
from prawko_demo.mailbox.store import Mailbox, StoredMessage

SETTINGS_PREFIX = "CHANNEL_MAILBOX"

__all__ = ["Mailbox", "StoredMessage", "channels"]


class MailboxSettings(msgspec.Struct, frozen=True):
    """The file that all processes share."""

    file: str


@hookimpl
def channels(environment: Environment) -> list[Channel]:
    """Return a channel for mails and one for SMS, on one mailbox."""
    settings = environment.read_settings(MailboxSettings, SETTINGS_PREFIX)
    if settings is None:
        return []
    mailbox = Mailbox(Path(settings.file))
    return [MailboxChannel(mailbox, medium) for medium in (Medium.EMAIL, Medium.SMS)]
