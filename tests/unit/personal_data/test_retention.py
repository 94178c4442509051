"""The rules of retention, as dates; and the page that tells of them."""

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from prawko.deliveries.retention import KEPT
from prawko.personal_data.retention import (
    OF_A_COMPANY,
    OF_NOBODY,
    UNVERIFIED_ACCOUNTS,
    YEARS_AFTER_THE_END,
    checks_kept_from,
    erased_from,
)
from prawko_tenants.policies import CONTROL_TABLES, GLOBAL_TABLES, TENANT_TABLES

PAGE = (Path(__file__).parents[3] / "docs" / "personal-data.md").read_text()


@pytest.mark.parametrize(
    ("ended", "goes"),
    [
        # Midnight of New Year in Warsaw is 23:00 UTC of the day before.
        (datetime(2026, 1, 1, 12, tzinfo=UTC), datetime(2031, 12, 31, 23, tzinfo=UTC)),
        (datetime(2026, 12, 31, 22, 59, tzinfo=UTC), datetime(2031, 12, 31, 23, tzinfo=UTC)),
        (datetime(2026, 12, 31, 23, 0, tzinfo=UTC), datetime(2032, 12, 31, 23, tzinfo=UTC)),
        (datetime(2024, 2, 29, tzinfo=UTC), datetime(2029, 12, 31, 23, tzinfo=UTC)),
    ],
)
def test_a_company_goes_five_years_after_the_year_of_its_end(ended, goes) -> None:
    assert erased_from(ended) == goes


def test_checks_are_kept_for_five_full_years() -> None:
    assert checks_kept_from(datetime(2026, 11, 21, tzinfo=UTC)) == date(2021, 1, 1)
    assert checks_kept_from(datetime(2027, 1, 1, tzinfo=UTC)) == date(2022, 1, 1)


def test_a_rule_counts_by_its_own_clock() -> None:
    product, machine = datetime(2030, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    for rule in (*OF_NOBODY, *OF_A_COMPANY):
        clock = machine if rule.machine else product
        assert rule.before(product, machine) == clock - rule.keep


def told() -> dict[str, str]:
    """Table → what the page says of it."""
    rows = re.findall(r"^\|(.+)\|$", PAGE, re.MULTILINE)
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    return {
        table: kept for _, tables, kept, *_ in cells for table in re.findall(r"`(\w+)`", tables)
    }


def words_for(keep: timedelta) -> str:
    years, days = divmod(keep.days, 365)
    return f"{years} years" if years and not days else f"{keep.days} days"


@pytest.mark.parametrize("rule", [*OF_NOBODY, *OF_A_COMPANY], ids=lambda rule: rule.table)
def test_the_page_tells_of_each_rule(rule) -> None:
    assert words_for(rule.keep) in told()[rule.table]


def test_the_page_tells_of_the_others() -> None:
    assert words_for(UNVERIFIED_ACCOUNTS) in told()["user_account"]
    assert words_for(KEPT) in told()["delivery"]
    assert words_for(KEPT) in told()["webhook_event"]
    for table in ("tenant", "verification"):
        assert f"{YEARS_AFTER_THE_END} years" in told()[table]


def test_the_page_leaves_no_table_out() -> None:
    tables = {*TENANT_TABLES, *CONTROL_TABLES, *GLOBAL_TABLES} - {"alembic_version"}
    assert tables - told().keys() == set()
