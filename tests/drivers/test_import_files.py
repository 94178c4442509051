"""The files that an import reads: every format that dispatchers have, and hostile files."""

import io
import os
import struct
import subprocess
import sys
import time
import zipfile

import pytest

from prawko.drivers.errors import MAX_BYTES, MAX_ROWS, ImportProblem, UnreadableImportError
from prawko.drivers.import_controller import create_template
from prawko.drivers.import_validation import parse_categories, validate_rows
from prawko.drivers.schemas import RowState
from prawko.drivers.table_reader import read_file_rows, read_table
from prawko.drivers.validation import FieldError
from prawko.drivers.xlsx_writer import write_xlsx
from prawko.kit.text.i18n import Language
from support.workbooks import NAMES, xlsx

DETAILS = {
    "first_name": "Żaneta",
    "last_name": "Łęcka-Wójcik",
    "license_number": "AB123456",
    "needed_categories": [],
}
LINE = ("Żaneta", "Łęcka-Wójcik", "AB123456")


def inline(*cells: str, row: int = 1) -> str:
    texts = "".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in cells)
    return f'<row r="{row}">{texts}</row>'


def with_offset(content: bytes, offset: int) -> bytes:
    """Return an archive whose directory says that its last part begins so far away."""
    entry, end = content.rindex(b"PK\x01\x02"), content.rindex(b"PK\x05\x06")
    directory = bytearray(content[entry:end])
    extra = struct.pack("<HHQ", 1, 8, offset)
    directory[30:32], directory[42:46] = struct.pack("<H", len(extra)), b"\xff" * 4
    size = int.from_bytes(content[end + 12 : end + 16], "little") + len(extra)
    tail = content[end : end + 12] + struct.pack("<I", size) + content[end + 16 :]
    return content[:entry] + bytes(directory) + extra + tail


FAR_AWAY = with_offset(xlsx(inline(*LINE)), 2**64 - 1)


def problem_of(content: bytes) -> ImportProblem:
    with pytest.raises(UnreadableImportError) as refusal:
        validate_rows(read_file_rows(content))
    return refusal.value.problem


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1250", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_text_of_every_encoding_and_separator_is_read(encoding, separator, newline) -> None:
    content = newline.join([separator.join(LINE)] * 2).encode(encoding)

    first, second = validate_rows(read_file_rows(content))

    assert (first.details, first.number) == (DETAILS, 1)
    assert (second.state, second.number) == (RowState.REPEATED, 2)


@pytest.mark.parametrize(
    "header",
    [
        ("Imię", "Nazwisko", "Numer prawa jazdy"),
        ("IMIĘ KIEROWCY", "nazwisko", "Nr  PJ"),
        ("First name", "Last name", "Licence number"),
        ("firstName", "lastName", "licenseNumber"),
        ("Imiona:", "Nazwisko*", "Nr blankietu"),
    ],
)
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
def test_columns_are_found_by_their_names(header, order) -> None:
    rows = [["", "Lista kierowców", ""]]
    rows += [[one[index] for index in order] for one in (header, LINE)]
    text = "\n".join("\t".join(row) for row in rows)

    [found] = validate_rows(read_table(text, ""))

    assert (found.details, found.number) == (DETAILS, 3)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (0, 2, 1)])
def test_without_names_the_number_is_found_by_its_form(order) -> None:
    text = ";".join(LINE[index] for index in order)

    assert [row.details for row in validate_rows(read_table(text, ""))] == [DETAILS]


@pytest.mark.parametrize(
    "number", ["ab 123 456", "AB-123-456", "AB 123456 ", "ab\u00a0123456", "AB\u2013123456"]
)
def test_blanks_and_dashes_of_a_number_are_dropped(number) -> None:
    [row] = validate_rows(read_table(f"Jan\tNowak\t{number}", ""))

    assert row.details["license_number"] == "AB123456"


