"""Calls to a licence register over HTTP: timed, bounded, never redirected, never repeated.

Everything that can go wrong between us and the register is turned into the three words of
a register here, so that a plugin only has to read answers.
"""

import asyncio
import re
import ssl
import zlib
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import NoReturn

import aiohttp
import msgspec
from yarl import URL

from prawko.hooks.client_session import client_session, retry_after
from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import RegisterError, RegisterTrouble

# Alerts about who we are; a server without a certificate of ours may just fail the handshake.
_OUR_CERTIFICATE = re.compile("_ALERT_(?:.*CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)")


class Reply(msgspec.Struct, frozen=True):
    """An answer that arrived whole; `media_type` is lower-case and without parameters."""

    status: int
    media_type: str
    body: bytes


class RegisterConnection:
    """One register's connections, opened when first asked, inside the running loop.

    `deadline` is seconds for a whole call, waiting for a free connection included;
    `largest` is the bytes of the longest answer worth reading. `tls` carries our trust and
    our certificate, `server_name` the name to verify when the address does not say it.
    """

    def __init__(
        self,
        *,
        deadline: float,
        connections: int,
        largest: int = 256 * 1024,
        headers: Mapping[str, str] | None = None,
        tls: ssl.SSLContext | None = None,
        server_name: str | None = None,
    ) -> None:
        self._deadline = deadline
        self._connections = connections
        self._largest = largest
        self._headers = {"Accept-Encoding": "identity", **(headers or {})}
        self._tls = tls
        self._server_name = server_name

    @cached_property
    def _session(self) -> aiohttp.ClientSession:
        return client_session(connections=self._connections, headers=self._headers, tls=self._tls)

    async def ask(
        self, method: str, url: URL, *, body: bytes | None = None, readable: Collection[int]
    ) -> Reply:
        """Ask once and return the answer if its status is one the plugin can read.

        Raises RegisterError, or AccountError when our certificate or account was refused.
        """
        try:
            async with (
                asyncio.timeout(self._deadline),
                self._session.request(
                    method,
                    url,
                    data=body,
                    allow_redirects=False,
                    server_hostname=self._server_name,
                ) as response,
            ):
                if response.status not in readable:
                    _refuse_status(response)
                return await self._read(response)
        except TimeoutError:
            raise RegisterError(
                RegisterTrouble.UNAVAILABLE, f"no answer within {self._deadline:g} s"
            ) from None
        except aiohttp.ClientResponseError as error:  # its text holds the address asked: unsaid
            raise RegisterError(
                RegisterTrouble.GARBAGE, f"the answer is not HTTP ({type(error).__name__})"
            ) from None
        except (aiohttp.ClientError, OSError) as error:
            _refuse_connection(error)

    async def _read(self, response: aiohttp.ClientResponse) -> Reply:
        body = bytearray()
        async for chunk in response.content.iter_any():
            body += chunk
            if len(body) > self._largest:
                raise RegisterError(RegisterTrouble.GARBAGE, "the answer is too long")
        coding = response.headers.get("Content-Encoding", "identity").strip().lower()
        return Reply(
            status=response.status,
            media_type=response.content_type.lower(),
            body=self._decoded(bytes(body), coding),
        )

    def _decoded(self, body: bytes, coding: str) -> bytes:
        """Undo a compression nobody asked for, within the same bound."""
        if coding == "identity":
            return body
        if coding != "gzip":
            raise RegisterError(RegisterTrouble.GARBAGE, "the answer's encoding is unknown")
        inflater = zlib.decompressobj(wbits=31)
        try:
            inflated = inflater.decompress(body, self._largest + 1)
        except zlib.error:
            raise RegisterError(RegisterTrouble.GARBAGE, "the answer is no gzip") from None
        if not inflater.eof or inflater.unused_data or len(inflated) > self._largest:
            raise RegisterError(RegisterTrouble.GARBAGE, "the answer is cut, or too long")
        return inflated

    async def close(self) -> None:
        """Close what is open; a connection that was never used has nothing to close."""
        if "_session" in self.__dict__:
            await self._session.close()


def _refuse_status(response: aiohttp.ClientResponse) -> NoReturn:
    status = response.status
    said = f"the register said {status}"
    wait = retry_after(response.headers.get("Retry-After"), now=datetime.now(UTC))
    if status in {401, 403, 407}:
        raise AccountError(said)
    if status == 429:
        raise RegisterError(RegisterTrouble.THROTTLED, said, retry_after=wait)
    if status == 400:
        raise RegisterError(RegisterTrouble.REFUSED, said)
    if status > 400:  # 404 included: a misrouted service, not a document nobody knows
        raise RegisterError(RegisterTrouble.UNAVAILABLE, said, retry_after=wait)
    raise RegisterError(RegisterTrouble.GARBAGE, said)


def _refuse_connection(error: BaseException) -> NoReturn:
    """Say whether the line broke, or the register refused our certificate."""
    for cause in _causes(error):
        # OpenSSL's word; aiohttp's own subclasses of SSLError come without one
        reason = (isinstance(cause, ssl.SSLError) and getattr(cause, "reason", None)) or ""
        if _OUR_CERTIFICATE.search(reason):
            raise AccountError(f"the register refused our certificate ({reason})") from error
    raise RegisterError(
        RegisterTrouble.UNAVAILABLE, f"the connection failed ({type(error).__name__})"
    ) from error


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        inner = getattr(cause, "os_error", None)
        cause = inner if isinstance(inner, BaseException) else cause.__cause__
