"""The channel that stores messages in the mailbox."""

import asyncio
import sqlite3

from prawko.hooks.channels import DeliveryError, Medium, Message, Recipient
from prawko.kit.clock import utc_now
from prawko_demo.mailbox.store import Mailbox, StoredMessage


class MailboxChannel:
    """Stores every message of one medium: an e-mail's text, or an SMS's."""

    def __init__(self, mailbox: Mailbox, medium: Medium) -> None:
        self._mailbox = mailbox
        self.medium = medium
        self.name = f"mailbox-{medium.value}"

    def can_reach(self, recipient: Recipient) -> bool:
        return self._address_of(recipient) is not None

    async def send(
        self, message: Message, recipient: Recipient, *, idempotency_key: str
    ) -> str | None:
        to = self._address_of(recipient)
        if to is None:
            raise DeliveryError("there is no address", permanent=True)
        is_email = self.medium is Medium.EMAIL
        stored = StoredMessage(
            id=idempotency_key,
            channel=self.medium,
            to=to,
            subject=message.subject if is_email else "",
            text=message.text if is_email else message.sms_text,
            created_at=utc_now(),
            code=message.code,
            link=message.link,
        )
        try:
            await asyncio.to_thread(self._mailbox.save, stored)
        except (sqlite3.Error, OSError) as error:
            raise DeliveryError(f"the mailbox cannot be written: {type(error).__name__}") from None
        return None

    async def close(self) -> None:
        """Do nothing: no connection is held."""

    def _address_of(self, recipient: Recipient) -> str | None:
        return recipient.email if self.medium is Medium.EMAIL else recipient.phone
