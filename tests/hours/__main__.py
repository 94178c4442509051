"""Run the suite at other times of day and year, and on a busy machine: `make test-hours`.

A small library, compiled here and preloaded into every process, moves all wall clocks by one
offset, so that the tests, PostgreSQL, Redis and the product agree on the time. Arguments are names
of moments, then pytest's own arguments after `--`.
"""

import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

WARSAW = ZoneInfo("Europe/Warsaw")
SOURCE = Path(__file__).with_name("shifted_clock.c")
ROOT = Path(__file__).parents[2]
PYTEST = ("--numprocesses=4", "--dist=loadscope", "--no-loadscope-reorder", "-q", "--no-header")
BUSY_PROCESSES = 2

# Warsaw's wall clock. The last hour before the autumn change is the first of its two.
MOMENTS = {
    "half-past-midnight": "2027-02-10T00:30",
    "night": "2027-02-10T03:28",
    "daily-check": "2027-02-10T06:05",
    "noon": "2027-02-10T12:00",
    "last-hour": "2027-02-10T23:20",
    "before-midnight": "2027-02-10T23:59",
    "new-year": "2026-12-31T23:58",
    "leap-day": "2028-02-29T12:00",
    "spring-change": "2027-03-28T01:58",
    "autumn-change": "2027-10-31T02:58",
}
BUSY = "busy"


def main(arguments: list[str]) -> int:
    """Run each moment; returns 1 when a test failed at one of them."""
    split = arguments.index("--") if "--" in arguments else len(arguments)
    names, options = arguments[:split] or [*MOMENTS, BUSY], arguments[split + 1 :]
    if unknown := set(names) - {*MOMENTS, BUSY}:
        print(f"unknown: {', '.join(unknown)}; known: {', '.join([*MOMENTS, BUSY])}")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        library = compile_library(Path(folder))
        results = {name: run_moment(name, options, library) for name in names}
    for name, (code, summary) in results.items():
        print(f"{name:20} {MOMENTS.get(name, ''):17} {'ok' if code == 0 else 'FAILED'}  {summary}")
    return int(any(code for code, _ in results.values()))


def compile_library(folder: Path) -> Path:
    """Compile the library. Everybody may read it: the servers run as another user."""
    folder.chmod(0o755)
    library = folder / "shifted_clock.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O2", "-o", library, SOURCE, "-ldl"],
        check=True,
    )
    return library


def run_moment(name: str, options: list[str], library: Path) -> tuple[int, str]:
    """Run pytest at one moment; returns its exit code and its closing line."""
    print(f"== {name} {MOMENTS.get(name, '')}", flush=True)
    environment = dict(os.environ)
    if name in MOMENTS:
        environment |= shifted_clock(MOMENTS[name], library)
    command = [sys.executable, "-m", "pytest", *PYTEST, *options]
    with burning(BUSY_PROCESSES if name == BUSY else 0), tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            output.write(line)
        output.seek(0)
        closing = [line for line in output if re.search(r"\d+ (passed|failed|error)", line)]
        return process.wait(), closing[-1].strip(" =\n") if closing else "no test ran"


def shifted_clock(moment: str, library: Path) -> dict[str, str]:
    """The variables that move the wall clock of a process and of its children."""
    target = datetime.fromisoformat(moment).replace(tzinfo=WARSAW).astimezone(UTC)
    offset = int((target - datetime.now(UTC)).total_seconds())
    return {"LD_PRELOAD": str(library), "CLOCK_OFFSET": str(offset)}


@contextmanager
def burning(processes: int) -> Iterator[None]:
    """Keep so many processors busy meanwhile."""
    burners = [multiprocessing.Process(target=burn, daemon=True) for _ in range(processes)]
    for burner in burners:
        burner.start()
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()


def burn() -> None:
    parent = os.getppid()
    while os.getppid() == parent:
        deadline = time.monotonic() + 1
        while time.monotonic() < deadline:
            pass


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
