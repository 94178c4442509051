"""The files that an import reads: every format that dispatchers have, and hostile files."""

import asyncio
import base64
import datetime as dt
import gc
import io
import os
import socket
import sys
import time
from subprocess import PIPE

import msgspec
import openpyxl
import pytest
import xlsxwriter
import xlwt
from hypothesis import given
from hypothesis import strategies as st
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

from prawko.drivers import import_service
from prawko.drivers.errors import MAX_BYTES, MAX_ROWS, ImportProblem, UnreadableImportError
from prawko.drivers.file_reader import read_file
from prawko.drivers.import_controller import create_template
from prawko.drivers.import_schemas import ImportTableIn, RowState
from prawko.drivers.import_service import READING_LIMITS
from prawko.drivers.import_validation import (
    ImportRow,
    choose_columns,
    parse_categories,
    validate_rows,
)
from prawko.drivers.list_export import _write_csv
from prawko.drivers.table_reader import read_text
from prawko.drivers.validation import FieldError
from prawko.drivers.xlsx_writer import write_xlsx
from prawko.kit.documents.child_process import NICENESS, run_in_process
from prawko.kit.text.i18n import Language
from prawko_tenants.fair_semaphore import FairSemaphore, NoSlotError
from support.workbooks import NAMES, RELATIONS, change_parts, xlsx

pytestmark = pytest.mark.anyio

DETAILS = {
    "first_name": "Żaneta",
    "last_name": "Łęcka-Wójcik",
    "license_number": "AB123456",
    "needed_categories": [],
}
NUMBER = "license_number"
LINE = ("Żaneta", "Łęcka-Wójcik", "AB123456")


def inline(*cells: str, row: int = 1) -> str:
    texts = "".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in cells)
    return f'<row r="{row}">{texts}</row>'


async def problem_of(content: bytes) -> ImportProblem:
    with pytest.raises(UnreadableImportError) as refusal:
        await import_service.read_file(base64.b64encode(content).decode())
    return refusal.value.problem


def identity(row: ImportRow) -> list[str]:
    return [*row.texts.values()][:3]


def rows_of(content: bytes) -> list[list[str]]:
    return [identity(row) for row in validate_rows(read_file(content))]


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "cp1250", "iso8859_2", "mac_latin2", "cp852"],
)
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_text_of_every_encoding_and_separator_is_read(encoding, separator, newline) -> None:
    content = newline.join([separator.join(LINE)] * 2).encode(encoding)

    first, second = validate_rows(read_file(content))

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
        ("Imię (pierwsze)", "Nazwisko pracownika", "Seria i numer prawa jazdy"),
        ("Imię", "Nazwisko", "Prawko"),
        ("Ім\u02bcя", "Прізвище", "Номер посвідчення"),
        ("Имя", "Фамилия", "Водительское"),
        ("Vorname", "Nachname", "Führerschein"),
        ("Vorname", "Name", "Führerschein"),
        ("Imię pierwsze i drugie", "Nazwisko", "Nr PJ"),
        ("Imiona (pierwsze, drugie)", "Nazwisko", "Nr PJ"),
    ],
)
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
def test_columns_are_found_by_their_names(header, order) -> None:
    rows = [["", "Lista kierowców", ""]]
    rows += [[one[index] for index in order] for one in (header, LINE)]
    text = "\n".join("\t".join(row) for row in rows)

    [found] = validate_rows(read_text(text))

    assert (found.details, found.number) == (DETAILS, 3)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (0, 2, 1)])
def test_without_names_the_number_is_found_by_its_form(order) -> None:
    text = ";".join(LINE[index] for index in order)

    assert [row.details for row in validate_rows(read_text(text))] == [DETAILS]


@pytest.mark.parametrize(
    "number",
    ["ab 123 456", "AB-123-456", "AB 123456 ", "ab\u00a0123456", "AB\u2013123456", '="AB123456"'],
)
def test_blanks_and_dashes_of_a_number_are_dropped(number) -> None:
    [row] = validate_rows(read_text(f"Jan\tNowak\t{number}"))

    assert row.details["license_number"] == "AB123456"


@pytest.mark.parametrize("number", ["00123/15/1465", "00123", "00123151465", "00123 / 15 / 1465"])
def test_the_number_of_field_five_is_named(number) -> None:
    [row] = validate_rows(read_text(f"Jan\tNowak\t{number}"))

    assert [(one.column, one.text) for one in row.problems] == [
        (3, "drivers.license_number.field_five")
    ]


@pytest.mark.parametrize("number", ["123456", "120000", "AB12345O"])
def test_a_number_without_its_series_is_no_field_five(number) -> None:
    [row] = validate_rows(read_text(f"Jan\tNowak\t{number}"))

    assert [one.text for one in row.problems] == ["drivers.license_number.format"]


