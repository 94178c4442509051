"""Shows and empties the mailbox."""

from litestar import Controller, delete, get
from litestar.di import NamedDependency

from prawko.kit.http.schemas import OkOut
from prawko_demo.mailbox import Mailbox, StoredMessage


class MailboxController(Controller):
    """Shows and empties the mailbox."""

    path = "/mailbox"

    @get(sync_to_thread=True)
    def list_messages(self, mailbox: NamedDependency[Mailbox]) -> list[StoredMessage]:
        """Return every message, newest first."""
        return mailbox.list_messages()

    @delete(status_code=200, sync_to_thread=True)
    def clear_mailbox(self, mailbox: NamedDependency[Mailbox]) -> OkOut:
        """Remove every message."""
        mailbox.clear()
        return OkOut(ok=True)
