import pytest

from prawko.drivers.models import Outcome
from prawko.verifications.mass_change.rules import StatusChanges, is_mass_change, is_suspicious


@pytest.mark.parametrize(
    ("provisional", "awaiting_recheck", "effective", "run_size", "expected"),
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
    provisional, awaiting_recheck, effective, run_size, expected
):
    changes = StatusChanges(provisional, awaiting_recheck, effective)
    assert is_mass_change(changes, run_size) is expected


@pytest.mark.parametrize("previous", ["unknown", *Outcome])
def test_a_withheld_licence_is_never_quarantined(previous):
    assert not is_suspicious(previous, Outcome.INVALID)
    assert not is_suspicious(previous, Outcome.VALID)


def test_only_a_status_change_counts():
    assert is_suspicious("valid", Outcome.ATTENTION)
    assert is_suspicious("unknown", Outcome.NOT_FOUND)
    assert not is_suspicious("attention", Outcome.ATTENTION)
    assert not is_suspicious("not_found", Outcome.NOT_FOUND)
