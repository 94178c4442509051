"""What the sandbox knows: one SQLite file, opened for each call, shared by the demo's processes."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from prawko.hooks.payments import Method, Money, Order, PaymentState

SECONDS_TO_WAIT_FOR_OTHERS = 10.0

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS payment
        (number INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, body BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS mood (one INTEGER PRIMARY KEY CHECK (one = 1), body BLOB NOT NULL);
"""


class Kept(msgspec.Struct, kw_only=True):
    """A payment as the sandbox keeps it; `ref` is its own name for it.

    `charges` counts how often a saved card was charged for it, `refunds` are grosze by their
    keys.
    """

    key: str
    ref: str
    grosze: int
    currency: str
    method: Method
    title: str
    language: str
    return_url: str
    save: bool
    state: PaymentState
    reason: str = ""
    charges: int = 0
    refunds: dict[str, int] = {}

    @property
    def money(self) -> Money:
        """What is to be paid."""
        return Money(self.grosze, self.currency)


class Charge(StrEnum):
    """What becomes of a charge of a saved card."""

    PAID = "paid"
    REFUSED = "refused"
    CONSENT = "consent"  # the payer has to agree on the hosted page
    SILENT = "silent"  # charged, and the answer is lost


class Mood(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What becomes of the next charges; `times` is null where it stays so until changed."""

    result: Charge = Charge.PAID
    times: Annotated[int, Meta(ge=1)] | None = None


class Store:
    """Payments by their key. Each method is one transaction; they block."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def add(self, order: Order, state: PaymentState, reason: str = "") -> Kept:
        """Keep a new payment. Raises ValueError for a key that was used before."""
        with self._transaction() as database:
            if _get(database, order.key) is not None:
                raise ValueError("this order was started before")
            return _put(database, _kept(order, state, reason))

    def get(self, key: str) -> Kept | None:
        """A payment by our key."""
        with self._transaction() as database:
            return _get(database, key)

    def newest(self, most: int) -> list[Kept]:
        """The latest payments, newest first."""
        with self._transaction() as database:
            rows = database.execute(
                "SELECT body FROM payment ORDER BY number DESC LIMIT ?", (most,)
            )
            return [msgspec.json.decode(body, type=Kept) for (body,) in rows]

    def change(self, key: str, change: Callable[[Kept], object]) -> Kept | None:
        """Change a payment; None when there is none. When `change` raises, it stays."""
        with self._transaction() as database:
            found = _get(database, key)
            if found is None:
                return None
            change(found)
            return _put(database, found)

    def charge(self, order: Order, card: str) -> tuple[Kept, Charge]:
        """Charge the card that was saved with another payment, once for an order."""
        with self._transaction() as database:
            found = _get(database, order.key)
            if found is not None:
                return found, Charge.PAID
            saved = _get(database, card)
            known = saved is not None and saved.save and saved.state is PaymentState.PAID
            result = _take_mood(database) if known else Charge.REFUSED
            if result is Charge.REFUSED:
                kept = _kept(order, PaymentState.FAILED, "the card was refused")
            elif result is Charge.CONSENT:
                kept = _kept(order, PaymentState.OPEN)
            else:
                kept = _kept(order, PaymentState.PAID)
                kept.charges = 1
            return _put(database, kept), result

    def mood(self) -> Mood:
        """What becomes of the next charges."""
        with self._transaction() as database:
            return _mood(database)

    def set_mood(self, mood: Mood) -> None:
        """Choose what becomes of them."""
        with self._transaction() as database:
            _put_mood(database, mood)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        if not self._file.exists():
            self._file.touch(mode=0o600)
        connection = sqlite3.connect(
            self._file, timeout=SECONDS_TO_WAIT_FOR_OTHERS, isolation_level=None
        )
        with closing(connection) as database:
            database.executescript(_SCHEMA)
            database.execute("BEGIN IMMEDIATE")  # what is read here is still so when it is written
            try:
                yield database
            except BaseException:
                database.execute("ROLLBACK")
                raise
            database.execute("COMMIT")


def _kept(order: Order, state: PaymentState, reason: str = "") -> Kept:
    return Kept(
        key=order.key,
        ref=f"sandbox-{order.key}",
        grosze=order.money.grosze,
        currency=order.money.currency,
        method=order.method,
        title=order.title,
        language=order.payer.language,
        return_url=order.return_url,
        save=order.save and order.method is Method.CARD,
        state=state,
        reason=reason,
    )


def _get(database: sqlite3.Connection, key: str) -> Kept | None:
    row = database.execute("SELECT body FROM payment WHERE key = ?", (key,)).fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=Kept)


def _put(database: sqlite3.Connection, kept: Kept) -> Kept:
    database.execute(
        "INSERT INTO payment (key, body) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET body = excluded.body",
        (kept.key, msgspec.json.encode(kept)),
    )
    return kept


def _mood(database: sqlite3.Connection) -> Mood:
    row = database.execute("SELECT body FROM mood").fetchone()
    return Mood() if row is None else msgspec.json.decode(row[0], type=Mood)


def _put_mood(database: sqlite3.Connection, mood: Mood) -> None:
    database.execute(
        "INSERT INTO mood VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET body = excluded.body",
        (msgspec.json.encode(mood),),
    )


def _take_mood(database: sqlite3.Connection) -> Charge:
    mood = _mood(database)
    if mood.times is not None:
        left = mood.times - 1
        _put_mood(database, Mood(mood.result, left) if left else Mood())
    return mood.result
