"""What a licence register must be able to answer.

The register knows documents, not drivers: one question names a person and the serial
number of a licence, one answer describes that document as it stands today.
"""

from datetime import date, datetime
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import msgspec


class LicenceQuery(msgspec.Struct, frozen=True):
    """One question. `number` is the serial of the card, two capital letters and six digits."""

    first_name: str
    last_name: str
    number: str


class CodedText(msgspec.Struct, frozen=True):
    """A dictionary entry as the register sends it: a code and the words for it."""

    code: str | None
    text: str


class Category(msgspec.Struct, frozen=True):
    """One category of the licence; `expires` is None when the register names no date.

    `code` is spelt as the register spells it ("C+E" or "CE"): compare without the plus.
    """

    code: str
    expires: date | None


class LicenceAnswer(msgspec.Struct, frozen=True):
    """What the register says of one document.

    `raw` is the answer as plain JSON data (dicts, lists, strings), the same for the same
    facts whichever protocol carried it; it is what is hashed, sealed and kept.
    `notes` are the register's `komunikaty`.
    """

    serial: str
    state: CodedText
    reasons: tuple[CodedText, ...]
    issuing_authority: str | None
    expires: date | None
    categories: tuple[Category, ...]
    notes: tuple[str, ...]
    raw: dict[str, Any]


class RegisterTrouble(StrEnum):
    """Why there is no answer. None of them says anything about the driver."""

    THROTTLED = "throttled"  # 429: everybody pauses
    UNAVAILABLE = "unavailable"  # 5xx, refused, reset, time-out, UPKI-1000 and 1020
    GARBAGE = "garbage"  # an answer that cannot be believed, another serial included
    REFUSED = "refused"  # this one question was found malformed (400, UPKI-1010)


class RegisterError(Exception):
    """The register did not answer. The driver stays what it was.

    `retry_after` is in seconds, as the register asked for it, else None.
    """

    def __init__(
        self, trouble: RegisterTrouble, reason: str, *, retry_after: float | None = None
    ) -> None:
        super().__init__(reason)
        self.trouble = trouble
        self.retry_after = retry_after


class LicenceRegister(Protocol):
    """One way to ask the authority."""

    @property
    def name(self) -> str:
        """Unique and stored for ever."""
        ...

    async def look_up(self, query: LicenceQuery) -> LicenceAnswer | None:
        """Ask once. None means: the register knows no such document.

        Never waits longer than the deadline it was configured with, never retries, follows
        no redirect, and reads a bounded answer. Raises RegisterError; raises AccountError
        when the register refuses our certificate or our account.
        """
        ...

    async def close(self) -> None:
        """Give back connections; the process is about to end."""
        ...


@runtime_checkable
class HasCertificate(Protocol):
    """A register that we ask with a certificate of ours; somebody must renew it in time."""

    def certificate_ends(self) -> datetime:
        """The last moment (UTC) at which the register can accept the certificate. Pure."""
        ...
