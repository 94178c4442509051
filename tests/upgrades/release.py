"""The dump of the last release: its file, its schema and the commit whose code wrote it."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DUMP = Path(__file__).with_name("release.sql")
WITHHELD = "AB000009"


def read_head() -> tuple[str, str]:
    """Return the dump's migration and the commit that wrote it."""
    with DUMP.open(encoding="utf-8") as file:
        head = file.readline()
    version, commit = re.findall(r"migration (\w+) .* commit (\w+)", head)[0]
    return version, commit
