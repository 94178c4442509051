"""Reports companies whose alerts about withheld licences reach no member outside the panel.

Only if a member wants alerts and the address refuses mail; switching alerts off is a choice.
"""

from sqlalchemy import select

from prawko.billing.models import monitored_company
from prawko.drivers.models import Driver, Outcome
from prawko.kit.context import AppContext
from prawko.kit.incidents.models import Incident
from prawko.kit.incidents.service import set_incident
from prawko.kit.work.jobs import job
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import (
    ChannelPolicy,
    has_withheld_reader,
    media_for,
    without_mail_to,
)
from prawko.notifications.notice_repository import NoticeRepository
from prawko.notifications.recipients.repository import RecipientRepository
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import TenantSession

ALERTS_UNREAD = "alerts_unread"


@job(timeout=600)
async def watch_unread_alerts(context: AppContext) -> None:
    """Keep an incident open for each company whose alerts reach no member, with its id as key."""
    now, policy = context.clock.now(), ChannelPolicy.from_settings(context.settings)
    with_withheld = (
        select(Driver.tenant_id)
        .join(monitored_company, monitored_company.c.tenant_id == Driver.tenant_id)
        .where(Driver.status == Outcome.INVALID, monitored_company.c.monitored_until > now)
        .distinct()
    )
    async with context.database.planner() as planner:
        tenant_ids = (await planner.scalars(with_withheld)).all()
    unread = set[str]()
    for tenant_id in tenant_ids:
        if context.must_stop():
            return
        async with context.database.tenant(tenant_id) as session:
            if await _is_unread(session, policy):
                unread.add(str(tenant_id))
    is_open = (Incident.kind == ALERTS_UNREAD) & Incident.closed_at.is_(None)
    async with context.database.system() as session:
        keys = unread | {*await session.scalars(select(Incident.key).where(is_open))}
        for key in sorted(keys):
            await set_incident(
                session, kind=ALERTS_UNREAD, key=key, is_active=key in unread, detail="", now=now
            )


async def _is_unread(session: TenantSession, policy: ChannelPolicy) -> bool:
    """Whether alerts reach no member of the company because addresses refuse mail."""
    tenant_id = TenantId(session.tenant_id)
    readers, recipients = NoticeRepository(session, tenant_id), RecipientRepository(session)
    members = await readers.list_members()
    addresses = await recipients.list_member_addresses(tenant_id)
    failing = {one.user_id for one in addresses if one.email_state != "ok"}
    if not has_withheld_reader(members, policy):
        return False
    if has_withheld_reader(without_mail_to(failing, members), policy):
        return False
    reached = {one.id for one in await recipients.list_all() if one.email_state == "ok"}
    return not any(
        media_for(NoticeKind.WITHHELD, one, policy)
        for one in await readers.list_added_recipients()
        if one.recipient_id in reached
    )
