"""A carrier of mails that takes each at once."""

from types import SimpleNamespace
from typing import Any

from prawko.hooks import hookimpl
from prawko.hooks.channels import Medium, Notice, Recipient


class Carrier:
    """Takes every message and keeps none."""

    name = "bench"
    medium = Medium.EMAIL

    def reaches(self, recipient: Recipient) -> bool:
        return recipient.email is not None

    async def deliver(self, notice: Notice, recipient: Recipient, *, key: str) -> str | None:
        return None

    async def close(self) -> None:
        """There is nothing to give back."""


def carriers() -> dict[str, Any]:
    """The plugin, for a process whose MAIL_CHANNEL is `bench`."""
    return {"bench": SimpleNamespace(channels=hookimpl(lambda environment: [Carrier()]))}
