"""The public service as a licence register."""

from yarl import URL

from prawko.hooks.licence_register import LicenceAnswer, LicenceQuery
from prawko.hooks.register_connection import RegisterConnection
from prawko_register_public.answer import read_answer
from prawko_register_public.search_key import search_key
from prawko_register_public.settings import Settings


class PublicRegister:
    """One question, one document, found by a hash."""

    name = "public"

    def __init__(self, settings: Settings) -> None:
        self._address = (
            f"{settings.url.rstrip('/')}/nforms/api/UprawnieniaKierowcow/{settings.version}"
            "/data/driver-permissions?hashDanychWyszukiwania="
        )
        self._connection = RegisterConnection(
            deadline=settings.deadline,
            connections=settings.connections,
            largest=settings.largest,
            headers={"Accept": "application/json"},
        )

    async def look_up(self, query: LicenceQuery) -> LicenceAnswer | None:
        """Ask once; see LicenceRegister."""
        key = search_key(query.first_name, query.last_name, query.number)
        url = URL(self._address + key, encoded=True)
        reply = await self._connection.ask("GET", url, readable=(200, 400))
        return read_answer(reply, asked=query.number)

    async def close(self) -> None:
        await self._connection.close()
