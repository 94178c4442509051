"""Where the browser's clock and its time zone are read, and why (docs/rules.md, Clocks)."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLOCK = re.compile(r"new Date\(\)|Date\.now\(\)|\bDate\(\)")
LOCAL_ZONE = re.compile(
    r"\.(get(FullYear|Month|Date|Day|Hours|Minutes)|toLocale(Date|Time)?String)\(|new Date\(\w+, "
)
SOURCES = sorted(
    path
    for app in ("frontend", "admin-ui")
    for path in (ROOT / app / "src").rglob("*.ts*")
    if ".test." not in path.name and ".gen." not in path.name
)
READS_CLOCK = {
    "frontend/src/hooks/use-product-now.ts": "the one way to the product's time",
    "frontend/src/lib/api-error.ts": "a Retry-After that is a date of HTTP",
    "frontend/src/ui/public-shell.tsx": "the year beside the brand",
    "frontend/src/app/impersonation-banner.tsx": "seconds since the answer",
    "frontend/src/features/alerts/countdown.ts": "seconds since the answer",
    "frontend/src/features/sample/sample-company.ts": "the day of the sample data",
    "frontend/src/features/orders/use-order-status.ts": "seconds the page is open",
    "admin-ui/src/authProvider.ts": "seconds since the answer",
    "admin-ui/src/check-runs/useTodaysRun.ts": "today in Warsaw, of the operator's machine",
    "admin-ui/src/common/format.ts": "how long ago, of the operator's machine",
}
IN_LOCAL_ZONE = {"frontend/src/ui/public-shell.tsx": "the year beside the brand"}


@pytest.mark.parametrize(
    ("pattern", "allowed"), [(CLOCK, READS_CLOCK), (LOCAL_ZONE, IN_LOCAL_ZONE)]
)
def test_the_browsers_time_is_read_in_the_listed_modules_alone(pattern, allowed) -> None:
    readers = {
        str(path.relative_to(ROOT)) for path in SOURCES if pattern.search(path.read_text("utf-8"))
    }

    assert readers == allowed.keys()


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (CLOCK, "const now = new Date()"),
        (CLOCK, "Date.now()"),
        (LOCAL_ZONE, "day.getHours()"),
        (LOCAL_ZONE, "at.toLocaleDateString('pl')"),
        (LOCAL_ZONE, "new Date(year, 1, 1)"),
    ],
)
def test_the_pattern_finds_it(pattern, text) -> None:
    assert pattern.search(text)
