"""Builds the documents of an issued invoice: first the structured one (XML), then the PDF.

No transaction is open while a document is rendered. Each step reads what the step before has
stored and may run twice: a stored document is never replaced by another.
"""

import asyncio
from uuid import UUID

from prawko.base import logs
from prawko.base.backoff import BACKOFF
from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.hooks import invoices as hook
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.invoices import InvoiceError, StructuredInvoice
from prawko.invoices.documents import to_issuer_invoice
from prawko.invoices.models import Invoice
from prawko.invoices.repository import CorruptedFileError, InvoiceRepository
from prawko.invoices.state import InvoiceFileKind, InvoiceState
from prawko_tenants.ids import TenantId

log = logs.get_logger(__name__)


async def build_documents(context: AppContext, tenant_id: TenantId, invoice_id: UUID) -> str | None:
    """Build what is missing of one invoice; the reason, if a step failed.

    A structured document that fails does not prevent the PDF.
    """
    async with context.database.tenant(tenant_id) as session:
        stored = await InvoiceRepository(session).get_with_lines(invoice_id)
    if stored is None:
        return None
    row, lines = stored
    issuer_invoice = to_issuer_invoice(row, lines)
    failures: list[_StepFailure] = []
    for step, build in (("xml", _build_xml), ("pdf", _build_pdf)):
        try:
            await build(context, tenant_id, row, issuer_invoice)
        except Exception as error:
            failures.append(_StepFailure(step, error))
            if not failures[-1].is_known:
                log.exception("invoice_build_failed", number=row.number, step=step)
    return await _save_progress(context, tenant_id, row, failures)


class _StepFailure:
    """Why a step failed; the reason holds no personal data."""

    def __init__(self, step: str, error: Exception) -> None:
        self.is_known = isinstance(error, InvoiceError | ProviderAccountError | CorruptedFileError)
        self.is_permanent = isinstance(error, InvoiceError) and error.permanent
        self.reason = f"{step}: {error if self.is_known else type(error).__name__}"


async def _save_progress(
    context: AppContext, tenant_id: TenantId, row: Invoice, failures: list[_StepFailure]
) -> str | None:
    async with context.database.tenant(tenant_id) as session:
        invoices = InvoiceRepository(session)
        if not failures:
            await invoices.mark_done(tenant_id, row.id)
            log.info("invoice_built", number=row.number)
            return None
        is_permanent = all(failure.is_permanent for failure in failures)
        wait = BACKOFF.longest if is_permanent else BACKOFF.delay(row.attempts + 1)
        reason = "; ".join(failure.reason for failure in failures)
        await invoices.mark_failed(tenant_id, row.id, reason, utc_now() + wait)
    return f"{row.number}: {reason}"


async def _build_xml(
    context: AppContext, tenant_id: TenantId, row: Invoice, issuer_invoice: hook.InvoiceData
) -> None:
    """Render and validate the structured document, if the invoice has an issuer of those."""
    if row.issuer is None or row.state not in {InvoiceState.NUMBERED, InvoiceState.XML_BUILT}:
        return
    issuer = context.plugins.issuers.get(row.issuer)
    if issuer is None:
        raise InvoiceError(f"the issuer {row.issuer} is not loaded")
    schema = row.schema or ""
    if row.state == InvoiceState.NUMBERED:
        document = await issuer.render(issuer_invoice)
        schema = document.schema
        async with context.database.tenant(tenant_id) as session:
            invoices = InvoiceRepository(session)
            if await invoices.transition(
                tenant_id, row.id, InvoiceState.NUMBERED, InvoiceState.XML_BUILT, schema
            ):
                await invoices.save_file(tenant_id, row.id, InvoiceFileKind.XML, document.xml)
    async with context.database.tenant(tenant_id) as session:
        stored = await InvoiceRepository(session).get_file(tenant_id, row.id, InvoiceFileKind.XML)
    if stored is None or stored.content is None:
        raise CorruptedFileError("the stored document is missing")
    try:
        await issuer.validate(StructuredInvoice(stored.content, schema))
    except InvoiceError as error:
        if error.permanent:  # not sent to anybody yet: rendered again once the issuer is fixed
            async with context.database.tenant(tenant_id) as session:
                await InvoiceRepository(session).discard_document(tenant_id, row.id)
        raise
    async with context.database.tenant(tenant_id) as session:
        await InvoiceRepository(session).transition(
            tenant_id, row.id, InvoiceState.XML_BUILT, InvoiceState.XSD_OK
        )


async def _build_pdf(
    context: AppContext, tenant_id: TenantId, row: Invoice, issuer_invoice: hook.InvoiceData
) -> None:
    """Render the PDF, if there is none yet."""
    async with context.database.tenant(tenant_id) as session:
        stored = await InvoiceRepository(session).get_file(tenant_id, row.id, InvoiceFileKind.PDF)
    if stored is not None and stored.content is not None:
        return
    content = await asyncio.to_thread(
        _render_pdf, issuer_invoice, structured=row.issuer is not None
    )
    async with context.database.tenant(tenant_id) as session:
        await InvoiceRepository(session).save_file(tenant_id, row.id, InvoiceFileKind.PDF, content)


def _render_pdf(issuer_invoice: hook.InvoiceData, *, structured: bool) -> bytes:
    from prawko.invoices.pdf import render_pdf  # noqa: PLC0415 (some 50 MB, only for workers)

    return render_pdf(issuer_invoice, structured=structured)
