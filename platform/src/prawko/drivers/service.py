"""What a company may do with its drivers."""

from collections.abc import Mapping

from prawko.base.clock import Clock
from prawko.base.errors import NotFoundError
from prawko.billing.allowance import require_subscription
from prawko.drivers.details import read_details
from prawko.drivers.errors import DriverLimitError, LicenceTakenError
from prawko.drivers.repository import DriverRepository
from prawko.drivers.sorting import sort_key
from prawko_tenants.ids import DriverId, UserId
from prawko_tenants.sessions import TenantSession


class DriverService:
    """One company's drivers, inside one transaction."""

    def __init__(self, session: TenantSession, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self._drivers = DriverRepository(session)

    async def add(self, given: Mapping[str, str], by: UserId) -> DriverId:
        """Add a driver; the register is asked later (reading R12a).

        Raises SubscriptionRequiredError, InvalidDriverDataError, LicenceTakenError and
        DriverLimitError. A number another company holds is like any other (R2).
        """
        now = self._clock.now()
        limit = await require_subscription(self._session, now)
        details = read_details(given)
        await self._drivers.hold_company()
        key = sort_key(details["first_name"], details["last_name"])
        driver_id = await self._drivers.add(details, key, by, now)
        if driver_id is None:
            raise LicenceTakenError
        if await self._drivers.count() > limit:
            raise DriverLimitError
        return driver_id

    async def edit(self, driver_id: DriverId, given: Mapping[str, str]) -> bool:
        """Change the given fields; whether any did. What equals the stored one changes nothing.

        A changed name or number makes it another document: unknown, and due for a check. What
        the old one was asked and answered stays in the history only (reading R12a).

        Raises SubscriptionRequiredError, InvalidDriverDataError, NotFoundError and
        LicenceTakenError.
        """
        await require_subscription(self._session, self._clock.now())
        details = read_details(given)
        driver = await self._drivers.hold(driver_id)
        if driver is None:
            raise NotFoundError
        changed = {name: text for name, text in details.items() if getattr(driver, name) != text}
        if not changed:
            return False
        for name, text in changed.items():
            setattr(driver, name, text)
        driver.sort_key = sort_key(driver.first_name, driver.last_name)
        driver.document_no += 1
        driver.status = "unknown"
        driver.latest = None
        driver.verified_at = None
        driver.asked_at = None
        if not await self._drivers.write():
            raise LicenceTakenError
        return True

    async def remove(self, driver_id: DriverId) -> None:
        """Delete a driver with all that is known of it. Needs no subscription (reading R6).

        Raises NotFoundError.
        """
        if not await self._drivers.remove(driver_id):
            raise NotFoundError
