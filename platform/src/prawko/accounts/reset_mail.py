"""The mail that carries a link for a new password."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.reset_links import reset_url
from prawko.accounts.secret_mail import compose_secrets, order_secret
from prawko.base.jobs import Tools
from prawko.base.texts import Language, say
from prawko.deliveries.composing import Due, Message
from prawko.deliveries.letter import letter
from prawko.hooks.channels import Notice
from prawko_tenants.ids import DeliveryId, TenantId, UserId

KIND = "password_reset"


async def order_reset_mail(
    tools: Tools, session: AsyncSession, user_id: UserId, tenant_id: TenantId, code_id: UUID,
    token: str,
) -> None:  # fmt: skip
    """Put the link's mail into the outbox."""
    await order_secret(tools, session, KIND, user_id, tenant_id, code_id, token)


async def compose_reset_mails(tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
    """Write the mails of links that still count."""

    def write(reader: Row[Any], token: str) -> Notice:
        language, brand = Language(reader.language), tools.settings.brand
        return letter(
            language,
            brand,
            say("mails.password_reset.title", language, brand=brand),
            [say("mails.password_reset.text", language, brand=brand)],
            link=reset_url(tools.settings.base_url, token),
            link_label=say("mails.password_reset.link", language),
        )

    return await compose_secrets(tools, due, write)
