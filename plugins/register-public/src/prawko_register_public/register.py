"""The public service as a licence register."""

from yarl import URL

from prawko.hooks.http_client import HttpClient
from prawko.hooks.licence_register import LicenceAnswer, LicenceQuery
from prawko.hooks.register_client import query_register
from prawko_register_public.response import parse_response
from prawko_register_public.search_key import compute_search_key
from prawko_register_public.settings import PublicRegisterSettings

MAX_RESPONSE_BYTES = 256 * 1024


class PublicRegister:
    """Queries one document by the hash of its holder's names and its number."""

    name = "public"

    def __init__(self, settings: PublicRegisterSettings) -> None:
        self._url_prefix = (
            f"{settings.url.rstrip('/')}/nforms/api/UprawnieniaKierowcow/{settings.version}"
            "/data/driver-permissions?hashDanychWyszukiwania="
        )
        self._http_client = HttpClient(
            deadline=settings.deadline,
            max_connections=settings.connections,
            max_response_bytes=MAX_RESPONSE_BYTES,
            headers={"Accept": "application/json"},
        )

    async def look_up(self, query: LicenceQuery) -> LicenceAnswer | None:
        key = compute_search_key(query.first_name, query.last_name, query.number)
        url = URL(self._url_prefix + key, encoded=True)
        response = await query_register(self._http_client, "GET", url, accepted_statuses=(200, 400))
        return parse_response(response, expected_number=query.number)

    async def check(self) -> str:
        """Ask whether the service answers; without a search key it has no document."""
        url = URL(self._url_prefix, encoded=True)
        await query_register(self._http_client, "GET", url, accepted_statuses=(200, 400))
        return "answers"

    async def close(self) -> None:
        await self._http_client.close()