@pytest.mark.parametrize("number", ["00123/15/1465", "00123", "00123151465", "00123 / 15 / 1465"])
def test_the_number_of_field_five_is_named(number) -> None:
    [row] = validate_rows(read_table(f"Jan\tNowak\t{number}", ""))

    assert [(one.column, one.text) for one in row.problems] == [
        (3, "drivers.license_number.field_five")
    ]


@pytest.mark.parametrize(
    ("text", "categories"),
    [
        ("", []),
        ("C", ["C"]),
        ("CE, c", ["C", "C+E"]),
        ("b/C/C + E", ["B", "C", "C+E"]),
        ("B; be  d1+e", ["B", "B+E", "D1+E"]),
    ],
)
def test_categories_are_read_as_people_write_them(text, categories) -> None:
    assert parse_categories(text) == categories


@pytest.mark.parametrize("text", ["Q", "C, X", "C-E", "tak"])
def test_what_is_no_category_is_refused(text) -> None:
    with pytest.raises(FieldError):
        parse_categories(text)


def test_a_row_that_is_too_short_lacks_its_last_fields() -> None:
    first, second = validate_rows(read_table("Imię;Nazwisko;Numer\nJan;Nowak\n\n;Kot;AB000001", ""))

    assert [(one.field, one.text) for one in first.problems] == [
        ("license_number", "drivers.license_number.required")
    ]
    assert (second.number, second.problems[0].column) == (4, 1)


def test_cells_with_separators_and_breaks_are_read_when_quoted() -> None:
    text = 'Imię;"Nazwisko\r\nkierowcy";Numer\r\n"Jan";"Nowak; Kot";AB000001\r\n'

    [row] = validate_rows(read_table(text, ""))

    assert row.texts["last_name"] == "Nowak; Kot"
    assert row.state is RowState.INVALID


def test_a_quote_that_is_not_closed_spoils_its_own_row_only() -> None:
    rows = validate_rows(
        read_table('Jan;"Nowak;AB000001\n' + "Ala;Kot;AB000002\n" + "Jan;Lis;AB000003\n" * 9, "")
    )

    assert [row.state for row in rows[:3]] == [RowState.INVALID, RowState.READY, RowState.READY]
    assert [row.number for row in rows[:3]] == [1, 2, 3]


def test_a_workbook_is_read_with_the_numbers_of_its_rows() -> None:
    sheet = (
        '<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c>'
        '<c r="D2" t="inlineStr"><is><r><t>Nu</t></r><r><t>mer</t></r></is></c></row>'
        '<row r="5"><c r="D5" t="str"><v>AB123456</v></c></row>'
        '<row r="9"><c r="B9" t="inlineStr"><is><t>Żaneta</t></is></c>'
        '<c r="C9" t="s"><v>2</v></c><c r="D9" t="str"><v>AB123456</v></c></row>'
    )
    texts = "<si><t>Imię</t></si><si><t>Nazwisko</t></si><si><t>Łęcka-Wójcik</t></si>"

    first, second = validate_rows(read_file_rows(xlsx(sheet, texts=texts)))

    assert (first.number, [one.column for one in first.problems]) == (5, [2, 3])
    assert (second.number, second.texts["last_name"]) == (9, "Łęcka-Wójcik")


def test_formulas_are_texts_and_macros_are_ignored() -> None:
    sheet = (
        '<row><c t="str"><f>HYPERLINK("http://a.test","Jan")</f></c>'
        '<c t="str"><f>PROPER("nowak")</f><v>Nowak</v></c>'
        '<c t="inlineStr"><is><t>AB000001</t></is></c></row>'
    )

    [row] = validate_rows(read_file_rows(xlsx(sheet, xl__vbaProject_bin=b"\xd0\xcf\x11\xe0")))

    assert row.texts["first_name"] == '=HYPERLINK("http://a.test","Jan")'
    assert row.details["last_name"] == "Nowak"
    assert [one.text for one in row.problems] == ["drivers.first_name.characters"]


def test_the_template_and_an_export_can_be_read_again() -> None:
    assert problem_of(create_template(Language.PL)) is ImportProblem.EMPTY
    rows = validate_rows(read_file_rows(write_xlsx([("Imię", "Nazwisko", "Numer"), LINE])))

    assert [row.details for row in rows] == [DETAILS]


