"""The mail that carries a link for a new password: ordered with it, written when it is sent.

The token is stored hashed; on its way it travels sealed in the delivery's row.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.reset_links import reset_url
from prawko.base.jobs import Tools
from prawko.base.texts import Language, say
from prawko.deliveries.composing import Due, Message
from prawko.deliveries.letter import letter
from prawko.deliveries.outbox import Order, enqueue
from prawko.hooks.channels import Medium, Recipient
from prawko_tenants.ids import DeliveryId, TenantId, UserId

KIND = "password_reset"

_WANTED = text("""
    SELECT c.id, u.email, u.language
      FROM one_time_code c JOIN user_account u ON u.id = c.user_id
     WHERE c.id = ANY(:ids) AND c.used_at IS NULL AND c.expires_at > :now
""")


async def order_reset_mail(
    tools: Tools, session: AsyncSession, user_id: UserId, tenant_id: TenantId, code_id: UUID,
    token: str,
) -> None:  # fmt: skip
    """Put the link's mail into the outbox."""
    order = Order(
        kind=KIND,
        medium=Medium.EMAIL,
        key=f"{KIND}:{code_id}",
        tenant_id=tenant_id,
        user_id=user_id,
        subject_id=code_id,
    )
    await enqueue(session, [order.carrying(token, tools.vault)])


async def compose_reset_mails(tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
    """Write the mails of links that still count."""
    async with tools.database.system() as session:
        rows = await session.execute(
            _WANTED, {"ids": [item.subject_id for item in due], "now": tools.clock.now()}
        )
        wanted = {row.id: row for row in rows}
    return {
        item.id: _mail(tools, wanted[item.subject_id], item.secret)
        for item in due
        if item.subject_id in wanted and item.secret is not None
    }


def _mail(tools: Tools, wanted: Row[Any], token: str) -> Message:
    language, brand = Language(wanted.language), tools.settings.brand
    notice = letter(
        language,
        brand,
        say("mails.password_reset.title", language, brand=brand),
        [say("mails.password_reset.text", language, brand=brand)],
        link=reset_url(tools.settings.base_url, token),
        link_label=say("mails.password_reset.link", language),
    )
    return Message(notice, Recipient(email=wanted.email, phone=None))
