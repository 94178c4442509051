"""Classifies database errors: connection lost, or worth a retry."""

import asyncpg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

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
_RETRYABLE_SQLSTATES = {"40P01", "40001"}  # deadlock detected, serialization failure


def is_retryable(error: BaseException) -> bool:
    """Whether a new attempt of the same transaction may succeed."""
    is_conflict = (
        isinstance(error, DBAPIError)
        and getattr(error.orig, "sqlstate", None) in _RETRYABLE_SQLSTATES
    )
    return is_conflict or is_connection_error(error)


def is_connection_error(error: BaseException) -> bool:
    """Whether PostgreSQL was unreachable or dropped the connection."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, _CONNECTION_ERRORS)
