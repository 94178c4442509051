"""The kinds of notice, their media, groups and payloads.

The payload is stored with the notice, so that a mail sent hours later says what was true then.
"""

from datetime import date, datetime
from enum import StrEnum

import msgspec

from prawko.accounts.models import ALERT_GROUPS
from prawko.hooks.channels import Medium


class NoticeKind(StrEnum):
    """The kind of a notice. The values are stored: they do not change."""

    WITHHELD = "withheld"
    RESTORED = "restored"
    ATTENTION = "attention"
    CONFIRMED = "confirmed"
    NOT_FOUND = "not_found"
    EXPIRING = "expiring"
    EXPIRED = "expired"
    CATEGORY_INVALID = "category_invalid"
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
    TEST_ALERT = "test_alert"
    RECIPIENT_STOPPED = "recipient_stopped"
    RECIPIENT_MISSED = "recipient_missed"


class NoticeGroup(StrEnum):
    """The groups that recipients of alerts choose: kinds for the same person of a company."""

    STATUS = "status"  # the drivers' licences, and that nobody checks them
    EXPIRY = "expiry"
    BILLING = "billing"


ALL_GROUPS = frozenset(map(NoticeGroup, ALERT_GROUPS))

ALL_MEDIA = frozenset(Medium)
EMAIL_ONLY = frozenset({Medium.EMAIL})
IN_APP_ONLY: frozenset[Medium] = frozenset()

# Besides the panel, which shows every notice (docs/rules.md P23, R12). SMS and push are for what a
# dispatcher must know before the next trip: a driver's state, or that checking has stopped.
# Results become stale for many companies at once, when the register is down: mail only, as
# is an expired category that the company does not need of the driver.
MEDIA_BY_KIND = {
    NoticeKind.WITHHELD: ALL_MEDIA,
    NoticeKind.RESTORED: ALL_MEDIA,
    NoticeKind.ATTENTION: ALL_MEDIA,
    NoticeKind.NOT_FOUND: ALL_MEDIA,
    NoticeKind.CONFIRMED: IN_APP_ONLY,
    NoticeKind.EXPIRING: EMAIL_ONLY,
    NoticeKind.EXPIRED: EMAIL_ONLY,
    NoticeKind.CATEGORY_INVALID: ALL_MEDIA,
    NoticeKind.RESULTS_STALE: EMAIL_ONLY,
    NoticeKind.CHECKING_STOPPED: ALL_MEDIA,
    NoticeKind.TRIAL_ENDING: EMAIL_ONLY,
    NoticeKind.TRIAL_ENDED: ALL_MEDIA,
    NoticeKind.SUBSCRIPTION_ENDING: EMAIL_ONLY,
    NoticeKind.SUBSCRIPTION_ENDED: ALL_MEDIA,
    NoticeKind.PAYMENT_FAILED: ALL_MEDIA,
    NoticeKind.PAYMENT_CONSENT: ALL_MEDIA,
    NoticeKind.GRACE_STARTED: ALL_MEDIA,
    NoticeKind.EMAIL_REFUSED: IN_APP_ONLY,
    NoticeKind.EMAIL_LOST: IN_APP_ONLY,
    NoticeKind.PHONE_REFUSED: IN_APP_ONLY,
    NoticeKind.TEST_ALERT: ALL_MEDIA,
    NoticeKind.RECIPIENT_STOPPED: EMAIL_ONLY,
    NoticeKind.RECIPIENT_MISSED: IN_APP_ONLY,
}

# A message leaves for those who chose one of its kind's groups. The end of a subscription is also
# the end of the checks, which those must know who asked for nothing but the drivers' status.
GROUPS_BY_KIND = {
    NoticeKind.WITHHELD: frozenset({NoticeGroup.STATUS}),
    NoticeKind.RESTORED: frozenset({NoticeGroup.STATUS}),
    NoticeKind.ATTENTION: frozenset({NoticeGroup.STATUS}),
    NoticeKind.NOT_FOUND: frozenset({NoticeGroup.STATUS}),
    NoticeKind.CONFIRMED: frozenset({NoticeGroup.STATUS}),
    NoticeKind.CATEGORY_INVALID: frozenset({NoticeGroup.STATUS}),
    NoticeKind.RESULTS_STALE: frozenset({NoticeGroup.STATUS}),
    NoticeKind.CHECKING_STOPPED: frozenset({NoticeGroup.STATUS}),
    NoticeKind.EXPIRING: frozenset({NoticeGroup.EXPIRY}),
    NoticeKind.EXPIRED: frozenset({NoticeGroup.EXPIRY}),
    NoticeKind.TRIAL_ENDING: frozenset({NoticeGroup.BILLING}),
    NoticeKind.TRIAL_ENDED: frozenset({NoticeGroup.STATUS, NoticeGroup.BILLING}),
    NoticeKind.SUBSCRIPTION_ENDING: frozenset({NoticeGroup.BILLING}),
    NoticeKind.SUBSCRIPTION_ENDED: frozenset({NoticeGroup.STATUS, NoticeGroup.BILLING}),
    NoticeKind.PAYMENT_FAILED: frozenset({NoticeGroup.BILLING}),
    NoticeKind.PAYMENT_CONSENT: frozenset({NoticeGroup.BILLING}),
    NoticeKind.GRACE_STARTED: frozenset({NoticeGroup.BILLING}),
}
# About the members' own messages and recipients: for members alone, whatever groups they chose.
MEMBER_KINDS = frozenset({
    NoticeKind.EMAIL_REFUSED,
    NoticeKind.EMAIL_LOST,
    NoticeKind.PHONE_REFUSED,
    NoticeKind.TEST_ALERT,
    NoticeKind.RECIPIENT_STOPPED,
    NoticeKind.RECIPIENT_MISSED,
})  # fmt: skip

