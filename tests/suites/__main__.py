"""Runs one of the two suites: `make test` and `make drills`.

`test` is both browser applications' tests and pytest's but for the drills, which `drills` runs
(`support/drills.py`). Each part runs even when an earlier one failed. With `--repeat-failed`, as CI
asks, what failed runs once more, alone: tests of real time may fail beside others on two cores. A
second failure fails the run, and so does a first one that is not a test's: a crash, an
interruption, a right that nothing uses. Arguments after `--` go to pytest.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTEST = (sys.executable, "-m", "pytest", "--unused-rights=fail", "--durations=25", "-m")
MARKERS = {"test": "not drill", "drills": "drill"}
VITEST = ("npm", "run", "--silent", "test", "--")
APPLICATIONS = ("frontend", "admin-ui")
TESTS_FAILED = 1  # pytest's exit code; the others are no failure of a test


def main(arguments: list[str]) -> int:
    """Run a suite; returns 1 when a part of it failed."""
    split = arguments.index("--") if "--" in arguments else len(arguments)
    suite, repeats = arguments[0], "--repeat-failed" in arguments[:split]
    options = [MARKERS[suite], *arguments[split + 1 :]]
    applications = APPLICATIONS if suite == "test" else ()
    passed = {name: run_vitest(ROOT / name, repeats=repeats) for name in applications}
    passed["pytest"] = run_pytest(ROOT, options, repeats=repeats)
    for name, has_passed in passed.items():
        print(f"{name:10} {'ok' if has_passed else 'FAILED'}", flush=True)
    return int(not all(passed.values()))


def run_vitest(folder: Path, *, repeats: bool) -> bool:
    """Run an application's tests; a file that failed runs once more, alone."""
    with tempfile.TemporaryDirectory() as name:
        report = Path(name, "report.json")
        output = ("--reporter=default", "--reporter=json", f"--outputFile.json={report}")
        if run((*VITEST, *output), folder):
            return True
        files = find_failed_files(report)
    # Without one, something else failed: an error between the tests, or the start.
    return repeats and bool(files) and all(repeat((*VITEST, file), folder) for file in files)


def find_failed_files(report: Path) -> list[str]:
    """Return the files of vitest's report in which a test failed; none if there is no report."""
    if not report.exists():
        return []
    results = json.loads(report.read_text())["testResults"]
    return [result["name"] for result in results if result["status"] == "failed"]


def run_pytest(folder: Path, options: list[str], *, repeats: bool) -> bool:
    """Run pytest with a marker and options; tests that failed run once more, alone."""
    code = subprocess.run([*PYTEST, *options], cwd=folder, check=False).returncode
    if code != TESTS_FAILED or not repeats:
        return code == 0
    return repeat((*PYTEST, options[0], "--last-failed", "--last-failed-no-failures=none"), folder)


def repeat(command: tuple[str, ...], folder: Path) -> bool:
    print(f"What failed runs once more, alone: {' '.join(command)}", flush=True)
    return run(command, folder)


def run(command: tuple[str, ...], folder: Path) -> bool:
    return subprocess.run(command, cwd=folder, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
