"""Renders an invoice as a PDF of A4 pages; the same invoice gives the same bytes.

Loads a PDF library of some 50 MB, so callers import this module only where they render.
"""

from collections.abc import Sequence

from fpdf.enums import Align, TableBordersLayout, XPos, YPos
from fpdf.fonts import FontFace

from prawko.hooks.invoices import InvoiceData, Party, Seller
from prawko.kit.dates import format_date
from prawko.kit.documents.pdf import (
    CONTENT_WIDTH,
    MARGIN,
    MUTED_COLOUR,
    RULE_COLOUR,
    TEXT_SIZE,
    TITLE_SIZE,
    PdfDocument,
)
from prawko.kit.money import format_zloty
from prawko.kit.text.i18n import Language, translate

COLUMN_WIDTH = 80.0
LABEL_SIZE, SUBLABEL_SIZE = 8.5, 7.0
TABLE_COLUMN_WIDTHS = (7, 52, 13, 24.5, 21.5, 12, 19, 21)


def render_pdf(invoice: InvoiceData, *, structured: bool) -> bytes:
    """The PDF. `structured`: it visualises a structured invoice of KSeF, and says so."""
    pdf = _InvoicePdf(invoice.number)
    pdf.set_creation_date(invoice.issued_at)
    pdf.add_page()
    _draw_header(pdf, invoice)
    _draw_parties(pdf, invoice)
    _draw_lines(pdf, invoice)
    _draw_totals(pdf, invoice)
    _draw_payment(pdf, invoice)
    if structured:
        pdf.draw_note("shows")
    return bytes(pdf.output())


class _InvoicePdf(PdfDocument):
    """A page with labels in two languages."""

    def __init__(self, number: str) -> None:
        page = translate("invoices.sheet.page", Language.PL, page="{page}", pages="{pages}")
        super().__init__(f"{_label_pl('title')} {number}", Language.PL, f"{number}   {page}")

    def draw_label(self, key: str, width: float, align: Align = Align.L) -> None:
        """Draw a label in both languages and move the cursor below it."""
        x = self.get_x()
        self.set_text_style(LABEL_SIZE, MUTED_COLOUR, bold=True)
        self.cell(width, 4, _label_pl(key), align=align, new_x=XPos.LEFT, new_y=YPos.NEXT)
        self.set_text_style(SUBLABEL_SIZE, MUTED_COLOUR)
        self.cell(width, 3.2, _label_en(key), align=align, new_x=XPos.LEFT, new_y=YPos.NEXT)
        self.set_x(x)

    def draw_note(self, key: str) -> None:
        """Draw small print across the page, in both languages."""
        self.ln(8)
        for text in (_label_pl(key), _label_en(key)):
            self.set_text_style(8, MUTED_COLOUR)
            self.multi_cell(
                CONTENT_WIDTH, 4, text, align=Align.L, new_x=XPos.LMARGIN, new_y=YPos.NEXT
            )


def _draw_header(pdf: _InvoicePdf, invoice: InvoiceData) -> None:
    top, right = pdf.get_y(), MARGIN + CONTENT_WIDTH - COLUMN_WIDTH
    pdf.set_text_style(TITLE_SIZE, bold=True)
    pdf.cell(COLUMN_WIDTH, 10, _label_pl("title"), new_x=XPos.LEFT, new_y=YPos.NEXT)
    pdf.set_text_style(TEXT_SIZE, MUTED_COLOUR)
    pdf.cell(COLUMN_WIDTH, 5, _label_en("title"), new_x=XPos.LEFT, new_y=YPos.NEXT)
    pdf.ln(2)
    pdf.set_text_style(13, bold=True)
    pdf.multi_cell(COLUMN_WIDTH, 6, invoice.number, align=Align.L, new_x=XPos.LEFT, new_y=YPos.NEXT)
    bottom = pdf.get_y()
    pdf.set_xy(right, top)
    for key, day in (("issued_on", invoice.issued_on), ("sold_on", invoice.sold_on)):
        pdf.draw_label(key, COLUMN_WIDTH, Align.R)
        pdf.draw_paragraph(format_date(day), COLUMN_WIDTH, align=Align.R)
        pdf.set_xy(right, pdf.get_y() + 2)
    pdf.set_xy(MARGIN, max(bottom, pdf.get_y()))
    if invoice.ksef_number:
        pdf.draw_label("ksef_number", CONTENT_WIDTH)
        pdf.draw_paragraph(invoice.ksef_number, CONTENT_WIDTH)


def _draw_parties(pdf: _InvoicePdf, invoice: InvoiceData) -> None:
    pdf.ln(4)
    pdf.draw_rule()
    pdf.ln(4)
    top, bottoms = pdf.get_y(), list[float]()
    for x, key, party in (
        (MARGIN, "seller", invoice.seller),
        (MARGIN + CONTENT_WIDTH - COLUMN_WIDTH, "buyer", invoice.buyer),
    ):
        pdf.set_xy(x, top)
        pdf.draw_label(key, COLUMN_WIDTH)
        pdf.set_xy(x, pdf.get_y() + 1)
        pdf.draw_paragraph(_single_line(party.name), COLUMN_WIDTH, bold=True)
        for line in _address_lines(party):
            pdf.draw_paragraph(line, COLUMN_WIDTH)
        bottoms.append(pdf.get_y())
    pdf.set_xy(MARGIN, max(bottoms))


