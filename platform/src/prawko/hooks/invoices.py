"""What an issuer of structured invoices must be able to do.

In Poland an invoice between firms is an XML document that the state's system (KSeF) takes and
numbers; a PDF only shows it. An issuer sees one invoice that is numbered already and never a
company, an order or a session.
"""

from datetime import date, datetime
from typing import Protocol

import msgspec

from prawko.hooks.payments import Method


class Party(msgspec.Struct, frozen=True, kw_only=True):
    """A firm as it stands on the invoice; `tax_id` is ten digits."""

    name: str
    tax_id: str
    street: str
    postal_code: str
    city: str


class Seller(Party, frozen=True, kw_only=True):
    """Who issues. `iban` is empty where none is shown."""

    iban: str = ""


class InvoiceLine(msgspec.Struct, frozen=True, kw_only=True):
    """One service, sold once. Amounts are grosze; the VAT was rounded once, here."""

    name: str
    net: int
    vat: int
    vat_percent: int

    @property
    def gross(self) -> int:
        """What was paid for it."""
        return self.net + self.vat


class Invoice(msgspec.Struct, frozen=True, kw_only=True):
    """An invoice that is paid. Days are Warsaw's; `sold_on` is the day of the payment.

    `ksef_number` is there once the state's system has given one.
    """

    number: str
    issued_at: datetime
    issued_on: date
    sold_on: date
    seller: Seller
    buyer: Party
    lines: tuple[InvoiceLine, ...]
    method: Method
    currency: str = "PLN"
    ksef_number: str | None = None

    @property
    def net(self) -> int:
        """The sum of the lines, without VAT."""
        return sum(line.net for line in self.lines)

    @property
    def vat(self) -> int:
        """The sum of the lines' VAT."""
        return sum(line.vat for line in self.lines)

    @property
    def gross(self) -> int:
        """What was paid."""
        return self.net + self.vat


class StructuredInvoice(msgspec.Struct, frozen=True):
    """The document, to the byte, and the schema it claims to keep."""

    xml: bytes
    schema: str


class InvoiceError(Exception):
    """There is no structured invoice of this one yet.

    `permanent` means: this invoice's own data are at fault, and no later try will help.
    """

    def __init__(self, reason: str, *, permanent: bool = False) -> None:
        super().__init__(reason)
        self.permanent = permanent


class InvoiceIssuer(Protocol):
    """One way to a structured invoice.

    Every `async` method raises InvoiceError, or AccountError when our own account was refused.
    """

    @property
    def name(self) -> str:
        """Unique and stored for ever."""
        ...

    async def issue(self, invoice: Invoice) -> StructuredInvoice:
        """Write the document. The same invoice gives the same bytes.

        The platform stores them before it does anything else, and asks again only when the
        check has refused them for good.
        """
        ...

    async def check(self, document: StructuredInvoice) -> None:
        """Hold stored bytes against their schema, and their sums against each other."""
        ...

    async def close(self) -> None:
        """Give back connections; the process is about to end."""
        ...
