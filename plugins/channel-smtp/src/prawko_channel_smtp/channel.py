"""The channel: one connection for one mail, under one deadline."""

import asyncio
import ssl
from contextlib import suppress

import aiosmtplib

from prawko.hooks.channels import DeliveryError, Medium, Notice, Recipient
from prawko_channel_smtp.failures import meaning
from prawko_channel_smtp.mail import mail
from prawko_channel_smtp.settings import Settings, Tls

GOODBYE_SECONDS = 1.0
LONGEST_REFERENCE = 200


class SmtpChannel:
    """Hands mails to one server. Cannot tell whether a retry arrived before: the Message-ID can."""

    name = "smtp"
    medium = Medium.EMAIL

    def __init__(self, settings: Settings, trust: ssl.SSLContext) -> None:
        sender = settings.sender_address
        if sender is None:
            raise ValueError("the sender is no address")
        self._settings = settings
        self._sender = sender
        self._trust = trust

    def reaches(self, recipient: Recipient) -> bool:
        return recipient.email is not None

    async def deliver(self, notice: Notice, recipient: Recipient, *, key: str) -> str | None:
        if recipient.email is None:
            raise DeliveryError("there is no address", permanent=True)
        try:
            message = mail(notice, self._sender, recipient.email, key=key)
        except ValueError:
            raise DeliveryError("the address cannot be written to", permanent=True) from None
        client = self._client()
        try:
            async with asyncio.timeout(self._settings.deadline):
                await client.connect()
                _, reference = await client.send_message(
                    message, sender=self._sender.addr_spec, recipients=[recipient.email]
                )
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise meaning(error) from None
        else:
            await _say_goodbye(client)
            return reference[:LONGEST_REFERENCE]
        finally:
            client.close()

    async def close(self) -> None:
        """Every connection was closed with its mail."""

    def _client(self) -> aiosmtplib.SMTP:
        settings = self._settings
        return aiosmtplib.SMTP(
            hostname=settings.host,
            port=settings.port_number,
            username=settings.username or None,
            password=settings.password or None,
            local_hostname=self._sender.domain,
            timeout=settings.deadline,
            use_tls=settings.tls is Tls.TLS,
            start_tls=settings.tls is Tls.STARTTLS,
            tls_context=None if settings.tls is Tls.NONE else self._trust,
        )


async def _say_goodbye(client: aiosmtplib.SMTP) -> None:
    """The server has the mail: how the conversation ends changes nothing any more."""
    with suppress(aiosmtplib.SMTPException, OSError, TimeoutError):
        await client.quit(timeout=GOODBYE_SECONDS)
