"""How the simulated register fails: every kind at the layer where the real one would."""

import gzip
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import msgspec

from prawko_demo.register.wire import Manner, Reply

_HUGE = 5 * 1024 * 1024


class Kind(StrEnum):
    """The kinds of failure that can be ordered."""

    HTTP_400 = "http_400"
    HTTP_401 = "http_401"
    HTTP_403 = "http_403"
    HTTP_404 = "http_404"
    HTTP_429 = "http_429"
    HTTP_500 = "http_500"
    HTTP_503 = "http_503"
    REFUSED = "refused"
    RESET = "reset"
    SILENCE = "silence"
    DRIP = "drip"
    HTML = "html"
    EMPTY = "empty"
    NULL = "null"
    OBJECT = "object"
    ARRAY = "array"
    CUT = "cut"
    WRONG_TYPES = "wrong_types"
    REDIRECT = "redirect"
    HUGE = "huge"
    BAD_GZIP = "bad_gzip"
    XML_BOMB = "xml_bomb"
    EXTERNAL_ENTITY = "external_entity"


Printable = Annotated[str, msgspec.Meta(pattern=r"^[ -~]{1,60}\Z")]


class Order(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What shall go wrong: `times` calls long, or until another order. No kind: nothing.

    `retryAfter` is seconds, or an HTTP date as the text of the header.
    """

    kind: Kind | None
    retry_after: int | Printable | None = None
    times: Annotated[int, msgspec.Meta(ge=1)] | None = None


class Faults:
    """The order in force."""

    def __init__(self) -> None:
        self.order = Order(kind=None)

    def due(self) -> Order | None:
        """The order for one call, which uses it up; None when all is well."""
        order = self.order
        if order.kind is None:
            return None
        if order.times is not None:
            left = order.times - 1
            self.order = (
                msgspec.structs.replace(order, times=left) if left > 0 else Order(kind=None)
            )
        return order


_PAGE = (
    "<!DOCTYPE html><html><head><title>Przerwa techniczna</title></head><body>Wydany</body></html>"
)
_BODIES = {Kind.EMPTY: b"", Kind.NULL: b"null", Kind.OBJECT: b"{}", Kind.ARRAY: b"[]"}
_MANNERS = {
    Kind.REFUSED: Manner.RESET,  # on a connection that was open before
    Kind.RESET: Manner.RESET,
    Kind.SILENCE: Manner.SILENCE,
    Kind.DRIP: Manner.DRIP,
}


def _html(_: Reply) -> Reply:
    return Reply(200, "text/html; charset=utf-8", _PAGE.encode())


def _cut(good: Reply) -> Reply:
    return Reply(200, good.media_type, good.body[: len(good.body) * 2 // 3])


def _redirect(good: Reply) -> Reply:
    return Reply(302, good.media_type, good.body, "Location: /followed\r\n")


def _huge(good: Reply) -> Reply:
    """Pad a good answer with five megabytes of nothing before its end."""
    at = good.body.rindex(b"}" if good.body.endswith(b"}") else b"<")
    return Reply(200, good.media_type, good.body[:at] + b" " * _HUGE + good.body[at:])


def _bad_gzip(good: Reply) -> Reply:
    body = gzip.compress(good.body)[:-12]
    return Reply(200, good.media_type, body, "Content-Encoding: gzip\r\n")


_TRICKS: dict[Kind, Callable[[Reply], Reply]] = {
    Kind.HTML: _html,
    Kind.CUT: _cut,
    Kind.REDIRECT: _redirect,
    Kind.HUGE: _huge,
    Kind.BAD_GZIP: _bad_gzip,
}


def spoilt(order: Order, good: Reply, special: Callable[[Kind], bytes]) -> Reply:
    """Turn a good reply into the one that was ordered.

    `special` writes the bodies that depend on the protocol.
    """
    kind = order.kind
    if kind is None:
        return good
    if kind.startswith("http_"):
        wait = "" if order.retry_after is None else f"Retry-After: {order.retry_after}\r\n"
        return Reply(int(kind.removeprefix("http_")), "text/plain", b"refused", wait)
    if kind in _TRICKS:
        return _TRICKS[kind](good)
    if kind in _MANNERS:
        return Reply(200, good.media_type, good.body, manner=_MANNERS[kind])
    body = _BODIES[kind] if kind in _BODIES else special(kind)
    return Reply(200, good.media_type, body)
