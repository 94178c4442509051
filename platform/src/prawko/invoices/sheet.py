"""Draws the sheet that shows an invoice: one to three pages of A4, the same bytes every time.

Loads a PDF library of some 50 MB, so whoever draws imports this where it draws: the worker.
"""

from collections.abc import Sequence
from importlib.resources import files

from fpdf import FPDF
from fpdf.enums import Align, TableBordersLayout, XPos, YPos
from fpdf.fonts import FontFace

from prawko.base.texts import Language, say
from prawko.hooks.invoices import Invoice, Party, Seller
from prawko.invoices.amounts import zloty

FONT = "Atkinson"
MARGIN = 20.0
WIDTH = 170.0
COLUMN = 80.0
INK = (24, 24, 27)
QUIET = (113, 113, 122)
RULE = (212, 212, 216)
LABEL, TWIN, TEXT, TITLE = 8.5, 7.0, 10.0, 24.0
STEP = 5.0
TABLE_WIDTHS = (7, 52, 13, 24.5, 21.5, 12, 19, 21)


def draw(invoice: Invoice, *, structured: bool) -> bytes:
    """The PDF. `structured`: the invoice itself is a document of the state's system."""
    sheet = _Sheet(invoice.number)
    sheet.set_creation_date(invoice.issued_at)
    sheet.add_page()
    _head(sheet, invoice)
    _parties(sheet, invoice)
    _lines(sheet, invoice)
    _totals(sheet, invoice)
    _payment(sheet, invoice)
    if structured:
        sheet.note("shows")
    return bytes(sheet.output())


