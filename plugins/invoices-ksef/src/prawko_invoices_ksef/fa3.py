"""FA(3) documents. The one module that knows `ksef_client`, which changes often.

What it raises names elements and rules, never their content: it stands in mails and logs.
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
    PaymentMethod,
    PaymentTerms,
    TaxCategory,
    invoice_to_xml,
)
from lxml import etree

from prawko.hooks.invoices import Invoice, InvoiceError, Party
from prawko.hooks.payments import Method

NAMESPACE = "http://crd.gov.pl/wzor/2025/06/25/13775/"
SYSTEM = "Prawko"
RATE = 23
LONGEST_NAME, LONGEST_ADDRESS = 512, 512
_FORMS = {
    Method.CARD: PaymentMethod.CARD.value,
    Method.BLIK: PaymentMethod.MOBILE.value,
    Method.TRANSFER: PaymentMethod.TRANSFER.value,
}
_SCHEMAS = "ksef_client.documents.fa3.schemas"
_MAIN = "schemat_FA(3)_v1-0E.xsd"
_LOCATION = re.compile(r'schemaLocation="[^"]*/([^"/]+)"')
_ONE_AT_A_TIME = Lock()
_ELEMENT = re.compile(r"Element '(?:\{[^}]*\})?(\w+)'")
_RULE = re.compile(r"SCHEMAV_\w+")


def written(invoice: Invoice) -> bytes:
    """The document of an invoice. Raises InvoiceError, for good, when FA(3) cannot say it."""
    try:
        xml = invoice_to_xml(_draft(invoice))
    except ValueError as error:
        raise InvoiceError(_reason("no FA(3) can be written", str(error)), permanent=True) from None
    return _made_at(xml, invoice.issued_at)


def checked(xml: bytes) -> None:
    """Nothing, where the bytes keep the schema and add up. Raises InvoiceError, for good."""
    document = _parsed(xml)
    with _ONE_AT_A_TIME:  # a schema keeps the complaints of its last document
        schema = _schema()
        sound = schema.validate(document)
        complaint = str(schema.error_log.last_error)  # type: ignore[attr-defined]  # not in stubs
    if not sound:
        raise InvoiceError(_reason("the schema refuses it", complaint), permanent=True)
    net, vat, gross = (_sum(document, name) for name in ("P_13_1", "P_14_1", "P_15"))
    lines = (_sum(document, "P_11"), _sum(document, "P_11Vat"))
    if lines != (net, vat) or gross != net + vat:
        raise InvoiceError("its lines and totals do not add up", permanent=True)


def _draft(invoice: Invoice) -> FA3Invoice:
    draft = (
        BasicInvoiceBuilder(invoice_number=invoice.number)
        .issued_on(invoice.issued_on)
        .currency(invoice.currency)
        .seller(_party(invoice.seller))
        .buyer(_party(invoice.buyer))
        .payment(_payment(invoice))
    )
    if invoice.sold_on != invoice.issued_on:  # P_6 is there when it differs from P_1
        draft.sale_date(invoice.sold_on)
    for line in invoice.lines:
        if line.vat_percent != RATE:
            raise ValueError("only the rate of 23 % is sold")
        draft.add_line(
            _plain(line.name)[:LONGEST_NAME],
            quantity=1,
            unit="usł.",
            unit_net_price=_zloty(line.net),
            net_amount=_zloty(line.net),
            vat_amount=_zloty(line.vat),
            tax=TaxCategory.standard_23(),
        )
    return draft.build()


def _party(party: Party) -> InvoiceParty:
    street, city = _plain(party.street), _plain(f"{party.postal_code} {party.city}")
    return InvoiceParty.polish_company(
        nip=party.tax_id,
        name=_plain(party.name)[:LONGEST_NAME],
        address=Address.polish(street[:LONGEST_ADDRESS], city[:LONGEST_ADDRESS]),
    )


def _payment(invoice: Invoice) -> PaymentTerms:
    form = _FORMS.get(invoice.method)
    iban = invoice.seller.iban
    return PaymentTerms(
        method=form,
        other_method_description=None if form else "Przelewy24",
        paid_date=invoice.sold_on,
        bank_accounts=(BankAccount(iban),) if iban else (),
    )


def _made_at(xml: bytes, at: datetime) -> bytes:
    """The same document, made when the invoice was issued: the client writes its own time."""
    document = _parsed(xml)
    made = f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    for name, text in (("DataWytworzeniaFa", made), ("SystemInfo", SYSTEM)):
        for element in _all(document, name):
            element.text = text
    return etree.tostring(document, encoding="UTF-8", xml_declaration=True)


@cache
def _schema() -> etree.XMLSchema:
    """The ministry's schema as the client ships it, its parts beside each other.

    The client compiles it anew for every document and lets lxml find the parts through a loader
    that all threads share: two at once, or a register's answer parsed beside it, and a part is
    looked for in the network.
    """
    with TemporaryDirectory() as folder:
        for part in files(_SCHEMAS).iterdir():
            if part.name.endswith(".xsd"):
                local = _LOCATION.sub(r'schemaLocation="\1"', part.read_text(encoding="utf-8"))
                Path(folder, part.name).write_text(local, encoding="utf-8")
        return etree.XMLSchema(etree.parse(Path(folder, _MAIN)))


def _parsed(xml: bytes) -> etree._Element:
    try:
        return etree.fromstring(xml, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        raise InvoiceError(f"it is no XML (line {error.lineno})", permanent=True) from None


def _all(document: etree._Element, name: str) -> Iterable[etree._Element]:
    return document.iter(f"{{{NAMESPACE}}}{name}")


def _sum(document: etree._Element, name: str) -> Decimal:
    return sum((Decimal(element.text or "0") for element in _all(document, name)), Decimal(0))


def _zloty(grosze: int) -> Decimal:
    return Decimal(grosze).scaleb(-2)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _reason(what: str, complaint: str) -> str:
    """Which element breaks which rule; the rest of the sentence may hold somebody's name."""
    found = [*_ELEMENT.findall(complaint)[:1], *_RULE.findall(complaint)[:1]]
    return f"{what}: {' '.join(found)}" if found else what