READ_AND_PRINT_PEAK = """
import pathlib, re, sys
from prawko.drivers.errors import UnreadableImportError
from prawko.drivers.table_reader import read_file_rows
try:
    read_file_rows(pathlib.Path(sys.argv[1]).read_bytes())
except UnreadableImportError:
    status = pathlib.Path("/proc/self/status").read_text()
    print(re.search(r"VmHWM:\\s*([0-9]+) kB", status)[1])
"""
MANY_ATTRIBUTES = " ".join(f"a{number}=''" for number in range(200_000))
BILLION_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + f']><worksheet xmlns="{NAMES}"><sheetData><row><c t="inlineStr"><is><t>&i;</t></is></c></row>'
    "</sheetData></worksheet>"
).encode()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", ImportProblem.EMPTY),
        (b" \r\n\t ", ImportProblem.EMPTY),
        (b"\xef\xbb\xbf", ImportProblem.EMPTY),
        (b";;;\r\n;;;\r\n", ImportProblem.EMPTY),
        ("Imię;Nazwisko;Numer\n".encode(), ImportProblem.EMPTY),
        (b"Jan Kowalski", ImportProblem.MISSING_COLUMNS),
        ("Imię;Nazwisko;Telefon\nJan;Nowak;1".encode(), ImportProblem.MISSING_COLUMNS),
        (b"Jan;Kowalski;AB123456\0", ImportProblem.NOT_A_TABLE),
        ("Jan;Nowak;AB1".encode("utf-16-le"), ImportProblem.NOT_A_TABLE),
        ("Jan;Nowak;AB1".encode("utf-32"), ImportProblem.NOT_A_TABLE),
        (b"\xff\xfeJ", ImportProblem.NOT_A_TABLE),
        (b"%PDF-1.7\nJan;Nowak;AB000001", ImportProblem.NOT_A_TABLE),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 a workbook of 1997", ImportProblem.NOT_A_TABLE),
        (b"PK\x03\x04 no archive", ImportProblem.DAMAGED),
        (xlsx("")[:-40], ImportProblem.DAMAGED),
        (xlsx(""), ImportProblem.EMPTY),
        (xlsx("<row><c>"), ImportProblem.DAMAGED),
        (xlsx('<row><c t="s"><v>7</v></c></row>'), ImportProblem.DAMAGED),
        (xlsx('<row r="x"></row>'), ImportProblem.DAMAGED),
        (xlsx(inline(*LINE, row=-1)), ImportProblem.DAMAGED),
        (xlsx(inline(*LINE, row=10**4000)), ImportProblem.DAMAGED),
        (FAR_AWAY, ImportProblem.DAMAGED),
        (b"a;b;c\n" * (MAX_BYTES // 6 + 1), ImportProblem.TOO_LARGE),
        (b"Jan;Nowak;AB123456\n" * 100_000, ImportProblem.TOO_MANY_ROWS),
        (xlsx(inline("a", "b", "c") * (MAX_ROWS + 2)), ImportProblem.TOO_MANY_ROWS),
        (xlsx("<row/>" * 5_000_000), ImportProblem.TOO_LARGE),
        (xlsx(inline(*LINE), texts=" " * 23_000_000), ImportProblem.TOO_LARGE),
        (xlsx(f"<row>{'<c/>' * 600_000}</row>"), ImportProblem.TOO_LARGE),
        (xlsx("<row/>" * 600_000), ImportProblem.TOO_LARGE),
        (xlsx("", texts=f"<si>{'<t/>' * 600_000}</si>"), ImportProblem.TOO_LARGE),
        (xlsx(f"<row {MANY_ATTRIBUTES}/>"), ImportProblem.TOO_LARGE),
        (xlsx(inline(*LINE), texts=" " * 26_000_000), ImportProblem.TOO_LARGE),
        (xlsx(inline(*LINE), media=os.urandom(MAX_BYTES)), ImportProblem.TOO_LARGE),
    ],
    ids=range(33),
)
def test_what_is_no_table_of_drivers_is_refused_in_time(content, problem) -> None:
    started = time.process_time()

    assert problem_of(content) is problem
    assert time.process_time() - started < 3


