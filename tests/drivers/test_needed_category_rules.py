"""Needed categories: no cell of the table shows an expired entitlement as valid (rule R9a)."""

from datetime import UTC, date, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.drivers.models import Outcome
from prawko.drivers.needed_categories import (
    BEFORE_ANY_DAY,
    CATEGORY_MISSING,
    LICENCE_CATEGORIES,
    CategoryProblem,
    Validity,
    continued_until,
    entitled_until,
    find_category_problems,
    normalise_categories,
)
from prawko.drivers.status_notices import new_problems, stored_categories
from prawko.hooks.licence_register import CodedText, LicenceAnswer, LicenceCategory
from prawko.kit.clock import warsaw_date
from prawko.verifications.outcome import outcome_of

TODAY = date(2026, 11, 12)
YESTERDAY, TOMORROW = TODAY - timedelta(days=1), TODAY + timedelta(days=1)


@pytest.mark.parametrize(
    ("needed", "categories", "problems"),
    [
        ([], [], []),
        ([], [("C", YESTERDAY)], []),
        (["C"], [("C", None)], []),
        (["C"], [("C", TODAY)], []),
        (["C"], [("C", TOMORROW)], []),
        (["C"], [("C", YESTERDAY)], [("C", YESTERDAY)]),
        (["C"], [("B", None)], [("C", None)]),
        (["C"], [], [("C", None)]),
        (["C", "C+E"], [("C", YESTERDAY), ("B", None)], [("C", YESTERDAY), ("C+E", None)]),
        # However the register writes a code.
        (["C+E"], [("CE", TOMORROW)], []),
        (["C+E"], [(" c + e ", YESTERDAY)], [("C+E", YESTERDAY)]),
        # No category stands for another.
        (["C1"], [("C", None)], [("C1", None)]),
        (["B"], [("B+E", None)], [("B", None)]),
        (["C"], [("C1", None), ("C+E", None)], [("C", None)]),
        # Of several days of one category the first one counts.
        (["C"], [("C", TOMORROW), ("C", YESTERDAY)], [("C", YESTERDAY)]),
        (["C"], [("C", None), ("C", YESTERDAY)], [("C", YESTERDAY)]),
        (["C"], [("C", YESTERDAY), ("C", None)], [("C", YESTERDAY)]),
    ],
)
def test_a_needed_category_is_listed_and_not_over(needed, categories, problems) -> None:
    found = find_category_problems(needed, categories, TODAY)

    assert found == tuple(CategoryProblem(*problem) for problem in problems)


def test_categories_are_kept_once_in_the_order_of_the_law() -> None:
    assert normalise_categories(["C+E", "B", "C", "C+E"]) == ["B", "C", "C+E"]
    assert normalise_categories([]) == []
    assert normalise_categories(reversed(LICENCE_CATEGORIES)) == [*LICENCE_CATEGORIES]
    for unknown in ("E", "PT", "C+", "CE", "c", "Ć", "", "B,C"):
        assert normalise_categories(["B", unknown]) is None, unknown


def test_a_problem_is_new_until_it_was_there_before() -> None:
    expired = CategoryProblem("C", YESTERDAY)
    assert new_problems([expired], []) == (expired,)
    assert new_problems([expired], [expired]) == ()
    assert new_problems([expired], [CategoryProblem("C", None)]) == (expired,)
    assert new_problems([], [expired]) == ()


def test_stored_categories_are_read_decoded_or_not() -> None:
    stored = '{"categories": [{"kategoria": "C", "dataWaznosci": "2026-11-12"}]}'
    assert stored_categories(stored) == [("C", TODAY)]
    assert stored_categories({"categories": [{"kategoria": "B", "dataWaznosci": None}]}) == [
        ("B", None)
    ]
    assert stored_categories(None) == stored_categories({"categories": None}) == []


LAST_MINUTE = datetime(2026, 11, 12, 22, 59, 59, tzinfo=UTC)  # before midnight in Warsaw
FIRST_MINUTE = LAST_MINUTE + timedelta(seconds=1)
STATES = {
    "valid": CodedText("DICT003_WYD", "Wydany"),
    "contradicting": CodedText("DICT003_ZAT", "Wydany"),
    "withheld": CodedText("DICT003_ZAT", "Zatrzymany"),
    "other": CodedText("DICT003_UTR", "Utracony"),
}
LAST_DAYS = (None, YESTERDAY, TODAY, TOMORROW, date(2034, 5, 17))
LISTED = ("absent", *LAST_DAYS)
NEEDED = ([], ["C"], ["C", "D"], ["B"])
CELLS = list(product(STATES, LAST_DAYS, LISTED, NEEDED, (LAST_MINUTE, FIRST_MINUTE)))