def _address_lines(party: Party) -> Sequence[str]:
    return (
        _single_line(party.street),
        _single_line(f"{party.postal_code} {party.city}"),
        translate("invoices.sheet.tax_id", Language.PL, tax_id=party.tax_id),
    )


def _draw_lines(pdf: _InvoicePdf, invoice: InvoiceData) -> None:
    pdf.ln(8)
    pdf.set_text_style(9)
    pdf.set_draw_color(*RULE_COLOUR)
    headings = ("position", "name", "quantity", "unit_price", "value", "rate", "vat", "gross")
    quantity = f"1 {_label_pl('unit')}"
    rows = [
        (
            str(position),
            _single_line(line.name),
            quantity,
            format_zloty(line.net),  # the quantity is always 1
            format_zloty(line.net),
            f"{line.vat_percent}%",
            format_zloty(line.vat),
            format_zloty(line.gross),
        )
        for position, line in enumerate(invoice.lines, start=1)
    ]
    with pdf.table(
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        col_widths=TABLE_COLUMN_WIDTHS,
        text_align=(Align.L, Align.L, *[Align.R] * 6),
        headings_style=FontFace(emphasis="BOLD", size_pt=8, color=MUTED_COLOUR),
        line_height=4.6,
        padding=(1.6, 0.8),
        width=CONTENT_WIDTH,
    ) as table:
        table.row([f"{_label_pl(key)}\n{_label_en(key)}" for key in headings])
        for row in rows:
            table.row(row)


def _draw_totals(pdf: _InvoicePdf, invoice: InvoiceData) -> None:
    """Draw one row for each VAT rate, and their sum."""
    pdf.ln(6)
    rates = sorted({line.vat_percent for line in invoice.lines})
    width = 110.0
    pdf.set_text_style(9)
    with pdf.table(
        align=Align.R,
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        col_widths=(32, 26, 26, 26),
        text_align=(Align.L, Align.R, Align.R, Align.R),
        headings_style=FontFace(emphasis="BOLD", size_pt=8, color=MUTED_COLOUR),
        line_height=4.6,
        padding=(1.4, 0.8),
        width=width,
    ) as table:
        table.row([f"{_label_pl(k)}\n{_label_en(k)}" for k in ("by_rate", "net", "vat", "gross")])
        for rate in rates:
            of_rate = [line for line in invoice.lines if line.vat_percent == rate]
            net, vat = sum(line.net for line in of_rate), sum(line.vat for line in of_rate)
            table.row([f"{rate}%", format_zloty(net), format_zloty(vat), format_zloty(net + vat)])
        sums = (format_zloty(invoice.net), format_zloty(invoice.vat), format_zloty(invoice.gross))
        table.row([_label_both("total"), *sums], style=FontFace(emphasis="BOLD"))


def _draw_payment(pdf: _InvoicePdf, invoice: InvoiceData) -> None:
    pdf.ln(8)
    currency = _currency_symbol(invoice.currency)
    day = format_date(invoice.sold_on)
    facts = (
        ("paid", f"{format_zloty(invoice.gross)} {currency}", True),
        ("left", f"{format_zloty(0)} {currency}", False),
        ("term", translate("invoices.sheet.paid_on", Language.PL, day=day), False),
        ("method", translate(f"invoices.methods.{invoice.method}", Language.PL), False),
    )
    if pdf.will_page_break(30.0):
        pdf.add_page()
    top, width = pdf.get_y(), CONTENT_WIDTH / len(facts)
    for column, (key, text, bold) in enumerate(facts):
        pdf.set_xy(MARGIN + column * width, top)
        pdf.draw_label(key, width)
        pdf.set_xy(MARGIN + column * width, pdf.get_y() + 0.8)
        pdf.draw_paragraph(text, width, bold=bold)
    pdf.set_x(MARGIN)
    if invoice.seller.iban:
        pdf.ln(3)
        pdf.draw_label("account", CONTENT_WIDTH)
        pdf.set_xy(MARGIN, pdf.get_y() + 0.8)
        pdf.draw_paragraph(_format_account(invoice.seller), CONTENT_WIDTH)


def _format_account(seller: Seller) -> str:
    head, rest = seller.iban[:2], seller.iban[2:]
    return " ".join([head, *(rest[n : n + 4] for n in range(0, len(rest), 4))])


def _currency_symbol(code: str) -> str:
    return {"PLN": "zł"}.get(code, code)


def _single_line(text: str) -> str:
    """The text with line breaks and other white space as single blanks."""
    return " ".join(text.split())


def _label_pl(key: str) -> str:
    return translate(f"invoices.sheet.{key}", Language.PL)


def _label_en(key: str) -> str:
    return translate(f"invoices.sheet.{key}", Language.EN)


def _label_both(key: str) -> str:
    return f"{_label_pl(key)} / {_label_en(key)}"
