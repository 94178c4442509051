"""Print the measures of the code: `python -m tests.architecture`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from architecture.measures import collect_measures

if __name__ == "__main__":
    print(f"{'Measure':64}{'Value':>8}{'Limit':>8}")
    for measure in collect_measures():
        print(measure)
