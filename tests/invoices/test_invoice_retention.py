"""The retention of invoices: a December's counts for the next year, when its tax is due."""

from datetime import date, datetime

import pytest

from prawko.invoices.rules import RETENTION_YEARS, retention_cutoff


@pytest.mark.parametrize(
    ("now", "oldest_kept"),
    [
        # November 2026 and before: tax due in 2026, retained to the end of 2031.
        ("2031-12-31T22:59:59Z", date(2025, 12, 1)),
        ("2031-12-31T23:00:00Z", date(2026, 12, 1)),  # New Year in Warsaw
        ("2032-12-31T22:59:59Z", date(2026, 12, 1)),
        # December 2026 to November 2027: tax due in 2027.
        ("2032-12-31T23:00:00Z", date(2027, 12, 1)),
    ],
)
def test_invoices_are_retained_five_years_after_the_year_in_which_their_tax_was_due(
    now, oldest_kept
) -> None:
    assert RETENTION_YEARS == 5
    assert retention_cutoff(datetime.fromisoformat(now)) == oldest_kept
