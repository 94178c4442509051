"""A mail server on a real socket of this machine, that takes mails or what a test says."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from aiosmtpd.smtp import SMTP, Envelope


class Server:
    """What a mail server saw, and what it answers where a test says so."""

    def __init__(self) -> None:
        self.envelopes: list[Envelope] = []
        self.to_sender = ""
        self.to_recipient = {"nobody@acme.test": "550 5.1.1 <nobody@acme.test> user unknown"}
        self.to_data = "250 2.0.0 Ok: queued as 4F2A"
        self.loses_its_answers = False
        self.port = 0

    async def handle_MAIL(self, server, session, envelope, address, options) -> str:  # noqa: N802
        envelope.mail_from = address
        return self.to_sender or "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:  # noqa: N802
        if address not in self.to_recipient:
            envelope.rcpt_tos.append(address)
        return self.to_recipient.get(address, "250 OK")

    async def handle_DATA(self, server, session, envelope) -> str:  # noqa: N802
        self.envelopes.append(envelope)
        if self.loses_its_answers:
            server.transport.abort()
        return self.to_data

    @property
    def mails(self) -> list[EmailMessage]:
        """The mails as a reader's program parses them."""
        return [message_from_bytes(e.content, policy=default) for e in self.envelopes]

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        async with listening(lambda: SMTP(self, hostname="mail.test")) as self.port:
            yield


@asynccontextmanager
async def listening(factory: Callable[[], asyncio.Protocol], **options) -> AsyncIterator[int]:
    loop = asyncio.get_running_loop()
    socket = await loop.create_server(factory, "127.0.0.1", 0, **options)
    try:
        yield socket.sockets[0].getsockname()[1]
    finally:
        socket.close()
