"""The demo at the moment of `make test-hours`: `python -m support.shifted_demo`."""

import sys

from prawko.apps.cli.main import main
from support.processes import share_clock

if __name__ == "__main__":
    share_clock()
    sys.exit(main(["demo"]))
