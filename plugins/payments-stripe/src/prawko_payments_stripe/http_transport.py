"""Sends the calls of Stripe's SDK through the HTTP client that all plugins use."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping

import stripe
from yarl import URL

from prawko.hooks.http_client import HttpClient, HttpError

# A list of a hundred sessions has some 400 kB.
MAX_RESPONSE_BYTES = 2 * 1024 * 1024

stripe.enable_telemetry = (
    False  # it would write a file to the home folder and report about this machine
)
logging.getLogger("stripe").setLevel(logging.WARNING)  # lower levels log e-mail addresses


class StripeHttpClient(stripe.HTTPClient):
    """The SDK's transport; the SDK itself retries.

    `deadline` is in seconds for one attempt.
    """

    name = "aiohttp"

    def __init__(self, *, deadline: float) -> None:
        super().__init__()
        self._http_client = HttpClient(
            deadline=deadline,
            headers={"Accept": "application/json"},
            max_response_bytes=MAX_RESPONSE_BYTES,
        )

    async def request_async(
        self, method: str, url: str, headers: Mapping[str, str], post_data: str | None = None
    ) -> tuple[bytes, int, Mapping[str, str]]:
        body = None if post_data is None else post_data.encode()
        try:
            response = await self._http_client.request(
                method.upper(), URL(url, encoded=True), body, headers=headers
            )
        except HttpError as error:
            failure = stripe.APIConnectionError(str(error), should_retry=True)  # type: ignore[no-untyped-call]
            raise failure from None
        return response.body, response.status, response.headers

    def sleep_async(self, secs: float) -> Awaitable[None]:
        return asyncio.sleep(secs)

    async def close_async(self) -> None:
        await self._http_client.close()
