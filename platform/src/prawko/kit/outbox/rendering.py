"""Interfaces between the sender of messages and the domains they come from.

A message is rendered when it is sent, by the domain that enqueued it. The composition root has
a renderer for each kind of message.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NoReturn, Protocol
from uuid import UUID

import msgspec

from prawko.hooks.channels import DeliveryReport, Medium, Message, Recipient
from prawko.kit.context import AppContext
from prawko.kit.crypto import KeyRing
from prawko.kit.outbox.models import Delivery
from prawko_tenants.ids import BundleId, DeliveryId, NoticeId, TenantId, UserId
from prawko_tenants.sessions import BatchSession, SystemSession


class DueMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message to be sent now. `secret` is its decrypted secret."""

    id: DeliveryId
    kind: str
    medium: Medium
    tenant_id: TenantId | None
    user_id: UserId | None
    notice_id: NoticeId | None
    subject_id: UUID | None
    bundle_id: BundleId | None
    key: str = ""
    secret: str | None = None


def to_due_message(row: Delivery, key_ring: KeyRing) -> DueMessage:
    """Return a row of the outbox as a message. Raises DecryptionError."""
    cipher = key_ring.payload_cipher
    secret = (
        None
        if row.encrypted is None
        else cipher.decrypt(cipher.current_key_id, row.encrypted, associated_data=row.id.bytes)
    )
    return DueMessage(
        id=DeliveryId(row.id),
        kind=row.kind,
        medium=Medium(row.channel_medium),
        tenant_id=row.tenant_id,
        user_id=row.user_id,
        notice_id=row.notice_id,
        subject_id=row.subject_id,
        bundle_id=row.bundle_id,
        key=row.key,
        secret=None if secret is None else secret.decode(),
    )


def group_by_tenant(due: Iterable[DueMessage]) -> dict[TenantId, list[DueMessage]]:
    """Return the messages of each company; those of no company are left out."""
    by_tenant: dict[TenantId, list[DueMessage]] = defaultdict(list)
    for message in due:
        if message.tenant_id is not None:
            by_tenant[message.tenant_id].append(message)
    return by_tenant


class UnknownKindError(Exception):
    """A kind of a message that this process does not know: a newer one sends the message."""


class RenderedMessage(msgspec.Struct, frozen=True):
    """Content and recipient of a message."""

    content: Message
    recipient: Recipient


class Renderer(Protocol):
    """Renders messages of one kind."""

    async def __call__(
        self, context: AppContext, due: Sequence[DueMessage]
    ) -> Mapping[DeliveryId, RenderedMessage]:
        """Render the due messages, in transactions of its own that are closed on return.

        A message missing from the result is obsolete (its code was used, the person left) and
        is dropped. Addresses are not validated here: the channel does that.
        """
        ...


class DeliveryFeedback(Protocol):
    """Decides whether a message may be sent, and processes carriers' reports about an address.

    The session of `on_…` is the transaction that records the result; but for `on_delivered` it is
    bound to the message's company, if there is one.
    """

    async def is_allowed(
        self, session: SystemSession, due: DueMessage, recipient: Recipient
    ) -> bool:
        """Whether the message may still be sent to the recipient; called just before sending."""
        ...

    async def on_delivered(
        self, session: SystemSession | BatchSession, delivered: Sequence[DueMessage]
    ) -> None:
        """The carrier accepted the messages or, if it reports on deliveries, delivered them."""
        ...

    async def on_refused(self, session: BatchSession, due: DueMessage, reason: str) -> None:
        """The carrier permanently rejected the address; `reason` does not contain it."""
        ...

    async def on_report(
        self, session: BatchSession, due: DueMessage, report: DeliveryReport, reason: str
    ) -> None:
        """The carrier reported that an accepted message was not delivered; once per report."""
        ...

    async def on_given_up(self, session: BatchSession, due: DueMessage) -> None:
        """No attempt is left, and the address is not at fault."""
        ...


class RendererRegistry(msgspec.Struct, frozen=True):
    """Renderers by kind of message, and the feedback for carriers' results."""

    renderers: Mapping[str, Renderer]
    feedback: DeliveryFeedback

    async def render(
        self, context: AppContext, due: Iterable[DueMessage]
    ) -> dict[DeliveryId, RenderedMessage | Exception | None]:
        """Render the messages of each kind together, or one by one where that fails.

        An exception in the result is that message's own; None means that it is obsolete.
        """
        by_kind: dict[str, list[DueMessage]] = defaultdict(list)
        for message in due:
            by_kind[message.kind].append(message)
        results: dict[DeliveryId, RenderedMessage | Exception | None] = {}
        for kind, group in by_kind.items():
            try:
                rendered = await self.renderers.get(kind, _refuse)(context, group)
            except Exception as error:  # noqa: BLE001 (the boundary of a job)
                if len(group) > 1:
                    for message in group:
                        results |= await self.render(context, [message])
                else:
                    results[group[0].id] = error
            else:
                results |= {message.id: rendered.get(message.id) for message in group}
        return results


async def _refuse(_: AppContext, _due: Sequence[DueMessage]) -> NoReturn:
    raise UnknownKindError


class RendererRegistryFactory(msgspec.Struct, frozen=True):
    """What creates the renderers and the feedback of a context."""

    create: Callable[[AppContext], RendererRegistry]


def get_renderers(context: AppContext) -> RendererRegistry:
    """Return the renderers and the feedback of this context."""
    return context.components.get(RendererRegistryFactory).create(context)
