"""The channels that end in the mailbox."""

import asyncio
import sqlite3

from prawko.base.clock import machine_now
from prawko.hooks.channels import DeliveryError, Medium, Notice, Recipient
from prawko_demo.mailbox.store import Mailbox, StoredMessage


class MailboxChannel:
    """Keeps every message of one medium: a mail with its text, an SMS with its line."""

    def __init__(self, mailbox: Mailbox, medium: Medium) -> None:
        self._mailbox = mailbox
        self.medium = medium
        self.name = f"mailbox-{medium.value}"

    def reaches(self, recipient: Recipient) -> bool:
        return self._address(recipient) is not None

    async def deliver(self, notice: Notice, recipient: Recipient, *, key: str) -> str | None:
        to = self._address(recipient)
        if to is None:
            raise DeliveryError("there is no address", permanent=True)
        mail = self.medium is Medium.EMAIL
        message = StoredMessage(
            id=key,
            channel=self.medium,
            to=to,
            subject=notice.title if mail else "",
            text=notice.text if mail else notice.line,
            created_at=machine_now(),
            code=notice.code,
            link=notice.link,
        )
        try:
            await asyncio.to_thread(self._mailbox.keep, message)
        except (sqlite3.Error, OSError) as error:
            raise DeliveryError(f"the mailbox cannot be written: {type(error).__name__}") from None
        return None

    async def close(self) -> None:
        """Nothing is kept open."""

    def _address(self, recipient: Recipient) -> str | None:
        return recipient.email if self.medium is Medium.EMAIL else recipient.phone