@pytest.mark.parametrize(
    ("text", "categories"),
    [
        ("", []),
        ("C", ["C"]),
        ("CE, c", ["C", "C+E"]),
        ("b/C/C + E", ["B", "C", "C+E"]),
        ("B; be  d1+e", ["B", "B+E", "D1+E"]),
        ("kat. C", ["C"]),
        ("Kategorie: B i C+E", ["B", "C+E"]),
        ("C oraz CE", ["C", "C+E"]),
        ("C - CE", ["C", "C+E"]),
        ("\u2013", []),
    ],
)
def test_categories_are_read_as_people_write_them(text, categories) -> None:
    assert parse_categories(text) == categories


@pytest.mark.parametrize("text", ["Q", "C, X", "C-E", "tak"])
def test_what_is_no_category_is_refused(text) -> None:
    with pytest.raises(FieldError):
        parse_categories(text)


def test_a_row_that_is_too_short_lacks_its_last_fields() -> None:
    first, second = validate_rows(read_text("Imię;Nazwisko;Numer\nJan;Nowak\n\n;Kot;AB000001"))

    assert [(one.field, one.text) for one in first.problems] == [
        ("license_number", "drivers.license_number.required")
    ]
    assert (second.number, second.problems[0].column) == (4, 1)


def test_cells_with_separators_and_breaks_are_read_when_quoted() -> None:
    text = 'Imię;"Nazwisko\r\nkierowcy";Numer\r\n"Jan";"Nowak; Kot";AB000001\r\n'

    [row] = validate_rows(read_text(text))

    assert row.texts["last_name"] == "Nowak; Kot"
    assert row.state is RowState.INVALID


def test_a_quote_that_is_not_closed_spoils_its_own_row_only() -> None:
    rows = validate_rows(
        read_text('Jan;"Nowak;AB000001\n' + "Ala;Kot;AB000002\n" + "Jan;Lis;AB000003\n" * 9)
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

    first, second = validate_rows(read_file(xlsx(sheet, texts=texts)))

    assert (first.number, [one.column for one in first.problems]) == (5, [2, 3])
    assert (second.number, second.texts["last_name"]) == (9, "Łęcka-Wójcik")


def test_stored_results_of_formulas_are_read_and_macros_are_ignored() -> None:
    sheet = (
        '<row><c t="str"><f>HYPERLINK("http://a.test","Jan")</f></c>'
        '<c t="str"><f>PROPER("nowak")</f><v>Nowak</v></c>'
        '<c t="inlineStr"><is><t>AB000001</t></is></c></row>'
    )

    [row] = validate_rows(read_file(xlsx(sheet, xl__vbaProject_bin=b"\xd0\xcf\x11\xe0")))

    assert row.texts["first_name"] == "#N/A"
    assert row.details["last_name"] == "Nowak"
    assert [one.text for one in row.problems] == ["drivers.first_name.characters"]


@pytest.mark.parametrize(
    "cell",
    [
        '<c r="D1" t="e"><f>VLOOKUP(A1,B:C,2)</f><v>#N/A</v></c>',
        '<c r="D1"><f>VLOOKUP(A1,B:C,2)</f></c>',
        '<c r="D1" s="1"><f>VLOOKUP(A1,B:C,2)</f><v></v></c>',
        "<c r='D1' t = 'e'><v>#N/A</v></c>",
        '<c r="D1" t="e"><f>NA()</f></c>',
        '<c r="D1" t="n"><f>A1</f></c>',
        '<c r="D1" t="str"><f>A1</f></c>',
        '<c r="D1">\n<f t="shared" si="0"/>\n<v/>\n</c>',
    ],
)
def test_an_error_instead_of_categories_makes_the_row_invalid(cell) -> None:
    sheet = inline(*LINE).replace("</row>", f"{cell}</row>")

    [row] = validate_rows(read_file(xlsx(sheet)))

    assert [one.text for one in row.problems] == ["drivers.import_row.unknown"]


def test_a_formula_without_text_leaves_the_cell_empty() -> None:
    cell = '<c r="D1" t="str"><f>A1</f><v></v></c>'

    [row] = validate_rows(read_file(xlsx(inline(*LINE).replace("</row>", f"{cell}</row>"))))

    assert row.details == DETAILS


@pytest.mark.parametrize(
    ("header", "cells", "number"),
    [
        ("Nr prawa jazdy;Kod", "00123/15/1465;KR000123", "00123/15/1465"),
        ("Nr;Nr prawa jazdy;Kod", "1;00123/15/1465;KR000123", "00123/15/1465"),
        ("Nr;Prawko", "1;AB123456", "AB123456"),
    ],
)
def test_a_column_named_as_the_licence_number_is_never_replaced(header, cells, number) -> None:
    [row] = validate_rows(read_text(f"{header};Imię;Nazwisko\n{cells};Jan;Nowak"))

    assert identity(row) == ["Jan", "Nowak", number]


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        (
            "Imię ojca;Nazwisko rodowe;Nazwisko panieńskie;Imię kierowcy;Nazwisko kierowcy;Nr PJ",
            "Adam;Lis;Kot;Jan;Nowak;AB123456",
        ),
        ("Imię drugie;Imię pierwsze;Nazwisko;Nr PJ", "Adam;Jan;Nowak;AB123456"),
        ("Imię;Nazwisko dyspozytora;Nazwisko kierowcy;Nr PJ", "Jan;Lis;Nowak;AB123456"),
        (
            "Imię (kierowca);Nazwisko (kierowca);Imię pracownika biura;Nazwisko pracownika;Nr PJ",
            "Jan;Nowak;Adam;Lis;AB123456",
        ),
        ("Seria;Numer;Imię;Nazwisko", "AB;123456;Jan;Nowak"),
        ("Seria;Nr dowodu;Imię;Nazwisko;Seria;Nr PJ", "CD;123;Jan;Nowak;AB;123456"),
        ("Imię;Nazwisko;Seria prawa jazdy;Numer prawa jazdy", "Jan;Nowak;AB;123456"),
    ],
)
def test_columns_of_other_people_are_not_read(header, cells) -> None:
    [row] = validate_rows(read_text(f"{header}\n{cells}"))

    assert identity(row) == ["Jan", "Nowak", "AB123456"]


