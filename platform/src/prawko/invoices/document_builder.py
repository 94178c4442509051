"""Builds the documents of an issued invoice: first the structured one (XML), then the PDF.

An issuer plugin gets the invoice converted, and its document is validated before it is stored.

No transaction is open while a document is rendered. Each step reads what the step before has
stored and may run twice: a stored document is never replaced by another.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar
from uuid import UUID

import msgspec

from prawko.hooks.deadlines import INVOICE_SECONDS
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.invoices import (
    InvoiceData,
    InvoiceError,
    InvoiceIssuer,
    InvoiceLineData,
    Party,
    Seller,
    StructuredInvoice,
)
from prawko.hooks.webhooks import MAX_EVENT_ID_LENGTH
from prawko.invoices.models import Invoice, InvoiceFileKind, InvoiceState
from prawko.invoices.repository import CorruptedFileError, InvoiceRepository
from prawko.kit.backoff import BACKOFF
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.plugin_faults import await_validated, get_experience
from prawko.kit.observability import logs
from prawko.kit.providers.calls import (
    PluginFaultError,
    PluginValueError,
    describe_error,
    type_name,
)
from prawko.kit.providers.experience import PluginExperience
from prawko.kit.providers.registry import PluginKind
from prawko_tenants.ids import TenantId

log = logs.get_logger(__name__)

MAX_DOCUMENT_BYTES = 2 * 1024 * 1024
T = TypeVar("T")


class StuckInvoice(msgspec.Struct, frozen=True):
    """An invoice of which a step failed, and why.

    `is_reported`: its issuer's plugin alone has failed, and rests, which is an incident of its own.
    """

    number: str
    reason: str
    is_reported: bool


async def build_documents(
    context: AppContext, tenant_id: TenantId, invoice_id: UUID
) -> StuckInvoice | None:
    """Build the missing documents of one invoice; return it if a step failed.

    A structured document that fails does not prevent the PDF.
    """
    async with context.database.tenant(tenant_id) as session:
        row = await InvoiceRepository(session).get(invoice_id)
    return None if row is None else await _DocumentBuilder(context, row).build()


class _IssuerRestsError(InvoiceError):
    """The issuer's plugin is not called now."""


class _StepFailure:
    """Why a step failed; the reason holds no personal data."""

    def __init__(self, step: str, error: Exception) -> None:
        self.is_known = isinstance(
            error, InvoiceError | ProviderAccountError | CorruptedFileError | PluginFaultError
        )
        self.is_fault = isinstance(error, _IssuerRestsError | PluginFaultError)
        self.is_permanent = isinstance(error, InvoiceError) and bool(error.permanent)
        self.reason = f"{step}: {describe_error(error) if self.is_known else type(error).__name__}"


