"""Writes a table as an XLSX file of one sheet, all of whose cells are texts. Pure.

A text is never a formula in such a cell, whatever it begins with. A character that XML has not, as
a register may send one, becomes a blank: with it no cell of the file could be read.
"""

import re
from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import count
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from litestar.openapi.datastructures import ResponseSpec

XLSX_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
XLSX_RESPONSE = ResponseSpec(
    bytes, media_type=XLSX_MEDIA_TYPE, generate_examples=False, description="An XLSX file"
)
_OPEN_XML = "http://schemas.openxmlformats.org"
_MAIN = f"{_OPEN_XML}/spreadsheetml/2006/main"
_RELATIONS = f"{_OPEN_XML}/package/2006/relationships"
_OFFICE = f"{_OPEN_XML}/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PROLOGUE = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_OPEN_XML}/package/2006/content-types">'
        '<Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.styles+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPES}.worksheet+xml"/>'
        "</Types>"
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1"'
        f' Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        '<sheet name="Prawko" sheetId="1" r:id="rId1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1"'
        f' Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2"'
        f' Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>'
    ),
    # The second format, of the header, is bold.
    "xl/styles.xml": (
        f'<styleSheet xmlns="{_MAIN}"><fonts count="2"><font/><font><b/></font></fonts>'
        '<fills count="1"><fill/></fills><borders count="1"><border/></borders>'
        '<cellStyleXfs count="1"><xf/></cellStyleXfs>'
        '<cellXfs count="2"><xf numFmtId="49" applyNumberFormat="1"/>'
        '<xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>'
    ),
}
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COLUMN_WIDTH = 24
_FROZEN_HEADER = (
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/>'
    "</sheetView></sheetViews>"
)


def write_xlsx(rows: Iterable[Sequence[str]]) -> bytes:
    """Return the file; the first row is the header."""
    header, *body = rows
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, part in _PARTS.items():
            archive.writestr(name, _PROLOGUE + part)
        columns = (
            f'<cols><col min="1" max="{len(header)}" width="{_COLUMN_WIDTH}" style="0"'
            ' customWidth="1"/></cols>'
        )
        lines = [_write_row(1, header, style=1)]
        lines += map(_write_row, count(2), body)
        sheet = f"{_FROZEN_HEADER}{columns}<sheetData>{''.join(lines)}</sheetData>"
        archive.writestr(
            "xl/worksheets/sheet1.xml",
            f'{_PROLOGUE}<worksheet xmlns="{_MAIN}">{sheet}</worksheet>',
        )
    return file.getvalue()


def _write_row(number: int, cells: Sequence[str], *, style: int = 0) -> str:
    texts = "".join(
        f'<c t="inlineStr" s="{style}"><is><t xml:space="preserve">{escape(text)}</t></is></c>'
        for text in (_NO_XML.sub(" ", cell) for cell in cells)
    )
    return f'<row r="{number}">{texts}</row>'