def test_the_series_of_another_document_is_not_joined() -> None:
    table = read_text("Seria;Nr dowodu;Imię;Nazwisko;Nr prawa jazdy\nAB;123;Jan;Nowak;654321")

    assert identity(validate_rows(table)[0]) == ["Jan", "Nowak", "654321"]


@pytest.mark.parametrize(
    "header",
    [
        "Imię;Nazwisko szefa;Nazwisko u nas;Nr PJ",
        "Imię;Nazwisko osoby;Nazwisko pracownika działu kadr;Nr PJ",
        "Imię;Nazwisko kierowcy;Nazwisko (kierowca zapasowy);Nr PJ",
    ],
)
def test_of_two_columns_that_may_be_the_name_none_is_taken(header) -> None:
    with pytest.raises(UnreadableImportError) as refusal:
        read_text(f"{header}\nJan;Lis;Nowak;AB123456")

    assert refusal.value.problem is ImportProblem.MISSING_COLUMNS


HR = "Nazwisko i imię\tNr blankietu\tBaza"
LAST_FIRST, FIRST_LAST = "last_name_first", "first_name_first"


@pytest.mark.parametrize(
    ("text", "fields", "guesses", "names", "state"),
    [
        (f"{HR}\nNowak Jan\t{{}}\tGdynia", [LAST_FIRST, NUMBER, None], [], "Nowak|Jan", "ready"),
        ("Imię i nazwisko\tNr PJ\nJan Nowak\t{}", [FIRST_LAST, NUMBER], [], "Nowak|Jan", "ready"),
        ("Last name, first name;Licence no\nNowak Jan;{}", [LAST_FIRST, NUMBER], [], "Nowak|Jan",
         "ready"),
        ("Nazwisko i imię;Nr PJ\nNowak Jan Maria;{}", [LAST_FIRST, NUMBER], [], "Nowak|Jan Maria",
         "doubtful"),
        ("Imię i nazwisko;Nr PJ\nJan Maria Nowak;{}", [FIRST_LAST, NUMBER], [], "Nowak|Jan Maria",
         "doubtful"),
        ('Imię, nazwisko;Nr PJ\n"Jan, Nowak";{}', [FIRST_LAST, NUMBER], [], "Nowak|Jan",
         "doubtful"),
        ('Nazwisko i imię;Nr PJ\n"Nowak, Jan Maria";{}', [LAST_FIRST, NUMBER], [],
         "Nowak|Jan Maria", "ready"),
        ('Nazwisko i imię;Nr PJ\n"van Dyk, Jan";{}', [LAST_FIRST, NUMBER], [], "van Dyk|Jan",
         "doubtful"),
        ('Nazwisko i imię;Nr PJ\n"Nowak Jan, Gdynia";{}', [LAST_FIRST, NUMBER], [],
         "Nowak Jan|Gdynia", "doubtful"),
        ('Nazwisko i imię;Nr PJ\n"Nowak, Jan, Gdynia";{}', [LAST_FIRST, NUMBER], [],
         "Nowak|Jan, Gdynia", "invalid"),
        ("Nazwisko i imię;Nr PJ\nNowak - Kos Anna;{}", [LAST_FIRST, NUMBER], [], "Nowak-Kos|Anna",
         "ready"),
        ("Nazwisko i imię;Nr PJ\nNowak;{}", [LAST_FIRST, NUMBER], [], "Nowak|", "invalid"),
        ("Nazwisko i imię;Imię i nazwisko szefa;Nr PJ\nNowak Jan;Ala Kot;{}",
         [LAST_FIRST, None, NUMBER], [], "Nowak|Jan", "ready"),
        ("Imię i nazwisko szefa;Imię;Nazwisko;Nr PJ\nAla Kot;Jan;Nowak;{}",
         [None, "first_name", "last_name", NUMBER], [], "Nowak|Jan", "ready"),
        ("Kierowca;Nr PJ;Baza\nNowak Jan;{};Gdynia", [LAST_FIRST, NUMBER, None], [0], "Nowak|Jan",
         "doubtful"),
        ("Pracownik;Nr PJ;Imię i nazwisko szefa\nNowak Jan;{};Ala Kot", [LAST_FIRST, NUMBER, None],
         [0], "Nowak|Jan", "doubtful"),
        ("Imię i nazwisko żony;Nr PJ;Osoba\nAla Kot;{};Nowak Jan", [None, NUMBER, LAST_FIRST],
         [2], "Nowak|Jan", "doubtful"),
        ("Imię i nazwisko żony;Nr PJ\nAla Kot;{}", [FIRST_LAST, NUMBER], [0], "Kot|Ala",
         "doubtful"),
        ("Imię i nazwisko szefa kierowcy;Nr PJ\nAla Kot;{}", [FIRST_LAST, NUMBER], [0], "Kot|Ala",
         "doubtful"),
        ("Nazwisko i imię pracownika;Nr PJ\nNowak Jan;{}", [LAST_FIRST, NUMBER], [], "Nowak|Jan",
         "ready"),
        ("Full name;Licence no\nJan Nowak;{}", [FIRST_LAST, NUMBER], [], "Nowak|Jan", "ready"),
        ("Imię szefa;Nazwisko szefa;Nr PJ\nAla;Kot;{}", ["first_name", "last_name", NUMBER],
         [0, 1], "Kot|Ala", "doubtful"),
        ("Imię żony kierowcy;Nazwisko;Nr PJ\nAla;Nowak;{}", ["first_name", "last_name", NUMBER],
         [0], "Nowak|Ala", "doubtful"),
        ("Imię kierowcy;Nazwisko pracownika;Nr PJ\nAnna Maria;Nowak;{}",
         ["first_name", "last_name", NUMBER], [], "Nowak|Anna Maria", "ready"),
        ("Gdynia;Nowak Jan;{}", ["first_name", "last_name", NUMBER], [0, 1, 2],
         "Nowak Jan|Gdynia", "doubtful"),
        ("Nowak Jan\t{}\tGdynia", [LAST_FIRST, NUMBER, None], [0, 1], "Nowak|Jan", "doubtful"),
        ("Nowak Jan\tGdynia\t{}", [LAST_FIRST, None, NUMBER], [0, 2], "Nowak|Jan", "doubtful"),
        ("Nowak Jan\t{}", [LAST_FIRST, NUMBER], [0, 1], "Nowak|Jan", "doubtful"),
        ("Nowak Jan\t{}\tC, CE", [LAST_FIRST, NUMBER, "needed_categories"], [0, 1, 2], "Nowak|Jan",
         "doubtful"),
        ("Jan\tNowak\t{}", ["first_name", "last_name", NUMBER], [0, 1, 2], "Nowak|Jan", "ready"),
        ("Imię;Nazwisko;Prawko\nJan;Nowak;{}", ["first_name", "last_name", NUMBER], [2],
         "Nowak|Jan", "ready"),
        ("Kos;Sopot;{}", ["first_name", "last_name", NUMBER], [0, 1, 2], "Sopot|Kos", "doubtful"),
        ("Kos;Jan;{}", ["last_name", "first_name", NUMBER], [0, 1, 2], "Kos|Jan", "ready"),
        ("Шевченко;Олександр;{};C", ["last_name", "first_name", NUMBER, "needed_categories"],
         [0, 1, 2, 3], "Шевченко|Олександр", "ready"),
        ("Imię 2;Imię;Nazwisko;Nr PJ\nEwa;Jan;Kos;{}", [None, "first_name", "last_name", NUMBER],
         [], "Kos|Jan", "ready"),
        ("Imię (2);Nazwisko;Nr PJ\nEwa;Kos;{}", ["first_name", "last_name", NUMBER], [0],
         "Kos|Ewa", "doubtful"),
        ("Imię;Imię;Nazwisko;Nr PJ\nEwa;Jan;Kos;{}", ["first_name", None, "last_name", NUMBER],
         [0], "Kos|Ewa", "doubtful"),
        ("Imię II;Imię I;Nazwisko;Nr PJ\nEwa;Jan;Kos;{}",
         [None, "first_name", "last_name", NUMBER], [], "Kos|Jan", "ready"),
        ("Nr PJ;Imię;Nazwisko;Nr PJ\nCD000001;Jan;Kos;{}",
         [NUMBER, "first_name", "last_name", None], [0], "Kos|Jan", "doubtful"),
        ("Nr PJ;Imię;Nazwisko;Nr PJ\n{0};Jan;Kos;{0}", [NUMBER, "first_name", "last_name", None],
         [], "Kos|Jan", "ready"),
        ("Nr PJ;Imię;Nazwisko;Nr blankietu\n00123/15/1465;Jan;Kos;{}",
         [None, "first_name", "last_name", NUMBER], [3], "Kos|Jan", "ready"),
        ("Nr dokumentu;Imię;Nazwisko;Nr PJ\nABC123456;Jan;Kos;{}",
         [None, "first_name", "last_name", NUMBER], [3], "Kos|Jan", "ready"),
        ("Prawo jazdy;Imię;Nazwisko;Nr PJ\ntak;Jan;Kos;{}",
         [None, "first_name", "last_name", NUMBER], [], "Kos|Jan", "ready"),
        ("Nr PJ szefa;Imię;Nazwisko;Nr PJ\nCD000001;Jan;Kos;{}",
         [None, "first_name", "last_name", NUMBER], [], "Kos|Jan", "ready"),
        ("Imię;Nazwisko;Nr PJ;Kategorie;Kategorie\nJan;Kos;{};B, C;C",
         ["first_name", "last_name", NUMBER, "needed_categories", None], [3], "Kos|Jan",
         "doubtful"),
        ("Imię;Nazwisko;Nr PJ;Kategorie;Wymagane kategorie\nJan;Kos;{};B, C;C",
         ["first_name", "last_name", NUMBER, None, "needed_categories"], [], "Kos|Jan", "ready"),
        ("Imię;Nazwisko;Nr PJ;Nazwisko\nJan;Kos;{};Lis",
         ["first_name", "last_name", NUMBER, None], [1], "Kos|Jan", "doubtful"),
        ("2. Imię;1. Nazwisko;5. Nr PJ\nJan;Kos;{}", ["first_name", "last_name", NUMBER], [],
         "Kos|Jan", "ready"),
    ],
)  # fmt: skip
def test_each_column_says_what_it_was_taken_for(text, fields, guesses, names, state) -> None:
    table = read_text(text.format("AB123456"))

    [row] = validate_rows(table)

    assert [one.field for one in table.columns] == fields
    assert [place for place, one in enumerate(table.columns) if one.is_guess] == guesses
    assert (f"{row.texts['last_name']}|{row.texts['first_name']}", row.state) == (names, state)