def make_answer(state: str, document: date | None, last_day: object) -> LicenceAnswer:
    categories = [LicenceCategory("B", None)]
    if last_day != "absent":
        categories.append(LicenceCategory("C", last_day))
    return LicenceAnswer("AA000001", STATES[state], (), None, document, tuple(categories), (), {})


@pytest.mark.parametrize(("state", "document", "last_day", "needed", "moment"), CELLS)
def test_nothing_expired_looks_valid(state, document, last_day, needed, moment) -> None:
    """The status as a list shows it, of an answer of the day before, without a newer one."""
    answer, today = make_answer(state, document, last_day), warsaw_date(moment)
    checked = today - timedelta(days=1)
    outcome = outcome_of(answer, checked)
    listed = [(category.code, category.expires) for category in answer.categories]
    until = entitled_until(document, needed, listed)

    status = outcome
    if outcome is Outcome.VALID and until is not None and until < today:
        status = Outcome.ATTENTION

    is_document_over = document is not None and document < today
    lacks_c = "C" in needed and (
        last_day == "absent" or (last_day is not None and last_day < today)
    )
    lacks_d = "D" in needed
    expected = state == "valid" and not is_document_over and not lacks_c and not lacks_d
    assert (status is Outcome.VALID) == expected
    # What the status says, the problems name.
    problems = find_category_problems(needed, listed, today)
    assert {problem.category for problem in problems} == {
        code for code, lacks in (("C", lacks_c), ("D", lacks_d)) if lacks
    }


days = st.none() | st.dates(date(2020, 1, 1), date(2030, 1, 1))
codes = st.sampled_from(LICENCE_CATEGORIES)


@given(
    days, st.lists(codes, unique=True), st.lists(st.tuples(codes, days)),
    st.dates(date(2019, 1, 1), date(2031, 1, 1)),
)  # fmt: skip
def test_the_last_day_agrees_with_the_problems_of_every_day(document, needed, listed, day) -> None:
    until = entitled_until(document, needed, listed)

    all_over = bool(listed) and not (
        {code for code, _ in listed} - {code for code, last in listed if last and last < day}
    )
    is_over = (
        (document is not None and document < day)
        or bool(find_category_problems(needed, listed, day))
        or all_over
    )
    assert is_over == (until is not None and until < day)
    assert (until == CATEGORY_MISSING) == any(
        problem.expired_on is None for problem in find_category_problems(needed, listed, date.max)
    )


VALID, ATTENTION = Outcome.VALID, Outcome.ATTENTION


# Status and last day before; status and last day of the new result; the day that is stored.
@pytest.mark.parametrize(
    ("before", "after", "stored"),
    [
        # What holds, or is of another state, has its own day.
        (Validity("unknown", None), Validity(VALID, None), None),
        (Validity(VALID, YESTERDAY), Validity(VALID, None), None),
        (Validity(VALID, YESTERDAY), Validity(VALID, TODAY), TODAY),
        (Validity(ATTENTION, None), Validity(VALID, TOMORROW), TOMORROW),
        (Validity(VALID, YESTERDAY), Validity(Outcome.INVALID, YESTERDAY), YESTERDAY),
        # What is over begins an episode after its day.
        (Validity("unknown", None), Validity(VALID, YESTERDAY), YESTERDAY),
        (Validity(VALID, TODAY), Validity(VALID, YESTERDAY), YESTERDAY),
        (Validity(VALID, None), Validity(VALID, CATEGORY_MISSING), CATEGORY_MISSING),
        (Validity(Outcome.INVALID, YESTERDAY), Validity(VALID, YESTERDAY), YESTERDAY),
        # What stays over is of the same episode.
        (Validity(VALID, CATEGORY_MISSING), Validity(VALID, YESTERDAY), CATEGORY_MISSING),
        (Validity(VALID, YESTERDAY), Validity(VALID, CATEGORY_MISSING), YESTERDAY),
        (Validity(ATTENTION, TOMORROW), Validity(VALID, YESTERDAY), BEFORE_ANY_DAY),
    ],
)
def test_the_begin_of_an_episode_stays_while_something_is_over(before, after, stored) -> None:
    assert continued_until(before, after, TODAY) == stored
