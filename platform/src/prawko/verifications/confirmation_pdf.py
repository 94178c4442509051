"""Draws a confirmation as a PDF.

Runs as a process of its own (`python -m prawko.verifications.confirmation_pdf`): the confirmation
as JSON on standard input, the PDF on standard output.
"""

import re
import sys
from collections.abc import Sequence

import msgspec
from fpdf.enums import Align, XPos, YPos

from prawko.kit.documents.pdf import (
    CONTENT_WIDTH,
    LINE_HEIGHT,
    MARGIN,
    MUTED_COLOUR,
    SERIAL_FONT,
    TEXT_COLOUR,
    TEXT_FONT,
    TEXT_SIZE,
    PdfDocument,
)
from prawko.kit.process_protection import read_content
from prawko.verifications.confirmation_document import Confirmation, ConfirmationTable

TITLE_SIZE, VERDICT_SIZE, HEADING_SIZE, CELL_SIZE, SMALL_SIZE = 18.0, 15.0, 12.0, 8.5, 8.5
LABEL_WIDTH = 52.0
CELL_LINE, CELL_PADDING, CELL_GAP, BASELINE = 4.4, 0.8, 2.0, 0.7
# Not `drivers.validation`, which loads SQLAlchemy: 25 MB and half a second of each drawing.
LICENCE_NUMBER = re.compile(r"[A-Z]{2}\d{6}", re.ASCII)
MIN_TABLE_HEIGHT = 26.0  # a heading stays with the first rows of its table


def render_confirmation(confirmation: Confirmation) -> bytes:
    """Return the PDF."""
    pdf = PdfDocument(confirmation.title, confirmation.language, confirmation.page)
    pdf.set_creation_date(confirmation.created_at)
    pdf.add_page()
    pdf.set_text_style(TITLE_SIZE, bold=True)
    _draw_text(pdf, 8, confirmation.title)
    pdf.ln(1)
    pdf.set_text_style(TEXT_SIZE, MUTED_COLOUR)
    _draw_text(pdf, LINE_HEIGHT, confirmation.lead)
    pdf.ln(4)
    if confirmation.verdict:
        _draw_verdict(pdf, confirmation.verdict)
    for label, value in confirmation.facts:
        _draw_fact(pdf, label, value)
    for table in confirmation.tables:
        _draw_table(pdf, table)
    pdf.ln(4)
    for note in confirmation.notes:
        pdf.ln(1.5)
        pdf.set_text_style(SMALL_SIZE, MUTED_COLOUR)
        _draw_text(pdf, 4.2, note)
    return bytes(pdf.output())


def _draw_verdict(pdf: PdfDocument, verdict: str) -> None:
    """Draw the state in a black frame, so that it is readable on a grey printout."""
    pdf.set_text_style(VERDICT_SIZE, bold=True)
    pdf.set_draw_color(*TEXT_COLOUR)
    pdf.set_line_width(0.5)
    pdf.multi_cell(
        CONTENT_WIDTH, 9, verdict, border=1, align=Align.L, padding=(1, 4),
        new_x=XPos.LMARGIN, new_y=YPos.NEXT,
    )  # fmt: skip
    pdf.ln(4)


def _draw_fact(pdf: PdfDocument, label: str, value: str) -> None:
    if pdf.will_page_break(2 * LINE_HEIGHT):
        pdf.add_page()
    top = pdf.get_y()
    pdf.set_text_style(TEXT_SIZE, MUTED_COLOUR)
    pdf.multi_cell(
        LABEL_WIDTH - 4, LINE_HEIGHT, label, align=Align.L, new_x=XPos.LMARGIN, new_y=YPos.NEXT
    )
    below = pdf.get_y()
    pdf.set_xy(MARGIN + LABEL_WIDTH, top)
    pdf.draw_paragraph(
        value, CONTENT_WIDTH - LABEL_WIDTH, serial=bool(LICENCE_NUMBER.fullmatch(value))
    )
    pdf.set_xy(MARGIN, max(below, pdf.get_y()))
    pdf.ln(1.5)


def _draw_table(pdf: PdfDocument, table: ConfirmationTable) -> None:
    pdf.ln(3)
    if pdf.will_page_break(MIN_TABLE_HEIGHT):
        pdf.add_page()
    pdf.set_text_style(HEADING_SIZE, bold=True)
    _draw_text(pdf, 6, table.heading)
    pdf.ln(1)
    share = CONTENT_WIDTH / sum(table.widths)
    widths = [width * share for width in table.widths]
    _draw_row(pdf, widths, table.columns, bold=True)
    for row in table.rows:
        if not _draw_row(pdf, widths, row):
            pdf.add_page()
            _draw_row(pdf, widths, table.columns, bold=True)
            _draw_row(pdf, widths, row)


def _draw_row(
    pdf: PdfDocument, widths: Sequence[float], row: Sequence[str], *, bold: bool = False
) -> bool:
    """Draw a row and the line below it; False, and nothing drawn, if the page has no room for it.

    The library's tables keep all rows and lay out each cell twice: three times the time.
    """
    pdf.set_text_style(CELL_SIZE, bold=bold)
    cells = [pdf.wrap(value, width - CELL_GAP) for value, width in zip(row, widths, strict=True)]
    height = CELL_LINE * max(map(len, cells)) + 2 * CELL_PADDING
    top, left = pdf.get_y(), MARGIN + pdf.c_margin
    if pdf.will_page_break(height) and top > MARGIN + height:
        return False
    for lines, width in zip(cells, widths, strict=True):
        is_serial = not bold and len(lines) == 1 and LICENCE_NUMBER.fullmatch(lines[0])
        pdf.set_font(SERIAL_FONT if is_serial else TEXT_FONT, pdf.font_style)
        for place, line in enumerate(lines):
            pdf.draw_line(left, top + CELL_PADDING + CELL_LINE * (place + BASELINE), line)
        left += width
    pdf.set_xy(MARGIN, top + height)
    pdf.draw_rule()
    return True


def _draw_text(pdf: PdfDocument, height: float, text: str) -> None:
    pdf.multi_cell(CONTENT_WIDTH, height, text, align=Align.L, new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def main() -> None:
    """Draw the confirmation of standard input."""
    confirmation = msgspec.json.decode(read_content(), type=Confirmation)
    sys.stdout.buffer.write(render_confirmation(confirmation))


if __name__ == "__main__":
    main()
