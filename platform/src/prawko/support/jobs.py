"""Orders the mails to the operators for what people wrote, and tells them when no more is taken.

Without OPERATOR_EMAIL everything waits where it is kept, and leaves when the address is set.
"""

from itertools import groupby

from prawko.accounts.throttle import Throttle
from prawko.base.jobs import Tools, job
from prawko.deliveries.incidents import keep_incident
from prawko.deliveries.jobs import deliver_pending
from prawko.deliveries.outbox import Order, enqueue
from prawko.hooks.channels import Medium
from prawko.support import limits
from prawko.support.mails import CONTACT_MAIL, TICKET_MAIL
from prawko.support.repository import SupportRepository, waiting_tickets

CONTACT_FORM_USED_UP = "contact_form_used_up"


@job(timeout=30)
async def watch_contact_form(tools: Tools) -> None:
    """Tell the operators when the day's messages are used up; once, until they are not."""
    limit = limits.CONTACT_OF_EVERYBODY
    used = await Throttle(tools.database, tools.vault).used(limit, limits.EVERYBODY)
    async with tools.database.system() as session:
        opened = await keep_incident(
            session,
            kind=CONTACT_FORM_USED_UP,
            key="everybody",
            wrong=used >= limit.tries,
            detail=f"{limit.tries} in 24 hours",
            now=tools.clock.now(),
        )
    if opened:
        await tools.queue.put(deliver_pending)


@job(timeout=120)
async def pass_on_messages(tools: Tools) -> None:
    """Order a mail for every ticket and message that has none yet."""
    if not tools.settings.operator_email:
        return
    if await _contacts(tools) + await _tickets(tools):
        await tools.queue.put(deliver_pending)


async def _contacts(tools: Tools) -> int:
    async with tools.database.system() as session:
        support = SupportRepository(session)
        waiting = await support.hold_waiting_contacts()
        orders = [
            Order(kind=CONTACT_MAIL, medium=Medium.EMAIL, key=f"contact:{id_}", subject_id=id_)
            for id_ in waiting
        ]
        await enqueue(session, orders)
        if waiting:
            await support.contacts_passed_on(waiting, tools.clock.now())
    return len(orders)


async def _tickets(tools: Tools) -> int:
    async with tools.database.planner() as planner:
        waiting = await waiting_tickets(planner)
    passed_on = 0
    async with tools.database.batch() as session:
        support = SupportRepository(session)
        for tenant_id, company in groupby(waiting, key=lambda ticket: ticket[0]):
            await session.bind(tenant_id)
            ids = [ticket_id for _, ticket_id in company]
            marked = await support.tickets_passed_on(tenant_id, ids, tools.clock.now())
            orders = [
                Order(
                    kind=TICKET_MAIL,
                    medium=Medium.EMAIL,
                    key=f"ticket:{id_}",
                    tenant_id=tenant_id,
                    subject_id=id_,
                )
                for id_ in marked
            ]
            passed_on += await enqueue(session, orders)
    return passed_on
