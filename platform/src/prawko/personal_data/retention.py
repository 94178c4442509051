"""The retention rules; a test compares them with docs/personal-data.md.

docs/rules.md P34 sets the outer bound: five years after the end of the year in which the
cooperation ended. Data that has served its purpose sooner is deleted sooner.
"""

from datetime import UTC, date, datetime, timedelta

import msgspec

from prawko.base.clock import WARSAW

DAY = timedelta(days=1)
YEAR = timedelta(days=365)

YEARS_AFTER_END = 5
UNVERIFIED_ACCOUNT_AGE = 30 * DAY


class RetentionRule(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of `table` are deleted when `timestamp_sql` is longer ago than `keep_for`.

    `machine_clock` says that the timestamps are by the machine's clock, not the product's.
    """

    table: str
    timestamp_sql: str
    keep_for: timedelta
    machine_clock: bool = False

    def cutoff(self, now: datetime, machine_now: datetime) -> datetime:
        """Return the time before which rows are deleted."""
        return (machine_now if self.machine_clock else now) - self.keep_for


# Tables that no company owns.
GLOBAL_RULES = (
    RetentionRule(table="one_time_code", timestamp_sql="expires_at", keep_for=7 * DAY),
    RetentionRule(
        table="login_session",
        timestamp_sql="least(expires_at, revoked_at)",
        keep_for=30 * DAY,
        machine_clock=True,
    ),
    RetentionRule(
        table="throttle", timestamp_sql="window_started_at", keep_for=2 * DAY, machine_clock=True
    ),
    RetentionRule(table="user_activity", timestamp_sql="created_at", keep_for=2 * YEAR),
    RetentionRule(table="contact_message", timestamp_sql="created_at", keep_for=2 * YEAR),
    # Accounting records are kept for five full years; so payments outlive their company.
    RetentionRule(table="payment", timestamp_sql="created_at", keep_for=6 * YEAR),
    RetentionRule(table="payment_discrepancy", timestamp_sql="detected_at", keep_for=6 * YEAR),
)
# Tables of companies. Deleting a notice deletes its notifications.
COMPANY_RULES = (
    RetentionRule(table="notice", timestamp_sql="created_at", keep_for=2 * YEAR),
    RetentionRule(table="notification", timestamp_sql="created_at", keep_for=2 * YEAR),
    RetentionRule(table="support_ticket", timestamp_sql="created_at", keep_for=2 * YEAR),
)
# Companies younger than this have no rows that a rule would delete.
MIN_COMPANY_AGE = min(rule.keep_for for rule in COMPANY_RULES)


def erasure_due_at(ended_at: datetime) -> datetime:
    """Return when the data of a cooperation that ended then is erased: a New Year in Warsaw."""
    year = ended_at.astimezone(WARSAW).year + YEARS_AFTER_END + 1
    return datetime(year, 1, 1, tzinfo=WARSAW).astimezone(UTC)


def first_kept_check_day(now: datetime) -> date:
    """Return the first day whose checks are kept; earlier months (UTC) are dropped."""
    return date(now.astimezone(UTC).year - YEARS_AFTER_END, 1, 1)
