"""Every promise of SECURITY.md, and of the decisions about security, names tests that exist."""

import re

import pytest

from architecture.named_tests import ROOT, find_missing_tests, find_named_tests

PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
# Decisions whose guarantees rest on the database's rights.
DECISIONS = (
    "0006-server-side-sessions", "0027-operators-console", "0033-rights-and-proofs",
)  # fmt: skip


def read_section(title: str) -> str:
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_every_promise_names_a_test() -> None:
    promises = re.findall(r"^- .+$", read_section("Guarantees"), re.MULTILINE)

    assert len(promises) >= 12
    assert [promise for promise in promises if not find_named_tests(promise)] == []
    assert find_named_tests(read_section("Rate limits"))


def test_every_named_test_exists() -> None:
    assert find_missing_tests(PAGE) == []


def test_what_is_not_promised_is_said() -> None:
    assert len(re.findall(r"^- \*\*.+", read_section("What is not promised"), re.MULTILINE)) >= 4


@pytest.mark.parametrize("name", DECISIONS)
def test_a_decision_about_security_says_what_proves_it(name) -> None:
    text = (ROOT / "docs/decisions" / f"{name}.md").read_text(encoding="utf-8")

    assert len(find_named_tests(text.partition("## Proof\n")[2])) >= 3
    assert find_missing_tests(text) == []
