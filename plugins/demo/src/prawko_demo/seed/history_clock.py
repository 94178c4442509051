"""The clock and the mailbox for writing the company's history."""

from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from prawko.hooks import hookimpl
from prawko.hooks.channels import Channel, Medium
from prawko.hooks.environment import Environment
from prawko.kit.clock import NO_OFFSET, WARSAW, Clock, utc_now, warsaw_date
from prawko_demo.mailbox import Mailbox, StoredMessage
from prawko_demo.mailbox.channel import MailboxChannel


class HistoryClock:
    """A clock that can be moved to a day in the past and goes on from there."""

    def __init__(self) -> None:
        self._offset = NO_OFFSET
        self.today = warsaw_date(utc_now())

    def now(self) -> datetime:
        return utc_now() + self._offset

    def offset(self) -> timedelta:
        return self._offset

    def move_to(self, days_ago: int, wall_time: time) -> datetime:
        """Move to a wall-clock time in Warsaw, so many days ago; return the instant in UTC."""
        instant = datetime.combine(self.today - timedelta(days=days_ago), wall_time, WARSAW)
        self._offset = instant.astimezone(UTC) - utc_now()
        return instant.astimezone(UTC)


class _BackdatedMailbox(Mailbox):
    """A mailbox that stores messages with the clock's time."""

    def __init__(self, file: Path, clock: Clock) -> None:
        super().__init__(file)
        self._clock = clock

    def save(self, message: StoredMessage) -> None:
        super().save(msgspec.structs.replace(message, created_at=self._clock.now()))


def backdated_mailbox_plugin(file: Path, clock: Clock) -> Any:
    """Return a plugin with the demo's channels, on a backdated mailbox."""
    mailbox = _BackdatedMailbox(file, clock)

    @hookimpl
    def channels(environment: Environment) -> list[Channel]:  # noqa: ARG001 (the hook's signature)
        return [MailboxChannel(mailbox, medium) for medium in (Medium.EMAIL, Medium.SMS)]

    return SimpleNamespace(channels=channels)
