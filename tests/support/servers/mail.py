"""A fake mail server on a real socket."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from aiosmtpd.smtp import SMTP, Envelope


class FakeMailServer:
    """Records mails; a test can set its replies."""

    def __init__(self) -> None:
        self.envelopes: list[Envelope] = []
        self.sender_reply = ""
        self.recipient_replies = {"nobody@acme.test": "550 5.1.1 <nobody@acme.test> user unknown"}
        self.data_reply = "250 2.0.0 Ok: queued as 4F2A"
        self.drops_responses = False
        self.port = 0

    async def handle_MAIL(self, server, session, envelope, address, options) -> str:  # noqa: N802
        envelope.mail_from = address
        return self.sender_reply or "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:  # noqa: N802
        if address not in self.recipient_replies:
            envelope.rcpt_tos.append(address)
        return self.recipient_replies.get(address, "250 OK")

    async def handle_DATA(self, server, session, envelope) -> str:  # noqa: N802
        self.envelopes.append(envelope)
        if self.drops_responses:
            server.transport.abort()
        return self.data_reply

    @property
    def mails(self) -> list[EmailMessage]:
        """The mails, parsed."""
        return [message_from_bytes(envelope.content, policy=default) for envelope in self.envelopes]

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[None]:
        async with serve_protocol(lambda: SMTP(self, hostname="mail.test")) as self.port:
            yield


@asynccontextmanager
async def serve_protocol(factory: Callable[[], asyncio.Protocol], **options) -> AsyncIterator[int]:
    loop = asyncio.get_running_loop()
    socket = await loop.create_server(factory, "127.0.0.1", 0, **options)
    try:
        yield socket.sockets[0].getsockname()[1]
    finally:
        socket.close()
