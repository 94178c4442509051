"""The payloads of notices: what each says, as it was when the notice was published.

A payload is stored with its notice, so that a mail sent hours later says what was true then.
"""

from datetime import date, datetime

import msgspec


class DocumentPayload(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whose document it is, and when the register answered (product clock).

    `may_drive` is the answer `no`, `check` or `yes` when the notice was published (docs/rules.md
    R9c); empty in notices of releases before, and in test alerts.
    """

    first_name: str
    last_name: str
    license_number: str
    checked_at: datetime
    may_drive: str = ""

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


class MonthPayload(msgspec.Struct, frozen=True, kw_only=True):
    """What the month that began on `month` (Warsaw) had.

    Of the `alarms` (notices that a driver may not drive) `acts` were acknowledged, half of them
    within `median_minutes`. So many drivers `may_not_drive` when it was published.
    """

    month: date
    checks: int
    alarms: int
    acts: int
    median_minutes: int | None
    may_not_drive: int


NoticePayload = (
    DriverPayload
    | ExpiryPayload
    | CategoryPayload
    | CompanyPayload
    | SubscriptionPayload
    | PaymentPayload
    | RecipientPayload
    | MonthPayload
)