def with_sheet(sheet: bytes) -> bytes:
    """Return a workbook whose first sheet is this part."""
    file = io.BytesIO(xlsx(""))
    with zipfile.ZipFile(file) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    parts["xl/worksheets/first.xml"] = sheet
    changed = io.BytesIO()
    with zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return changed.getvalue()


def test_entities_are_not_expanded() -> None:
    assert problem_of(with_sheet(BILLION_LAUGHS)) is ImportProblem.DAMAGED


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp037", "utf-7"])
def test_a_dtd_in_another_encoding_is_no_way_around_the_refusal_of_dtds(encoding) -> None:
    declared = {"cp037": "IBM037"}.get(encoding, "UTF-16" if "16" in encoding else encoding)
    sheet = (
        f'<?xml version="1.0" encoding="{declared}"?><!DOCTYPE w [<!ENTITY i "Jan">]>'
        f"<w><sheetData>{inline('&i;', 'Nowak', 'AB123456')}</sheetData></w>"
    )

    assert problem_of(with_sheet(sheet.encode(encoding))) is ImportProblem.DAMAGED


@pytest.mark.parametrize(
    "part",
    ["<row>" + "<c/>" * 3_000_000, "<a/>" * 3_000_000, "<row>" + '<c a="" b=""/>' * 1_500_000],
    ids=["cells", "others", "attributes"],
)
def test_a_small_file_does_not_fill_the_memory(part, tmp_path) -> None:
    file = tmp_path / "bomb.xlsx"
    file.write_bytes(xlsx(part))
    assert file.stat().st_size < 200_000

    peak = subprocess.run(
        [sys.executable, "-c", READ_AND_PRINT_PEAK, file],
        capture_output=True,
        check=True,
        timeout=60,
    )

    assert int(peak.stdout) < 150_000  # kB


def test_five_thousand_rows_with_forty_mistakes_are_named_in_time() -> None:
    lines = [f"Jan;Nowak;AB{number:06}" for number in range(5000)]
    for number in range(10):
        lines[number * 100] = f"J4n;Nowak;AB{number * 100:06}"
        lines[number * 100 + 1] = f"Jan;;AB{number * 100 + 1:06}"
        lines[number * 100 + 2] = "Jan;Nowak;00123/15/1465"
        lines[number * 100 + 3] = f"Jan;Nowak;AB{number * 100 + 4:06}"
    started = time.process_time()

    rows = validate_rows(read_table("\n".join(lines), ""))

    assert time.process_time() - started < 3
    assert [
        (row.number, one.field, one.column, one.text, one.row)
        for row in rows
        for one in row.problems
    ] == [
        mistake
        for first in range(1, 1001, 100)
        for mistake in (
            (first, "first_name", 1, "drivers.first_name.characters", 0),
            (first + 1, "last_name", 2, "drivers.last_name.required", 0),
            (first + 2, "license_number", 3, "drivers.license_number.field_five", 0),
            (first + 4, "license_number", 3, "drivers.import_row.repeated", first + 3),
        )
    ]


def test_every_mistake_of_a_row_is_named() -> None:
    [row] = validate_rows(read_table("J4n;;00123/15/1465;Q", ""))

    assert row.state is RowState.INVALID
    assert [(one.field, one.column) for one in row.problems] == [
        ("first_name", 1), ("last_name", 2), ("license_number", 3), ("needed_categories", 4),
    ]  # fmt: skip


def test_a_repeated_number_names_the_first_row_that_has_it() -> None:
    rows = validate_rows(
        read_table("J4n;Lis;AB000001\nJan;Lis;AB000001\n;Lis;AB000001\nJan;Lis;AB000002", "")
    )

    assert [row.state for row in rows] == ["invalid", "repeated", "invalid", "ready"]
    assert [[one.row for one in row.problems] for row in rows] == [[0], [1], [0, 1], []]
