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
    EXPIRING = "expiring"
    RESULTS_STALE = "results_stale"
    CHECKING_STOPPED = "checking_stopped"
    TRIAL_ENDING = "trial_ending"
    TRIAL_ENDED = "trial_ended"
    SUBSCRIPTION_ENDING = "subscription_ending"
    SUBSCRIPTION_ENDED = "subscription_ended"
    PAYMENT_FAILED = "payment_failed"
    PAYMENT_CONSENT = "payment_consent"
    GRACE_STARTED = "grace_started"
    EMAIL_REFUSED = "email_refused"
    EMAIL_LOST = "email_lost"
    PHONE_REFUSED = "phone_refused"


EVERYWHERE = frozenset({Medium.EMAIL, Medium.SMS})
BY_MAIL = frozenset({Medium.EMAIL})
IN_APP_ONLY: frozenset[Medium] = frozenset()

# Beside the panel, where every notice stands (spec section 3, reading R12). An SMS is for what
# a dispatcher must know before the next trip: a driver's state, or that nobody watches it.
# Results grow stale for many companies at once, when the register is down: that goes by mail.
MEDIA = {
    NoticeKind.WITHHELD: EVERYWHERE,
    NoticeKind.RESTORED: EVERYWHERE,
    NoticeKind.ATTENTION: EVERYWHERE,
    NoticeKind.NOT_FOUND: EVERYWHERE,
    NoticeKind.CONFIRMED: IN_APP_ONLY,
    NoticeKind.EXPIRING: BY_MAIL,
    NoticeKind.RESULTS_STALE: BY_MAIL,
    NoticeKind.CHECKING_STOPPED: EVERYWHERE,
    NoticeKind.TRIAL_ENDING: BY_MAIL,
    NoticeKind.TRIAL_ENDED: EVERYWHERE,
    NoticeKind.SUBSCRIPTION_ENDING: BY_MAIL,
    NoticeKind.SUBSCRIPTION_ENDED: EVERYWHERE,
    NoticeKind.PAYMENT_FAILED: EVERYWHERE,
    NoticeKind.PAYMENT_CONSENT: EVERYWHERE,
    NoticeKind.GRACE_STARTED: EVERYWHERE,
    NoticeKind.EMAIL_REFUSED: IN_APP_ONLY,
    NoticeKind.EMAIL_LOST: IN_APP_ONLY,
    NoticeKind.PHONE_REFUSED: IN_APP_ONLY,
}

# Many of one transaction are many notices in the panel and one message for each reader.
TOLD_TOGETHER = frozenset({NoticeKind.EXPIRING})

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


class Expiry(msgspec.Struct, frozen=True, order=True):
    """A last day that comes near: of one category, or of the document itself (no `category`).

    `threshold` is the number of days before it that this notice is about.
    """

    on: date
    category: str
    threshold: int


class ExpiryFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A driver's dates that come near, as they stood on `day` in Warsaw.

    `checked_at` is the product's instant of the answer they were read from.
    """

    first_name: str
    last_name: str
    license_number: str
    checked_at: datetime
    day: date
    expiries: tuple[Expiry, ...]

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


class SubscriptionFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A trial or a subscription near its end, or past it.

    `days` counts calendar days in Warsaw from the notice to the end. `company` is the name on
    the invoice, empty where none was given. `checked_until` is later than the end in the grace
    alone.
    """

    ends_at: datetime
    driver_limit: int
    days: int = 0
    company: str = ""
    checked_until: datetime | None = None


class PaymentFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A charge that was refused, or waits for the payer's consent. `gross` is in grosze.

    `next_try_at` is None when nobody will try again by itself. The panel stays open until
    `ends_at`, which is past in the grace. `url` is the provider's page of the consent.
    """

    gross: int
    tried_at: datetime
    ends_at: datetime
    next_try_at: datetime | None = None
    company: str = ""
    url: str = ""


Facts = DriverFacts | ExpiryFacts | CompanyFacts | SubscriptionFacts | PaymentFacts

_KNOWS: dict[NoticeKind, type[Facts]] = {
    **dict.fromkeys(NoticeKind, CompanyFacts),
    **dict.fromkeys(ABOUT_DRIVERS, DriverFacts),
    NoticeKind.EXPIRING: ExpiryFacts,
    NoticeKind.TRIAL_ENDING: SubscriptionFacts,
    NoticeKind.TRIAL_ENDED: SubscriptionFacts,
    NoticeKind.SUBSCRIPTION_ENDING: SubscriptionFacts,
    NoticeKind.SUBSCRIPTION_ENDED: SubscriptionFacts,
    NoticeKind.PAYMENT_FAILED: PaymentFacts,
    NoticeKind.PAYMENT_CONSENT: PaymentFacts,
    NoticeKind.GRACE_STARTED: SubscriptionFacts,
}


def stored(facts: Facts) -> str:
    """The facts as JSON, for the notice's row."""
    return msgspec.json.encode(facts).decode()


def facts_of(kind: NoticeKind, params: object) -> Facts:
    """The facts back from a notice's row."""
    return msgspec.convert(params, _KNOWS[kind])
