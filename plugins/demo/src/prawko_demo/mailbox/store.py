"""The mailbox itself: one SQLite file, opened for each call, shared by the demo's processes."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import msgspec

from prawko.hooks.channels import Medium

SECONDS_TO_WAIT_FOR_OTHERS = 10.0

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS seen (key TEXT PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS message (number INTEGER PRIMARY KEY, body BLOB NOT NULL);
"""


class StoredMessage(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A message as `GET /dev/mailbox` shows it. `created_at` is the machine's time.

    `code` and `link` are there where the message carries one; an SMS has an empty subject.
    """

    id: str
    channel: Medium
    to: str
    subject: str
    text: str
    created_at: datetime
    code: str | None = None
    link: str | None = None


class Mailbox:
    """Messages by their key: one that comes again is not kept twice, even after `clear`."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def keep(self, message: StoredMessage) -> None:
        """Keep a message under its id, unless it was here before."""
        with self._transaction() as database:
            seen = database.execute("INSERT OR IGNORE INTO seen VALUES (?)", (message.id,))
            if seen.rowcount:
                body = msgspec.json.encode(message)
                database.execute("INSERT INTO message (body) VALUES (?)", (body,))

    def messages(self) -> list[StoredMessage]:
        """Every message, newest first."""
        with self._transaction() as database:
            rows = database.execute("SELECT body FROM message ORDER BY number DESC")
            return [msgspec.json.decode(body, type=StoredMessage) for (body,) in rows]

    def clear(self) -> None:
        """Empty it."""
        with self._transaction() as database:
            database.execute("DELETE FROM message")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        if not self._file.exists():
            self._file.touch(mode=0o600)  # codes are in it
        connection = sqlite3.connect(self._file, timeout=SECONDS_TO_WAIT_FOR_OTHERS)
        with closing(connection) as database, database:
            database.executescript(_SCHEMA)
            yield database
