"""CONTRIBUTING.md names the migration that defines each function, trigger and view."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MIGRATIONS = ROOT / "migrations" / "src" / "prawko_migrations" / "versions"
DEFINITION = re.compile(r"CREATE (?:OR REPLACE )?(?:FUNCTION|VIEW|TRIGGER)\s+(\w+)")
ROW = re.compile(r"^\| (\d{4}) \| (`[^|]+`) \|", re.MULTILINE)


def test_the_table_has_the_present_definition_of_what_the_database_decides() -> None:
    present = set(re.findall(r"\w+", (ROOT / "tests" / "frozen" / "schema.txt").read_text()))
    defined = {
        name: path.name[:4]
        for path in sorted(MIGRATIONS.glob("*.py"))
        for name in DEFINITION.findall(path.read_text())
        if name in present
    }
    listed = {
        name: migration
        for migration, names in ROW.findall((ROOT / "CONTRIBUTING.md").read_text())
        for name in re.findall(r"\w+", names)
    }

    assert listed == defined
    assert len(defined) > 30
