"""Calls to a carrier over HTTP: timed, bounded, never redirected, never repeated.

A provider of payments is called the same way; its plugin says DeliveryError in its own word.

A message that nobody answered for may have been taken all the same: it is tried again with
the same key, by the outbox and by nobody else.
"""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property

import aiohttp
import msgspec
from yarl import URL

from prawko.hooks.channels import DeliveryError
from prawko.hooks.client_session import client_session, retry_after
from prawko.hooks.failures import AccountError

LARGEST_ANSWER = 64 * 1024
CONNECTIONS = 8
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_QUOTED = 200


class CarrierReply(msgspec.Struct, frozen=True):
    """An answer that arrived whole; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def said(self) -> str:
        """The answer for a log: its status and the beginning of its words."""
        words = " ".join(self.body.decode("utf-8", "replace").split())
        return f"the carrier said {self.status} {words[:_QUOTED]}".rstrip()


class CarrierConnection:
    """One carrier's connections, opened when first used, inside the running loop.

    `deadline` is seconds for a whole call, waiting for a free connection included; `largest`
    is in bytes of an answer.
    """

    def __init__(
        self, *, deadline: float, headers: Mapping[str, str], largest: int = LARGEST_ANSWER
    ) -> None:
        self._deadline = deadline
        self._largest = largest
        self._headers = {**headers, "Accept": "application/json", "Accept-Encoding": "identity"}

    @cached_property
    def _session(self) -> aiohttp.ClientSession:
        return client_session(connections=CONNECTIONS, headers=self._headers)

    async def post(self, url: URL, body: bytes, *, media_type: str) -> CarrierReply:
        """Post once and return what the carrier said; fails as `ask` does."""
        return await self.ask("POST", url, body, media_type=media_type)

    async def ask(
        self,
        method: str,
        url: URL,
        body: bytes | None = None,
        *,
        media_type: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> CarrierReply:
        """Call once and return what the carrier said, whatever it was.

        `headers` are this call's, beside the connection's. Raises DeliveryError without an
        answer, AccountError when the server is not who it should be: our key goes to nobody
        else.
        """
        named = dict(headers or {})
        if media_type:
            named["Content-Type"] = media_type
        try:
            async with (
                asyncio.timeout(self._deadline),
                self._session.request(
                    method,
                    url,
                    data=body,
                    headers=named,
                    allow_redirects=False,
                ) as response,
            ):
                return await _read(response, self._largest)
        except TimeoutError:
            raise DeliveryError(f"no answer within {self._deadline:g} s") from None
        except aiohttp.ClientConnectorCertificateError:
            raise AccountError("the server's certificate cannot be trusted") from None
        except (aiohttp.ClientError, OSError) as error:
            raise DeliveryError(f"the connection failed ({type(error).__name__})") from None

    async def close(self) -> None:
        """Close what is open; a connection that was never used has nothing to close."""
        if "_session" in self.__dict__:
            await self._session.close()


async def _read(response: aiohttp.ClientResponse, largest: int) -> CarrierReply:
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > largest:
            raise DeliveryError(f"the answer with {response.status} is too long")
    headers = {name.lower(): value for name, value in response.headers.items()}
    return CarrierReply(response.status, headers, bytes(body))


def unwell(reply: CarrierReply) -> AccountError | DeliveryError | None:
    """What a status means at every carrier; None where the plugin has to read the answer."""
    if reply.status in {401, 402, 403, 407}:
        return AccountError(reply.said)
    if 300 <= reply.status < 400 or reply.status == 429 or reply.status >= 500:
        wait = retry_after(reply.headers.get("retry-after"), now=datetime.now(UTC))
        return DeliveryError(reply.said, retry_after=wait)
    return None


def is_safe(url: URL) -> bool:
    """Whether a key may travel to this address: by https, or inside this machine."""
    if url.scheme == "https":
        return url.host is not None
    return url.scheme == "http" and url.host in LOOPBACK
