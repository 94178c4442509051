"""The kinds of notice, and what each one knows.

What a notice knows is stored with it: the words of that moment, so that a mail sent hours
later says what was true when it happened.
"""

from datetime import date, datetime
from enum import StrEnum

import msgspec

from prawko.hooks.channels import Medium


class NoticeKind(StrEnum):
    """What there is to tell. The words are stored for ever."""

    WITHHELD = "withheld"
    RESTORED = "restored"
    ATTENTION = "attention"
    CONFIRMED = "confirmed"
    NOT_FOUND = "not_found"
    RESULTS_STALE = "results_stale"
    CHECKING_STOPPED = "checking_stopped"
    EMAIL_REFUSED = "email_refused"
    PHONE_REFUSED = "phone_refused"


EVERYWHERE = frozenset({Medium.EMAIL, Medium.SMS})
BY_MAIL = frozenset({Medium.EMAIL})
IN_APP_ONLY: frozenset[Medium] = frozenset()

# Beside the panel, where every notice stands (spec section 3, reading R12).
MEDIA = {
    NoticeKind.WITHHELD: EVERYWHERE,
    NoticeKind.RESTORED: EVERYWHERE,
    NoticeKind.ATTENTION: EVERYWHERE,
    NoticeKind.NOT_FOUND: EVERYWHERE,
    NoticeKind.CONFIRMED: IN_APP_ONLY,
    NoticeKind.RESULTS_STALE: BY_MAIL,
    NoticeKind.CHECKING_STOPPED: BY_MAIL,
    NoticeKind.EMAIL_REFUSED: IN_APP_ONLY,
    NoticeKind.PHONE_REFUSED: IN_APP_ONLY,
}

DRIVER_STATUS = "driver_status"
ABOUT_DRIVERS = frozenset({
    NoticeKind.WITHHELD,
    NoticeKind.RESTORED,
    NoticeKind.ATTENTION,
    NoticeKind.CONFIRMED,
    NoticeKind.NOT_FOUND,
})  # fmt: skip


def notification_type(kind: NoticeKind) -> str:
    """The `type` of the notification in the panel."""
    return DRIVER_STATUS if kind in ABOUT_DRIVERS else kind.value


class DriverFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A driver's document as one check found it. `checked_at` is the product's instant.

    `state`, `reasons` and `authority` are the register's own words; None or empty where it
    said nothing, and everywhere when it knows no such document.
    """

    first_name: str
    last_name: str
    license_number: str
    checked_at: datetime
    state: str | None = None
    reasons: tuple[str, ...] = ()
    authority: str | None = None
    expires: date | None = None
    expired: bool = False

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first_name} {self.last_name}"


class CompanyFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What concerns the company as a whole.

    `drivers` counts those concerned; `since` is the product's instant it began, where known.
    """

    drivers: int = 0
    since: datetime | None = None


Facts = DriverFacts | CompanyFacts


def stored(facts: Facts) -> str:
    """The facts as JSON, for the notice's row."""
    return msgspec.json.encode(facts).decode()


def facts_of(kind: NoticeKind, params: object) -> Facts:
    """The facts back from a notice's row."""
    if kind in ABOUT_DRIVERS:
        return msgspec.convert(params, DriverFacts)
    return msgspec.convert(params, CompanyFacts)
