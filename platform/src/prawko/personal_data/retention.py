"""The retention rules; a test compares them with docs/personal-data.md.

docs/rules.md P34 sets the outer bound: five years after the end of the year in which the
cooperation ended. Data that has served its purpose sooner is deleted sooner.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, func
from sqlalchemy.orm import InstrumentedAttribute

from prawko.accounts.models import LoginSession, OneTimeCode, UserActivity
from prawko.kit.clock import WARSAW
from prawko.kit.incidents.models import Incident
from prawko.kit.rate_limit import ThrottleCounter
from prawko.notifications.catalogue import CATALOGUE
from prawko.notifications.models import Notice, Notification
from prawko.payments.models import BookedEntry, Payment, PaymentDiscrepancy
from prawko.support.models import ContactMessage, SupportTicket

DAY, YEAR = timedelta(days=1), timedelta(days=365)

YEARS_AFTER_END = 5
UNVERIFIED_ACCOUNT_AGE = 30 * DAY


class RetentionRule(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of `model` are deleted when `timestamp` is longer ago than `keep_for`.

    `uses_system_clock` says that the timestamps are by the system clock, not the product's.
    `is_kept` is the condition on rows that stay as long as what they belong to.
    """

    model: Any
    timestamp: ColumnElement[Any] | InstrumentedAttribute[Any]
    keep_for: timedelta
    uses_system_clock: bool = False
    is_kept: ColumnElement[bool] | None = None

    @property
    def table(self) -> str:
        """The name of the table."""
        return str(self.model.__tablename__)

    def cutoff(self, now: datetime, system_now: datetime) -> datetime:
        """Return the time before which rows are deleted."""
        return (system_now if self.uses_system_clock else now) - self.keep_for


def _by_creation(model: Any, keep_for: timedelta) -> RetentionRule:
    return RetentionRule(model=model, timestamp=model.created_at, keep_for=keep_for)


# Tables that no company owns.
GLOBAL_RULES = (
    RetentionRule(model=OneTimeCode, timestamp=OneTimeCode.expires_at, keep_for=7 * DAY),
    RetentionRule(
        model=LoginSession,
        timestamp=func.least(LoginSession.expires_at, LoginSession.revoked_at),
        keep_for=30 * DAY,
        uses_system_clock=True,
    ),
    RetentionRule(
        model=ThrottleCounter,
        timestamp=ThrottleCounter.window_started_at,
        keep_for=2 * DAY,
        uses_system_clock=True,
    ),
    _by_creation(UserActivity, 2 * YEAR),
    _by_creation(ContactMessage, 2 * YEAR),
    # Accounting records are kept for five full years; so payments outlive their company.
    _by_creation(Payment, 6 * YEAR),
    RetentionRule(
        model=PaymentDiscrepancy, timestamp=PaymentDiscrepancy.detected_at, keep_for=6 * YEAR
    ),
    RetentionRule(
        model=BookedEntry,
        timestamp=BookedEntry.booked_at,
        keep_for=2 * YEAR,
        uses_system_clock=True,
    ),
    # One that is still open has no end, and stays.
    RetentionRule(model=Incident, timestamp=Incident.closed_at, keep_for=2 * YEAR),
)
# Tables of companies. Deleting a notice deletes its notifications.
COMPANY_RULES = (
    RetentionRule(
        model=Notice,
        timestamp=Notice.created_at,
        keep_for=2 * YEAR,
        is_kept=Notice.kind.in_(kind for kind, spec in CATALOGUE.items() if spec.lasting),
    ),
    _by_creation(Notification, 2 * YEAR),
    _by_creation(SupportTicket, 2 * YEAR),
)


def erasure_due_at(ended_at: datetime) -> datetime:
    """Return when the data of a cooperation that ended then is erased: a New Year in Warsaw."""
    year = ended_at.astimezone(WARSAW).year + YEARS_AFTER_END + 1
    return datetime(year, 1, 1, tzinfo=WARSAW).astimezone(UTC)


def first_kept_check_day(now: datetime) -> date:
    """Return the first day whose checks are kept; earlier months (UTC) are dropped."""
    return date(now.astimezone(UTC).year - YEARS_AFTER_END, 1, 1)
