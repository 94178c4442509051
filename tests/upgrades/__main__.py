"""Write the dump that the upgrade tests begin with: `python -m tests.upgrades --write`.

Write it at each release, on the commit that is released.
"""

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def main(arguments: list[str]) -> int:
    """Write the dump; returns pytest's exit code."""
    if arguments != ["--write"]:
        sys.exit(__doc__)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, FOLDER / "write_dump.py"],
        env={**os.environ, "RELEASE_DUMP": str(FOLDER / "release.sql")},
        check=False,
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
