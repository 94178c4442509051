"""Runs every benchmark: `make bench`, or `python -m tests.bench --small`."""

import argparse

from tests.bench import daily_check, growth, list_read, planning, storage

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--small", action="store_true", help="fewer drivers and rounds: faster, less exact"
    )
    small = parser.parse_args().small
    list_read.run()
    daily_check.run(small=small)
    planning.run(small=small)
    storage.run(small=small)
    growth.run(small=small)
