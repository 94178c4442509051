"""The statements of docs/scale.md on modules and on the register's pace."""

import re
from datetime import date, time
from pathlib import Path

from prawko.verifications.daily.schedule import SAFETY_FACTOR, CheckSchedule
from prawko.verifications.register.rate_limit_policy import RUN_SHARE

ROOT = Path(__file__).parents[2]
PLATFORM = ROOT / "platform/src/prawko"
PAGE = (ROOT / "docs" / "scale.md").read_text()


def test_every_module_that_asks_about_all_companies_is_listed() -> None:
    asking = {
        str(path.relative_to(PLATFORM))
        for path in PLATFORM.rglob("*.py")
        if ".planner()" in path.read_text()
    }
    listed = set(re.findall(r"`((?:\w+/)+\w+\.py)`", PAGE))
    assert listed - {"tests/tenancy/test_catalog.py"} == asking


def test_the_forecast_is_that_of_the_schedule() -> None:
    rows = re.findall(r"^\| (\d+) \| ([\d.]+) h \| ([\d,]+) \|$", PAGE, re.MULTILINE)
    assert len(rows) > 3
    for certificates, hours, capacity in rows:
        rate = int(certificates) * 10 * RUN_SHARE
        schedule = CheckSchedule(time(6, 0), rate)
        assert float(hours) == round(1_000_000 * SAFETY_FACTOR / rate / 3600, 1)
        assert int(capacity.replace(",", "")) == schedule.capacity(date(2026, 11, 23))
