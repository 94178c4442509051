"""The catalogue of notices: one record for each kind says all that the code knows of it.

A new kind is a word in `NoticeKind`, a record in `CATALOGUE`, and its texts.
"""

from enum import StrEnum

import msgspec

from prawko.accounts.models import ALERT_GROUPS
from prawko.hooks.channels import Medium
from prawko.kit.documents.email_template import Accent
from prawko.notifications.payloads import (
    CategoryPayload,
    CompanyPayload,
    DocumentPayload,
    DriverPayload,
    ExpiryPayload,
    MonthPayload,
    NoticePayload,
    PaymentPayload,
    RecipientPayload,
    SubscriptionPayload,
)


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
    MONTH_SUMMARY = "month_summary"
    RECIPIENT_STOPPED = "recipient_stopped"
    RECIPIENT_MISSED = "recipient_missed"


class NoticeGroup(StrEnum):
    """The groups that recipients of alerts choose: kinds for the same person of a company."""

    STATUS = "status"  # the drivers' licences, and that they are not checked
    EXPIRY = "expiry"
    BILLING = "billing"


class Bundling(StrEnum):
    """Which notices share one message per reader and medium; the panel shows each of them."""

    NONE = "none"
    KIND = "kind"  # those of the kind that are published in one call
    FIRST_CHECK = "first_check"  # those of an import's first check, of all such kinds


class Page(StrEnum):
    """The page of the panel that a message opens: a path, as service workers refuse a query."""

    DASHBOARD = "/panel"
    DRIVERS = "/panel/drivers"  # of a message about one driver: that driver
    NOTIFICATIONS = "/panel/notifications"
    SUBSCRIPTION = "/panel/subscription"


DRIVER_STATUS_TYPE = "driver_status"


class NoticeSpec(msgspec.Struct, frozen=True):
    """All that the code knows of a kind of notice.

    `payload` is what its notices say. `media` are those besides the panel, which shows every notice
    (docs/rules.md P23, R12) that a member's role sees. A message is sent to those who chose one of
    the `groups`; a kind without groups is for members alone, whatever they chose. `accent` is the
    colour of its mail, `target` the page that its message opens. A `lasting` notice is kept as long
    as its driver: a date that has passed is notified once, however old it is.
    """

    kind: NoticeKind
    payload: type[NoticePayload]
    media: frozenset[Medium]
    groups: frozenset[NoticeGroup]
    bundling: Bundling = Bundling.NONE
    accent: Accent = Accent.WARNING
    target: Page = Page.DRIVERS
    lasting: bool = False

    @property
    def is_for_members_only(self) -> bool:
        """Whether persons without an account never get it, and members whatever they chose."""
        return not self.groups

    @property
    def is_about_drivers(self) -> bool:
        """Whether it says what only those learn whose role may see the company's drivers."""
        names_drivers = issubclass(self.payload, DocumentPayload | MonthPayload)
        return names_drivers and self.kind is not NoticeKind.TEST_ALERT

    @property
    def is_of_present_state(self) -> bool:
        """Whether it reports a state of a driver's document that needs an act: of no coming day."""
        return self.lasting or self.bundling is Bundling.FIRST_CHECK

    @property
    def type(self) -> str:
        """The `type` of its notifications in the panel."""
        is_status = NoticeGroup.STATUS in self.groups and issubclass(self.payload, DocumentPayload)
        return DRIVER_STATUS_TYPE if is_status else self.kind.value


ALL_GROUPS = frozenset(map(NoticeGroup, ALERT_GROUPS))
STATUS, EXPIRY, BILLING = (frozenset({group}) for group in NoticeGroup)
MEMBERS_ONLY: frozenset[NoticeGroup] = frozenset()

# SMS and push are for what a dispatcher must know before the next trip: a driver's state, or that
# checking has stopped. Results become stale for many companies at once, when the register is down:
# mail only, as is an expired category that the company does not need of the driver.
ALL_MEDIA = frozenset(Medium)
EMAIL_ONLY = frozenset({Medium.EMAIL})
IN_APP_ONLY: frozenset[Medium] = frozenset()

