import pytest

from prawko.verifications.mass_change import StatusChanges, is_mass_change


@pytest.mark.parametrize(
    ("provisional", "awaiting_recheck", "effective", "answered", "expected"),
    [
        (0, 0, 0, 0, False),
        (20, 0, 0, 20, False),
        (21, 0, 0, 21, True),
        (21, 0, 0, 1_000, True),
        (21, 0, 0, 1_049, True),
        (21, 0, 0, 1_050, False),
        (200, 0, 0, 10_000, False),
        (201, 0, 0, 10_000, True),
        (1, 20, 0, 100, True),
        (1, 0, 20, 100, True),
        (10, 5, 5, 100, False),
    ],
)
def test_more_than_twenty_and_more_than_two_percent_is_a_mass_change(
    provisional, awaiting_recheck, effective, answered, expected
):
    changes = StatusChanges(provisional, awaiting_recheck, effective)
    assert is_mass_change(changes.counted, answered) is expected


def test_what_exceeds_a_companys_share_does_not_count():
    assert not is_mass_change(StatusChanges(300, 0, 0, excess=295).counted, 300)
    assert is_mass_change(StatusChanges(300, 0, 0, excess=279).counted, 300)


def test_changes_of_the_run_that_superseded_this_one_count() -> None:
    assert not is_mass_change(StatusChanges(20, 0, 0).counted, 300)
    assert is_mass_change(StatusChanges(20, 0, 0, later=1).counted, 300)
