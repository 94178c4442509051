"""How long what is kept: the rules, from which docs/personal-data.md is checked.

The specification's section 9 sets the outer bound, five years after the end of the year in
which the cooperation ended. What serves its purpose sooner goes sooner.
"""

from datetime import UTC, date, datetime, timedelta

import msgspec

from prawko.base.clock import WARSAW

DAY = timedelta(days=1)
YEAR = timedelta(days=365)

YEARS_AFTER_THE_END = 5
UNVERIFIED_ACCOUNTS = 30 * DAY


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of a table go when `since`, a point in time, is longer ago than `keep`.

    `machine`: it is written by the machine's clock, and judged by it.
    """

    table: str
    since: str
    keep: timedelta
    machine: bool = False

    def before(self, now: datetime, machine_now: datetime) -> datetime:
        """Rows whose point in time lies before this one go."""
        return (machine_now if self.machine else now) - self.keep


# What no company owns.
OF_NOBODY = (
    Rule(table="one_time_code", since="expires_at", keep=7 * DAY),
    Rule(table="login_session", since="least(expires_at, revoked_at)", keep=30 * DAY, machine=True),
    Rule(table="throttle", since="window_started_at", keep=2 * DAY, machine=True),
    Rule(table="user_activity", since="created_at", keep=2 * YEAR),
    Rule(table="contact_message", since="created_at", keep=2 * YEAR),
    # Books are kept for five years after their own; payments outlive their company for it.
    Rule(table="payment", since="created_at", keep=6 * YEAR),
    Rule(table="payment_finding", since="found_at", keep=6 * YEAR),
)
# Of each company, one after the other. A notice takes its notifications along.
OF_A_COMPANY = (
    Rule(table="notice", since="created_at", keep=2 * YEAR),
    Rule(table="notification", since="created_at", keep=2 * YEAR),
    Rule(table="support_ticket", since="created_at", keep=2 * YEAR),
)
# No younger company has rows that any of the rules above or below would take.
YOUNGEST_CONCERNED = min(rule.keep for rule in OF_A_COMPANY)


def erased_from(ended: datetime) -> datetime:
    """When what ended at that instant may be kept no longer: a New Year's midnight in Warsaw."""
    year = ended.astimezone(WARSAW).year + YEARS_AFTER_THE_END + 1
    return datetime(year, 1, 1, tzinfo=WARSAW).astimezone(UTC)


def checks_kept_from(now: datetime) -> date:
    """The first day whose checks are kept still; months before it go, by UTC as they are made."""
    return date(now.astimezone(UTC).year - YEARS_AFTER_THE_END, 1, 1)
