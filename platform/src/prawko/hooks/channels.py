"""What a notification channel must be able to do."""

from enum import StrEnum
from typing import Protocol

import msgspec


class Medium(StrEnum):
    """What a message travels as; the settings choose one channel for each."""

    EMAIL = "email"
    SMS = "sms"


class Notice(msgspec.Struct, frozen=True):
    """What happened, said four ways: a title, a full text, the same as HTML, and one line.

    The title holds no line break. `code` and `link` repeat what the text carries, for
    channels that show it apart.
    """

    title: str
    text: str
    html: str
    line: str
    code: str | None = None
    link: str | None = None


class Recipient(msgspec.Struct, frozen=True):
    """Where a person can be reached; None where there is no (verified) address."""

    email: str | None
    phone: str | None


class DeliveryError(Exception):
    """The notice did not get through.

    `permanent` means: the recipient's address is at fault, do not try again.
    `retry_after` is in seconds, where the carrier named it.
    """

    def __init__(
        self, reason: str, *, permanent: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(reason)
        self.permanent = permanent
        self.retry_after = retry_after


class Channel(Protocol):
    """One carrier of notices."""

    @property
    def name(self) -> str:
        """Unique and stored for ever."""
        ...

    @property
    def medium(self) -> Medium:
        """What the channel sends."""
        ...

    def reaches(self, recipient: Recipient) -> bool:
        """Whether the recipient has an address this channel can use. Pure."""
        ...

    async def deliver(self, notice: Notice, recipient: Recipient, *, key: str) -> str | None:
        """Send one notice and return the carrier's reference, if it gives one.

        Called again with the same `key`, it must not send twice where the carrier can tell.
        Raises DeliveryError, or AccountError when our own account was refused.
        """
        ...

    async def close(self) -> None:
        """Give back connections; the process is about to end."""
        ...
