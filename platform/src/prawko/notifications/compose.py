"""Writes the mails and SMS of notices at the moment they leave."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from prawko.base.jobs import Tools
from prawko.deliveries.composing import Due, Message
from prawko.hooks.channels import Medium, Notice, Recipient
from prawko.notifications.kinds import facts_of
from prawko.notifications.messages import ForMessage, read_for_messages
from prawko.notifications.wording import Site, message
from prawko_tenants.ids import DeliveryId, TenantId


async def compose_notices(tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
    """Write what is due, company by company in one transaction.

    Who has left, or switched the channel off since, gets nothing more.
    """
    by_company: dict[TenantId, list[Due]] = defaultdict(list)
    for one in due:
        if one.tenant_id is not None:
            by_company[one.tenant_id].append(one)
    found: list[ForMessage] = []
    async with tools.database.batch() as session:
        for tenant_id, group in by_company.items():
            await session.bind(tenant_id)
            found += await read_for_messages(session, tenant_id, group)
    media = {one.id: one.medium for one in due}
    site = Site(tools.settings.brand, tools.settings.base_url)
    return {
        row.id: Message(_notice(row, site), recipient)
        for row in found
        if (recipient := _recipient(media[row.id], row)) is not None
    }


def _notice(row: ForMessage, site: Site) -> Notice:
    first, *beside = [facts_of(row.kind, params) for params in row.params]
    return message(row.kind, first, row.language, site, beside=beside)


def _recipient(medium: Medium, row: ForMessage) -> Recipient | None:
    if medium is Medium.EMAIL and row.email_on and row.email_verified:
        return Recipient(email=row.email, phone=None)
    if medium is Medium.SMS and row.sms_on and row.phone_verified:
        return Recipient(email=None, phone=row.phone_number)
    return None
