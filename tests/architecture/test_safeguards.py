"""`make mutants` removes what stands in the code: a safeguard that was reworded must follow."""

from pathlib import Path

import pytest

from mutants.safeguards import SAFEGUARDS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("safeguard", SAFEGUARDS, ids=lambda one: one.name)
def test_every_safeguard_can_be_removed_and_names_tests_that_exist(safeguard):
    for file, text, _ in safeguard.edits:
        assert (ROOT / file).read_text().count(text) == 1, (file, text)
    for test in safeguard.tests:
        assert (ROOT / test.partition("::")[0]).is_file(), test
