"""Stores the sandbox's payments in one SQLite file, opened for each call."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from prawko.hooks.payments import Money, PaymentMethod, PaymentRequest, PaymentState
from prawko_demo.sqlite_file import open_transaction

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS payment
        (number INTEGER PRIMARY KEY, reference TEXT UNIQUE NOT NULL, body BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS charge_behaviour
        (id INTEGER PRIMARY KEY CHECK (id = 1), body BLOB NOT NULL);
"""


class SandboxPayment(msgspec.Struct, kw_only=True):
    """A payment of the sandbox. `key` is our reference, `ref` the sandbox's own.

    `charges` counts the charges of a saved card; `refunds` are grosze by refund reference.
    """

    key: str
    ref: str
    grosze: int
    currency: str
    method: PaymentMethod
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
        """The amount to be paid."""
        return Money(self.grosze, self.currency)


class ChargeResult(StrEnum):
    """The result of charging a saved card."""

    PAID = "paid"
    REFUSED = "refused"
    CONSENT = "consent"  # the payer has to agree on the hosted page
    SILENT = "silent"  # charged, but the response is lost


class ChargeBehaviour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of the next `times` charges; null: of every charge until it is changed."""

    result: ChargeResult = ChargeResult.PAID
    times: Annotated[int, Meta(ge=1)] | None = None


class SandboxStore:
    """Payments by their key. Each method is one transaction; they block."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def insert(
        self, request: PaymentRequest, state: PaymentState, reason: str = ""
    ) -> SandboxPayment:
        """Store a new payment. Raises ValueError for a reference that was used before."""
        with self._transaction() as database:
            if _select_payment(database, request.reference) is not None:
                raise ValueError("this order was started before")
            return _upsert_payment(database, _new_payment(request, state, reason))

    def get(self, key: str) -> SandboxPayment | None:
        """Return a payment by our key."""
        with self._transaction() as database:
            return _select_payment(database, key)

    def list_newest(self, limit: int) -> list[SandboxPayment]:
        """Return the latest payments, newest first."""
        with self._transaction() as database:
            rows = database.execute(
                "SELECT body FROM payment ORDER BY number DESC LIMIT ?", (limit,)
            )
            return [msgspec.json.decode(body, type=SandboxPayment) for (body,) in rows]

    def update(self, key: str, mutate: Callable[[SandboxPayment], object]) -> SandboxPayment | None:
        """Apply `mutate` to a payment and store it; return None where there is no such payment.

        Nothing is stored when `mutate` raises.
        """
        with self._transaction() as database:
            payment = _select_payment(database, key)
            if payment is None:
                return None
            mutate(payment)
            return _upsert_payment(database, payment)

    def charge_card(
        self, request: PaymentRequest, card_key: str
    ) -> tuple[SandboxPayment, ChargeResult]:
        """Charge the card that was saved with the payment `card_key`, once per reference."""
        with self._transaction() as database:
            earlier = _select_payment(database, request.reference)
            if earlier is not None:
                return earlier, ChargeResult.PAID
            saved = _select_payment(database, card_key)
            is_chargeable = saved is not None and saved.save and saved.state is PaymentState.PAID
            result = _consume_behaviour(database) if is_chargeable else ChargeResult.REFUSED
            if result is ChargeResult.REFUSED:
                payment = _new_payment(request, PaymentState.FAILED, "the card was refused")
            elif result is ChargeResult.CONSENT:
                payment = _new_payment(request, PaymentState.OPEN)
            else:
                payment = _new_payment(request, PaymentState.PAID)
                payment.charges = 1
            return _upsert_payment(database, payment), result

    def get_charge_behaviour(self) -> ChargeBehaviour:
        """Return the result of the next charges."""
        with self._transaction() as database:
            return _select_behaviour(database)

    def set_charge_behaviour(self, behaviour: ChargeBehaviour) -> None:
        """Set the result of the next charges."""
        with self._transaction() as database:
            _upsert_behaviour(database, behaviour)

    def _transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        return open_transaction(self._file, _SCHEMA)


def _new_payment(request: PaymentRequest, state: PaymentState, reason: str = "") -> SandboxPayment:
    return SandboxPayment(
        key=request.reference,
        ref=f"sandbox-{request.reference}",
        grosze=request.money.grosze,
        currency=request.money.currency,
        method=request.method,
        title=request.description,
        language=request.payer.language,
        return_url=request.return_url,
        save=request.save_payment_method and request.method is PaymentMethod.CARD,
        state=state,
        reason=reason,
    )


def _select_payment(database: sqlite3.Connection, key: str) -> SandboxPayment | None:
    row = database.execute("SELECT body FROM payment WHERE reference = ?", (key,)).fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=SandboxPayment)


def _upsert_payment(database: sqlite3.Connection, payment: SandboxPayment) -> SandboxPayment:
    database.execute(
        "INSERT INTO payment (reference, body) VALUES (?, ?)"
        " ON CONFLICT (reference) DO UPDATE SET body = excluded.body",
        (payment.key, msgspec.json.encode(payment)),
    )
    return payment


def _select_behaviour(database: sqlite3.Connection) -> ChargeBehaviour:
    row = database.execute("SELECT body FROM charge_behaviour").fetchone()
    return ChargeBehaviour() if row is None else msgspec.json.decode(row[0], type=ChargeBehaviour)


def _upsert_behaviour(database: sqlite3.Connection, behaviour: ChargeBehaviour) -> None:
    database.execute(
        "INSERT INTO charge_behaviour (id, body) VALUES (1, ?)"
        " ON CONFLICT (id) DO UPDATE SET body = excluded.body",
        (msgspec.json.encode(behaviour),),
    )


def _consume_behaviour(database: sqlite3.Connection) -> ChargeResult:
    behaviour = _select_behaviour(database)
    if behaviour.times is not None:
        left = behaviour.times - 1
        _upsert_behaviour(
            database, ChargeBehaviour(behaviour.result, left) if left else ChargeBehaviour()
        )
    return behaviour.result
