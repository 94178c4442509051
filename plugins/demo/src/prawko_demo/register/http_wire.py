"""A minimal HTTP/1.1 server protocol that is fast and can misbehave on the wire."""

import asyncio
import re
import socket
import struct
from collections.abc import Callable
from enum import Enum, auto
from http import HTTPStatus
from typing import Final, Protocol

import msgspec

_CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,9})", re.IGNORECASE)
_CONNECTION_CLOSE = re.compile(rb"\r\nconnection:[ \t]*close", re.IGNORECASE)
_MAX_REQUEST_BYTES = 1024 * 1024
_DRIP_SECONDS: Final = 1.0


class SendMode(Enum):
    """How a reply is sent."""

    PLAIN = auto()
    DRIP = auto()  # one byte per second
    SILENCE = auto()  # never
    RESET = auto()  # the connection is reset instead


class SimulatorRequest(msgspec.Struct):
    """A request; `head` is everything before the body, as received."""

    method: bytes
    target: str
    head: bytes
    body: bytes

    def header(self, name: str) -> str | None:
        """Return the value of a header, None without one."""
        pattern = rb"\r\n" + re.escape(name.encode()) + rb":[ \t]*([^\r]*)"
        match = re.search(pattern, self.head, re.IGNORECASE)
        return None if match is None else match[1].decode("latin-1").strip()


class SimulatorReply(msgspec.Struct):
    """A reply; `headers` are further header lines, each ending in CRLF."""

    status: int
    media_type: str
    body: bytes
    headers: str = ""
    send_mode: SendMode = SendMode.PLAIN

    def encode(self) -> bytes:
        """Return the reply's bytes."""
        head = (
            f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n"
            f"Content-Type: {self.media_type}\r\n"
            f"Content-Length: {len(self.body)}\r\n{self.headers}\r\n"
        )
        return head.encode("latin-1") + self.body


class ResettableSocket(Protocol):
    """A socket, or asyncio's view of one."""

    def setsockopt(self, level: int, optname: int, value: bytes, /) -> None: ...


class ReplyStream(Protocol):
    """The stream that a reply is written to."""

    def write(self, data: bytes | memoryview) -> None: ...

    def close(self) -> None: ...

    def abort(self) -> None: ...

    def socket(self) -> ResettableSocket: ...


class PlainStream:
    """An unencrypted connection."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.write = transport.write
        self.close = transport.close
        self.abort = transport.abort
        self._transport = transport

    def socket(self) -> ResettableSocket:
        connection: ResettableSocket = self._transport.get_extra_info("socket")
        return connection


class HttpProtocol(asyncio.Protocol):
    """A connection: reads one request after another and sends the replies of `handle`.

    `delay` returns the seconds before each reply is sent; `streams` holds the open connections.
    """

    def __init__(
        self,
        handle: Callable[[SimulatorRequest], SimulatorReply],
        delay: Callable[[], float],
        streams: set[ReplyStream],
    ) -> None:
        self._handle = handle
        self._delay = delay
        self._streams = streams
        self._buffer = b""
        self._busy = False
        self._timer: asyncio.TimerHandle | None = None
        self._stream: ReplyStream

    def open(self, stream: ReplyStream) -> None:
        """Use an open stream."""
        self._stream = stream
        self._streams.add(stream)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  # asyncio types it loosely
        self.open(PlainStream(transport))

    def connection_lost(self, _: Exception | None) -> None:
        self._streams.discard(self._stream)
        if self._timer is not None:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._busy:
            self._handle_next()

    def _handle_next(self) -> None:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > _MAX_REQUEST_BYTES:
                self._stream.abort()
            return
        head = self._buffer[:end]
        length = _CONTENT_LENGTH.search(head)
        size = 0 if length is None else int(length[1])
        if size > _MAX_REQUEST_BYTES:
            self._stream.abort()
            return
        whole = end + 4 + size
        if len(self._buffer) < whole:
            return
        body, self._buffer = self._buffer[end + 4 : whole], self._buffer[whole:]
        line = head[: head.find(b"\r\n")].split(b" ")
        if len(line) != 3:
            self._stream.abort()
            return
        self._busy = True
        reply = self._handle(SimulatorRequest(line[0], line[1].decode("latin-1"), head, body))
        closing = _CONNECTION_CLOSE.search(head) is not None
        if seconds := self._delay():
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(seconds, self._send_reply, reply, closing)
        else:
            self._send_reply(reply, closing)

    def _send_reply(self, reply: SimulatorReply, closing: bool) -> None:  # noqa: FBT001  # called by a timer
        if reply.send_mode is SendMode.SILENCE:
            return
        if reply.send_mode is SendMode.RESET:
            reset_connection(self._stream.socket())
            self._stream.abort()
            return
        if reply.send_mode is SendMode.DRIP:
            self._send_slowly(memoryview(reply.encode()))
            return
        self._stream.write(reply.encode())
        self._busy = False
        if closing:
            self._stream.close()
        elif self._buffer:
            self._handle_next()

    def _send_slowly(self, rest: memoryview) -> None:
        self._stream.write(rest[:1])
        if len(rest) > 1:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(_DRIP_SECONDS, self._send_slowly, rest[1:])


def reset_connection(connection: ResettableSocket) -> None:
    """Make the connection end with RST instead of FIN when it is closed."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