# Several of one call are several notices in the panel, but one message per member and medium.
BUNDLED_KINDS = frozenset({NoticeKind.EXPIRING, NoticeKind.EXPIRED})

# Those of the first check of an import share one message, whatever their kinds; each of them is for
# all media.
DIGEST_KINDS = frozenset({
    NoticeKind.WITHHELD,
    NoticeKind.ATTENTION,
    NoticeKind.NOT_FOUND,
    NoticeKind.CATEGORY_INVALID,
})  # fmt: skip

DRIVER_STATUS_TYPE = "driver_status"
DRIVER_STATUS_KINDS = frozenset({
    NoticeKind.WITHHELD,
    NoticeKind.RESTORED,
    NoticeKind.ATTENTION,
    NoticeKind.CONFIRMED,
    NoticeKind.NOT_FOUND,
    NoticeKind.CATEGORY_INVALID,
})  # fmt: skip


def notification_type(kind: NoticeKind) -> str:
    """Return the `type` of the notification in the panel."""
    return DRIVER_STATUS_TYPE if kind in DRIVER_STATUS_KINDS else kind.value


class DocumentPayload(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whose document it is, and when the register answered (product clock)."""

    first_name: str
    last_name: str
    license_number: str
    checked_at: datetime

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first_name} {self.last_name}"


class DriverPayload(DocumentPayload, frozen=True, kw_only=True, omit_defaults=True):
    """The result of one check of a driver's document.

    `state`, `reasons` and `authority` are the register's own texts; None or empty where it gave
    none, and all of them when it knows no such document.
    """

    state: str | None = None
    reasons: tuple[str, ...] = ()
    authority: str | None = None
    expires: date | None = None
    expired: bool = False


class Expiry(msgspec.Struct, frozen=True, order=True):
    """An expiry date of one category, or of the document itself (empty `category`).

    `threshold` is the number of days before the date that the reminder is for; -1 once it is over.
    """

    on: date
    category: str
    threshold: int


class ExpiryPayload(DocumentPayload, frozen=True, kw_only=True):
    """The near expiry dates of a driver on `day` (Warsaw), or those that are over."""

    day: date
    expiries: tuple[Expiry, ...]


class CategoryPayload(DocumentPayload, frozen=True, kw_only=True):
    """Needed categories of a driver that are over on `day` (Warsaw), and those not listed."""

    day: date
    expiries: tuple[Expiry, ...]
    missing: tuple[str, ...]


class CompanyPayload(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A notice about the company as a whole.

    `drivers` is the number of drivers concerned; `since`, when it began (product clock).
    """

    drivers: int = 0
    since: datetime | None = None


class SubscriptionPayload(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A trial or a subscription near its end, or past it.

    `days` counts calendar days in Warsaw from the notice to the end. `company` is the name on
    the invoice, empty where none was given. `monitored_until` is set in the grace period only;
    after the end of checks `ends_at` is when they stopped.
    """

    ends_at: datetime
    driver_limit: int
    days: int = 0
    company: str = ""
    monitored_until: datetime | None = None


class PaymentPayload(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A charge that was refused, or needs the payer's consent. `gross` is in grosze.

    `next_try_at` is None when there is no further automatic try. The panel stays open until
    `ends_at`, which is past in the grace period. `url` is the provider's consent page.
    """

    gross: int
    tried_at: datetime
    ends_at: datetime
    next_try_at: datetime | None = None
    company: str = ""
    url: str = ""


class RecipientPayload(msgspec.Struct, frozen=True, kw_only=True):
    """A person without an account who does not get the company's alerts, since `at`."""

    name: str
    email: str
    at: datetime


NoticePayload = (
    DriverPayload
    | ExpiryPayload
    | CategoryPayload
    | CompanyPayload
    | SubscriptionPayload
    | PaymentPayload
    | RecipientPayload
)

_PAYLOAD_TYPES: dict[NoticeKind, type[NoticePayload]] = {
    **dict.fromkeys(NoticeKind, CompanyPayload),
    **dict.fromkeys(DRIVER_STATUS_KINDS | {NoticeKind.TEST_ALERT}, DriverPayload),
    NoticeKind.EXPIRING: ExpiryPayload,
    NoticeKind.EXPIRED: ExpiryPayload,
    NoticeKind.CATEGORY_INVALID: CategoryPayload,
    NoticeKind.TRIAL_ENDING: SubscriptionPayload,
    NoticeKind.TRIAL_ENDED: SubscriptionPayload,
    NoticeKind.SUBSCRIPTION_ENDING: SubscriptionPayload,
    NoticeKind.SUBSCRIPTION_ENDED: SubscriptionPayload,
    NoticeKind.PAYMENT_FAILED: PaymentPayload,
    NoticeKind.PAYMENT_CONSENT: PaymentPayload,
    NoticeKind.GRACE_STARTED: SubscriptionPayload,
    NoticeKind.RECIPIENT_STOPPED: RecipientPayload,
    NoticeKind.RECIPIENT_MISSED: RecipientPayload,
}


def decode_payload(kind: NoticeKind, params: object) -> NoticePayload:
    """Return the payload of a notice from its `params`."""
    return msgspec.convert(params, _PAYLOAD_TYPES[kind])
