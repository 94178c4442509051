"""An HTTP client for calls to providers: one deadline, bounded responses, no redirects or retries.

A call without a response may have been carried out. So nothing is repeated here: the caller
decides, and repeats with the same idempotency key.
"""

import asyncio
import re
import ssl
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property, partial
from urllib.parse import unquote_plus

import aiohttp
import msgspec
from yarl import URL

from prawko.hooks.errors import ProviderAccountError, ProviderError

MAX_CONNECTIONS = 32
"""The connections to one provider at a time, unless the client is given another number."""

MAX_RESPONSE_BYTES = 64 * 1024
"""The longest response that is read, in bytes, unless the client is given another number."""

_KEEPALIVE_SECONDS = 4.0  # less than common servers': a request must not meet a closing connection
_MAX_QUOTED = 200
# Begins with a capital letter or has a digit; a shorter one is part of other words.
_NAME_OR_NUMBER = re.compile(r"(?<!\w)(?=[^\W\d_a-z]|\w*\d)\w{3,}")
_DELAY_SECONDS = re.compile(r"[0-9]{1,9}", re.ASCII)
# TLS alerts about our certificate. A server may also fail the handshake of a client without one.
_CERTIFICATE_ALERT = re.compile(
    "_ALERT_(?:.*CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)"
)


class HttpError(ProviderError):
    """There is no usable response; the call may have been carried out."""


class InvalidResponseError(HttpError):
    """The response is not HTTP, too long or wrongly encoded."""


class UntrustedServerError(ProviderAccountError):
    """The server's certificate cannot be trusted, so our key was not sent."""


class HttpResponse(msgspec.Struct, frozen=True):
    """A complete response; names of headers are in lower case, `body` is decompressed.

    `sent` returns what the call sent, whose names and numbers an error does not repeat.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    sent: Callable[[], str] = str

    @property
    def media_type(self) -> str:
        """The media type in lower case, without parameters; empty if there is none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def summary(self) -> str:
        """The status and the beginning of the body as one line, for an error or a log.

        Names and numbers of the call that the server repeats (a person's, or a code) are left out.
        """
        text = " ".join(self.body.decode("utf-8", "replace").split())
        sent = self.sent()
        text = _NAME_OR_NUMBER.sub(lambda word: "…" if word[0] in sent else word[0], text)
        return f"the server answered {self.status} {text[:_MAX_QUOTED]}".rstrip()


