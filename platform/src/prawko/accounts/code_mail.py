"""The mail that carries an e-mail code."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts import codes
from prawko.accounts.repository import AccountRepository
from prawko.accounts.secret_mail import compose_secrets, order_secret
from prawko.base.after_commit import AfterCommit
from prawko.base.jobs import Tools
from prawko.base.texts import Language, say
from prawko.deliveries.composing import Due, Message
from prawko.deliveries.jobs import deliver_pending
from prawko.deliveries.letter import letter
from prawko.hooks.channels import Notice
from prawko_tenants.ids import DeliveryId, TenantId, UserId

KIND = "email_code"


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
    await order_secret(tools, session, KIND, user_id, tenant_id, code_id, code)
    later.put(deliver_pending)


async def compose_code_mails(tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
    """Write the mails of codes that still count."""

    def write(reader: Row[Any], code: str) -> Notice:
        language, brand = Language(reader.language), tools.settings.brand
        return letter(
            language,
            brand,
            say("mails.email_code.title", language, brand=brand),
            [say("mails.email_code.text", language, brand=brand)],
            code=code,
        )

    return await compose_secrets(tools, due, write)
