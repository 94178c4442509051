"""Repositories of ordinary tables, on advanced-alchemy (decision 12)."""

from advanced_alchemy.base import ModelProtocol
from advanced_alchemy.filters import LimitOffset
from advanced_alchemy.repository import SQLAlchemyAsyncRepository
from sqlalchemy.ext.asyncio import AsyncSession
from typing_extensions import TypeVar

from prawko.base.pagination import Pagination

ModelT = TypeVar("ModelT", bound=ModelProtocol)


class Repository(SQLAlchemyAsyncRepository[ModelT]):
    """Reads and writes one table in the caller's transaction; it never commits.

    A tenant table shows the rows of the session's company alone: the policies see to it, not
    this class. Errors of the database are SQLAlchemy's own: callers tell an outage from a conflict.
    Nothing is read back after a write: a login may lack the right.
    """

    def __init__(self, session: AsyncSession) -> None:
        super().__init__(session=session, auto_refresh=False, wrap_exceptions=False)


def limit_offset(pagination: Pagination) -> LimitOffset:
    """Return the page as a filter of advanced-alchemy."""
    return LimitOffset(limit=pagination.size, offset=pagination.offset)
