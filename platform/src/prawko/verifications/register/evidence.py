"""Whether queries without an answer show that the register fails, or one document, or one company.

A firewall before the register may refuse a single name, and the register may break over one: that
must not stop the queries of everybody else (docs/rules.md R10).
"""

from collections.abc import Iterable
from typing import Self
from uuid import UUID

import msgspec

# So many documents of one company, none of them ever answered, are believed as well: a new
# installation has no other.
MAX_DOCUMENTS = 10


class FailedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A query without an answer. `is_known`: the same document has been answered before."""

    error: Exception
    tenant_id: UUID
    driver_id: UUID
    is_known: bool


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Whose queries have failed since the last answer, as far as it matters."""

    tenants: tuple[UUID, ...] = ()
    drivers: tuple[UUID, ...] = ()
    has_known: bool = False

    @property
    def is_conclusive(self) -> bool:
        """Whether it is the register that fails: for two companies, or for a known document."""
        return self.has_known or len(self.tenants) > 1 or len(self.drivers) >= MAX_DOCUMENTS

    def with_failures(self, failed: Iterable[FailedQuery]) -> Self:
        """The evidence with these queries; it holds no more than it takes to be conclusive."""
        queries = list(failed)
        tenants = dict.fromkeys([*self.tenants, *(query.tenant_id for query in queries)])
        drivers = dict.fromkeys([*self.drivers, *(query.driver_id for query in queries)])
        return type(self)(
            tenants=tuple(tenants)[:2],
            drivers=tuple(drivers)[:MAX_DOCUMENTS],
            has_known=self.has_known or any(query.is_known for query in queries),
        )
