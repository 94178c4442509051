"""How it shows that PostgreSQL cannot be reached, through either door."""

import asyncpg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

_SIGNS = (
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


# A deadlock, and transactions that could not be put in a row: the same again may well succeed.
_CLASHES = {"40P01", "40001"}


def may_be_tried_again(error: BaseException) -> bool:
    """Whether the same transaction, begun anew, may succeed."""
    clash = isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _CLASHES
    return clash or is_database_gone(error)


def is_database_gone(error: BaseException) -> bool:
    """Whether the failure says that PostgreSQL is away: what was tried may be tried again."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, _SIGNS)
