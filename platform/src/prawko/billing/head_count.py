"""What billing asks of the drivers' domain, which stands above it."""

from typing import Protocol, runtime_checkable

from prawko_tenants.sessions import TenantSession


@runtime_checkable
class HeadCount(Protocol):
    """Counts a company's drivers: no order's limit is below them (reading R18)."""

    async def drivers(self, session: TenantSession) -> int:
        """How many drivers the company has."""
        ...
