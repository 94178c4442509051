"""A channel that accepts every e-mail at once."""

from types import SimpleNamespace
from typing import Any

from prawko.hooks import hookimpl
from prawko.hooks.channels import Medium, Message, Recipient


class NullChannel:
    """Accepts every message and stores none."""

    name = "bench"
    medium = Medium.EMAIL

    def can_reach(self, recipient: Recipient) -> bool:
        return recipient.email is not None

    async def send(
        self, message: Message, recipient: Recipient, *, idempotency_key: str
    ) -> str | None:
        return None

    async def close(self) -> None:
        """Do nothing: no connection is held."""


def channel_plugins() -> dict[str, Any]:
    """Return the plugin for a process whose MAIL_CHANNEL is `bench`."""
    return {"bench": SimpleNamespace(channels=hookimpl(lambda environment: [NullChannel()]))}
