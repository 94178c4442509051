"""The mail that carries an e-mail code: ordered with the code, written when it is sent.

The code itself is stored hashed; on its way it travels sealed in the delivery's row.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts import codes
from prawko.accounts.repository import AccountRepository
from prawko.base.after_commit import AfterCommit
from prawko.base.jobs import Tools
from prawko.base.texts import Language, say
from prawko.deliveries.composing import Due, Message
from prawko.deliveries.jobs import deliver_pending
from prawko.deliveries.letter import letter
from prawko.deliveries.outbox import Order, enqueue
from prawko.hooks.channels import Medium, Recipient
from prawko_tenants.ids import DeliveryId, TenantId, UserId

KIND = "email_code"

_WANTED = text("""
    SELECT c.id, u.email, u.language
      FROM one_time_code c JOIN user_account u ON u.id = c.user_id
     WHERE c.id = ANY(:ids) AND c.used_at IS NULL AND c.expires_at > :now
""")


async def send_code(
    tools: Tools, session: AsyncSession, user_id: UserId, tenant_id: TenantId, later: AfterCommit
) -> None:
    """Make a fresh code the only one that counts, and put its mail into the outbox."""
    code = codes.new_email_code()
    now = tools.clock.now()
    digest = tools.vault.digest(KIND, f"{user_id}:{code}")
    code_id = await AccountRepository(session).add_code(
        user_id, "email", digest, now, now + codes.EMAIL_CODE_LIFE
    )
    order = Order(
        kind=KIND,
        medium=Medium.EMAIL,
        key=f"{KIND}:{code_id}",
        tenant_id=tenant_id,
        user_id=user_id,
        subject_id=code_id,
    )
    await enqueue(session, [order.carrying(code, tools.vault)])
    later.put(deliver_pending)


async def compose_code_mails(tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
    """Write the mails of codes that still count."""
    async with tools.database.system() as session:
        rows = await session.execute(
            _WANTED, {"ids": [item.subject_id for item in due], "now": tools.clock.now()}
        )
        wanted = {row.id: row for row in rows}
    return {
        item.id: _mail(tools.settings.brand, wanted[item.subject_id], item.secret)
        for item in due
        if item.subject_id in wanted and item.secret is not None
    }


def _mail(brand: str, wanted: Row[Any], code: str) -> Message:
    language = Language(wanted.language)
    notice = letter(
        language,
        brand,
        say("mails.email_code.title", language, brand=brand),
        [say("mails.email_code.text", language, brand=brand)],
        code=code,
    )
    return Message(notice, Recipient(email=wanted.email, phone=None))
