"""The SMTP channel: one connection for each mail, under one deadline."""

import asyncio
import ssl
from contextlib import suppress
from email.errors import MessageError

import aiosmtplib

from prawko.hooks.channels import DeliveryError, Medium, Message, Recipient
from prawko_channel_smtp.errors import translate_error
from prawko_channel_smtp.mail import build_mail
from prawko_channel_smtp.settings import SmtpSettings, TlsMode

DEADLINE_SECONDS = 20.0  # of a whole mail
QUIT_SECONDS = 1.0
MAX_REFERENCE_LENGTH = 200


class SmtpChannel:
    """Sends mails to one server, which does not detect repeated ones; see their Message-ID."""

    name = "smtp"
    medium = Medium.EMAIL

    def __init__(self, settings: SmtpSettings, tls_context: ssl.SSLContext) -> None:
        self._settings = settings
        self._tls_context = tls_context

    def can_reach(self, recipient: Recipient) -> bool:
        return recipient.email is not None

    async def send(
        self, message: Message, recipient: Recipient, *, idempotency_key: str
    ) -> str | None:
        if recipient.email is None:
            raise DeliveryError("the recipient has no address", permanent=True)
        try:
            mail = build_mail(
                message, self._settings.sender, recipient.email, idempotency_key=idempotency_key
            )
        except (ValueError, MessageError):
            raise DeliveryError("the address is malformed", permanent=True) from None
        client = self._create_client()
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                await client.connect()
                _, reference = await client.send_message(
                    mail, sender=self._settings.sender.addr_spec, recipients=[recipient.email]
                )
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise translate_error(error, recipient.email) from None
        else:
            await _quit_quietly(client)
            return reference[:MAX_REFERENCE_LENGTH]
        finally:
            client.close()

    async def check(self) -> str:
        """Connect, log in and leave."""
        client = self._create_client()
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                await client.connect()
                await client.noop()
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise translate_error(error) from None
        else:
            await _quit_quietly(client)
            return "logged in" if self._settings.username else "connected"
        finally:
            client.close()

    async def close(self) -> None:
        """Do nothing: each connection is closed with its mail."""

    def _create_client(self) -> aiosmtplib.SMTP:
        settings = self._settings
        return aiosmtplib.SMTP(
            hostname=settings.host,
            port=settings.effective_port,
            username=settings.username or None,
            password=settings.password or None,
            local_hostname=self._settings.sender.domain,
            timeout=DEADLINE_SECONDS,
            use_tls=settings.tls is TlsMode.TLS,
            start_tls=settings.tls is TlsMode.STARTTLS,
            tls_context=None if settings.tls is TlsMode.NONE else self._tls_context,
        )


async def _quit_quietly(client: aiosmtplib.SMTP) -> None:
    """End the session; an error no longer matters, because the server has accepted the mail."""
    with suppress(aiosmtplib.SMTPException, OSError, TimeoutError):
        await client.quit(timeout=QUIT_SECONDS)