def test_a_number_of_two_columns_is_doubtful_where_they_differ_until_a_person_chooses() -> None:
    table = read_text(
        "Nr PJ;Imię;Nazwisko;Nr PJ\nAB000001;Jan;Kos;CD000001\nAB000002;Ewa;Lis;ab 000002"
    )
    chosen = choose_columns(table, [None, "first_name", "last_name", NUMBER])

    problems = [[one.text for one in row.problems] for row in validate_rows(table)]
    assert problems == [["drivers.import_row.two_values"], []]
    corrected = validate_rows(table, {2: {NUMBER: "AB000009"}})
    assert [row.state for row in corrected] == ["ready", "ready"]
    numbers = [(row.state, row.texts[NUMBER]) for row in validate_rows(chosen)]
    assert numbers == [("ready", "CD000001"), ("ready", "ab 000002")]


def test_a_row_with_its_names_the_other_way_round_is_doubtful() -> None:
    rows = validate_rows(read_text("Jan;Kos;AB000001\nLis;Ewa;AB000002\nIvo;Bąk;AB000003"))

    assert [row.state for row in rows] == ["ready", "doubtful", "ready"]


@pytest.mark.parametrize(
    ("row", "state"),
    [
        ("Razem 12;;", "skipped"),
        (";SUMA:;12", "skipped"),
        ("Łącznie kierowców;;3", "skipped"),
        ("Total;3;", "skipped"),
        ("Jan;Suma;AB000001", "ready"),
        ("Jan;Suma;", "invalid"),
        ("Razem;Suma;AB000001", "ready"),
        ("12;;", "invalid"),
    ],
)
def test_a_sum_is_no_driver(row, state) -> None:
    [found] = validate_rows(read_text(f"Imię;Nazwisko;Nr PJ\n{row}"))

    assert found.state == state


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Zatrudniony;Stanowisko;Nr PJ\nKos Ewa;Kierowca;AB123456",
         [("Zatrudniony|", "invalid"), ("Kos|Ewa", "doubtful")]),
        ("Kos Ewa;Gdynia;AB123456\nNowak;Sopot;AB000001",
         [("Kos|Ewa", "doubtful"), ("Nowak|", "invalid")]),
        ("Jan;Nowak;AB123456\nAla;Kot;AB000001\nAnna Maria;Lis;AB000002",
         [("Nowak|Jan", "ready"), ("Kot|Ala", "ready"), ("Lis|Anna Maria", "doubtful")]),
    ],
)  # fmt: skip
def test_without_names_a_cell_of_two_words_is_never_certain(text, names) -> None:
    rows = validate_rows(read_text(text))

    found = [(f"{one.texts['last_name']}|{one.texts['first_name']}", one.state) for one in rows]
    assert found == names


