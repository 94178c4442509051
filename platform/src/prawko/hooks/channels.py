"""What a notification channel must be able to do."""

from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

import msgspec

from prawko.hooks.callbacks import Callback


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


class ReportKind(StrEnum):
    """What became of a message after the carrier had taken it. Stored for ever.

    Later words here outweigh earlier ones: a mail that was delivered may still be called spam.
    """

    DELIVERED = "delivered"
    FAILED = "failed"  # this message did not arrive; the address may be good
    DROPPED = "dropped"  # the carrier no longer writes to this address
    BOUNCED = "bounced"  # there is no such address
    SPAM = "spam"  # the reader wants nothing from us


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """One event that a carrier tells of one message.

    `event_id` is the carrier's own and tells a repeated report from a new one. `key` is what
    `deliver` was given; `carrier_ref`, where a carrier is only believed when it knows the
    reference it gave. `at` is when it happened, by the carrier's clock. The ids are printable
    and no longer than 400 characters. `passing` says of a message that failed that what was in
    its way may be gone in an hour: it is then handed over once more, as a message of its own.
    """

    event_id: str
    key: str
    kind: ReportKind
    at: datetime
    carrier_ref: str | None = None
    reason: str = ""
    passing: bool = False


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
        A key is printable ASCII of at most 150 characters and names nobody.
        Raises DeliveryError, or AccountError when our own account was refused.
        """
        ...

    async def close(self) -> None:
        """Give back connections; the process is about to end."""
        ...


@runtime_checkable
class ReportingChannel(Channel, Protocol):
    """A channel whose carrier tells later what became of a message.

    It calls `/api/webhooks/<name>`: by POST with JSON, or by GET, which is answered with OK.
    """

    def read_reports(self, callback: Callback) -> tuple[Report, ...]:
        """What the carrier's call says of our messages; what is not about them is left out.

        Pure. Raises ForgedCallbackError or GarbledCallbackError.
        """
        ...
