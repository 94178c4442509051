"""The dates of the retention rules, and their documentation."""

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from prawko.kit.clock import WARSAW
from prawko.kit.deliveries.jobs import RETENTION
from prawko.personal_data.retention import (
    COMPANY_RULES,
    GLOBAL_RULES,
    UNVERIFIED_ACCOUNT_AGE,
    YEARS_AFTER_END,
    erasure_due_at,
    first_kept_check_day,
)
from prawko_tenants.policies import CONTROL_TABLES, GLOBAL_TABLES, TENANT_TABLES

PAGE = (Path(__file__).parents[2] / "docs" / "personal-data.md").read_text()


@pytest.mark.parametrize(
    ("ended", "erased"),
    [
        # New Year's midnight in Warsaw is 23:00 UTC of the day before.
        (datetime(2026, 1, 1, 12, tzinfo=UTC), datetime(2031, 12, 31, 23, tzinfo=UTC)),
        (datetime(2026, 12, 31, 22, 59, tzinfo=UTC), datetime(2031, 12, 31, 23, tzinfo=UTC)),
        (datetime(2026, 12, 31, 23, 0, tzinfo=UTC), datetime(2032, 12, 31, 23, tzinfo=UTC)),
        (datetime(2024, 2, 29, tzinfo=UTC), datetime(2029, 12, 31, 23, tzinfo=UTC)),
    ],
)
def test_a_company_is_erased_five_years_after_the_year_of_its_end(ended, erased) -> None:
    assert erasure_due_at(ended) == erased


def test_checks_are_kept_for_five_full_years() -> None:
    assert first_kept_check_day(datetime(2026, 11, 21, tzinfo=UTC)) == date(2021, 1, 1)
    # In Warsaw the new year has begun; partitions are by UTC.
    assert first_kept_check_day(datetime(2026, 12, 31, 23, 30, tzinfo=UTC)) == date(2021, 1, 1)
    assert first_kept_check_day(datetime(2027, 1, 1, 0, 30, tzinfo=WARSAW)) == date(2021, 1, 1)
    assert first_kept_check_day(datetime(2027, 1, 1, tzinfo=UTC)) == date(2022, 1, 1)


def test_a_rule_uses_its_own_clock() -> None:
    product, system = datetime(2030, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    for rule in (*GLOBAL_RULES, *COMPANY_RULES):
        clock = system if rule.uses_system_clock else product
        assert rule.cutoff(product, system) == clock - rule.keep_for


def documented_rules() -> dict[str, str]:
    """Return the documented period of each table."""
    rows = re.findall(r"^\|(.+)\|$", PAGE, re.MULTILINE)
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    return {
        table: period for _, tables, period, *_ in cells for table in re.findall(r"`(\w+)`", tables)
    }


def describe_period(period: timedelta) -> str:
    years, days = divmod(period.days, 365)
    return f"{years} years" if years and not days else f"{period.days} days"


@pytest.mark.parametrize("rule", [*GLOBAL_RULES, *COMPANY_RULES], ids=lambda rule: rule.table)
def test_the_documentation_has_each_retention_rule(rule) -> None:
    assert describe_period(rule.keep_for) in documented_rules()[rule.table]


def test_the_documentation_has_the_other_periods() -> None:
    assert describe_period(UNVERIFIED_ACCOUNT_AGE) in documented_rules()["user_account"]
    assert describe_period(RETENTION) in documented_rules()["delivery"]
    assert describe_period(RETENTION) in documented_rules()["webhook_event"]
    for table in ("tenant", "verification"):
        assert f"{YEARS_AFTER_END} years" in documented_rules()[table]


def test_the_documentation_lists_every_table() -> None:
    tables = {*TENANT_TABLES, *CONTROL_TABLES, *GLOBAL_TABLES} - {"alembic_version"}
    assert tables - documented_rules().keys() == set()
