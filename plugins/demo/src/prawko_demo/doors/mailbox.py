"""The mailbox: what the product has sent, and to whom."""

from litestar import Controller, delete, get
from litestar.di import NamedDependency

from prawko.base.schemas import Done
from prawko_demo.mailbox import Mailbox, StoredMessage


class MailboxDoor(Controller):
    """Shows and empties it."""

    path = "/mailbox"

    @get(sync_to_thread=True)
    def read(self, mailbox: NamedDependency[Mailbox]) -> list[StoredMessage]:
        """Every message, newest first."""
        return mailbox.messages()

    @delete(status_code=200, sync_to_thread=True)
    def empty(self, mailbox: NamedDependency[Mailbox]) -> Done:
        mailbox.clear()
        return Done(ok=True)
