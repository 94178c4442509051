"""The work on invoices: on each as soon as it is issued, and on what was left, by the minute."""

from datetime import date
from uuid import UUID

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools, job
from prawko.deliveries.incidents import close_incident, open_incident
from prawko.deliveries.jobs import deliver_pending
from prawko.invoices.finishing import finish
from prawko.invoices.repository import InvoiceRepository, any_stuck, due, owners_of_old
from prawko.invoices.retention import invoices_kept_from
from prawko_tenants.ids import TenantId

log = logs.logger(__name__)

STUCK = "invoice_stuck"


@job(timeout=60)
async def finish_invoice(tools: Tools, *, tenant_id: TenantId, invoice_id: UUID) -> None:
    """Write and draw this one; who has paid finds it. A lost ring is made up for by the minute.

    One to a ring: many that are issued at once are not drawn by every worker that hears of them.
    """
    reason = await finish(tools, tenant_id, invoice_id)
    if reason is not None:
        await _tell(tools, reason)


@job(timeout=300)
async def finish_invoices(tools: Tools) -> None:
    """Write and draw what is due. May run twice, or late; one's trouble is not the others'."""
    async with tools.database.planner() as planner:
        waiting = await due(planner, machine_now())
    reason: str | None = None
    for tenant_id, invoice_id in waiting:
        if tools.stopping:
            break
        try:
            reason = await finish(tools, tenant_id, invoice_id) or reason
        except Exception:
            log.exception("invoice_not_finished", tenant_id=tenant_id, invoice_id=invoice_id)
    if reason is not None:
        await _tell(tools, reason)
    elif waiting:
        await _all_clear(tools)


async def _tell(tools: Tools, reason: str) -> None:
    async with tools.database.system() as session:
        opened = await open_incident(
            session, kind=STUCK, key="invoices", detail=reason, now=tools.clock.now()
        )
    if opened:
        await tools.queue.put(deliver_pending)


async def _all_clear(tools: Tools) -> None:
    async with tools.database.planner() as planner:
        if await any_stuck(planner):
            return
    async with tools.database.system() as session:
        await close_incident(session, kind=STUCK, key="invoices", now=tools.clock.now())


@job(timeout=300)
async def forget_old_invoices(tools: Tools) -> None:
    """Delete what the law no longer asks for, of erased companies, too."""
    # Of the two clocks the one that keeps more: a product's clock may have been moved.
    before: date = invoices_kept_from(min(tools.clock.now(), machine_now()))
    async with tools.database.planner() as planner:
        owners = await owners_of_old(planner, before)
    forgotten = 0
    for tenant_id in owners:
        if tools.stopping:
            break
        async with tools.database.tenant(tenant_id) as session:
            forgotten += await InvoiceRepository(session).forget(tenant_id, before)
    if forgotten:
        log.info("invoices_forgotten", rows=forgotten)
