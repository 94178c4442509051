"""The demo's mailbox: mails and SMS that go no further, for people and tests to read."""

from pathlib import Path

import msgspec

from prawko.hooks import hookimpl
from prawko.hooks.channels import Channel, Medium
from prawko.hooks.environment import Environment
from prawko_demo.mailbox.channel import MailboxChannel
from prawko_demo.mailbox.store import Mailbox, StoredMessage

PREFIX = "CHANNEL_MAILBOX"

__all__ = ["Mailbox", "StoredMessage", "channels"]


class Settings(msgspec.Struct, frozen=True):
    """The file that all processes of the demo share."""

    file: str


@hookimpl
def channels(environment: Environment) -> list[Channel]:
    """A channel of each medium, both into the same mailbox."""
    settings = environment.read(Settings, PREFIX)
    if settings is None:
        return []
    mailbox = Mailbox(Path(settings.file))
    return [MailboxChannel(mailbox, medium) for medium in Medium]