class _Sheet(FPDF):
    """A4 with our margins, our font, and labels in two languages."""

    def __init__(self, number: str) -> None:
        super().__init__(format="A4")
        self.set_margins(MARGIN, MARGIN)
        self.set_auto_page_break(auto=True, margin=22)
        fonts = files("prawko.invoices").joinpath("fonts")
        for style, name in (("", "Regular"), ("B", "Bold")):
            path = str(fonts.joinpath(f"AtkinsonHyperlegibleNext-{name}.ttf"))
            self.add_font(FONT, style, path)
        self.set_lang("pl")
        self.set_title(f"{_polish('title')} {number}")
        self.set_producer("Prawko")
        self._number = number

    def footer(self) -> None:
        """The number and the page, on every page."""
        self.set_y(-15)
        self.pen(TWIN, QUIET)
        page = say("invoices.sheet.page", Language.PL, page=self.page_no(), pages="{nb}")
        self.cell(WIDTH, 4, f"{self._number}   {page}")

    def pen(self, size: float, colour: tuple[int, int, int] = INK, *, bold: bool = False) -> None:
        """What the next words look like."""
        self.set_font(FONT, "B" if bold else "", size)
        self.set_text_color(*colour)

    def rule(self, width: float = WIDTH, x: float = MARGIN) -> None:
        """A thin line where the pen stands."""
        self.set_draw_color(*RULE)
        self.set_line_width(0.2)
        self.line(x, self.get_y(), x + width, self.get_y())

    def label(self, key: str, width: float, align: Align = Align.L) -> None:
        """A label in both languages; the pen goes beneath it."""
        x = self.get_x()
        self.pen(LABEL, QUIET, bold=True)
        self.cell(width, 4, _polish(key), align=align, new_x=XPos.LEFT, new_y=YPos.NEXT)
        self.pen(TWIN, QUIET)
        self.cell(width, 3.2, _english(key), align=align, new_x=XPos.LEFT, new_y=YPos.NEXT)
        self.set_x(x)

    def words(self, text: str, width: float, *, bold: bool = False, align: Align = Align.L) -> None:
        """A paragraph that wraps; the pen goes beneath it."""
        self.pen(TEXT, bold=bold)
        self.multi_cell(width, STEP, text, align=align, new_x=XPos.LEFT, new_y=YPos.NEXT)

    def note(self, key: str) -> None:
        """Small print across the sheet, in both languages."""
        self.ln(8)
        for text in (_polish(key), _english(key)):
            self.pen(8, QUIET)
            self.multi_cell(WIDTH, 4, text, align=Align.L, new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _head(sheet: _Sheet, invoice: Invoice) -> None:
    top, right = sheet.get_y(), MARGIN + WIDTH - COLUMN
    sheet.pen(TITLE, bold=True)
    sheet.cell(COLUMN, 10, _polish("title"), new_x=XPos.LEFT, new_y=YPos.NEXT)
    sheet.pen(TEXT, QUIET)
    sheet.cell(COLUMN, 5, _english("title"), new_x=XPos.LEFT, new_y=YPos.NEXT)
    sheet.ln(2)
    sheet.pen(13, bold=True)
    sheet.multi_cell(COLUMN, 6, invoice.number, align=Align.L, new_x=XPos.LEFT, new_y=YPos.NEXT)
    bottom = sheet.get_y()
    sheet.set_xy(right, top)
    for key, day in (("issued_on", invoice.issued_on), ("sold_on", invoice.sold_on)):
        sheet.label(key, COLUMN, Align.R)
        sheet.words(day.strftime("%d.%m.%Y"), COLUMN, align=Align.R)
        sheet.set_xy(right, sheet.get_y() + 2)
    sheet.set_xy(MARGIN, max(bottom, sheet.get_y()))
    if invoice.ksef_number:
        sheet.label("ksef_number", WIDTH)
        sheet.words(invoice.ksef_number, WIDTH)


def _parties(sheet: _Sheet, invoice: Invoice) -> None:
    sheet.ln(4)
    sheet.rule()
    sheet.ln(4)
    top, bottoms = sheet.get_y(), list[float]()
    for x, key, party in (
        (MARGIN, "seller", invoice.seller),
        (MARGIN + WIDTH - COLUMN, "buyer", invoice.buyer),
    ):
        sheet.set_xy(x, top)
        sheet.label(key, COLUMN)
        sheet.set_xy(x, sheet.get_y() + 1)
        sheet.words(_plain(party.name), COLUMN, bold=True)
        for line in _address(party):
            sheet.words(line, COLUMN)
        bottoms.append(sheet.get_y())
    sheet.set_xy(MARGIN, max(bottoms))


def _address(party: Party) -> Sequence[str]:
    return (
        _plain(party.street),
        _plain(f"{party.postal_code} {party.city}"),
        say("invoices.sheet.tax_id", Language.PL, tax_id=party.tax_id),
    )


def _lines(sheet: _Sheet, invoice: Invoice) -> None:
    sheet.ln(8)
    sheet.pen(9)
    sheet.set_draw_color(*RULE)
    heads = ("position", "name", "quantity", "unit_price", "value", "rate", "vat", "gross")
    quantity = f"1 {_polish('unit')}"
    rows = [
        (
            str(position),
            _plain(line.name),
            quantity,
            zloty(line.net),  # of one, and one is sold
            zloty(line.net),
            f"{line.vat_percent}%",
            zloty(line.vat),
            zloty(line.gross),
        )
        for position, line in enumerate(invoice.lines, start=1)
    ]
    with sheet.table(
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        col_widths=TABLE_WIDTHS,
        text_align=(Align.L, Align.L, *[Align.R] * 6),
        headings_style=FontFace(emphasis="BOLD", size_pt=8, color=QUIET),
        line_height=4.6,
        padding=(1.6, 0.8),
        width=WIDTH,
    ) as table:
        table.row([f"{_polish(key)}\n{_english(key)}" for key in heads])
        for row in rows:
            table.row(row)


def _totals(sheet: _Sheet, invoice: Invoice) -> None:
    """One row for each rate, and their sum."""
    sheet.ln(6)
    rates = sorted({line.vat_percent for line in invoice.lines})
    width = 110.0
    sheet.pen(9)
    with sheet.table(
        align=Align.R,
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        col_widths=(32, 26, 26, 26),
        text_align=(Align.L, Align.R, Align.R, Align.R),
        headings_style=FontFace(emphasis="BOLD", size_pt=8, color=QUIET),
        line_height=4.6,
        padding=(1.4, 0.8),
        width=width,
    ) as table:
        table.row([f"{_polish(k)}\n{_english(k)}" for k in ("by_rate", "net", "vat", "gross")])
        for rate in rates:
            of_rate = [line for line in invoice.lines if line.vat_percent == rate]
            net, vat = sum(one.net for one in of_rate), sum(one.vat for one in of_rate)
            table.row([f"{rate}%", zloty(net), zloty(vat), zloty(net + vat)])
        sums = (zloty(invoice.net), zloty(invoice.vat), zloty(invoice.gross))
        table.row([_both("total"), *sums], style=FontFace(emphasis="BOLD"))


def _payment(sheet: _Sheet, invoice: Invoice) -> None:
    sheet.ln(8)
    currency = _currency(invoice.currency)
    day = invoice.sold_on.strftime("%d.%m.%Y")
    facts = (
        ("paid", f"{zloty(invoice.gross)} {currency}", True),
        ("left", f"{zloty(0)} {currency}", False),
        ("term", say("invoices.sheet.paid_on", Language.PL, day=day), False),
        ("method", say(f"invoices.methods.{invoice.method}", Language.PL), False),
    )
    if sheet.will_page_break(30.0):
        sheet.add_page()
    top, width = sheet.get_y(), WIDTH / len(facts)
    for column, (key, text, bold) in enumerate(facts):
        sheet.set_xy(MARGIN + column * width, top)
        sheet.label(key, width)
        sheet.set_xy(MARGIN + column * width, sheet.get_y() + 0.8)
        sheet.words(text, width, bold=bold)
    sheet.set_x(MARGIN)
    if invoice.seller.iban:
        sheet.ln(3)
        sheet.label("account", WIDTH)
        sheet.set_xy(MARGIN, sheet.get_y() + 0.8)
        sheet.words(_account(invoice.seller), WIDTH)


def _account(seller: Seller) -> str:
    head, rest = seller.iban[:2], seller.iban[2:]
    return " ".join([head, *(rest[n : n + 4] for n in range(0, len(rest), 4))])


def _currency(code: str) -> str:
    return {"PLN": "zł"}.get(code, code)


def _plain(text: str) -> str:
    """One line of words, whatever somebody typed or pasted."""
    return " ".join(text.split())


def _polish(key: str) -> str:
    return say(f"invoices.sheet.{key}", Language.PL)


def _english(key: str) -> str:
    return say(f"invoices.sheet.{key}", Language.EN)


def _both(key: str) -> str:
    return f"{_polish(key)} / {_english(key)}"
