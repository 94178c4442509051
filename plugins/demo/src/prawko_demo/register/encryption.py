"""TLS under the simulator's connections.

By hand, because asyncio's own server tears a failed handshake down without sending the
alert: a client could not tell a refused certificate from a broken line.
"""

import asyncio
import ssl

from prawko_demo.register.wire import Answering, Resettable

_CHUNK = 64 * 1024


class EncryptedLine:
    """What an answering connection writes to: everything is encrypted on its way out."""

    def __init__(self, transport: asyncio.Transport, context: ssl.SSLContext) -> None:
        self._transport = transport
        self.incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self.session = context.wrap_bio(self.incoming, self._outgoing, server_side=True)

    def flush(self) -> None:
        """Send what TLS has to say by itself: handshake, alerts."""
        if self._outgoing.pending:
            self._transport.write(self._outgoing.read())

    def write(self, data: bytes | memoryview) -> None:
        self.session.write(data)
        self.flush()

    def close(self) -> None:
        self._transport.close()

    def abort(self) -> None:
        self._transport.abort()

    def socket(self) -> Resettable:
        connection: Resettable = self._transport.get_extra_info("socket")
        return connection


class Encrypted(asyncio.Protocol):
    """One TLS connection around an answering one, which begins when the handshake is done."""

    def __init__(self, answering: Answering, context: ssl.SSLContext) -> None:
        self._answering = answering
        self._context = context
        self._line: EncryptedLine
        self._greeted = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  # asyncio types it loosely
        self._line = EncryptedLine(transport, self._context)

    def connection_lost(self, reason: Exception | None) -> None:
        if self._greeted:
            self._answering.connection_lost(reason)

    def data_received(self, data: bytes) -> None:
        self._line.incoming.write(data)
        try:
            self._read()
        except ssl.SSLWantReadError:
            self._line.flush()
        except ssl.SSLError:  # a goodbye, or a certificate that we refuse
            self._line.flush()
            self._line.close()

    def _read(self) -> None:
        if not self._greeted:
            self._line.session.do_handshake()
            self._greeted = True
            self._answering.begin(self._line)
        while decrypted := self._line.session.read(_CHUNK):
            self._answering.data_received(decrypted)