def test_the_order_of_names_is_guessed_by_the_names_that_repeat() -> None:
    last_names = ("Nowak", "Kot", "Lis", "Wilk")
    for names, order in (("Jan {}", FIRST_LAST), ("{} Jan", LAST_FIRST)):
        lines = [f"{names.format(last)};AB00000{n}" for n, last in enumerate(last_names)]
        table = read_text("\n".join(lines))
        assert table.columns[0].field == order


async def test_the_template_and_an_export_can_be_read_again() -> None:
    assert await problem_of(create_template(Language.PL)) is ImportProblem.EMPTY
    rows = validate_rows(read_file(write_xlsx([("Imię", "Nazwisko", "Numer"), LINE])))

    assert [row.details for row in rows] == [DETAILS]


HEADER = ("Imię", "Nazwisko", "Numer prawa jazdy")
OLD = ("Jan", "Dawny", "ZZ000001")


def by_openpyxl() -> bytes:
    """A cover, hidden lists, and a list with values that are no texts."""
    book, file = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["Lista kierowców", "Firma", "rok 2026", "wersja 2"])
    for state in ("hidden", "veryHidden"):
        sheet = book.create_sheet(state)
        sheet.sheet_state = state
        sheet.append(OLD)
    sheet = book.create_sheet("Kierowcy")
    sheet.append(["", *HEADER])
    sheet.append([None, *LINE])
    sheet.append([None, "J_x0061_n", dt.date(2026, 1, 2), 123456])
    book.save(file)
    return file.getvalue()


