"""The interface of licence registers.

A register knows documents, not drivers: a query names a person and the number of a licence, the
answer describes that document as of today.
"""

from datetime import date, datetime
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import msgspec

from prawko.hooks.errors import ProviderError


class LicenceQuery(msgspec.Struct, frozen=True):
    """One query. `number` is the licence's number: two capital letters and six digits."""

    first_name: str
    last_name: str
    number: str


class CodedText(msgspec.Struct, frozen=True):
    """An entry of the register's dictionaries: a code, if it has one, and its text."""

    code: str | None
    text: str


class LicenceCategory(msgspec.Struct, frozen=True):
    """One category of a licence; `expires` is None if the register names no date.

    `code` is spelt as the register spells it ("C+E" or "CE"); compare without the plus sign.
    """

    code: str
    expires: date | None


class LicenceAnswer(msgspec.Struct, frozen=True):
    """The register's description of one document.

    `state.text` decides, without regard to case and spaces: "Wydany" is valid until the
    day of `expires`; "Zatrzymany" and every text that begins with "Cofni" (Cofnięty) are invalid;
    every other text needs the attention of a person. A `state.code` whose part after the last
    underscore begins with ZAT, COF, UNI, UTR, ZNI or NIE contradicts "Wydany" and makes it such a
    case, too. A register with other words translates them to these. `categories`, `reasons`
    and `notes` are only shown.

    `raw` is the answer as plain JSON data (dicts, lists, strings), identical for identical facts
    whichever protocol carried it; it is what gets hashed, encrypted and stored. `notes` are the
    register's `komunikaty`.
    """

    number: str
    state: CodedText
    reasons: tuple[CodedText, ...]
    issuing_authority: str | None
    expires: date | None
    categories: tuple[LicenceCategory, ...]
    notes: tuple[str, ...]
    raw: dict[str, Any]


class RegisterErrorKind(StrEnum):
    """Why there is no answer; no kind says anything about the driver. Stored permanently."""

    RATE_LIMITED = "rate_limited"  # 429: all queries pause
    UNAVAILABLE = "unavailable"  # 5xx, connection refused or reset, timeout
    INVALID_RESPONSE = "invalid_response"  # unreadable, or about another document
    INVALID_QUERY = "invalid_query"  # the register found this query malformed


class RegisterError(ProviderError):
    """The register gave no answer. The driver's status stays as it is."""

    def __init__(
        self, kind: RegisterErrorKind, reason: str, *, retry_after: float | None = None
    ) -> None:
        super().__init__(reason, retry_after=retry_after)
        self.kind = kind


class LicenceRegister(Protocol):
    """Queries the authority's register through one of its interfaces."""

    @property
    def name(self) -> str:
        """Unique among registers. Stored permanently."""
        ...

    async def look_up(self, query: LicenceQuery) -> LicenceAnswer | None:
        """Query once and return the answer; None if the register knows no such document.

        Ends within its configured deadline, does not retry, follows no redirect and reads a
        bounded response. Raises RegisterError; ProviderAccountError if our certificate or
        account was refused.
        """
        ...

    async def close(self) -> None:
        """Close the connections; called once, at the end of the process."""
        ...


@runtime_checkable
class HasCertificate(Protocol):
    """A register that authenticates us by a client certificate, which must be renewed in time."""

    def certificate_expires_at(self) -> datetime:
        """Return the last moment (UTC) at which the certificate is valid. Pure."""
        ...
