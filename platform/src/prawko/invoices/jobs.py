"""Jobs of invoices: documents of new and of unfinished invoices, and retention."""

import asyncio
from uuid import UUID

from prawko.invoices.document_builder import StuckInvoice, build_documents
from prawko.invoices.repository import InvoiceRepository, find_due, has_stuck, tenants_with_expired
from prawko.invoices.rules import retention_cutoff
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.repository import IncidentRepository
from prawko.kit.incidents.service import set_incident
from prawko.kit.observability import logs
from prawko.kit.work.jobs import job
from prawko.kit.work.leased_work import run_each
from prawko_tenants.ids import TenantId

log = logs.get_logger(__name__)

STUCK_INCIDENT = "invoice_stuck"
MAX_BUILDERS = 2


class BuilderSlots(asyncio.Semaphore):
    """The slots of `build_invoice` in a process."""

    def __init__(self) -> None:
        super().__init__(MAX_BUILDERS)


@job(timeout=120)
async def build_invoice(context: AppContext, *, tenant_id: TenantId, invoice_id: UUID) -> None:
    """Build the documents of one invoice, as soon as it is issued; the name is stored in queues.

    `build_due_invoices`, every minute, makes up for a job that was lost, and for those that come
    while MAX_BUILDERS are at work: an issuer that hangs must not occupy every slot of the worker.
    """
    slots = context.components.get(BuilderSlots)
    if slots.locked():
        return
    async with slots:
        stuck = await build_documents(context, tenant_id, invoice_id)
    if stuck is not None:
        await _sync_stuck_incident(context, stuck)


@job(timeout=300)
async def build_due_invoices(context: AppContext) -> None:
    """Build the documents of all due invoices. May run twice, or late; a failure is isolated."""
    async with context.database.planner() as planner:
        due = await find_due(planner, utc_now())
    stuck: StuckInvoice | None = None

    async def build(tenant_id: TenantId, invoice_id: UUID) -> None:
        nonlocal stuck
        failed = await build_documents(context, tenant_id, invoice_id)
        if failed is not None and (stuck is None or not failed.is_reported):
            stuck = failed

    await run_each(context, due, build, failure="invoice_job_failed")
    if due:
        await _sync_stuck_incident(context, stuck)


async def _sync_stuck_incident(context: AppContext, stuck: StuckInvoice | None) -> None:
    """Open the incident for an invoice; without one, close it if no invoice has failed before.

    Where the incident of the issuer's plugin reports the same, it takes the place of this one.
    """
    if stuck is not None and stuck.is_reported:
        async with context.database.system() as session:
            await IncidentRepository(session).supersede(
                STUCK_INCIDENT, "invoices", utc_now(), about=stuck.number
            )
        return
    if stuck is None:
        async with context.database.planner() as planner:
            if await has_stuck(planner):
                return
    async with context.database.system() as session:
        await set_incident(
            session, kind=STUCK_INCIDENT, key="invoices", is_active=stuck is not None,
            detail=f"{stuck.number}: {stuck.reason}" if stuck else "", now=context.clock.now(),
        )  # fmt: skip


@job(timeout=300)
async def purge_expired_invoices(context: AppContext) -> None:
    """Delete invoices whose retention period is over, of erased companies as well."""
    # The earlier of the two clocks: the product clock may have been moved ahead.
    before = retention_cutoff(min(context.clock.now(), utc_now()))
    async with context.database.planner() as planner:
        tenant_ids = await tenants_with_expired(planner, before)

    async def purge(tenant_id: TenantId) -> None:
        async with context.database.tenant(tenant_id) as session:
            purged = await InvoiceRepository(session).purge(before)
        log.info("invoices_purged", tenant_id=str(tenant_id), rows=purged)

    await run_each(context, zip(tenant_ids), purge, failure="invoices_not_purged")
