"""Stores the messages of the mailbox in one SQLite file, opened for each call."""

import sqlite3
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

import msgspec

from prawko.hooks.channels import Medium
from prawko_demo.sqlite_file import open_transaction

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS delivered_key (id TEXT PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS message (number INTEGER PRIMARY KEY, body BLOB NOT NULL);
"""


class StoredMessage(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A message in the form of `GET /dev/mailbox`.

    `id` is the idempotency key, `created_at` the system time. An SMS has an empty subject.
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
    """Messages by their id. The methods block."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def save(self, message: StoredMessage) -> None:
        """Store a message, unless its id was stored before, even if `clear` has removed it."""
        with self._transaction() as database:
            inserted = database.execute(
                "INSERT OR IGNORE INTO delivered_key (id) VALUES (?)", (message.id,)
            )
            if inserted.rowcount:
                body = msgspec.json.encode(message)
                database.execute("INSERT INTO message (body) VALUES (?)", (body,))

    def list_messages(self) -> list[StoredMessage]:
        """Return every message, newest first."""
        with self._transaction() as database:
            rows = database.execute("SELECT body FROM message ORDER BY number DESC")
            return [msgspec.json.decode(body, type=StoredMessage) for (body,) in rows]

    def clear(self) -> None:
        """Remove every message."""
        with self._transaction() as database:
            database.execute("DELETE FROM message")

    def _transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        return open_transaction(self._file, _SCHEMA)
