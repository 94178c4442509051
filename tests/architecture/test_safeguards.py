"""The edits of `make mutants` fit the sources, and what the mutants' lists name exists."""

import re
import tomllib
from pathlib import Path

import pytest

from mutants.safeguards import SAFEGUARDS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("safeguard", SAFEGUARDS, ids=lambda safeguard: safeguard.name)
def test_every_safeguard_can_be_removed_and_names_tests_that_exist(safeguard):
    for file, text, _ in safeguard.edits:
        assert (ROOT / file).read_text().count(text) == 1, (file, text)
    for test in safeguard.tests:
        path, _, node = test.partition("::")
        name = node.partition("[")[0]
        source = (ROOT / path).read_text()
        assert not name or re.search(rf"^(async )?def {name}\(", source, re.MULTILINE), test


def test_the_table_has_each_safeguard_once_in_their_order():
    rows = re.findall(r"^\| (.+?) \| `", (ROOT / "docs/mutants.md").read_text(), re.MULTILINE)
    assert rows == [safeguard.name for safeguard in SAFEGUARDS]


def test_the_modules_and_tests_of_generated_mutants_exist():
    text = (ROOT / "tests/mutants/generated.toml").read_text()
    settings = tomllib.loads(text)["tool"]["mutmut"]
    modules = [f"platform/{name}" for name in settings["only_mutate"]]
    named = [*modules, *settings["pytest_add_cli_args_test_selection"]]
    assert len(modules) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []
