"""The table of reading R12: which change of an outcome says what."""

import pytest

from prawko.notifications.changes import notice_for
from prawko.notifications.kinds import NoticeKind

OUTCOMES = ("valid", "invalid", "attention", "not_found")
SILENCE = None

TABLE = {
    #             valid                 invalid                attention               not_found
    None: (SILENCE, NoticeKind.WITHHELD, NoticeKind.ATTENTION, NoticeKind.NOT_FOUND),
    "valid": (SILENCE, NoticeKind.WITHHELD, NoticeKind.ATTENTION, NoticeKind.NOT_FOUND),
    "invalid": (NoticeKind.RESTORED, SILENCE, NoticeKind.ATTENTION, NoticeKind.NOT_FOUND),
    "attention": (NoticeKind.CONFIRMED, NoticeKind.WITHHELD, SILENCE, NoticeKind.NOT_FOUND),
    "not_found": (NoticeKind.CONFIRMED, NoticeKind.WITHHELD, NoticeKind.ATTENTION, SILENCE),
}
CASES = [
    (previous, current, notice)
    for previous, row in TABLE.items()
    for current, notice in zip(OUTCOMES, row, strict=True)
]


@pytest.mark.parametrize(("previous", "current", "notice"), CASES)
def test_a_change_of_outcome_calls_for_its_notice(previous, current, notice) -> None:
    assert notice_for(previous, current) is notice


@pytest.mark.parametrize("current", OUTCOMES)
def test_a_driver_of_unknown_status_has_had_no_outcome(current) -> None:
    assert notice_for("unknown", current) is notice_for(None, current)


@pytest.mark.parametrize(("previous", "current"), [("valid", "unknown"), ("lost", "valid")])
def test_a_word_that_is_no_outcome_is_a_mistake(previous, current) -> None:
    with pytest.raises(KeyError):
        notice_for(previous, current)
