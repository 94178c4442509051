"""How Stripe's SDK reaches Stripe: through the connection that all our plugins use."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping

import stripe
from yarl import URL

from prawko.hooks.carrier_connection import CarrierConnection
from prawko.hooks.channels import DeliveryError

# A page of a hundred sessions has some 400 kB.
LARGEST_ANSWER = 2 * 1024 * 1024

stripe.enable_telemetry = False  # it would leave a file in the home and tell of this machine
logging.getLogger("stripe").setLevel(logging.WARNING)  # below, it writes e-mail addresses


class Connection(stripe.HTTPClient):
    """Carries the SDK's calls; the SDK itself repeats them.

    `deadline` is seconds for one try. Opened when first used, inside the running loop.
    """

    name = "aiohttp"

    def __init__(self, *, deadline: float) -> None:
        super().__init__()
        self._connection = CarrierConnection(deadline=deadline, headers={}, largest=LARGEST_ANSWER)

    async def request_async(
        self, method: str, url: str, headers: Mapping[str, str], post_data: str | None = None
    ) -> tuple[bytes, int, Mapping[str, str]]:
        body = None if post_data is None else post_data.encode()
        try:
            reply = await self._connection.ask(
                method.upper(), URL(url, encoded=True), body, headers=headers
            )
        except DeliveryError as error:
            lost = stripe.APIConnectionError(str(error), should_retry=True)  # type: ignore[no-untyped-call]
            raise lost from None
        return reply.body, reply.status, reply.headers

    def sleep_async(self, secs: float) -> Awaitable[None]:
        return asyncio.sleep(secs)

    async def close_async(self) -> None:
        await self._connection.close()
