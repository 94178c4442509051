"""docs/blast-radius.md names a test in each row, and every test that it names exists."""

from pathlib import Path

import pytest

from architecture.named_tests import find_missing_tests, find_named_tests

PAGE = (Path(__file__).parents[2] / "docs" / "blast-radius.md").read_text(encoding="utf-8")
ROWS = [
    line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| One")
]
# What the page must speak of: the words with which its rows begin.
SUBJECTS = (
    "company", "visitor", "of any kind", "channel", "register", "payment provider",
    "invoice issuer", "carrier", "worker", "full disk", "slow statement",
)  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip())
def test_a_row_has_a_limit_and_a_test(row: str) -> None:
    subject, limit, shown_by = (cell.strip() for cell in row.strip("|").split("|"))
    assert subject
    assert limit
    assert len(find_named_tests(shown_by)) == 1


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_subject_has_a_row(subject: str) -> None:
    assert any(row.startswith(f"| {subject}") for row in ROWS)


def test_every_named_test_exists() -> None:
    assert find_missing_tests(PAGE) == []