_SPECS = (
    # Drivers' licences. The message about a first check lists the most urgent first, in this order.
    NoticeSpec(
        NoticeKind.WITHHELD,
        DriverPayload,
        ALL_MEDIA,
        STATUS,
        bundling=Bundling.FIRST_CHECK,
        accent=Accent.DANGER,
    ),
    NoticeSpec(
        NoticeKind.CATEGORY_INVALID,
        CategoryPayload,
        ALL_MEDIA,
        STATUS,
        bundling=Bundling.FIRST_CHECK,
        lasting=True,
    ),
    NoticeSpec(
        NoticeKind.ATTENTION, DriverPayload, ALL_MEDIA, STATUS, bundling=Bundling.FIRST_CHECK
    ),
    NoticeSpec(
        NoticeKind.NOT_FOUND, DriverPayload, ALL_MEDIA, STATUS, bundling=Bundling.FIRST_CHECK
    ),
    NoticeSpec(NoticeKind.RESTORED, DriverPayload, ALL_MEDIA, STATUS, accent=Accent.SUCCESS),
    NoticeSpec(NoticeKind.CONFIRMED, DriverPayload, IN_APP_ONLY, STATUS),
    NoticeSpec(NoticeKind.EXPIRING, ExpiryPayload, EMAIL_ONLY, EXPIRY, bundling=Bundling.KIND),
    NoticeSpec(
        NoticeKind.EXPIRED, ExpiryPayload, EMAIL_ONLY, EXPIRY, bundling=Bundling.KIND, lasting=True
    ),
    # The daily check.
    NoticeSpec(NoticeKind.RESULTS_STALE, CompanyPayload, EMAIL_ONLY, STATUS),
    NoticeSpec(
        NoticeKind.CHECKING_STOPPED, CompanyPayload, ALL_MEDIA, STATUS, target=Page.SUBSCRIPTION
    ),
    # Subscriptions and payments. Their end is also the end of the checks: recipients who
    # chose only the drivers' status must know it.
    NoticeSpec(
        NoticeKind.TRIAL_ENDING,
        SubscriptionPayload,
        EMAIL_ONLY,
        BILLING,
        accent=Accent.INFO,
        target=Page.SUBSCRIPTION,
    ),
    NoticeSpec(
        NoticeKind.TRIAL_ENDED,
        SubscriptionPayload,
        ALL_MEDIA,
        STATUS | BILLING,
        target=Page.SUBSCRIPTION,
    ),
    NoticeSpec(
        NoticeKind.SUBSCRIPTION_ENDING,
        SubscriptionPayload,
        EMAIL_ONLY,
        BILLING,
        accent=Accent.INFO,
        target=Page.SUBSCRIPTION,
    ),
    NoticeSpec(
        NoticeKind.SUBSCRIPTION_ENDED,
        SubscriptionPayload,
        ALL_MEDIA,
        STATUS | BILLING,
        target=Page.SUBSCRIPTION,
    ),
    NoticeSpec(
        NoticeKind.PAYMENT_FAILED, PaymentPayload, ALL_MEDIA, BILLING, target=Page.SUBSCRIPTION
    ),
    NoticeSpec(
        NoticeKind.PAYMENT_CONSENT, PaymentPayload, ALL_MEDIA, BILLING, target=Page.SUBSCRIPTION
    ),
    NoticeSpec(
        NoticeKind.GRACE_STARTED, SubscriptionPayload, ALL_MEDIA, BILLING, target=Page.SUBSCRIPTION
    ),
    # Each member switches it by itself: `Member.monthly_summary`.
    NoticeSpec(
        NoticeKind.MONTH_SUMMARY, MonthPayload, EMAIL_ONLY, MEMBERS_ONLY, accent=Accent.INFO
    ),
    # The members' own messages and recipients.
    NoticeSpec(NoticeKind.EMAIL_REFUSED, CompanyPayload, IN_APP_ONLY, MEMBERS_ONLY),
    NoticeSpec(NoticeKind.EMAIL_LOST, CompanyPayload, IN_APP_ONLY, MEMBERS_ONLY),
    NoticeSpec(NoticeKind.PHONE_REFUSED, CompanyPayload, IN_APP_ONLY, MEMBERS_ONLY),
    NoticeSpec(NoticeKind.TEST_ALERT, DriverPayload, ALL_MEDIA, MEMBERS_ONLY, accent=Accent.INFO),
    NoticeSpec(
        NoticeKind.RECIPIENT_STOPPED,
        RecipientPayload,
        EMAIL_ONLY,
        MEMBERS_ONLY,
        target=Page.NOTIFICATIONS,
    ),
    NoticeSpec(
        NoticeKind.RECIPIENT_MISSED,
        RecipientPayload,
        IN_APP_ONLY,
        MEMBERS_ONLY,
        target=Page.NOTIFICATIONS,
    ),
)
CATALOGUE = {spec.kind: spec for spec in _SPECS}


def decode_payload(kind: NoticeKind, params: object) -> NoticePayload:
    """Return the payload of a notice from its `params`."""
    return msgspec.convert(params, CATALOGUE[kind].payload)