def by_xlsxwriter() -> bytes:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        hidden, shown = book.add_worksheet(), book.add_worksheet()
        hidden.write_row(0, 0, OLD)
        hidden.hide()
        shown.activate()
        shown.write_row(3, 1, LINE)
        shown.write_rich_string(4, 1, "J", book.add_format({"bold": True}), "an")
        shown.write_row(4, 2, ("Now_x0061_k", "AB000001"))
    return file.getvalue()


def by_xlwt(*, has_error: bool = False) -> bytes:
    book, file = xlwt.Workbook(), io.BytesIO()
    sheet = book.add_sheet("a")
    for column, cell in enumerate(LINE):
        sheet.write(1, column, cell)
    if has_error:
        sheet.row(1).set_cell_error(3, "#REF!")
    book.save(file)
    return file.getvalue()


def by_odfpy() -> bytes:
    document, table, row, file = (
        OpenDocumentSpreadsheet(),
        Table(name="a"),
        TableRow(),
        io.BytesIO(),
    )
    for text in LINE:
        cell = TableCell(valuetype="string")
        cell.addElement(P(text=text))
        row.addElement(cell)
    table.addElement(row)
    document.spreadsheet.addElement(table)
    document.write(file)
    return file.getvalue()


STRICT = {
    NAMES: "http://purl.oclc.org/ooxml/spreadsheetml/main",
    RELATIONS: "http://purl.oclc.org/ooxml/officeDocument/relationships",
}


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (by_openpyxl(), [[*LINE], ["Jan", "2026-01-02", "123456"]]),
        (change_parts(by_openpyxl(), STRICT), [[*LINE], ["Jan", "2026-01-02", "123456"]]),
        (by_xlsxwriter(), [[*LINE], ["Jan", "Now_x0061_k", "AB000001"]]),
        (by_xlwt(), [[*LINE]]),
        (by_odfpy(), [[*LINE]]),
    ],
    ids=["openpyxl", "strict", "xlsxwriter", "xls", "ods"],
)
def test_the_first_visible_sheet_of_drivers_of_any_workbook_is_read(content, rows) -> None:
    assert rows_of(content) == rows


GUARDED = "=+-@\uff1d\uff0b\uff0d\uff20;|"  # what an export puts an apostrophe before
NAME = st.text(f"aŁ'. {GUARDED}", min_size=1, max_size=9).filter(lambda text: text == text.strip())


@given(st.lists(st.tuples(NAME, NAME), min_size=1, max_size=3))
def test_an_exported_list_is_imported_as_it_was(names) -> None:
    rows = [[first, last, f"AB{n:06}"] for n, (first, last) in enumerate(names)]

    for content in (_write_csv([HEADER, *rows]), write_xlsx([HEADER, *rows])):
        assert rows_of(content) == rows


@pytest.mark.parametrize(
    "text",
    ['Jan,Kowalski,ZX100001,"B;C;CE"', "Jan,Kowalski,ZX100001,B;C;CE", "1;Jan;Kowalski;ZX100001;C"],
)
def test_the_separator_is_the_one_that_leaves_a_number(text) -> None:
    assert identity(validate_rows(read_text(text))[0]) == ["Jan", "Kowalski", "ZX100001"]


