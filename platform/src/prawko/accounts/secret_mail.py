"""A mail that carries a secret, a code or a link's token: ordered with it, written when it is sent.

The secret is stored hashed; on its way it travels sealed in the delivery's row.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base.jobs import Tools
from prawko.deliveries.composing import Due, Message
from prawko.deliveries.outbox import Order, enqueue
from prawko.hooks.channels import Medium, Notice, Recipient
from prawko_tenants.ids import DeliveryId, TenantId, UserId

_WANTED = text("""
    SELECT c.id, u.email, u.language
      FROM one_time_code c JOIN user_account u ON u.id = c.user_id
     WHERE c.id = ANY(:ids) AND c.used_at IS NULL AND c.expires_at > :now
""")


async def order_secret(
    tools: Tools, session: AsyncSession, kind: str, user_id: UserId, tenant_id: TenantId,
    code_id: UUID, secret: str,
) -> None:  # fmt: skip
    """Put the mail into the outbox."""
    order = Order(
        kind=kind,
        medium=Medium.EMAIL,
        key=f"{kind}:{code_id}",
        tenant_id=tenant_id,
        user_id=user_id,
        subject_id=code_id,
    )
    await enqueue(session, [order.carrying(secret, tools.vault)])


async def compose_secrets(
    tools: Tools, due: Sequence[Due], write: Callable[[Row[Any], str], Notice]
) -> Mapping[DeliveryId, Message]:
    """Write the mails whose secrets still count; `write` gets the reader's row and the secret."""
    async with tools.database.system() as session:
        rows = await session.execute(
            _WANTED, {"ids": [item.subject_id for item in due], "now": tools.clock.now()}
        )
        wanted = {row.id: row for row in rows}
    return {
        item.id: Message(write(reader, item.secret), Recipient(email=reader.email, phone=None))
        for item in due
        if (reader := wanted.get(item.subject_id)) is not None and item.secret is not None
    }
