"""Forwards tickets and contact messages to the operators, and watches the form's limit.

Without OPERATOR_EMAIL they stay stored and are forwarded once the address is set.
"""

from collections.abc import Sequence
from uuid import UUID

from prawko import limits
from prawko.accounts.jobs import sync_limit_incident
from prawko.hooks.channels import Medium
from prawko.kit.context import AppContext
from prawko.kit.incidents.models import Detail
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.work.jobs import job
from prawko.kit.work.leased_work import run_each
from prawko.support.mails import CONTACT_MAIL, TICKET_MAIL
from prawko.support.repository import (
    BATCH_SIZE,
    ContactRepository,
    TicketRepository,
    group_by_company,
    list_ticket_keys,
)
from prawko_tenants.ids import TenantId


@job(timeout=30)
async def watch_contact_form(context: AppContext) -> None:
    """Keep an operator incident open while no more contact messages are accepted today."""
    limit = limits.CONTACT_TOTAL
    await sync_limit_incident(
        context,
        limit,
        kind="contact_form_used_up",
        detail=Detail("limit_used_up", {"count": limit.max_tries}),
    )


@job(timeout=120)
async def forward_to_operators(context: AppContext) -> None:
    """Add a mail to the outbox for every ticket and contact message that has none yet."""
    if not context.settings.operator_email:
        return
    await _forward_contacts(context)
    await _forward_tickets(context)


async def _forward_contacts(context: AppContext) -> None:
    async with context.database.system() as session:
        contacts = ContactRepository(session)
        pending = await contacts.lock_pending()
        if pending:
            await contacts.mark_forwarded(pending, context.clock.now())
        messages = [
            OutboxMessage(
                kind=CONTACT_MAIL, medium=Medium.EMAIL, key=f"contact:{id_}", subject_id=id_
            )
            for id_ in pending
        ]
        await enqueue_messages(session, messages)


async def _forward_tickets(context: AppContext) -> None:
    async with context.database.planner() as planner:
        pending = await list_ticket_keys(planner, limit=BATCH_SIZE)

    async def forward(tenant_id: TenantId, ids: Sequence[UUID]) -> None:
        async with context.database.tenant(tenant_id) as session:
            marked = await TicketRepository(session).mark_forwarded(ids, context.clock.now())
            messages = [
                OutboxMessage(
                    kind=TICKET_MAIL,
                    medium=Medium.EMAIL,
                    key=f"ticket:{id_}",
                    tenant_id=tenant_id,
                    subject_id=id_,
                )
                for id_ in marked
            ]
            await enqueue_messages(session, messages)

    await run_each(context, group_by_company(pending), forward, failure="tickets_not_forwarded")
