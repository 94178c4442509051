"""Which tests are drills, and that CI skips none of them.

A drill starts and ends processes, simulates a long time, or repeats journeys in another way:
translated, with the keyboard, on a phone, left open. `make drills` runs them; `make test` runs all
other tests.
"""

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
DRILLS = (
    "backup",
    "embedded",
    "faults",
    "mutants",
    "ops",
    "upgrades",
    "accounts/test_sign_in_flood.py",
    "billing/renewals/test_simulation.py",
    "cli/test_daily_check.py",
    "cli/test_plugin_templates.py",
    "cli/test_plugin_trial.py",
    "cli/test_plugin_tutorial.py",
    "deliveries/test_slow_recipients.py",
    "demo/test_dev_api.py",
    "drivers/test_hostile_files.py",
    "journeys/test_account_tasks.py",
    "journeys/test_appearance.py",
    "journeys/test_console_dialogs.py",
    "journeys/test_console_keyboard.py",
    "journeys/test_console_operations.py",
    "journeys/test_console_phone.py",
    "journeys/test_console_screens.py",
    "journeys/test_failing_forms.py",
    "journeys/test_first_paint.py",
    "journeys/test_keyboard.py",
    "journeys/test_lighthouse.py",
    "journeys/test_open_panel.py",
    "journeys/test_renewal_failure.py",
    "journeys/test_screens.py",
    "journeys/test_service_worker.py",
    "journeys/test_translated_console.py",
    "journeys/test_translated_pages.py",
    "kit/test_call_slot.py",
    "tenancy/test_pool.py",
    "verifications/daily/test_calendar.py",
    "web/test_fuzzing.py",
)
# What CI cannot have, by the beginning of the reason for the skip.
ACCEPTED_SKIPS = (
    "root may read every file",  # containers run as root
    "a server is downloaded there",  # with Python 3.13 and later
    "no older client is installed",  # Debian has one version of PostgreSQL's client
    "PgBouncer is older than 1.21",  # Debian 12 has 1.18
    "this machine allows a process",  # the host sets the limit of open files
    "the checkout lacks the release",  # a clone without history; the dump is upgraded all the same
)


def mark_drills(items: Iterable[pytest.Item]) -> None:
    """Give each drill the marker `drill`."""
    for item in items:
        if _is_drill(item.path):
            item.add_marker("drill")


def is_of_other_suite(path: Path, markers: str) -> bool:
    """Return whether a run of these markers needs no test of a module, so does not import it."""
    if markers == "drill":
        return path.suffix == ".py" and not _is_drill(path)
    return markers == "not drill" and _is_drill(path)


@cache
def _is_drill(path: Path) -> bool:
    return any(path.is_relative_to(TESTS / place) for place in DRILLS)


class SkippedDrills:
    """A plugin of pytest, for CI: a drill that is skipped fails."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> pytest.TestReport:
        report: pytest.TestReport = yield
        if report.skipped and item.get_closest_marker("drill") and not hasattr(report, "wasxfail"):
            reason = report.longrepr[2].removeprefix("Skipped: ")
            if not reason.startswith(ACCEPTED_SKIPS):
                report.outcome = "failed"
                report.longrepr = f"CI skips no drill: {reason} (support/drills.py)"
        return report


def is_ci() -> bool:
    """Return whether this is a run of CI, which sets the variable CI."""
    return os.environ.get("CI", "") not in {"", "0", "false"}
