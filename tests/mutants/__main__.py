"""Removes one safeguard after another and shows which test notices: `python -m tests.mutants`.

Each mutation is made in a copy of the tree, never in the checkout, and only the tests named
beside it run there. The table on standard output is kept as docs/mutants.md. Names as
arguments choose mutations; the exit code is 1 when one survives.
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
PARTS = ("tenants", "platform", "migrations", "plugins", "tests", "pyproject.toml")
LEFT_OUT = shutil.ignore_patterns("node_modules", "__pycache__", "journeys", "*.pyc")
SECONDS = 180


def main(names: list[str]) -> int:
    """Print the table."""
    chosen = [one for one in SAFEGUARDS if not names or one.name in names]
    say("| Safeguard removed | The test that fails |\n|---|---|")
    survivors = 0
    for safeguard in chosen:
        killer = killed_by(safeguard)
        survivors += killer is None
        say(f"| {safeguard.name} | {f'`{killer}`' if killer else '**none**'} |")
    return 1 if survivors else 0


def say(line: str) -> None:
    """Print a line at once: the whole takes minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def killed_by(safeguard: Safeguard) -> str | None:
    """The first test that fails without the safeguard."""
    with copied() as tree:
        for path, present, removed in safeguard.edits:
            file = tree / path
            text = file.read_text()
            if text.count(present) != 1:
                raise SystemExit(f"{safeguard.name}: {path} has changed; name the place anew")
            file.write_text(text.replace(present, removed))
        done = tested(tree, safeguard.tests)
    if done.returncode == 0:
        return None
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    if done.returncode != 1 or found is None:
        raise SystemExit(f"{safeguard.name}: the tests did not run\n{done.stdout[-2000:]}")
    return found[1].rpartition("/")[2]


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of what the tests need, in a folder that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="prawko-mutant-") as folder:
        tree = Path(folder)
        for part in PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, tree / part, ignore=LEFT_OUT)
            else:
                shutil.copy2(ROOT / part, tree / part)
        yield tree


def tested(tree: Path, tests: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
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
