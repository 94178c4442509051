"""Drills are in `make drills`, whose skips CI refuses."""

from support.drills import ACCEPTED_SKIPS, DRILLS, TESTS, is_of_other_suite

CONFTEST = """
import pytest
from support.drills import SkippedDrills

def pytest_configure(config):
    config.addinivalue_line("markers", "drill: x")
    config.pluginmanager.register(SkippedDrills())
"""
MODULE = """
import pytest

@pytest.mark.{marker}
@pytest.mark.skipif(True, reason="{reason}")
def test_marked(): ...

@pytest.mark.{marker}
def test_within():
    pytest.skip("{reason}")
"""
pytest_plugins = ["pytester"]


def run(pytester, marker: str, reason: str) -> dict[str, int]:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(MODULE.format(marker=marker, reason=reason))
    return pytester.runpytest_inprocess("-p", "no:cacheprovider").parseoutcomes()


def test_a_skipped_drill_fails(pytester):
    outcomes = run(pytester, "drill", "HAProxy is not installed")

    # A skip in the set-up is an error, one in the test a failure.
    assert outcomes.get("failed", 0) + outcomes.get("errors", 0) == 2


def test_a_skip_that_is_accepted_is_none_of_a_drill(pytester):
    assert run(pytester, "drill", f"{ACCEPTED_SKIPS[0]} of it") == {"skipped": 2}


def test_another_test_may_be_skipped(pytester):
    assert run(pytester, "anyio", "HAProxy is not installed") == {"skipped": 2}


def test_every_drill_exists():
    assert [place for place in DRILLS if not (TESTS / place).exists()] == []


def test_each_module_is_of_one_suite():
    for path in TESTS.rglob("test_*.py"):
        assert is_of_other_suite(path, "drill") != is_of_other_suite(path, "not drill"), path
        assert not is_of_other_suite(path, ""), path
