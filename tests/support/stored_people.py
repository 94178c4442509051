"""People who signed up once over HTTP, restored for the tests that follow.

The first test that needs Anna signs her up. What that added to the database is stored, and the
following tests of the same settings and day insert it, with times that are as recent as a
sign-up's: the system's, and those of the product's clock, which a test may have moved. What was
stored while both clocks agreed fits both: it is for tests whose clocks agree, too.
"""

import copy
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from http.cookiejar import Cookie
from typing import Any

import asyncpg
import httpx
import msgspec

from prawko.kit.clock import warsaw_date
from prawko.kit.settings import Settings
from prawko_testing.clock import MovableClock, utc_now
from prawko_testing.fakes import RecordingChannel, SentMessage
from support.people import Person

SIGN_UP = timedelta(minutes=1)  # and less; the times in the future are the product clock's
NONE = timedelta(0)
# Partitioned tables have no rows of people.
_TABLES = """
    SELECT t.oid::regclass::text AS name, array_agg(a.attname ORDER BY a.attnum) AS key
      FROM pg_class t JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (i.indkey)
     WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r' AND NOT t.relispartition
       AND t.relname <> 'alembic_version'
     GROUP BY t.oid
"""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00")

Row = dict[str, Any]
# Table and primary key → row.
Rows = dict[tuple[str, tuple[str, ...]], Row]


@dataclass(frozen=True)
class StoredPerson:
    """What a sign-up left: rows by table, mails and cookies; `offset` is of the product's clock."""

    stored_at: datetime
    offset: timedelta
    rows: dict[str, list[Row]]
    mails: list[SentMessage]
    cookies: list[Cookie]

    def find_rows(self, now: datetime, offset: timedelta) -> dict[str, str]:
        """Return the rows by table as JSON, as of a sign-up that has just ended."""
        age = now - self.stored_at

        def move(table: str, text: str) -> str:
            time = datetime.fromisoformat(text)
            from_system, from_clock = time - self.stored_at, time - self.stored_at - self.offset
            is_system = abs(from_system) < min(SIGN_UP, abs(from_clock)) or table == "login_session"
            return (time + age + (NONE if is_system else offset - self.offset)).isoformat()

        return {
            table: _TIME.sub(lambda time, table=table: move(table, time[0]), json.dumps(rows))
            for table, rows in self.rows.items()
        }


_stored: dict[tuple[str, Settings, date, date, bool], StoredPerson] = {}


class StoredPeople:
    """The people whom one test has, in its database."""

    def __init__(
        self, database: asyncpg.Connection, settings: Settings, clock: MovableClock,
        mailbox: RecordingChannel,
    ) -> None:  # fmt: skip
        self._database = database
        self._settings = msgspec.structs.replace(settings, database_url="")
        self._clock = clock
        self._mailbox = mailbox

    async def sign_up(
        self, email: str, browser: httpx.AsyncClient, sign_up: Callable[[], Awaitable[Person]]
    ) -> Person:
        """Return a signed-in person: stored, or signed up for the first time on a day."""
        now = self._clock.now()
        clocks_agree = self._clock.offset() == NONE
        key = (email, self._settings, now.date(), warsaw_date(now), clocks_agree)
        if stored := _stored.get(key):
            await self._restore(stored)
            for cookie in stored.cookies:
                browser.cookies.jar.set_cookie(copy.copy(cookie))
            return Person(email, browser)
        before, mail_count = await self._read_rows(), len(self._mailbox.sent)
        person = await sign_up()
        _stored[key] = StoredPerson(
            utc_now(),
            self._clock.offset(),
            _group_new_rows(before, await self._read_rows()),
            [mail for mail in self._mailbox.sent[mail_count:] if mail.recipient.email == email],
            [copy.copy(cookie) for cookie in browser.cookies.jar],
        )
        return person

    async def _restore(self, stored: StoredPerson) -> None:
        self._mailbox.sent += stored.mails
        inserts = "; ".join(
            f"INSERT INTO {table} SELECT *"
            f" FROM json_populate_recordset(NULL::{table}, $rows${rows}$rows$)"
            " ON CONFLICT DO NOTHING"
            for table, rows in stored.find_rows(utc_now(), self._clock.offset()).items()
        )
        await self._database.execute(f"SET session_replication_role = replica; {inserts}")

    async def _read_rows(self) -> Rows:
        found: Rows = {}
        for table, key in await self._database.fetch(_TABLES):
            rows = await self._database.fetch(f"SELECT row_to_json(t)::text FROM {table} t")
            for (text,) in rows:
                row = json.loads(text)
                found[table, tuple(str(row[column]) for column in key)] = row
        return found


def _group_new_rows(before: Rows, after: Rows) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = {}
    for key in after.keys() - before.keys():
        grouped.setdefault(key[0], []).append(after[key])
    return grouped
