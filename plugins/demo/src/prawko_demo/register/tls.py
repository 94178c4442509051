"""TLS for the simulator's connections.

asyncio's own server closes a connection after a failed handshake without sending the alert, so
that a client cannot distinguish a rejected certificate from a broken connection.
"""

import asyncio
import ssl

from prawko_demo.register.http_wire import HttpProtocol, ResettableSocket

_CHUNK_BYTES = 64 * 1024


class TlsStream:
    """A reply stream that encrypts what is written to it."""

    def __init__(self, transport: asyncio.Transport, context: ssl.SSLContext) -> None:
        self._transport = transport
        self.incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self.session = context.wrap_bio(self.incoming, self._outgoing, server_side=True)

    def flush(self) -> None:
        """Send pending TLS records: handshake messages, alerts, data."""
        if self._outgoing.pending:
            self._transport.write(self._outgoing.read())

    def write(self, data: bytes | memoryview) -> None:
        self.session.write(data)
        self.flush()

    def close(self) -> None:
        self._transport.close()

    def abort(self) -> None:
        self._transport.abort()

    def socket(self) -> ResettableSocket:
        connection: ResettableSocket = self._transport.get_extra_info("socket")
        return connection


class TlsProtocol(asyncio.Protocol):
    """A TLS connection around an HTTP connection, which is opened after the handshake."""

    def __init__(self, http: HttpProtocol, context: ssl.SSLContext) -> None:
        self._http = http
        self._context = context
        self._stream: TlsStream
        self._handshake_done = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  # asyncio types it loosely
        self._stream = TlsStream(transport, self._context)

    def connection_lost(self, reason: Exception | None) -> None:
        if self._handshake_done:
            self._http.connection_lost(reason)

    def data_received(self, data: bytes) -> None:
        self._stream.incoming.write(data)
        try:
            self._read_decrypted()
        except ssl.SSLWantReadError:
            self._stream.flush()
        except ssl.SSLError:  # close_notify, or a rejected certificate
            self._stream.flush()
            self._stream.close()

    def _read_decrypted(self) -> None:
        if not self._handshake_done:
            self._stream.session.do_handshake()
            self._handshake_done = True
            self._http.open(self._stream)
        while decrypted := self._stream.session.read(_CHUNK_BYTES):
            self._http.data_received(decrypted)
