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


def is_database_gone(error: BaseException) -> bool:
    """Whether the failure says that PostgreSQL is away: what was tried may be tried again."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, _SIGNS)