class _DocumentBuilder:
    """Builds the documents of one invoice, each step in transactions of its own."""

    def __init__(self, context: AppContext, row: Invoice) -> None:
        self._context = context
        self._row = row
        self._invoice = to_invoice_data(row)
        self._plugin: PluginExperience | None = None  # the issuer's, once it is called

    async def build(self) -> StuckInvoice | None:
        failures: list[_StepFailure] = []
        for step, build in (("xml", self._build_xml), ("pdf", self._build_pdf)):
            try:
                await build()
            except Exception as error:
                failures.append(_StepFailure(step, error))
                if not failures[-1].is_known:
                    log.exception("invoice_build_failed", number=self._row.number, step=step)
        return await self._save_progress(failures)

    async def _save_progress(self, failures: list[_StepFailure]) -> StuckInvoice | None:
        row = self._row
        async with self._invoices() as invoices:
            if not failures:
                await invoices.mark_done(row.id)
                log.info("invoice_built", number=row.number)
                return None
            is_permanent = all(failure.is_permanent for failure in failures)
            wait = BACKOFF.longest if is_permanent else BACKOFF.delay(row.attempts + 1)
            reason = "; ".join(failure.reason for failure in failures)
            await invoices.mark_failed(row.id, reason, utc_now() + wait)
        is_resting = self._plugin is not None and self._plugin.rests_until() is not None
        is_reported = is_resting and all(failure.is_fault for failure in failures)
        return StuckInvoice(row.number, reason, is_reported)

    async def _build_xml(self) -> None:
        """Render and validate the structured document, if the invoice has an issuer of those."""
        row = self._row
        if row.issuer is None or row.state not in {InvoiceState.NUMBERED, InvoiceState.XML_BUILT}:
            return
        issuer = self._context.plugins.issuers.get(row.issuer)
        if issuer is None:
            raise InvoiceError(f"the issuer {row.issuer} is not loaded")
        document = await self._load_or_render_xml(issuer)
        try:
            await self._call_issuer(issuer, partial(issuer.validate, document), lambda _: None)
        except InvoiceError as error:
            if error.permanent:  # not sent yet: rendered again once the issuer is fixed
                async with self._invoices() as invoices:
                    await invoices.discard_xml(row.id)
            raise
        async with self._invoices() as invoices:
            await invoices.transition(row.id, InvoiceState.XML_BUILT, InvoiceState.XSD_OK)

    async def _load_or_render_xml(self, issuer: InvoiceIssuer) -> StructuredInvoice:
        """The structured document as stored; it is rendered if there is none."""
        row, schema = self._row, self._row.schema or ""
        if row.state is InvoiceState.NUMBERED:
            document = await self._call_issuer(
                issuer, partial(issuer.render, self._invoice), validate_document
            )
            schema = document.schema
            async with self._invoices() as invoices:
                if await invoices.transition(
                    row.id, InvoiceState.NUMBERED, InvoiceState.XML_BUILT, schema=schema
                ):
                    await invoices.save_file(row.id, InvoiceFileKind.XML, document.xml)
        async with self._invoices() as invoices:
            stored = await invoices.get_file(row.id, InvoiceFileKind.XML)
        if stored is None or stored.content is None:
            raise CorruptedFileError("the stored document is missing")
        return StructuredInvoice(stored.content, schema)

    async def _call_issuer(
        self,
        issuer: InvoiceIssuer,
        call: Callable[[], Awaitable[object]],
        validate: Callable[[object], T],
    ) -> T:
        """Call the issuer within a deadline, unless it rests. Raises InvoiceError while it does."""
        self._plugin = plugin = get_experience(self._context, PluginKind.INVOICES, issuer.name)
        if plugin.rests_until() is not None:
            raise _IssuerRestsError(f"the {plugin.name} rests: it hung or failed again and again")
        errors = (InvoiceError, ProviderAccountError)
        return await await_validated(
            self._context, plugin, call, validate, deadline=INVOICE_SECONDS, raises=errors
        )

    async def _build_pdf(self) -> None:
        """Render the PDF, if there is none yet."""
        async with self._invoices() as invoices:
            stored = await invoices.get_file(self._row.id, InvoiceFileKind.PDF)
        if stored is not None and stored.content is not None:
            return
        content = await asyncio.to_thread(
            _render_pdf, self._invoice, structured=self._row.issuer is not None
        )
        async with self._invoices() as invoices:
            await invoices.save_file(self._row.id, InvoiceFileKind.PDF, content)

    @asynccontextmanager
    async def _invoices(self) -> AsyncIterator[InvoiceRepository]:
        """The company's invoices, in a transaction of their own."""
        async with self._context.database.tenant(self._row.tenant_id) as session:
            yield InvoiceRepository(session)


def _render_pdf(invoice: InvoiceData, *, structured: bool) -> bytes:
    from prawko.invoices.pdf import render_pdf  # noqa: PLC0415 (some 50 MB, only for workers)

    return render_pdf(invoice, structured=structured)


def to_invoice_data(invoice: Invoice) -> InvoiceData:
    """The invoice as issued, without ids or anything else that is not printed on it."""
    return InvoiceData(
        number=invoice.number,
        issued_at=invoice.issued_at,
        issued_on=invoice.issued_on,
        sold_on=invoice.sold_on,
        seller=Seller(
            name=invoice.seller_name,
            tax_id=invoice.seller_tax_id,
            street=invoice.seller_street,
            postal_code=invoice.seller_postal_code,
            city=invoice.seller_city,
            iban=invoice.seller_iban,
        ),
        buyer=Party(
            name=invoice.buyer_name,
            tax_id=invoice.buyer_tax_id,
            street=invoice.buyer_street,
            postal_code=invoice.buyer_postal_code,
            city=invoice.buyer_city,
        ),
        lines=tuple(
            InvoiceLineData(
                name=line.name, net=line.net, vat=line.vat, vat_percent=line.vat_percent
            )
            for line in invoice.lines
        ),
        method=invoice.method,
        currency=invoice.currency,
        ksef_number=invoice.ksef_number,
    )


def validate_document(value: object) -> StructuredInvoice:
    """Return a rendered document. Raises PluginValueError."""
    if not isinstance(value, StructuredInvoice):
        raise PluginValueError(f"render returned {type_name(value)}")
    xml: object = value.xml
    schema: object = value.schema
    if not isinstance(xml, bytes) or not isinstance(schema, str):
        raise PluginValueError("render returned values of other types")
    if not 0 < len(xml) <= MAX_DOCUMENT_BYTES:
        raise PluginValueError(f"render returned a document of {len(xml)} bytes")
    if not (0 < len(schema) <= MAX_EVENT_ID_LENGTH and schema.isprintable()):
        raise PluginValueError("render returned a schema that cannot be stored")
    return StructuredInvoice(bytes(memoryview(xml)), str.__str__(schema))
