"""What a company may have of its data: archives, which are counted and noted."""

import asyncio
from weakref import WeakKeyDictionary

from prawko.accounts.activity import Act, Origin, note
from prawko.accounts.identity import Identity
from prawko.accounts.throttle import Throttle
from prawko.base.jobs import Tools
from prawko.base.texts import Language
from prawko.personal_data import limits
from prawko.personal_data.archive import Archive
from prawko.personal_data.export import Exporter
from prawko_tenants.engine import Database
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

ARCHIVES_AT_ONCE = 2

_turns: WeakKeyDictionary[Database, asyncio.Semaphore] = WeakKeyDictionary()


def turn(database: Database) -> asyncio.Semaphore:
    """Lets so many archives be made at once in a process: each holds a connection meanwhile."""
    return _turns.setdefault(database, asyncio.Semaphore(ARCHIVES_AT_ONCE))


class Exports:
    """Makes archives for a person of the company that the session is bound to."""

    def __init__(
        self, tools: Tools, session: TenantSession, identity: Identity, origin: Origin,
        language: Language,
    ) -> None:  # fmt: skip
        self._throttle = Throttle(tools.database, tools.vault)
        self._turn = turn(tools.database)
        self._session = session
        self._identity = identity
        self._origin = origin
        self._now = tools.clock.now()
        self._exporter = Exporter(
            session, tools.vault, brand=tools.settings.brand, language=language, now=self._now
        )

    async def company(self) -> Archive:
        """All of the company's data. Raises TooManyRequestsError."""
        await self._throttle.count(limits.COMPANY_EXPORTS, str(self._identity.tenant_id))
        async with self._turn:
            archive = await self._exporter.company(self._identity.user_id)
            await self._note(archive, "company")
        return archive

    async def driver(self, driver_id: DriverId) -> Archive:
        """One driver's data. Raises TooManyRequestsError and NotFoundError."""
        await self._throttle.count(limits.DRIVER_EXPORTS, str(self._identity.tenant_id))
        async with self._turn:
            archive = await self._exporter.driver(driver_id)
            await self._note(archive, "driver", driver=driver_id)
        return archive

    async def _note(self, archive: Archive, about: str, **details: DriverId) -> None:
        try:
            await note(
                self._session, Act.EXPORT_MADE, self._identity, self._origin, self._now,
                about=about, **details,
            )  # fmt: skip
        except BaseException:
            archive.close()
            raise
