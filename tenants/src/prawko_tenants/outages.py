"""Classifies database errors: connection lost, database unavailable, or worth a retry."""

import asyncpg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

_CONNECTION_ERRORS = (
    InterfaceError,
    OperationalError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InterfaceError,
    ConnectionError,
    TimeoutError,
)
_CONFLICT_SQLSTATES = {"40P01", "40001"}  # deadlock, serialization failure
_FORBIDDEN_SQLSTATE = "42501"
_FOREIGN_KEY_SQLSTATE = "23503"
# Classes and codes by which PostgreSQL says that it cannot serve any statement now.
_UNAVAILABLE_SQLSTATES = (
    "08",  # connection exception
    "28",  # the login was refused: its password has been changed
    "53",  # connections, memory or disk are used up
    "57014",  # the statement took too long
    "57P",  # the server is shutting down or starting
    "25006",  # read-only: a standby
)


def is_retryable(error: BaseException) -> bool:
    """Whether a new attempt of the same transaction may succeed."""
    return is_conflict(error) or is_connection_error(error)


def is_unavailable(error: BaseException) -> bool:
    """Whether the database could not serve, through no fault of the caller."""
    return (
        is_connection_error(error)
        or isinstance(error, PoolTimeoutError)
        or (sqlstate_of(error) or "").startswith(_UNAVAILABLE_SQLSTATES)
    )


def is_conflict(error: BaseException) -> bool:
    """Whether PostgreSQL undid the transaction because another one was in its way.

    The two waited for each other, or the other changed what this one had read.
    """
    return sqlstate_of(error) in _CONFLICT_SQLSTATES


def is_forbidden(error: BaseException) -> bool:
    """Whether the login has no right to the statement."""
    return sqlstate_of(error) == _FORBIDDEN_SQLSTATE


def is_of_former_member(error: BaseException) -> bool:
    """Whether a row was to name a person whose membership has been deleted meanwhile."""
    is_foreign_key = sqlstate_of(error) == _FOREIGN_KEY_SQLSTATE
    return is_foreign_key and '_membership"' in message_of(error)


def is_connection_error(error: BaseException) -> bool:
    """Whether PostgreSQL was unreachable or dropped the connection."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, _CONNECTION_ERRORS)


def sqlstate_of(error: BaseException) -> str | None:
    """Return PostgreSQL's code of the error (appendix A of its manual); None if it has none."""
    code: str | None = getattr(_original(error), "sqlstate", None)
    return code


def message_of(error: BaseException) -> str:
    """Return PostgreSQL's sentence about the error, without the statement and its values."""
    return str(_original(error).args[0])


def _original(error: BaseException) -> BaseException:
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
