"""Renders and validates FA(3) documents; the only module that imports `ksef_client`.

Errors name elements and rules, never their contents: they appear in mails and logs.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from ksef_client.documents.fa3 import (
    Address,
    BankAccount,
    BasicInvoiceBuilder,
    FA3Invoice,
    InvoiceParty,
    PaymentTerms,
    TaxCategory,
    invoice_to_xml,
)
from ksef_client.documents.fa3 import PaymentMethod as PaymentForm
from lxml import etree

from prawko.hooks.invoices import InvoiceData, InvoiceError, Party
from prawko.hooks.payments import PaymentMethod

NAMESPACE = "http://crd.gov.pl/wzor/2025/06/25/13775/"
SYSTEM_NAME = "Prawko"
VAT_RATE = 23
MAX_NAME_LENGTH, MAX_ADDRESS_LENGTH = 512, 512
_PAYMENT_FORMS = {
    PaymentMethod.CARD: PaymentForm.CARD.value,
    PaymentMethod.BLIK: PaymentForm.MOBILE.value,
    PaymentMethod.TRANSFER: PaymentForm.TRANSFER.value,
}
_SCHEMA_PACKAGE = "ksef_client.documents.fa3.schemas"
_MAIN_SCHEMA = "schemat_FA(3)_v1-0E.xsd"
_SCHEMA_LOCATION = re.compile(r'schemaLocation="[^"]*/([^"/]+)"')
_SCHEMA_LOCK = Lock()
_ELEMENT = re.compile(r"Element '(?:\{[^}]*\})?(\w+)'")
_RULE = re.compile(r"SCHEMAV_\w+")


def render_xml(invoice: InvoiceData) -> bytes:
    """Return an invoice's document. Raises a permanent InvoiceError if FA(3) cannot express it."""
    try:
        xml = invoice_to_xml(_build_draft(invoice))
    except ValueError as error:
        raise InvoiceError(
            _describe_violation("it cannot be written as FA(3)", str(error)), permanent=True
        ) from None
    return _with_creation_time(xml, invoice.issued_at)


def validate_xml(xml: bytes) -> None:
    """Raise a permanent InvoiceError unless the bytes conform to the schema and add up."""
    document = _parse_xml(xml)
    with _SCHEMA_LOCK:  # a schema holds the errors of its last document
        schema = load_schema()
        is_valid = schema.validate(document)
        message = str(schema.error_log.last_error)  # type: ignore[attr-defined]  # not in stubs
    if not is_valid:
        raise InvoiceError(_describe_violation("it violates the schema", message), permanent=True)
    net, vat, gross = (_sum_elements(document, name) for name in ("P_13_1", "P_14_1", "P_15"))
    lines = (_sum_elements(document, "P_11"), _sum_elements(document, "P_11Vat"))
    if lines != (net, vat) or gross != net + vat:
        raise InvoiceError("its lines and totals do not add up", permanent=True)


def _build_draft(invoice: InvoiceData) -> FA3Invoice:
    draft = (
        BasicInvoiceBuilder(invoice_number=invoice.number)
        .issued_on(invoice.issued_on)
        .currency(invoice.currency)
        .seller(_invoice_party(invoice.seller))
        .buyer(_invoice_party(invoice.buyer))
        .payment(_payment_terms(invoice))
    )
    if invoice.sold_on != invoice.issued_on:  # P_6 is present only if it differs from P_1
        draft.sale_date(invoice.sold_on)
    for line in invoice.lines:
        if line.vat_percent != VAT_RATE:
            raise ValueError("only the VAT rate of 23 % is supported")
        draft.add_line(
            _collapse_whitespace(line.name)[:MAX_NAME_LENGTH],
            quantity=1,
            unit="usł.",
            unit_net_price=_to_decimal(line.net),
            net_amount=_to_decimal(line.net),
            vat_amount=_to_decimal(line.vat),
            tax=TaxCategory.standard_23(),
        )
    return draft.build()


def _invoice_party(party: Party) -> InvoiceParty:
    street, city = (
        _collapse_whitespace(party.street),
        _collapse_whitespace(f"{party.postal_code} {party.city}"),
    )
    return InvoiceParty.polish_company(
        nip=party.tax_id,
        name=_collapse_whitespace(party.name)[:MAX_NAME_LENGTH],
        address=Address.polish(street[:MAX_ADDRESS_LENGTH], city[:MAX_ADDRESS_LENGTH]),
    )


def _payment_terms(invoice: InvoiceData) -> PaymentTerms:
    form = _PAYMENT_FORMS.get(invoice.method)
    iban = invoice.seller.iban
    return PaymentTerms(
        method=form,
        other_method_description=None if form else "Przelewy24",
        paid_date=invoice.sold_on,
        bank_accounts=(BankAccount(iban),) if iban else (),
    )


def _with_creation_time(xml: bytes, created_at: datetime) -> bytes:
    """Replace the client's time of creation with the invoice's, so that the bytes are stable."""
    document = _parse_xml(xml)
    created = f"{created_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    for name, text in (("DataWytworzeniaFa", created), ("SystemInfo", SYSTEM_NAME)):
        for element in _elements(document, name):
            element.text = text
    return etree.tostring(document, encoding="UTF-8", xml_declaration=True)


@cache
def load_schema() -> etree.XMLSchema:
    """Return the ministry's schema, from the client's package, with its parts in one folder.

    The client compiles it for every document and resolves its parts by an lxml loader that all
    threads share; with two threads at once, lxml looks for a part in the network.
    """
    with TemporaryDirectory() as folder:
        for part in files(_SCHEMA_PACKAGE).iterdir():
            if part.name.endswith(".xsd"):
                local = _SCHEMA_LOCATION.sub(
                    r'schemaLocation="\1"', part.read_text(encoding="utf-8")
                )
                Path(folder, part.name).write_text(local, encoding="utf-8")
        return etree.XMLSchema(etree.parse(Path(folder, _MAIN_SCHEMA)))


def _parse_xml(xml: bytes) -> etree._Element:
    try:
        return etree.fromstring(xml, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        raise InvoiceError(f"it is not XML (line {error.lineno})", permanent=True) from None


def _elements(document: etree._Element, name: str) -> Iterable[etree._Element]:
    return document.iter(f"{{{NAMESPACE}}}{name}")


def _sum_elements(document: etree._Element, name: str) -> Decimal:
    return sum((Decimal(element.text or "0") for element in _elements(document, name)), Decimal(0))


def _to_decimal(grosze: int) -> Decimal:
    return Decimal(grosze).scaleb(-2)


def _collapse_whitespace(text: str) -> str:
    return " ".join(text.split())


def _describe_violation(summary: str, message: str) -> str:
    """Return the element and rule that a message names; the rest may contain personal data."""
    names = [*_ELEMENT.findall(message)[:1], *_RULE.findall(message)[:1]]
    return f"{summary}: {' '.join(names)}" if names else summary
