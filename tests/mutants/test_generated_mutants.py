"""Of the pure modules, mutmut generates mutants, and the modules' tests kill so many of them.

`generated.toml` lists modules and tests. A failure names the mutants that survive; `mutmut show`
in the folder of the run shows the edit of one.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONFIGURATION = Path(__file__).with_name("generated.toml")
SECONDS = 1500  # two idle cores take three minutes
KILLED_PERCENT = 86  # a limit that only rises


def test_the_tests_of_the_pure_modules_kill_their_mutants(tmp_path) -> None:
    copy_tree(tmp_path)

    run_mutmut(tmp_path, "run", "--max-children", "2")
    run_mutmut(tmp_path, "export-cicd-stats")
    counts = json.loads((tmp_path / "mutants/mutmut-cicd-stats.json").read_text())
    survivors = run_mutmut(tmp_path, "results")

    # A hanging mutant is found, too. Functions that none of these tests runs do not count.
    killed = counts["killed"] + counts["timeout"]
    assert killed > 1000
    assert 100 * killed >= KILLED_PERCENT * (killed + counts["survived"]), f"{counts}\n{survivors}"


def copy_tree(folder: Path) -> None:
    """Copy the sources, the tests without the fixtures of servers, and the configuration."""
    shutil.copytree(ROOT / "platform/src", folder / "src", ignore=shutil.ignore_patterns("*.pyc"))
    no_servers = shutil.ignore_patterns("*.pyc", "conftest.py", "journeys")
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=no_servers)
    shutil.copy(CONFIGURATION, folder / "pyproject.toml")


def run_mutmut(folder: Path, *arguments: str) -> str:
    result = subprocess.run(
        [Path(sys.executable).with_name("mutmut"), *arguments],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-2000:]
    return result.stdout
