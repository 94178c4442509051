"""Rows that a sheet's program hides are not added unless a person chooses them."""

import io
import struct
import zipfile
from base64 import b64encode

import openpyxl
import pytest
import xlsxwriter
import xlwt
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

from prawko.drivers.file_reader import read_file
from prawko.drivers.import_validation import validate_rows
from support.workbooks import change_parts, xlsx

ROWS = (
    ("Imię", "Nazwisko", "Nr PJ"),
    ("Jan", "Kot", "AB000001"),
    ("Ewa", "Lis", "AB000002"),
    ("Ola", "Żak", "AB000003"),
)


def by_openpyxl() -> bytes:
    """The list is behind a chart and before a sheet with other hidden rows."""
    book, file = openpyxl.Workbook(), io.BytesIO()
    sheet, other = book.active, book.create_sheet("other")
    book.create_chartsheet("chart", 0)
    for row in ROWS:
        sheet.append(row)
        other.append(["a"])
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["A"].hidden = True
    other.row_dimensions[4].hidden = True
    book.save(file)
    return file.getvalue()


def by_xlsxwriter() -> bytes:
    """A filter of Excel hides the row."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        other, sheet = book.add_worksheet(), book.add_worksheet()
        other.set_row(1, None, None, {"hidden": True})
        for number, row in enumerate(ROWS):
            sheet.write_row(number, 0, row)
        sheet.autofilter(0, 0, 3, 2)
        sheet.set_row(2, None, None, {"hidden": True})
    return file.getvalue()


def by_xlwt() -> bytes:
    book, file = xlwt.Workbook(), io.BytesIO()
    other, sheet = book.add_sheet("a"), book.add_sheet("b")
    other.row(2).hidden = True
    for number, row in enumerate(ROWS):
        for column, cell in enumerate(row):
            sheet.write(number, column, cell)
    sheet.row(2).hidden = True
    book.save(file)
    return file.getvalue()


def by_odfpy(visibility: str) -> bytes:
    document, file = OpenDocumentSpreadsheet(), io.BytesIO()
    for name, hidden in (("a", 1), ("b", 2)):
        table = Table(name=name)
        table.addElement(TableRow(numberrowsrepeated=7))
        for number, cells in enumerate(ROWS if name == "b" else ("x", "y")):
            row = TableRow(visibility=visibility if number == hidden else "visible")
            for text in cells:
                cell = TableCell(valuetype="string")
                cell.addElement(P(text=text))
                row.addElement(cell)
            table.addElement(row)
        document.spreadsheet.addElement(table)
    document.write(file)
    return file.getvalue()


def _number(value: int) -> bytes:
    return bytes([value & 0x7F | 0x80]) + _number(value >> 7) if value > 0x7F else bytes([value])


def _record(kind: int, content: bytes = b"") -> bytes:
    return _number(kind) + _number(len(content)) + content


def _text(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def _binary_sheet(rows, hidden: int) -> bytes:
    parts = [_record(129), _record(148, struct.pack("<4I", 0, len(rows), 0, 2)), _record(145)]
    for number, cells in enumerate(rows):
        flags = 0x10 if number == hidden else 0
        parts.append(_record(0, struct.pack("<2IH4BI", number, 0, 300, 0, flags, 0, 0, 0)))
        parts += [_record(6, struct.pack("<2I", n, 0) + _text(c)) for n, c in enumerate(cells)]
    return b"".join(parts) + _record(146) + _record(130)


def xlsb() -> bytes:
    """As Excel writes it; no library does."""
    sheets = b"".join(
        _record(156, struct.pack("<2I", 0, n) + _text(f"rId{n}") + _text(f"S{n}")) for n in (2, 1)
    )
    relations = "".join(
        f'<Relationship Id="rId{n}" Type="a/worksheet" Target="worksheets/sheet{n}.bin"/>'
        for n in (1, 2)
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.bin", _record(131) + sheets + _record(144) + _record(132))
        archive.writestr(
            "xl/_rels/workbook.bin.rels", f"<Relationships>{relations}</Relationships>"
        )
        archive.writestr("xl/worksheets/sheet1.bin", _binary_sheet([("a",), ("b",)], 1))
        archive.writestr("xl/worksheets/sheet2.bin", _binary_sheet(ROWS, 2))
    return file.getvalue()


def by_hand(attributes: str) -> bytes:
    """Rows without numbers; the third has these attributes."""
    cells = ["".join(f'<c t="str"><v>{cell}</v></c>' for cell in row) for row in ROWS]
    rows = [f"<row{attributes if n == 2 else ''}>{one}</row>" for n, one in enumerate(cells)]
    return xlsx("".join(rows))


@pytest.mark.parametrize(
    "content",
    [
        by_openpyxl(), by_xlsxwriter(), by_xlwt(), xlsb(), by_odfpy("filter"),
        by_odfpy("collapse"), by_hand(' hidden="1"'), by_hand(" ht = '0' hidden = 'true'"),
        change_parts(by_openpyxl(), {"row ": "x:row ", "/row>": "/x:row>",
                                     "<worksheet ": '<worksheet xmlns:x="http://schemas.'
                                     'openxmlformats.org/spreadsheetml/2006/main" '}),
        change_parts(by_hand(' hidden="1"'), {"rId7": "rId8"}),
    ],
    ids=[
        "openpyxl", "xlsxwriter", "xls", "xlsb", "ods", "ods by hand", "numberless", "true",
        "prefix", "other relation",
    ],
)  # fmt: skip
def test_a_hidden_row_is_doubtful_with_its_reason(content) -> None:
    rows = validate_rows(read_file(content))

    assert [(row.texts["last_name"], row.state) for row in rows] == [
        ("Kot", "ready"), ("Lis", "doubtful"), ("Żak", "ready"),
    ]  # fmt: skip
    assert [one.text for one in rows[1].problems] == ["drivers.import_row.hidden"]


def test_a_row_that_is_not_hidden_is_ready() -> None:
    content = change_parts(by_hand(' hidden="0"'), {"<sheetData>": '<cols hidden="1"/><sheetData>'})

    assert [row.state for row in validate_rows(read_file(content))] == ["ready"] * 3


def test_without_the_places_of_sheets_every_hidden_row_counts() -> None:
    """As with a sheet of macros in a workbook of 1997 to 2003."""
    sheet, macros = (b"\x09\x08\x10\x00\x00\x06%c\x00" % kind for kind in (0x10, 0x40))

    rows = validate_rows(read_file(by_xlwt().replace(sheet, macros, 1)))

    assert [row.state for row in rows] == ["ready", "doubtful", "ready"]


async def test_a_hidden_row_is_named_in_the_preview_and_added_if_it_is_chosen(anna) -> None:
    table = {"contentBase64": b64encode(by_xlsxwriter()).decode()}

    preview = (await anna.post("/api/drivers/import/preview", table)).json()
    added = await anna.post("/api/drivers/import", {**table, "rows": [3]})

    assert preview["ready"] == 2
    [problem] = preview["rows"][1]["problems"]
    assert problem["message"] == (
        "Ten wiersz jest w pliku ukryty. Dodaj go tylko, jeśli to Twój kierowca"
    )
    assert added.status_code == 201, added.text
