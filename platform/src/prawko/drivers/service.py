"""Adding, updating and removing drivers."""

from collections.abc import Mapping

from prawko.base.clock import Clock
from prawko.base.errors import NotFoundError
from prawko.billing.subscription.entitlements import require_subscription
from prawko.drivers.collation import sort_key
from prawko.drivers.errors import DriverLimitError, LicenceTakenError
from prawko.drivers.models import UNKNOWN
from prawko.drivers.repository import DriverRepository
from prawko.drivers.validation import parse_details
from prawko_tenants.ids import DriverId, UserId
from prawko_tenants.sessions import TenantSession


class DriverService:
    """Drivers of one company, inside one transaction."""

    def __init__(self, session: TenantSession, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self._drivers = DriverRepository(session)

    async def add(self, values: Mapping[str, str], created_by: UserId) -> DriverId:
        """Add a driver and return its id; the register is queried later (docs/rules.md R12a).

        Raises SubscriptionRequiredError, InvalidDriverDataError, LicenceTakenError and
        DriverLimitError. A licence number may exist in several companies (R2).
        """
        now = self._clock.now()
        limit = await require_subscription(self._session, now)
        details = parse_details(values)
        await self._drivers.lock_company()
        key = sort_key(details["first_name"], details["last_name"])
        driver_id = await self._drivers.insert(details, key, created_by, now)
        if driver_id is None:
            raise LicenceTakenError
        if await self._drivers.count() > limit:
            raise DriverLimitError
        return driver_id

    async def update(self, driver_id: DriverId, values: Mapping[str, str]) -> bool:
        """Update the given fields; returns whether any value changed.

        A changed name or number is another document: the status becomes unknown and a check is
        due. Verifications of the old document stay in the history only (R12a).

        Raises SubscriptionRequiredError, InvalidDriverDataError, NotFoundError and
        LicenceTakenError.
        """
        await require_subscription(self._session, self._clock.now())
        details = parse_details(values)
        driver = await self._drivers.lock(driver_id)
        if driver is None:
            raise NotFoundError
        changed = {name: text for name, text in details.items() if getattr(driver, name) != text}
        if not changed:
            return False
        for name, text in changed.items():
            setattr(driver, name, text)
        driver.sort_key = sort_key(driver.first_name, driver.last_name)
        driver.document_version += 1
        driver.status = UNKNOWN
        driver.latest = None
        driver.verified_at = None
        driver.asked_at_system = None
        if not await self._drivers.flush_changes():
            raise LicenceTakenError
        return True

    async def remove(self, driver_id: DriverId) -> None:
        """Delete a driver with all its data; needs no subscription (R6). Raises NotFoundError."""
        if not await self._drivers.delete(driver_id):
            raise NotFoundError
