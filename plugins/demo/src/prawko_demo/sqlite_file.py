"""Transactions on the demo's SQLite files, which all its processes share."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

LOCK_TIMEOUT_SECONDS = 10.0


@contextmanager
def open_transaction(file: Path, schema: str) -> Iterator[sqlite3.Connection]:
    """Open the file, create its tables, and hold the write lock until the block ends.

    Commits, or rolls back when the block raises. A new file is readable by its owner only. Blocks;
    raises sqlite3.Error and OSError.
    """
    if not file.exists():
        file.touch(mode=0o600)
    connection = sqlite3.connect(file, timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None)
    with closing(connection) as database:
        database.executescript(schema)
        # A deferred transaction could be refused its write lock after it has read.
        database.execute("BEGIN IMMEDIATE")
        try:
            yield database
        except BaseException:
            database.execute("ROLLBACK")
            raise
        database.execute("COMMIT")
