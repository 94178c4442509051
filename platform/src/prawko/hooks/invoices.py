"""The interface of issuers of structured invoices.

Between Polish companies an invoice is an XML document that the state's system (KSeF) accepts and
numbers; a PDF is only a view of it. An issuer gets one invoice that is numbered already, never a
company, an order or a session.
"""

from datetime import date, datetime
from typing import Protocol

import msgspec

from prawko.hooks.errors import ProviderError
from prawko.hooks.payments import PaymentMethod


class Party(msgspec.Struct, frozen=True, kw_only=True):
    """A company as the invoice shows it; `tax_id` is the NIP, ten digits."""

    name: str
    tax_id: str
    street: str
    postal_code: str
    city: str


class Seller(Party, frozen=True, kw_only=True):
    """The party that issues the invoice. `iban` is empty if none is shown."""

    iban: str = ""


class LineAmounts(msgspec.Struct, frozen=True, kw_only=True):
    """The amounts of one line, in grosze; `vat` is rounded once, per line."""

    net: int
    vat: int

    @property
    def gross(self) -> int:
        """The amount paid for the line, in grosze."""
        return self.net + self.vat


class LineTotals(msgspec.Struct, frozen=True, kw_only=True):
    """Lines and their sums, in grosze."""

    lines: tuple[LineAmounts, ...]

    @property
    def net(self) -> int:
        """The sum of the lines without VAT."""
        return sum(line.net for line in self.lines)

    @property
    def vat(self) -> int:
        """The sum of the lines' VAT."""
        return sum(line.vat for line in self.lines)

    @property
    def gross(self) -> int:
        """The amount paid."""
        return self.net + self.vat


class InvoiceLineData(LineAmounts, frozen=True, kw_only=True):
    """One service, quantity one."""

    name: str
    vat_percent: int


class InvoiceData(LineTotals, frozen=True, kw_only=True):
    """A paid invoice. Dates are Warsaw's; `sold_on` is the date of the payment.

    `issued_at` is aware. `ksef_number` is set once KSeF has assigned it.
    """

    number: str
    issued_at: datetime
    issued_on: date
    sold_on: date
    seller: Seller
    buyer: Party
    lines: tuple[InvoiceLineData, ...]
    method: PaymentMethod
    currency: str = "PLN"
    ksef_number: str | None = None


class StructuredInvoice(msgspec.Struct, frozen=True):
    """A rendered document, to the byte, and the name of the schema it claims to conform to."""

    xml: bytes
    schema: str


class InvoiceError(ProviderError):
    """The document could not be rendered or is not valid.

    `permanent`: the invoice's own data are at fault; no retry will help. The text names
    elements and rules, never their contents: operators are mailed it.
    """


class InvoiceIssuer(Protocol):
    """Renders and validates structured invoices.

    `async` methods raise InvoiceError; ProviderAccountError if our account was refused.
    """

    @property
    def name(self) -> str:
        """Unique among issuers. Stored permanently."""
        ...

    async def render(self, invoice: InvoiceData) -> StructuredInvoice:
        """Render the document; the same invoice gives the same bytes.

        The platform stores the bytes before it does anything else, and renders again only after
        `validate` has refused them permanently.
        """
        ...

    async def validate(self, document: StructuredInvoice) -> None:
        """Validate stored bytes against their schema and check their sums."""
        ...

    async def close(self) -> None:
        """Close the connections; called once, at the end of the process."""
        ...
