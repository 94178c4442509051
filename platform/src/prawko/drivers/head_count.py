"""Answers what billing asks of drivers."""

from prawko.drivers.repository import DriverRepository
from prawko_tenants.sessions import TenantSession


class DriversCounted:
    """Counts a company's drivers."""

    async def drivers(self, session: TenantSession) -> int:
        """How many drivers the company has."""
        return await DriverRepository(session).count()
