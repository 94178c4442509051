"""Compresses JSON responses for clients that accept gzip.

BREACH reads a secret from the size of compressed responses that also contain a text of the
attacker's choice, requested by the victim's browser. No response contains such a text beside a
secret: the session token is a cookie only, codes and links are sent by mail and SMS only. Beyond
that, what another site's page requests is not compressed (docs/decisions/0026-first-paint.md).
"""

import asyncio
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPResponseStartEvent, Message, Receive, Scope, Send

MIN_BYTES = 1024  # a smaller response fits into one packet anyway
# Larger ones would keep the event loop waiting; zlib releases the interpreter's lock.
MIN_BYTES_IN_THREAD = 256 * 1024
LEVEL = 5  # 300 drivers: 2 % larger than at level 6, in two thirds of the time
_GZIP_FORMAT = 31  # zlib's window bits for a gzip header and trailer

RawHeaders = Iterable[tuple[bytes, bytes]]


class JsonCompression:
    """Wraps an ASGI application; what its client cannot decode passes through untouched."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or not _may_compress(scope["headers"]):
            await self._app(scope, receive, send)
            return
        held: HTTPResponseStartEvent | None = None

        async def send_compressed(message: Message) -> None:
            nonlocal held
            if message["type"] == "http.response.start" and _is_plain_json(message["headers"]):
                held = message
                return
            if held is not None and message["type"] == "http.response.body":
                body = message.get("body", b"")
                if len(body) >= MIN_BYTES and not message.get("more_body"):
                    message["body"] = await _compress(body)
                    held["headers"] = _encoded_headers(held["headers"], len(message["body"]))
                await send(held)
                held = None
            await send(message)

        await self._app(scope, receive, send_compressed)


def _may_compress(headers: RawHeaders) -> bool:
    """Whether the client accepts gzip and no page of another site made the request."""
    accepted = []
    for name, value in headers:
        if name == b"accept-encoding":
            accepted.append(value.decode("latin-1"))
        elif name == b"sec-fetch-site" and value != b"same-origin":
            return False
    return bool(accepted) and negotiate_encoding(",".join(accepted), ("gzip",)) is not None


def _is_plain_json(headers: RawHeaders) -> bool:
    is_json = False
    for name, value in headers:
        if name == b"content-encoding":
            return False
        is_json = is_json or (name == b"content-type" and value == b"application/json")
    return is_json


async def _compress(body: bytes) -> bytes:
    if len(body) >= MIN_BYTES_IN_THREAD:
        return await asyncio.to_thread(zlib.compress, body, LEVEL, _GZIP_FORMAT)
    return zlib.compress(body, LEVEL, _GZIP_FORMAT)


def _encoded_headers(headers: RawHeaders, length: int) -> list[tuple[bytes, bytes]]:
    return [
        *(header for header in headers if header[0] != b"content-length"),
        (b"content-length", str(length).encode()),
        (b"content-encoding", b"gzip"),
        (b"vary", b"accept-encoding"),
    ]


_WEIGHT = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")


def negotiate_encoding(accept_encoding: str, available: Sequence[str]) -> str | None:
    """Return the encoding of `available` that the client prefers; None for an unencoded response.

    Of equally preferred ones the first is taken. An unencoded response is preferred only if the
    client says so.
    """
    weights = _parse_weights(accept_encoding)
    best, best_weight = None, 0.0
    for encoding in available:
        weight = weights.get(encoding, weights.get("*", 0.0))
        if weight > best_weight:
            best, best_weight = encoding, weight
    return None if weights.get("identity", 0.0) > best_weight else best


@lru_cache(maxsize=256)
def _parse_weights(accept_encoding: str) -> Mapping[str, float]:
    """Return the weight of each encoding; one with a malformed weight is left out."""
    weights = {}
    for item in accept_encoding.split(","):
        name, *parameters = (part.strip().lower() for part in item.split(";"))
        weight = "1"
        for parameter in parameters:
            key, _, value = parameter.partition("=")
            if key.strip() == "q":
                weight = value.strip()
        if name and _WEIGHT.fullmatch(weight):
            weights[name] = float(weight)
    return weights
