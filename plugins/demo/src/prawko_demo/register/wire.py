"""Just enough HTTP/1.1 for a simulator: fast, and able to misbehave on the wire."""

import asyncio
import re
import socket
import struct
from collections.abc import Callable
from enum import Enum, auto
from http import HTTPStatus
from typing import Final, Protocol

import msgspec

_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,9})", re.IGNORECASE)
_CLOSE = re.compile(rb"\r\nconnection:[ \t]*close", re.IGNORECASE)
_LARGEST = 1024 * 1024
_DRIP_SECONDS: Final = 1.0


class Manner(Enum):
    """How a reply is sent."""

    PLAIN = auto()
    DRIP = auto()  # one byte per second
    SILENCE = auto()  # never
    RESET = auto()  # the connection is torn down instead


class Request(msgspec.Struct):
    """One question; `head` is everything before the body, as received."""

    method: bytes
    target: str
    head: bytes
    body: bytes

    def header(self, name: str) -> str | None:
        """The value of a header, None when it was not sent."""
        pattern = rb"\r\n" + re.escape(name.encode()) + rb":[ \t]*([^\r]*)"
        match = re.search(pattern, self.head, re.IGNORECASE)
        return None if match is None else match[1].decode("latin-1").strip()


class Reply(msgspec.Struct):
    """One answer; `headers` are further lines, each ending in CRLF."""

    status: int
    media_type: str
    body: bytes
    headers: str = ""
    manner: Manner = Manner.PLAIN

    def written(self) -> bytes:
        """The bytes on the wire."""
        head = (
            f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n"
            f"Content-Type: {self.media_type}\r\n"
            f"Content-Length: {len(self.body)}\r\n{self.headers}\r\n"
        )
        return head.encode("latin-1") + self.body


class Resettable(Protocol):
    """A socket, or what asyncio shows of one."""

    def setsockopt(self, level: int, optname: int, value: bytes, /) -> None: ...


class Line(Protocol):
    """What an answer is written to."""

    def write(self, data: bytes | memoryview) -> None: ...

    def close(self) -> None: ...

    def abort(self) -> None: ...

    def socket(self) -> Resettable: ...


class PlainLine:
    """A connection without encryption."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.write = transport.write
        self.close = transport.close
        self.abort = transport.abort
        self._transport = transport

    def socket(self) -> Resettable:
        connection: Resettable = self._transport.get_extra_info("socket")
        return connection


class Answering(asyncio.Protocol):
    """One connection: reads questions one after the other and sends what `answer` says.

    `delay` gives the seconds that every answer takes.
    """

    def __init__(
        self,
        answer: Callable[[Request], Reply],
        delay: Callable[[], float],
        lines: set[Line],
    ) -> None:
        self._answer = answer
        self._delay = delay
        self._lines = lines
        self._buffer = b""
        self._busy = False
        self._timer: asyncio.TimerHandle | None = None
        self._line: Line

    def begin(self, line: Line) -> None:
        """Answer on a line that is open."""
        self._line = line
        self._lines.add(line)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  # asyncio types it loosely
        self.begin(PlainLine(transport))

    def connection_lost(self, _: Exception | None) -> None:
        self._lines.discard(self._line)
        if self._timer is not None:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._busy:
            self._next()

    def _next(self) -> None:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > _LARGEST:
                self._line.abort()
            return
        head = self._buffer[:end]
        length = _LENGTH.search(head)
        size = 0 if length is None else int(length[1])
        if size > _LARGEST:
            self._line.abort()
            return
        whole = end + 4 + size
        if len(self._buffer) < whole:
            return
        body, self._buffer = self._buffer[end + 4 : whole], self._buffer[whole:]
        line = head[: head.find(b"\r\n")].split(b" ")
        if len(line) != 3:
            self._line.abort()
            return
        self._busy = True
        reply = self._answer(Request(line[0], line[1].decode("latin-1"), head, body))
        closing = _CLOSE.search(head) is not None
        if seconds := self._delay():
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(seconds, self._send, reply, closing)
        else:
            self._send(reply, closing)

    def _send(self, reply: Reply, closing: bool) -> None:  # noqa: FBT001  # called by a timer
        if reply.manner is Manner.SILENCE:
            return
        if reply.manner is Manner.RESET:
            reset(self._line.socket())
            self._line.abort()
            return
        if reply.manner is Manner.DRIP:
            self._drip(memoryview(reply.written()))
            return
        self._line.write(reply.written())
        self._busy = False
        if closing:
            self._line.close()
        elif self._buffer:
            self._next()

    def _drip(self, rest: memoryview) -> None:
        self._line.write(rest[:1])
        if len(rest) > 1:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(_DRIP_SECONDS, self._drip, rest[1:])


def reset(connection: Resettable) -> None:
    """Have the connection end with a reset instead of a goodbye."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
