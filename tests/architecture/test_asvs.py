"""The ASVS table covers every requirement and names existing tests."""

import re

from architecture.named_tests import ROOT, find_missing_tests, find_named_tests

PAGE = (ROOT / "docs" / "security" / "asvs.md").read_text(encoding="utf-8")

# Section → number of requirements, and those of level 3 only.
SECTIONS: dict[str, tuple[int, set[int]]] = {
    "1.1": (2, set()), "1.2": (10, {10}), "1.3": (12, {12}), "1.4": (3, set()), "1.5": (3, {3}),
    "2.1": (3, set()), "2.2": (3, set()), "2.3": (5, {5}), "2.4": (2, {2}),
    "3.1": (1, {1}), "3.2": (3, {3}), "3.3": (5, {5}), "3.4": (8, {7, 8}), "3.5": (8, {6, 7, 8}),
    "3.6": (1, {1}), "3.7": (5, {3, 4, 5}),
    "4.1": (5, {4, 5}), "4.2": (5, {2, 3, 4, 5}), "4.3": (2, set()), "4.4": (4, set()),
    "5.1": (1, set()), "5.2": (6, {4, 5, 6}), "5.3": (3, {3}), "5.4": (3, set()),
    "6.1": (3, set()), "6.2": (12, set()), "6.3": (8, {5, 6, 7, 8}), "6.4": (6, {5, 6}),
    "6.5": (8, {6, 7, 8}), "6.6": (4, {4}), "6.7": (2, {1, 2}), "6.8": (4, set()),
    "7.1": (3, set()), "7.2": (4, set()), "7.3": (2, set()), "7.4": (5, set()), "7.5": (3, {3}),
    "7.6": (2, set()),
    "8.1": (4, {3, 4}), "8.2": (4, {4}), "8.3": (3, {2, 3}), "8.4": (2, {2}),
    "9.1": (3, set()), "9.2": (4, set()),
    "11.1": (4, {3, 4}), "11.2": (5, {4, 5}), "11.3": (5, {4, 5}), "11.4": (4, set()),
    "11.5": (2, {2}), "11.6": (2, {2}), "11.7": (2, {1, 2}),
    "12.1": (5, {4, 5}), "12.2": (2, set()), "12.3": (5, {5}),
    "13.1": (4, {2, 3, 4}), "13.2": (6, {6}), "13.3": (4, {3, 4}), "13.4": (7, {6, 7}),
    "14.1": (2, set()), "14.2": (8, {5, 6, 7, 8}), "14.3": (3, set()),
    "15.1": (5, {4, 5}), "15.2": (5, {4, 5}), "15.3": (7, set()), "15.4": (4, {1, 2, 3, 4}),
    "16.1": (1, set()), "16.2": (5, set()), "16.3": (4, set()), "16.4": (3, set()),
    "16.5": (4, {4}),
}  # fmt: skip
WHOLE_CHAPTERS = {"10", "17"}  # OAuth and WebRTC
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| (.+) \| (.+) \|$", re.MULTILINE)
NOT_APPLICABLE_ROW = re.compile(r"^\| ((?:\d+(?:\.\d+\.\d+)?(?:, )?)+) \| (.+) \|$", re.MULTILINE)

NOT_APPLICABLE = PAGE.partition("## What does not apply")[2].partition("\n## ")[0]

rows = {number: evidence for number, _, evidence in ROW.findall(PAGE)}
excluded_numbers = [
    number
    for numbers, _ in NOT_APPLICABLE_ROW.findall(NOT_APPLICABLE)
    for number in numbers.split(", ")
]


def required_numbers() -> set[str]:
    return {
        f"{section}.{n}"
        for section, (count, third_level) in SECTIONS.items()
        for n in range(1, count + 1)
        if n not in third_level
    }


def test_every_requirement_of_level_two_has_a_row_or_does_not_apply() -> None:
    assert set(rows) | set(excluded_numbers) == required_numbers() | WHOLE_CHAPTERS
    assert not set(rows) & set(excluded_numbers)
    assert len(excluded_numbers) == len(set(excluded_numbers))
    assert len(rows) == len(ROW.findall(PAGE))


def test_every_row_says_how_it_is_met() -> None:
    for number, evidence in rows.items():
        assert find_named_tests(evidence) or re.match(r"(manual|deviation): \S.{10}", evidence), (
            number
        )


def test_every_named_test_exists() -> None:
    assert len(find_named_tests(PAGE)) > 100
    assert find_missing_tests(PAGE) == []


def test_every_named_file_exists() -> None:
    paths = re.findall(r"`((?:docs|platform|frontend)/[\w./-]+)`", PAGE)
    assert [path for path in paths if not (ROOT / path).exists()] == []
