"""Mails that carry a secret: a code or the token of a link.

The secret is stored as a digest; until the mail is sent, the delivery's row holds it encrypted.
"""

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.one_time_codes import OneTimeCodeRepository, ValidCode
from prawko.base.context import AppContext
from prawko.hooks.channels import Medium, Message, Recipient
from prawko.outbox.messages import OutboxMessage
from prawko.outbox.rendering import DueMessage, RenderedMessage
from prawko.outbox.service import enqueue_messages
from prawko_tenants.ids import DeliveryId, TenantId, UserId


async def enqueue_one_time_mail(
    context: AppContext, session: AsyncSession, kind: str, user_id: UserId, tenant_id: TenantId,
    code_id: UUID, secret: str,
) -> None:  # fmt: skip
    """Add the mail to the outbox, with the secret encrypted."""
    message = OutboxMessage(
        kind=kind,
        medium=Medium.EMAIL,
        key=f"{kind}:{code_id}",
        tenant_id=tenant_id,
        user_id=user_id,
        subject_id=code_id,
    )
    await enqueue_messages(session, [message.with_secret(secret, context.key_ring)])


async def render_one_time_mails(
    context: AppContext,
    due: Sequence[DueMessage],
    render: Callable[[ValidCode, str], Message],
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails whose codes are still valid; `render` gets the code and the secret."""
    async with context.database.system() as session:
        codes = await OneTimeCodeRepository(session).find_valid(
            [message.subject_id for message in due], context.clock.now()
        )
    return {
        message.id: RenderedMessage(
            render(code, message.secret), Recipient(email=code.email, phone=None)
        )
        for message in due
        if message.subject_id is not None
        and (code := codes.get(message.subject_id)) is not None
        and message.secret is not None
    }
