"""The specification map names an existing test for every sentence that is built."""

import re

from architecture.named_tests import ROOT, find_missing_tests, find_named_tests

PAGE = (ROOT / "docs" / "spec-map.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (S2\.\d+\.\d+) \| (.+) \| (.+) \|$", re.MULTILINE)
TABLE_HEAD = "| # | Sentence | Shown by |\n|---|---|---|\n"

rows = ROW.findall(PAGE)


def test_every_line_of_a_table_is_a_row_with_its_own_id() -> None:
    assert len(rows) == len(re.findall(r"^\|", PAGE.replace(TABLE_HEAD, ""), re.MULTILINE))
    assert len(rows) == len({identifier for identifier, _, _ in rows}) > 100


def test_every_sentence_has_a_test_or_is_planned() -> None:
    for identifier, _, evidence in rows:
        tests = "<br>".join(f"`{test}`" for test in find_named_tests(evidence))
        assert evidence == tests or re.match(r"planned: \S", evidence), identifier


def test_every_named_test_exists() -> None:
    assert len(find_named_tests(PAGE)) > 150
    assert find_missing_tests(PAGE) == []