def test_else_the_separator_is_the_first_of_the_line() -> None:
    [row] = validate_rows(read_text("Jan;Kowalski;AB;123456;B,C,CE,D,D1,T"))

    assert identity(row) == ["Jan", "Kowalski", "AB"]


BILLION_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + f']><worksheet xmlns="{NAMES}"><sheetData>{inline("&i;", "Nowak", "AB000001")}</sheetData>'
    "</worksheet>"
)
EMPTY_SHEET = f'<worksheet xmlns="{NAMES}"><sheetData></sheetData></worksheet>'
MANY_ROWS = "".join(inline(*LINE, row=number + 1) for number in range(MAX_ROWS + 1))
CORNERS = (
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
)


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
        (b"%PDF-1.7\nJan;Nowak;AB000001", ImportProblem.NOT_A_TABLE),
        (b"<table><tr><td>Jan", ImportProblem.NOT_A_TABLE),
        ("\ufeff\r\n<table><tr><td>Łoś".encode(), ImportProblem.NOT_A_TABLE),
        ("\ufeff<html>;;Łoś".encode("utf-16-le"), ImportProblem.NOT_A_TABLE),
        (b"MIME-Version: 1.0\r\nContent-Type: multipart/related", ImportProblem.NOT_A_TABLE),
        (by_xlwt(has_error=True), ImportProblem.ERRORS),
        (xlsx("", xl__worksheets__b_bin=b"\x00\x02ab\x03\x00"), ImportProblem.ERRORS),
        (xlsx("", xl__worksheets__b_bin=b"\x81\x01\x82\x00ab\x0b\x00"), ImportProblem.ERRORS),
        (b"\xff\xfeJ", ImportProblem.UNKNOWN_ENCODING),
        ("Jan;Król;AB000001\nJan;Ł".encode()[:-1], ImportProblem.UNKNOWN_ENCODING),
        ("Олександр;Шевченко;AB000001".encode("cp1251"), ImportProblem.UNKNOWN_ENCODING),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 a workbook of 1997", ImportProblem.DAMAGED),
        (b"PK\x03\x04 no archive", ImportProblem.DAMAGED),
        (xlsx("")[:-40], ImportProblem.DAMAGED),
        (xlsx(""), ImportProblem.EMPTY),
        (b"a;b;c\n" * (MAX_BYTES // 6 + 1), ImportProblem.TOO_LARGE),
        (lambda: xlsx(inline(*LINE), media=os.urandom(MAX_BYTES)), ImportProblem.TOO_LARGE),
        (lambda: b"Jan;Nowak;AB123456\n" * 100_000, ImportProblem.TOO_MANY_ROWS),
        (lambda: xlsx(MANY_ROWS), ImportProblem.TOO_MANY_ROWS),
        (lambda: change_parts(xlsx(""), {EMPTY_SHEET: BILLION_LAUGHS}), ImportProblem.DAMAGED),
        (lambda: xlsx(CORNERS), ImportProblem.NOT_READ),
        (lambda: xlsx(f"<row>{'<c><v>1</v></c>' * 3_000_000}"), ImportProblem.NOT_READ),
        (lambda: xlsx("", texts="<si><t>a</t></si>" * 3_000_000), ImportProblem.NOT_READ),
        (lambda: xlsx("", texts=f"<si><t>{'a' * 100_000_000}</t></si>"), ImportProblem.NOT_READ),
    ],
    ids=range(33),
)
async def test_what_is_no_table_of_drivers_is_refused(content, problem) -> None:
    assert await problem_of(content() if callable(content) else content) is problem


PROGRAMS = {
    "killed": "kill -9 $$",
    "silent": "exit 0",
    "failed": "echo {} && exit 1",
    "garbage": "echo garbage",
    "endless": "exec cat /dev/zero",
    "computing": "while :; do :; done",
}


@pytest.fixture
def run_instead(monkeypatch, tmp_path):
    """Runs a program instead of the reader."""

    def use(program: str) -> None:
        script = tmp_path / "python"
        script.write_text(f"#!/bin/sh\n{program}\n")
        script.chmod(0o755)
        monkeypatch.setattr("sys.executable", str(script))

    return use


@pytest.mark.parametrize("program", PROGRAMS)
async def test_a_file_whose_reading_fails_is_refused(program, run_instead, monkeypatch) -> None:
    run_instead(PROGRAMS[program])
    limits = msgspec.structs.replace(READING_LIMITS, processor_seconds=1)
    monkeypatch.setattr(import_service, "READING_LIMITS", limits)
    started = time.monotonic()

    assert await problem_of(b"Jan;Nowak;AB000001") is ImportProblem.NOT_READ
    assert time.monotonic() - started < 30