class HttpClient:
    """The connections to one provider, opened at the first call, inside the running loop.

    `deadline` is in seconds for a whole call, including the wait for a free connection. `tls`
    holds trusted authorities and a client certificate; `server_name` is the name to verify in
    the server's certificate, if it is not the URL's host.
    """

    def __init__(
        self,
        *,
        deadline: float,
        headers: Mapping[str, str] | None = None,
        max_connections: int = MAX_CONNECTIONS,
        max_response_bytes: int = MAX_RESPONSE_BYTES,
        tls: ssl.SSLContext | None = None,
        server_name: str | None = None,
    ) -> None:
        self._deadline = deadline
        self._headers = {"Accept-Encoding": "identity", **(headers or {})}
        self._max_connections = max_connections
        self._max_response_bytes = max_response_bytes
        self._tls = tls
        self._server_name = server_name

    @cached_property
    def _session(self) -> aiohttp.ClientSession:
        session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=self._max_connections,
                keepalive_timeout=_KEEPALIVE_SECONDS,
                ssl=self._tls or True,
            ),
            headers=self._headers,
            skip_auto_headers=("User-Agent", "Accept"),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
        )
        # aiohttp repeats a GET or PUT whose kept connection broke; registers count every query.
        session._retry_connection = False  # noqa: SLF001
        return session

    async def request(
        self,
        method: str,
        url: URL,
        body: bytes | None = None,
        *,
        media_type: str = "",
        headers: Mapping[str, str] | None = None,
        accepted_statuses: Collection[int] | None = None,
    ) -> HttpResponse:
        """Call once and return the response, whatever its status.

        `headers` are added to the client's. The body of a status that is not among
        `accepted_statuses` is left unread and empty; None accepts all. Raises HttpError
        (InvalidResponseError for an unreadable response); ProviderAccountError if the server
        refused our certificate, or is untrusted.
        """
        added = dict(headers or {})
        if media_type:
            added["Content-Type"] = media_type
        try:
            async with (
                asyncio.timeout(self._deadline),
                self._session.request(
                    method,
                    url,
                    data=body,
                    headers=added,
                    allow_redirects=False,
                    server_hostname=self._server_name,
                ) as response,
            ):
                is_accepted = accepted_statuses is None or response.status in accepted_statuses
                content = await self._read_body(response) if is_accepted else b""
        except TimeoutError:
            raise HttpError(f"no response within {self._deadline:g} s") from None
        except (aiohttp.ClientError, OSError) as error:
            raise _translate_error(error) from None
        names = {name.lower(): value for name, value in response.headers.items()}
        # Read for an error alone: the daily check makes a call for every driver.
        sent = partial(_describe_sent, url, {**self._headers, **added}, body)
        return HttpResponse(response.status, names, content, sent)

    async def close(self) -> None:
        """Close the connections, if there are any."""
        if "_session" in self.__dict__:
            await self._session.close()

    async def _read_body(self, response: aiohttp.ClientResponse) -> bytes:
        body = bytearray()
        async for chunk in response.content.iter_any():
            body += chunk
            if len(body) > self._max_response_bytes:
                raise InvalidResponseError(f"the response with {response.status} is too long")
        encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
        return self._decompress(bytes(body), encoding)

    def _decompress(self, body: bytes, encoding: str) -> bytes:
        """Undo a compression that was not requested, within the same bound."""
        if encoding == "identity":
            return body
        if encoding != "gzip":
            raise InvalidResponseError("the response's encoding is unknown")
        inflater = zlib.decompressobj(wbits=31)
        try:
            inflated = inflater.decompress(body, self._max_response_bytes + 1)
        except zlib.error:
            raise InvalidResponseError("the response is not gzip") from None
        if not inflater.eof or inflater.unused_data or len(inflated) > self._max_response_bytes:
            raise InvalidResponseError("the response is truncated, or too long")
        return inflated


def _describe_sent(url: URL, headers: Mapping[str, str], body: bytes | None) -> str:
    content = unquote_plus((body or b"").decode("utf-8", "replace"))
    return " ".join([url.query_string, *headers.values(), content])


def error_for_status(response: HttpResponse) -> ProviderAccountError | HttpError | None:
    """Return the error of a status that means the same at every provider; None for others.

    401, 402, 403 and 407 are about our account; 3xx, 429 and 5xx are temporary.
    """
    if response.status in {401, 402, 403, 407}:
        return ProviderAccountError(response.summary)
    if 300 <= response.status < 400 or response.status == 429 or response.status >= 500:
        return HttpError(response.summary, retry_after=retry_after(response))
    return None


def retry_after(response: HttpResponse) -> float | None:
    """Return the seconds that a response's Retry-After asks to wait; None if it names none."""
    return parse_retry_after(response.headers.get("retry-after"), now=datetime.now(UTC))


def parse_retry_after(header: str | None, *, now: datetime) -> float | None:
    """Return the seconds to wait that a Retry-After header names, in either of its forms.

    None if there is no header or it cannot be parsed; 0 for a date in the past.
    """
    if header is None:
        return None
    if _DELAY_SECONDS.fullmatch(header.strip()):
        return float(header)
    try:
        instant = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    if instant.tzinfo is None:
        instant = instant.replace(tzinfo=UTC)
    return max(0.0, (instant - now).total_seconds())


def _translate_error(error: Exception) -> Exception:
    for cause in _cause_chain(error):
        # OpenSSL sets a reason; aiohttp's own subclasses of SSLError have none.
        reason = (isinstance(cause, ssl.SSLError) and getattr(cause, "reason", None)) or ""
        if _CERTIFICATE_ALERT.search(reason):
            return ProviderAccountError(f"the server refused our certificate ({reason})")
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return UntrustedServerError("the server's certificate cannot be trusted")
    name = type(error).__name__  # the text of an error may contain the URL, and personal data
    if isinstance(error, aiohttp.ClientResponseError):
        return InvalidResponseError(f"the response is not HTTP ({name})")
    return HttpError(f"the connection failed ({name})")


def _cause_chain(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        inner = getattr(cause, "os_error", None)
        cause = inner if isinstance(inner, BaseException) else cause.__cause__
