"""The notices of changed outcomes (docs/rules.md R12)."""

import pytest

from prawko.drivers.status_notices import notice_kind_for
from prawko.notifications.catalogue import NoticeKind

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
def test_each_change_of_outcome_has_its_notice(previous, current, notice) -> None:
    assert notice_kind_for(previous, current) is notice


@pytest.mark.parametrize("current", OUTCOMES)
def test_an_unknown_status_counts_as_no_outcome(current) -> None:
    assert notice_kind_for("unknown", current) is notice_kind_for(None, current)


@pytest.mark.parametrize(("previous", "current"), [("valid", "unknown"), ("lost", "valid")])
def test_an_unknown_outcome_raises(previous, current) -> None:
    with pytest.raises(KeyError):
        notice_kind_for(previous, current)
