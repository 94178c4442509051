"""Makes what hangs on a numbered invoice: the structured document first, then the sheet.

No transaction is open while a document is written or drawn. Every step reads what the one
before has stored and may run twice: bytes that are stored and sound are never written anew.
"""

import asyncio
from datetime import timedelta
from uuid import UUID

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.deliveries.backoff import LONGEST_WAIT, wait_after
from prawko.hooks import invoices as hook
from prawko.hooks.failures import AccountError
from prawko.hooks.invoices import InvoiceError, StructuredInvoice
from prawko.invoices.documents import as_issued
from prawko.invoices.models import Invoice
from prawko.invoices.repository import InvoiceRepository, SpoiledFileError
from prawko.invoices.state import FileKind, State
from prawko_tenants.ids import TenantId

log = logs.logger(__name__)


async def finish(tools: Tools, tenant_id: TenantId, invoice_id: UUID) -> str | None:
    """Go on with one invoice until nothing is left to do; the reason, if it does not work.

    A document that cannot be written keeps nobody from the sheet.
    """
    async with tools.database.tenant(tenant_id) as session:
        found = await InvoiceRepository(session).with_lines(invoice_id)
    if found is None:
        return None
    row, lines = found
    paper = as_issued(row, lines)
    failures: list[_Failure] = []
    for step, work in (("xml", _structure), ("pdf", _draw)):
        try:
            await work(tools, tenant_id, row, paper)
        except Exception as error:
            failures.append(_Failure(step, error))
            if not failures[-1].known:
                log.exception("invoice_not_made", number=row.number, step=step)
    return await _note(tools, tenant_id, row, failures)


class _Failure:
    """Why a step did not work, in words that name nobody."""

    def __init__(self, step: str, error: Exception) -> None:
        self.known = isinstance(error, InvoiceError | AccountError | SpoiledFileError)
        self.permanent = isinstance(error, InvoiceError) and error.permanent
        self.reason = f"{step}: {error if self.known else type(error).__name__}"


async def _note(
    tools: Tools, tenant_id: TenantId, row: Invoice, failures: list[_Failure]
) -> str | None:
    async with tools.database.tenant(tenant_id) as session:
        invoices = InvoiceRepository(session)
        if not failures:
            await invoices.done(tenant_id, row.id)
            log.info("invoice_made", number=row.number)
            return None
        wait: timedelta = wait_after(row.attempts + 1)
        if all(failure.permanent for failure in failures):
            wait = LONGEST_WAIT
        reason = "; ".join(failure.reason for failure in failures)
        await invoices.failed(tenant_id, row.id, reason, machine_now() + wait)
    return f"{row.number}: {reason}"


async def _structure(tools: Tools, tenant_id: TenantId, row: Invoice, paper: hook.Invoice) -> None:
    """Write and check the structured document, if the invoice was numbered for one."""
    if row.issuer is None or row.state not in {State.NUMBERED, State.XML_BUILT}:
        return
    issuer = tools.plugins.issuers.get(row.issuer)
    if issuer is None:
        raise InvoiceError(f"the issuer {row.issuer} is not loaded")
    schema = row.schema or ""
    if row.state == State.NUMBERED:
        document = await issuer.issue(paper)
        schema = document.schema
        async with tools.database.tenant(tenant_id) as session:
            invoices = InvoiceRepository(session)
            if await invoices.turn(tenant_id, row.id, State.NUMBERED, State.XML_BUILT, schema):
                await invoices.keep_file(tenant_id, row.id, FileKind.XML, document.xml)
    async with tools.database.tenant(tenant_id) as session:
        kept = await InvoiceRepository(session).file(tenant_id, row.id, FileKind.XML)
    if kept is None or kept.content is None:
        raise SpoiledFileError("the document that was stored is gone")
    try:
        await issuer.check(StructuredInvoice(kept.content, schema))
    except InvoiceError as error:
        if error.permanent:  # nobody has been sent it: written anew once its writer is mended
            async with tools.database.tenant(tenant_id) as session:
                await InvoiceRepository(session).discard_document(tenant_id, row.id)
        raise
    async with tools.database.tenant(tenant_id) as session:
        await InvoiceRepository(session).turn(tenant_id, row.id, State.XML_BUILT, State.XSD_OK)


async def _draw(tools: Tools, tenant_id: TenantId, row: Invoice, paper: hook.Invoice) -> None:
    """Draw the sheet, if there is none yet."""
    async with tools.database.tenant(tenant_id) as session:
        kept = await InvoiceRepository(session).file(tenant_id, row.id, FileKind.PDF)
    if kept is not None and kept.content is not None:
        return
    content = await asyncio.to_thread(_drawn, paper, structured=row.issuer is not None)
    async with tools.database.tenant(tenant_id) as session:
        await InvoiceRepository(session).keep_file(tenant_id, row.id, FileKind.PDF, content)


def _drawn(paper: hook.Invoice, *, structured: bool) -> bytes:
    from prawko.invoices.sheet import draw  # noqa: PLC0415 (some 50 MB, for workers alone)

    return draw(paper, structured=structured)
