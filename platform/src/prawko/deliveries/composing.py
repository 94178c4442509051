"""What a message says is written at the moment it is sent, by the domain it comes from.

Deliveries know none of these domains. Each hands in a composer for its kinds of message, and
the process that sends puts them together once, while it starts.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol
from uuid import UUID

import msgspec

from prawko.base.jobs import Tools
from prawko.hooks.channels import Medium, Notice, Recipient, Report
from prawko_tenants.ids import DeliveryId, NoticeId, TenantId, UserId
from prawko_tenants.sessions import BatchSession, SystemSession


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """A message whose turn has come. `secret` is what travelled sealed, opened again."""

    id: DeliveryId
    kind: str
    medium: Medium
    tenant_id: TenantId | None
    user_id: UserId | None
    notice_id: NoticeId | None
    subject_id: UUID | None
    key: str = ""
    secret: str | None = None


class Message(msgspec.Struct, frozen=True):
    """What to say, and to whom."""

    notice: Notice
    recipient: Recipient


class Composer(Protocol):
    """Writes messages of one kind."""

    async def __call__(self, tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
        """Write what is due, in transactions of its own that are closed on return.

        A message that nobody wants any more (its code was used, the person left) is missing
        from the answer and is dropped. Whether an address is any good is the channel's to say.
        """
        ...


class Addresses(Protocol):
    """Knows what may go where, and learns what the carriers say of an address.

    It learns in the transaction that notes it, bound to the message's company, if it has one.
    """

    async def allows(self, session: SystemSession, due: Due, recipient: Recipient) -> bool:
        """Whether the message may still go there: asked when it is about to be handed over."""
        ...

    async def reached(self, session: BatchSession, due: Due) -> None:
        """A message arrived: it was taken or, where the carrier reports, delivered."""
        ...

    async def refused(self, session: BatchSession, due: Due, reason: str) -> None:
        """The address itself was refused, for good; `reason` does not repeat it."""
        ...

    async def reported(self, session: BatchSession, due: Due, report: Report, reason: str) -> None:
        """A message that was taken did not arrive, or was not wanted; said once per report."""
        ...

    async def given_up(self, session: BatchSession, due: Due) -> None:
        """A message will not be handed over any more, and no address is to blame."""
        ...


class Correspondence(msgspec.Struct, frozen=True):
    """Who writes which kind of message, and who learns of bad addresses."""

    composers: Mapping[str, Composer]
    addresses: Addresses
