from datetime import timedelta

import pytest

from prawko.hooks.licence_register import RegisterTrouble
from prawko.verifications.attempts import wait_after


@pytest.mark.parametrize(
    ("attempts", "seconds"), [(0, 30), (1, 30), (2, 60), (3, 120), (7, 1800), (500, 1800)]
)
def test_the_wait_doubles_up_to_half_an_hour(attempts, seconds):
    for trouble in (RegisterTrouble.UNAVAILABLE, RegisterTrouble.GARBAGE, None):
        assert wait_after(trouble, attempts) == timedelta(seconds=seconds)


def test_a_question_found_malformed_waits_an_hour():
    assert wait_after(RegisterTrouble.REFUSED, 1) == timedelta(hours=1)


@pytest.mark.parametrize(("asked_for", "seconds"), [(0, 30), (45, 45), (1e9, 3600)])
def test_the_register_names_the_wait(asked_for, seconds):
    wait = wait_after(RegisterTrouble.THROTTLED, 1, asked_for=asked_for)
    assert wait == timedelta(seconds=seconds)
