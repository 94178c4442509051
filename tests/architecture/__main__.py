"""Print the measures of the code: `python -m tests.architecture`; `--lower` lowers the limits."""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from architecture.measures import AT_LEAST, LIMITS, Measure, collect_measures, read_limits

FLOWS = Path(__file__).with_name("test_flows.py")


def main(arguments: list[str]) -> int:
    """Print the table; returns 1 when a limit is missed."""
    measures = [*collect_measures(), *trace_flows()]
    print(f"{'Measure':44}{'Value':>8}{'Limit':>8}{'Wanted':>8}")
    for measure in measures:
        print(measure)
    if "--lower" in arguments:
        lower_limits(measures)
    return int(not all(measure.holds for measure in measures))


def trace_flows() -> list[Measure]:
    """Return the measures of the flows, which their tests count while they run."""
    limits = read_limits()
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder, "figures")
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(FLOWS)],
            env={**os.environ, "FLOW_FIGURES": str(figures)},
            stdout=subprocess.DEVNULL,
            check=False,
        )
        lines = figures.read_text(encoding="utf-8").splitlines() if figures.exists() else []
    return [Measure(name, value, limits[name]) for name, value in map(json.loads, lines)]


def lower_limits(measures: list[Measure]) -> None:
    """Move each limit to the value, where that is better."""
    text = LIMITS.read_text(encoding="utf-8")
    for name, value, bounds in measures:
        better = max if name.endswith(AT_LEAST) else min
        limit = f"{better(value, bounds.limit):_}"
        text = re.sub(rf'(\["{re.escape(name)}"\]\nlimit = )[\d_]+', rf"\g<1>{limit}", text)
    LIMITS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
