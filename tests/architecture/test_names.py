"""Names and borders: functions say verb and object, classes are unique."""

import re

from architecture.house_rules import (
    FUNCTION_NOUNS,
    ROOT,
    bare_functions,
    public_classes,
    repeated_ideas,
    stale_ideas,
    tables_of_higher_layers,
)
from architecture.measures import MODULES, PLATFORM, collect_measures, read_limits
from architecture.syntax_trees import list_prose

DOTTED = re.compile(r"`([a-z_]+(?:\.[A-Za-z_]+)+)(?:\(\))?`")
# Those of packages that are in `kit` or `apps` now, too.
PACKAGES = {path.name for path in PLATFORM.iterdir() if path.is_dir()} | {
    "base", "web", "worker", "cli", "mail", "pdf", "outbox", "incidents", "webhooks",
}  # fmt: skip

# A statement may name a table of a higher layer only here.
HIGHER_TABLES: dict[str, set[str]] = {
    # The hot read of the driver list: one statement with each driver's newest verifications.
    "drivers/queries.py": {"verification", "register_answer"},
}


def names(paths) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def test_no_public_function_is_a_bare_verb():
    bare = {name: names(paths) for name, paths in bare_functions().items()}

    assert {name: paths for name, paths in bare.items() if name not in FUNCTION_NOUNS} == {}


def test_no_two_public_classes_share_a_name():
    classes = {name: names(paths) for name, paths in public_classes().items()}

    assert {name: paths for name, paths in classes.items() if len(paths) > 1} == {}


def test_each_dotted_name_in_prose_is_a_module_or_its_member():
    """A docstring or comment that names `drivers.validity` still names it after a move."""
    stale = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in MODULES
        for text in list_prose(path)
        for name in DOTTED.findall(text)
        if name.partition(".")[0] in PACKAGES and not _exists(name)
    ]

    assert stale == []


def _exists(name: str) -> bool:
    path = PLATFORM / name.replace(".", "/")
    owner = path.parent.with_suffix(".py")
    return (
        path.is_dir()
        or path.with_suffix(".py").exists()
        or (owner.exists() and re.search(rf"\b{path.name}\b", owner.read_text()) is not None)
    )


def test_no_statement_names_a_table_of_a_higher_layer():
    assert tables_of_higher_layers() == HIGHER_TABLES


def test_each_idea_is_built_once():
    assert {idea: names(paths) for idea, paths in repeated_ideas().items()} == {}


def test_each_idea_is_found_where_it_is_built():
    assert stale_ideas() == []


def test_the_measures_hold():
    """`python -m tests.architecture` prints them all."""
    assert [str(measure) for measure in collect_measures() if not measure.holds] == []


def test_each_limit_is_of_a_measure():
    flows = [name for name in read_limits() if name.startswith("flow: ")]

    assert len(flows) == 5
    assert read_limits().keys() - flows == {measure.name for measure in collect_measures()}
