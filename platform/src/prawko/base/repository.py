"""Repositories of ordinary tables, on advanced-alchemy (decision 12)."""

from advanced_alchemy.base import ModelProtocol
from advanced_alchemy.filters import LimitOffset
from advanced_alchemy.repository import SQLAlchemyAsyncRepository
from typing_extensions import TypeVar

from prawko.base.pagination import Pagination

ModelT = TypeVar("ModelT", bound=ModelProtocol)


class Repository(SQLAlchemyAsyncRepository[ModelT]):
    """Reads and writes one table in the caller's transaction; it never commits.

    A tenant table shows the rows of the session's company alone: the policies see to it, not
    this class.
    """


def limit_offset(pagination: Pagination) -> LimitOffset:
    """The page as a filter."""
    return LimitOffset(limit=pagination.size, offset=pagination.offset)