async def test_a_refused_file_is_freed_without_a_garbage_collection(anna) -> None:
    gc.collect()
    gc.disable()
    try:
        file = {"contentBase64": base64.b64encode(b"PK\x03\x04 no archive").decode()}
        answer = await anna.post("/api/drivers/import/preview", file)
        kept = [one for one in gc.get_objects() if isinstance(one, ImportTableIn)]
    finally:
        gc.enable()

    assert answer.status_code == 422
    assert kept == []


async def test_the_process_that_reads_a_file_imports_no_database_and_no_server() -> None:
    program = f"import {import_service.READING_MODULE}, sys; print(*sys.modules)"
    run = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stdout=PIPE)
    loaded = (await run.communicate())[0].decode().split()

    assert import_service.READING_MODULE in loaded
    assert not {"sqlalchemy", "asyncpg", "litestar", "pluggy"} & set(loaded)


async def test_a_machine_that_is_busy_for_seconds_refuses_no_file(run_instead) -> None:
    run_instead(f"sleep 4; exec {sys.executable} -I -m {import_service.READING_MODULE}")

    table = await import_service.read_file(base64.b64encode(b"Jan;Nowak;AB000001").decode())

    assert [row.cells for row in table.rows] == [["Jan", "Nowak", "AB000001"]]


async def test_a_file_that_a_busy_machine_does_not_read_costs_the_company_nothing(
    anna, context, run_instead, monkeypatch
) -> None:
    limits = msgspec.structs.replace(READING_LIMITS, seconds=0.5)
    monkeypatch.setattr(import_service, "READING_LIMITS", limits)
    context.max_tries.update(driver_import_preview=1, driver_import=1)
    file = {"contentBase64": base64.b64encode(b"Jan;Nowak;AB000001").decode()}
    run_instead("exec sleep 60")

    for path, body in (("/preview", file), ("", file | {"rows": [1]})) * 2:
        answer = await anna.post(f"/api/drivers/import{path}", body)

        assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
        assert answer.headers["Retry-After"] == "5"


async def test_a_call_that_finds_no_free_slot_costs_the_company_nothing(
    anna, context, monkeypatch
) -> None:
    def find_no_slot(*_: object) -> None:
        raise NoSlotError

    monkeypatch.setattr(FairSemaphore, "slot", find_no_slot)
    once = ("driver_import_preview", "driver_import", "company_export", "day_confirmation")
    context.max_tries.update(dict.fromkeys(once, 1))
    table = {"text": "Jan;Nowak;AB000001"}
    for _ in range(2):
        for answer in (
            await anna.post("/api/drivers/import/preview", table),
            await anna.post("/api/drivers/import", table | {"rows": [1]}),
            await anna.get("/api/company/export"),
            await anna.get("/api/company/confirmation"),
        ):
            assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")


async def test_the_reading_process_has_limits_no_secrets_and_no_open_files(
    run_instead, monkeypatch
) -> None:
    # The shell has the script open as 10.
    run_instead(
        "cat; ls -m /proc/$$/fd; cat /proc/$$/environ; ulimit -t; ulimit -v; ulimit -c;"
        " cat /proc/$$/oom_score_adj; nice"
    )
    monkeypatch.setenv("SECRET_KEY", "secret")

    with socket.create_server(("127.0.0.1", 0)):
        shown = await run_in_process("any", b"content\n", READING_LIMITS)

    memory = READING_LIMITS.memory // 1024
    niceness = min(os.nice(0) + NICENESS, 19)
    assert shown.decode() == f"content\n0, 1, 10, 2\n3\n{memory}\n0\n1000\n{niceness}\n"


def test_five_thousand_rows_with_forty_mistakes_are_named_in_time() -> None:
    lines = [f"Jan;Nowak;AB{number:06}" for number in range(5000)]
    for number in range(10):
        lines[number * 100] = f"J4n;Nowak;AB{number * 100:06}"
        lines[number * 100 + 1] = f"Jan;;AB{number * 100 + 1:06}"
        lines[number * 100 + 2] = "Jan;Nowak;00123/15/1465"
        lines[number * 100 + 3] = f"Jan;Nowak;AB{number * 100 + 4:06}"
    started = time.process_time()

    rows = validate_rows(read_text("\n".join(lines)))

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
    [row] = validate_rows(read_text("J4n;;00123/15/1465;Q"))

    assert row.state is RowState.INVALID
    assert [(one.field, one.column) for one in row.problems] == [
        ("first_name", 1), ("last_name", 2), ("license_number", 3), ("needed_categories", 4),
    ]  # fmt: skip


def test_a_repeated_number_names_the_first_row_that_has_it() -> None:
    rows = validate_rows(
        read_text("J4n;Lis;AB000001\nJan;Lis;AB000001\n;Lis;AB000001\nJan;Lis;AB000002")
    )

    assert [row.state for row in rows] == ["invalid", "repeated", "invalid", "ready"]
    assert [[one.row for one in row.problems] for row in rows] == [[0], [1], [0, 1], []]
