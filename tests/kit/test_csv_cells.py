"""Cells of an export are no formulas, and archives are complete."""

import csv
import io
import json
import zipfile
from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.kit.text.csv_cells import format_cell
from prawko.personal_data.archive import Archive

WIDE = "\uff1d\uff0b\uff0d\uff20"  # the same four signs, as wide as a Chinese one
NASTY = "=+-@\t\r\n" + WIDE
AT = datetime(2026, 11, 21, 5, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, ""),
        ("", ""),
        ("Żółć", "Żółć"),
        ('=HYPERLINK("http://a.test")', '\'=HYPERLINK("http://a.test")'),
        ("+48600100200", "'+48600100200"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("Jan;=cmd|'/c calc'!A0;x", "Jan;'=cmd|'/c calc'!A0;x"),
        ("Jan\t+1", "Jan\t'+1"),
        ("Jan|@x", "Jan|'@x"),
        ("Jan\n-1", "Jan\n'-1"),
        ("Jan;  =1", "Jan;  '=1"),
        (" =1", "' =1"),
        (f"Jan;{WIDE[3]}x", f"Jan;'{WIDE[3]}x"),
        ("Nowak-Kowalski; B+E", "Nowak-Kowalski; B+E"),
        (f"{WIDE[0]}1", f"'{WIDE[0]}1"),
        ("a=1", "a=1"),
        (-3, "-3"),
        (Decimal("149.00"), "149.00"),
        (True, "true"),
        (False, "false"),
        (date(2031, 2, 3), "2031-02-03"),
        (AT, "2026-11-21T05:05:00+00:00"),
        (UUID(int=7), "00000000-0000-0000-0000-000000000007"),
        ([{"kategoria": "B", "do": "2039-12-31"}, {"kategoria": "C"}], "B, 2039-12-31; C"),
        ([{"kod": None, "wartosc": "=1+1"}], "'=1+1"),
        (["B", "=1"], "B; '=1"),
        ([], ""),
        ({"first_name": "-Jan", "reasons": ["a", "b"]}, "'-Jan, a, b"),
    ],
)  # fmt: skip
def test_a_value_is_formatted_as_a_cell(value, cell) -> None:
    assert format_cell(value) == cell


@given(st.text() | st.lists(st.text()) | st.dictionaries(st.text(), st.text()))
def test_no_text_becomes_a_formula(value) -> None:
    cell = format_cell(value)
    for separator in (";", "\t", "|", "\n", "\r"):
        for part in cell.split(separator):
            assert part.lstrip(" ")[:1] not in {*"=+-@", *WIDE}
    assert cell[:1] not in {*NASTY}


@given(st.lists(st.tuples(st.text(), st.none() | st.text())))
def test_an_archive_has_every_value_in_json_and_every_row_in_csv(rows) -> None:
    records = [{"firstName": first, "notes": notes} for first, notes in rows]
    archive = Archive(AT)
    writer = archive.open_table("drivers", ["firstName", "notes"])
    for row in records:
        writer.add_rows([row])
    writer.finish()
    archive.finish()
    content = b"".join(archive.chunks())

    assert len(content) == archive.size
    with zipfile.ZipFile(io.BytesIO(content)) as zip_file:
        assert zip_file.testzip() is None
        assert json.loads(zip_file.read("drivers.json")) == records
        csv_text = zip_file.read("drivers.csv").decode()
    assert csv_text.startswith("\ufefffirstName,notes\r\n")
    read = list(csv.DictReader(io.StringIO(csv_text.removeprefix("\ufeff"), newline="")))
    assert [[*row.values()] for row in read] == [
        [format_cell(first), format_cell(notes)] for first, notes in rows
    ]


def test_a_discarded_archive_leaves_no_open_file() -> None:
    archive = Archive(AT)
    archive.open_table("drivers", ["id"])
    archive.close()
    archive.close()
