"""Draws an agreement as a PDF; the same agreement gives the same bytes.

Runs as a process of its own (`python -m prawko.legal.pdf`): the agreement as JSON on standard
input, the PDF on standard output, because the PDF library would keep 50 MB of the panel's memory.
"""

import sys
from itertools import zip_longest
from string import ascii_lowercase

import msgspec
from fpdf.enums import Align, XPos, YPos

from prawko.kit.documents.pdf import (
    CONTENT_WIDTH,
    LINE_HEIGHT,
    MARGIN,
    MUTED_COLOUR,
    TEXT_SIZE,
    PdfDocument,
)
from prawko.kit.process_protection import read_content
from prawko.legal.agreement import Agreement, AgreementParty, AgreementSection

TITLE_SIZE, HEADING_SIZE, SMALL_SIZE = 18.0, 12.0, 8.5
COLUMN_WIDTH = 80.0
NUMBER_WIDTH = 12.0
LETTER_WIDTH = 7.0
# Kept on one page: a heading with the beginning of its clause, a clause with its first item.
MIN_SECTION_HEIGHT, MIN_LIST_HEIGHT = 26.0, 22.0


def render_agreement(agreement: Agreement) -> bytes:
    """Return the PDF."""
    footer = f"{agreement.title}, {agreement.version}   {agreement.page}"
    pdf = PdfDocument(agreement.title, agreement.language, footer)
    pdf.set_creation_date(agreement.created_at)
    pdf.add_page()
    _draw_heading(pdf, agreement)
    _draw_parties(pdf, agreement.parties)
    for number, section in enumerate(agreement.sections, start=1):
        _draw_section(pdf, number, section)
    return bytes(pdf.output())


def _draw_heading(pdf: PdfDocument, agreement: Agreement) -> None:
    pdf.set_text_style(TITLE_SIZE, bold=True)
    _draw_text(pdf, CONTENT_WIDTH, 8, agreement.title)
    pdf.ln(1)
    pdf.set_text_style(TEXT_SIZE, MUTED_COLOUR)
    _draw_text(pdf, CONTENT_WIDTH, LINE_HEIGHT, f"{agreement.annex}, {agreement.version}")
    pdf.ln(3)
    pdf.set_text_style(TEXT_SIZE, bold=True)
    _draw_text(pdf, CONTENT_WIDTH, LINE_HEIGHT, agreement.conclusion)
    pdf.ln(4)


def _draw_parties(pdf: PdfDocument, parties: list[AgreementParty]) -> None:
    pdf.draw_rule()
    pdf.ln(4)
    top, bottoms = pdf.get_y(), list[float]()
    for column, party in enumerate(parties):
        pdf.set_xy(MARGIN + column * (CONTENT_WIDTH - COLUMN_WIDTH), top)
        pdf.set_text_style(SMALL_SIZE, MUTED_COLOUR, bold=True)
        _draw_text(pdf, COLUMN_WIDTH, 4, party.role)
        pdf.ln(1)
        for position, line in enumerate(party.lines):
            pdf.set_x(MARGIN + column * (CONTENT_WIDTH - COLUMN_WIDTH))
            pdf.draw_paragraph(" ".join(line.split()), COLUMN_WIDTH, bold=position == 0)
        bottoms.append(pdf.get_y())
    pdf.set_xy(MARGIN, max(bottoms))
    pdf.ln(4)
    pdf.draw_rule()


def _draw_section(pdf: PdfDocument, number: int, section: AgreementSection) -> None:
    pdf.ln(6)
    if pdf.will_page_break(MIN_SECTION_HEIGHT):
        pdf.add_page()
    pdf.set_text_style(HEADING_SIZE, bold=True)
    _draw_text(pdf, CONTENT_WIDTH, 6, f"§ {number}. {section.title}")
    position = 0
    for clause, following in zip_longest(section.clauses, section.clauses[1:]):
        pdf.ln(1.5)
        if isinstance(following, list) and pdf.will_page_break(MIN_LIST_HEIGHT):
            pdf.add_page()
        if isinstance(clause, str):
            position += 1
            _draw_item(pdf, MARGIN, NUMBER_WIDTH, f"{number}.{position}.", clause)
        else:
            for letter, item in zip(ascii_lowercase, clause, strict=False):
                _draw_item(pdf, MARGIN + NUMBER_WIDTH, LETTER_WIDTH, f"{letter})", item)


def _draw_item(pdf: PdfDocument, x: float, width: float, label: str, text: str) -> None:
    """Draw a label and, in a column to its right, the text."""
    if pdf.will_page_break(LINE_HEIGHT):
        pdf.add_page()
    pdf.set_text_style(TEXT_SIZE)
    pdf.set_x(x)
    pdf.cell(width, LINE_HEIGHT, label)
    _draw_text(pdf, MARGIN + CONTENT_WIDTH - x - width, LINE_HEIGHT, text)


def _draw_text(pdf: PdfDocument, width: float, height: float, text: str) -> None:
    pdf.multi_cell(width, height, text, align=Align.L, new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def main() -> None:
    """Draw the agreement of standard input."""
    agreement = msgspec.json.decode(read_content(), type=Agreement)
    sys.stdout.buffer.write(render_agreement(agreement))


if __name__ == "__main__":
    main()
