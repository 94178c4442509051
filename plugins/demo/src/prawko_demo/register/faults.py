"""Faults of the simulated register, each at the layer where the real one can fail."""

import gzip
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import msgspec

from prawko_demo.register.http_wire import SendMode, SimulatorReply

_PADDING_BYTES = 5 * 1024 * 1024


class FaultKind(StrEnum):
    """The kinds of fault that can be set."""

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


class FaultPlan(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The fault of the next `times` calls, null: until it is changed. Without a kind, none.

    `retryAfter` is the header's value: seconds, or an HTTP date as text.
    """

    kind: FaultKind | None
    retry_after: int | Printable | None = None
    times: Annotated[int, msgspec.Meta(ge=1)] | None = None


class FaultInjector:
    """Holds the current plan."""

    def __init__(self) -> None:
        self.plan = FaultPlan(kind=None)

    def take_next(self) -> FaultPlan | None:
        """Return the plan for one call and count it down; None without a fault."""
        plan = self.plan
        if plan.kind is None:
            return None
        if plan.times is not None:
            left = plan.times - 1
            self.plan = (
                msgspec.structs.replace(plan, times=left) if left > 0 else FaultPlan(kind=None)
            )
        return plan


_HTML_BODY = (
    "<!DOCTYPE html><html><head><title>Przerwa techniczna</title></head><body>Wydany</body></html>"
)
_FIXED_BODIES = {
    FaultKind.EMPTY: b"",
    FaultKind.NULL: b"null",
    FaultKind.OBJECT: b"{}",
    FaultKind.ARRAY: b"[]",
}
_SEND_MODES = {
    FaultKind.REFUSED: SendMode.RESET,  # on a connection that is already open
    FaultKind.RESET: SendMode.RESET,
    FaultKind.SILENCE: SendMode.SILENCE,
    FaultKind.DRIP: SendMode.DRIP,
}


def _html_reply(_: SimulatorReply) -> SimulatorReply:
    return SimulatorReply(200, "text/html; charset=utf-8", _HTML_BODY.encode())


def _truncated_reply(good: SimulatorReply) -> SimulatorReply:
    return SimulatorReply(200, good.media_type, good.body[: len(good.body) * 2 // 3])


def _redirect_reply(good: SimulatorReply) -> SimulatorReply:
    return SimulatorReply(302, good.media_type, good.body, "Location: /followed\r\n")


def _padded_reply(good: SimulatorReply) -> SimulatorReply:
    """Insert five megabytes of spaces before the end of a good reply."""
    at = good.body.rindex(b"}" if good.body.endswith(b"}") else b"<")
    return SimulatorReply(
        200, good.media_type, good.body[:at] + b" " * _PADDING_BYTES + good.body[at:]
    )


def _bad_gzip_reply(good: SimulatorReply) -> SimulatorReply:
    body = gzip.compress(good.body)[:-12]
    return SimulatorReply(200, good.media_type, body, "Content-Encoding: gzip\r\n")


_TRANSFORMS: dict[FaultKind, Callable[[SimulatorReply], SimulatorReply]] = {
    FaultKind.HTML: _html_reply,
    FaultKind.CUT: _truncated_reply,
    FaultKind.REDIRECT: _redirect_reply,
    FaultKind.HUGE: _padded_reply,
    FaultKind.BAD_GZIP: _bad_gzip_reply,
}


def apply_fault(
    plan: FaultPlan, reply: SimulatorReply, protocol_body: Callable[[FaultKind], bytes]
) -> SimulatorReply:
    """Return the reply with the planned fault.

    `protocol_body` returns the bodies that depend on the protocol.
    """
    kind = plan.kind
    if kind is None:
        return reply
    if kind.startswith("http_"):
        header = "" if plan.retry_after is None else f"Retry-After: {plan.retry_after}\r\n"
        return SimulatorReply(int(kind.removeprefix("http_")), "text/plain", b"refused", header)
    if kind in _TRANSFORMS:
        return _TRANSFORMS[kind](reply)
    if kind in _SEND_MODES:
        return SimulatorReply(200, reply.media_type, reply.body, send_mode=_SEND_MODES[kind])
    body = _FIXED_BODIES[kind] if kind in _FIXED_BODIES else protocol_body(kind)
    return SimulatorReply(200, reply.media_type, body)
