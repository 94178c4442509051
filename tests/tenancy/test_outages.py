"""The database errors that mean that the database cannot serve now."""

import asyncpg
import pytest
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from prawko_tenants.outages import is_conflict, is_retryable, is_unavailable, sqlstate_of


def wrap(error: Exception) -> DBAPIError:
    """The error as SQLAlchemy's asyncpg dialect raises it."""
    return DBAPIError("SELECT 1", {}, error)


UNAVAILABLE = [
    asyncpg.TooManyConnectionsError(),
    asyncpg.OutOfMemoryError(),
    asyncpg.DiskFullError(),
    asyncpg.QueryCanceledError(),
    asyncpg.AdminShutdownError(),
    asyncpg.CannotConnectNowError(),
    asyncpg.InvalidPasswordError(),
    asyncpg.ReadOnlySQLTransactionError(),
    asyncpg.ConnectionDoesNotExistError(),
]
FAULTY = [
    asyncpg.UniqueViolationError(),
    asyncpg.UndefinedTableError(),
    asyncpg.InsufficientPrivilegeError(),
    asyncpg.DataError(),
    asyncpg.DeadlockDetectedError(),
]


@pytest.mark.parametrize("error", UNAVAILABLE, ids=lambda error: type(error).__name__)
def test_a_server_that_cannot_serve_is_unavailable(error):
    assert is_unavailable(error)
    assert is_unavailable(wrap(error))
    assert sqlstate_of(wrap(error)) == error.sqlstate


@pytest.mark.parametrize("error", FAULTY, ids=lambda error: type(error).__name__)
def test_a_faulty_statement_is_no_outage(error):
    assert not is_unavailable(error)
    assert not is_unavailable(wrap(error))


@pytest.mark.parametrize("error", [asyncpg.DeadlockDetectedError, asyncpg.SerializationError])
def test_a_transaction_that_another_was_in_the_way_of_is_worth_a_retry(error):
    assert is_conflict(wrap(error()))
    assert is_retryable(wrap(error()))


def test_a_conflict_is_distinguished_from_other_errors():
    assert not any(map(is_conflict, [asyncpg.UniqueViolationError(), ValueError(), *UNAVAILABLE]))


@pytest.mark.parametrize("error", [PoolTimeoutError(), TimeoutError(), ConnectionResetError()])
def test_waiting_in_vain_is_an_outage(error):
    assert is_unavailable(error)


def test_an_error_without_a_code_has_none():
    assert sqlstate_of(ValueError()) is None
    assert not is_unavailable(IntegrityError("SELECT 1", {}, ValueError()))
