"""Mutation tests: removes one safeguard after another and prints which test fails.

Usage: `python -m tests.mutants [NAME…]`. Each mutation is made in a copy of the tree, and only
the tests listed for it run there.
docs/mutants.md is the printed table. The exit code is 1 when a mutation survives, or its tests
could not run; the others are tried all the same.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.mutants.safeguards import SAFEGUARDS, Safeguard

ROOT = Path(__file__).resolve().parents[2]
COPIED_PARTS = (
    "tenants", "platform", "migrations", "plugins", "tests", "pyproject.toml", "Makefile",
)  # fmt: skip
IGNORED = shutil.ignore_patterns("node_modules", "__pycache__", "journeys", "*.pyc")
SECONDS = 600  # on a busy machine; a test takes a few


class MutationError(Exception):
    """A mutation could not be made, or its tests did not run to their end."""


def main(names: list[str]) -> int:
    """Print the table, of all safeguards or of those that are named."""
    if unknown := set(names) - {safeguard.name for safeguard in SAFEGUARDS}:
        sys.exit(f"no safeguard has the name {', '.join(sorted(unknown))}")
    safeguards = [safeguard for safeguard in SAFEGUARDS if not names or safeguard.name in names]
    print_row("| Safeguard removed | The test that fails |\n|---|---|")
    surviving_count = 0
    for safeguard in safeguards:
        try:
            killer = find_killer(safeguard)
        except (MutationError, subprocess.TimeoutExpired) as error:
            killer = None
            sys.stderr.write(f"{safeguard.name}: {error}\n")
        surviving_count += killer is None
        print_row(f"| {safeguard.name} | {f'`{killer}`' if killer else '**none**'} |")
    return 1 if surviving_count else 0


def print_row(line: str) -> None:
    """Print a line and flush: the whole table takes minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def find_killer(safeguard: Safeguard) -> str | None:
    """The first test that fails without the safeguard. Raises MutationError."""
    with copied_tree() as tree:
        for path, present, removed in safeguard.edits:
            file = tree / path
            text = file.read_text()
            if text.count(present) != 1:
                raise MutationError(f"{path} has changed: update the edit")
            file.write_text(text.replace(present, removed))
        result = run_tests(tree, safeguard.tests)
    if result.returncode == 0:
        return None
    killer_match = re.search(r"^(?:FAILED|ERROR) (\S+)", result.stdout, re.MULTILINE)
    if result.returncode != 1 or killer_match is None:
        raise MutationError(f"the tests did not run\n{result.stdout[-2000:]}")
    path, _, test = killer_match[1].partition("::")  # a parameter may have slashes
    return f"{Path(path).name}::{test}"


@contextmanager
def copied_tree() -> Iterator[Path]:
    """A copy of what the tests need, in a folder that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="prawko-mutant-") as folder:
        tree = Path(folder)
        for part in COPIED_PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, tree / part, ignore=IGNORED)
            else:
                shutil.copy2(ROOT / part, tree / part)
        yield tree


def run_tests(tree: Path, tests: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run the tests on the copy; its packages come before the installed ones."""
    sources = sorted(str(source) for source in tree.glob("**/src"))
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sources), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
