"""The past, for as long as it is being written: its clock, and the mails that were sent then."""

from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from prawko.base.clock import UNMOVED, WARSAW, Clock, machine_now, warsaw_day
from prawko.hooks import hookimpl
from prawko.hooks.channels import Channel, Medium
from prawko.hooks.environment import Environment
from prawko_demo.mailbox import Mailbox, StoredMessage
from prawko_demo.mailbox.channel import MailboxChannel


class PastClock:
    """Ticks from wherever the story has got to."""

    def __init__(self) -> None:
        self._offset = UNMOVED
        self.today = warsaw_day(machine_now())

    def now(self) -> datetime:
        return machine_now() + self._offset

    def offset(self) -> timedelta:
        return self._offset

    def go(self, days_ago: int, wall: time) -> datetime:
        """Go to a wall-clock time in Warsaw, so many days ago."""
        there = datetime.combine(self.today - timedelta(days=days_ago), wall, WARSAW)
        self._offset = there.astimezone(UTC) - machine_now()
        return there.astimezone(UTC)


class _PastMailbox(Mailbox):
    """Keeps mails under the date at which they would have been sent."""

    def __init__(self, file: Path, clock: Clock) -> None:
        super().__init__(file)
        self._clock = clock

    def keep(self, message: StoredMessage) -> None:
        super().keep(msgspec.structs.replace(message, created_at=self._clock.now()))


def past_mails(file: Path, clock: Clock) -> Any:
    """A plugin: the demo's channels, as they were in the past."""
    mailbox = _PastMailbox(file, clock)

    @hookimpl
    def channels(environment: Environment) -> list[Channel]:  # noqa: ARG001 (the hook's own)
        return [MailboxChannel(mailbox, medium) for medium in Medium]

    return SimpleNamespace(channels=channels)
