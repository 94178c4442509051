"""Statement files of Polish banks: what is read of each, and what is refused."""

import time
from contextlib import suppress
from datetime import date

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.kit.text.i18n import Language
from prawko.payments.errors import MAX_BYTES, StatementProblem, UnreadableStatementError
from prawko.payments.statements.entries import (
    entry_references,
    parse_amount,
    parse_date,
)
from prawko.payments.statements.service import parse_statement
from prawko_payments_transfer.titles import extract_reference
from support.bank_statements import (
    CREDIT,
    DEBIT_GROSZE,
    FILES,
    MT940_PLAIN,
    PAID,
    PEKAO,
    SANTANDER,
    camt,
    camt_details,
    camt_entry,
)

DAY = date(2026, 11, 20)
WITHOUT_PAYER = {"mbank_short"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1250", "crlf"])
@pytest.mark.parametrize("name", FILES)
def test_every_bank_is_read(name: str, encoding: str) -> None:
    text, expected_format = FILES[name]
    if encoding == "crlf":
        text, encoding = text.replace("\n", "\r\n"), "utf-8"
    if encoding == "cp1250":
        text = text.replace('encoding="UTF-8"', 'encoding="windows-1250"')
    file = parse_statement(text.encode(encoding))

    assert file.format is expected_format
    credit, debit = sorted(file.entries, key=lambda entry: -entry.grosze)
    assert (credit.booked_on, credit.grosze, credit.currency) == CREDIT[:3]
    if name not in WITHOUT_PAYER:
        assert credit.payer == CREDIT[3]
    assert extract_reference("PRAWKO", credit.title) == "7F3K9QX2ABCD"
    assert debit.grosze == DEBIT_GROSZE
    assert "SKŁADKI" in debit.title


@pytest.mark.parametrize("name", ["mt940_tilde", "mt940_caret"])
def test_code_page_852_is_recognised_by_its_polish_letters(name: str) -> None:
    text = FILES[name][0].replace("˙", "")
    file = parse_statement(text.encode("cp852"))
    assert {entry.payer for entry in file.entries} == {CREDIT[3], "ZUS"}


IDS = {
    "pko_business": "2026112000017", "pekao": "0DC0000112030", "ing": "202632412345678901",
    "mt940_tilde": "2026112000017", "mt940_caret": "CEN2611201120646331", "camt": "REF-000017",
    "mt940_plain": "BR0002",
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_the_reference_is_the_banks_id_or_a_digest(name: str) -> None:
    content = FILES[name][0].encode()
    entries = parse_statement(content).entries
    references = entry_references(entries)

    assert len(set(references)) == len(entries)
    assert references == entry_references(parse_statement(content).entries)
    credit = next(i for i, entry in enumerate(entries) if entry.grosze > 0)
    if name in IDS:
        bank_id, _, digest = references[credit].rpartition("-")
        assert (bank_id, len(digest)) == (IDS[name], 32)
    else:
        assert references[credit].startswith("line-")


def test_equal_transfers_of_a_day_are_two_and_an_id_of_several_entries_is_none() -> None:
    entry = parse_statement(PEKAO.encode()).entries[0]
    other_payer = msgspec.structs.replace(entry, payer="B")
    first, second, other = entry_references([entry, entry, other_payer])
    assert len({first, second, other}) == 3
    assert all(one.startswith("line-") for one in (first, second, other))
    # The place in the file, such as in a longer statement, does not matter.
    moved = msgspec.structs.replace(entry, line=99, bank_id="")
    assert entry_references([moved]) == entry_references(
        [msgspec.structs.replace(entry, bank_id="")]
    )


def test_an_id_names_an_entry_with_its_day_amount_and_currency() -> None:
    entry = parse_statement(PEKAO.encode()).entries[0]
    others = [
        msgspec.structs.replace(entry, **change)
        for change in (
            {"grosze": 1}, {"grosze": -entry.grosze}, {"booked_on": date(2026, 11, 21)},
            {"currency": "EUR"}, {"bank_id": "0DC0000112031"},
        )
    ]  # fmt: skip
    references = entry_references([entry, *others])
    assert len(set(references)) == 6
    # Neither another title nor other entries with its id make it another one.
    assert entry_references([msgspec.structs.replace(entry, title="B")]) == references[:1]


def test_reversals_of_mt940_count_the_other_way() -> None:
    text = MT940_PLAIN.replace("1120C183,27", "1120RC183,27").replace("D1234,56", "RD1234,56")
    assert [entry.grosze for entry in parse_statement(text.encode()).entries] == [123456, -18327]


@pytest.mark.parametrize(
    ("dates", "booked_on"),
    [
        ("2612310102", date(2027, 1, 2)),
        ("2701021231", date(2026, 12, 31)),
        ("2402280229", date(2024, 2, 29)),
        ("2611201121", date(2026, 11, 21)),
    ],
)
def test_the_entry_date_is_in_the_year_that_is_near(dates: str, booked_on: date) -> None:
    text = MT940_PLAIN.replace("2611201120", dates)
    assert parse_statement(text.encode()).entries[1].booked_on == booked_on


def test_the_transactions_of_a_batch_are_entries_of_their_own() -> None:
    def part(grosze: str, number: int) -> str:
        amount = f'<AmtDtls><TxAmt><Amt Ccy="PLN">{grosze}</Amt></TxAmt></AmtDtls>'
        return camt_details(f"part {number}", "A", extra=amount)

    batch = camt_entry("3.00", "CRDT", part("1.00", 1) + part("2.00", 2), reference="BATCH-1")
    other = camt_entry("9.00", "CRDT", part("1.00", 1) + part("2.00", 2), reference="BATCH-2")
    entries = parse_statement(camt(batch, other)).entries

    assert [(entry.grosze, entry.title) for entry in entries] == [
        (100, "part 1"), (200, "part 2"), (900, "part 1 part 2"),
    ]  # fmt: skip


def test_a_later_version_of_camt_names_parties_and_states_deeper() -> None:
    entry = PAID.replace("<Sts>BOOK</Sts>", "<Sts><Cd>BOOK</Cd></Sts>").replace(
        f"<Nm>{CREDIT[3]}</Nm>", f"<Pty><Nm>{CREDIT[3]}</Nm></Pty>"
    )
    (credit,) = parse_statement(camt(entry, version="001.08")).entries
    assert (credit.payer, credit.title, credit.grosze) == (CREDIT[3], CREDIT[4], 18327)


@pytest.mark.parametrize(
    ("text", "grosze"),
    [
        ("1 234,56", 123456), ("1\u00a0234,56", 123456), ("1\u202f234,56", 123456),
        ("1.234,56", 123456), ("1,234.56", 123456), ("1234.5", 123450), ("+0,01", 1),
        ("- 50,17", -5017), ("\u221250,17", -5017), ("12", 1200), ("1 000 000,00", 100000000),
    ],
)  # fmt: skip
def test_amounts_are_read_as_they_are_written(text: str, grosze: int) -> None:
    assert parse_amount(text, 1) == grosze


@pytest.mark.parametrize(
    "text", ["", "-", "1,234", "1.234", "1,2,3", "12,345.6.7", "1e3", "٣,00", "0x10", "1,234,56",
             "9" * 13 + ",00"],
)  # fmt: skip
def test_an_amount_that_may_mean_two_things_is_refused(text: str) -> None:
    with pytest.raises(UnreadableStatementError) as refused:
        parse_amount(text, 7)
    assert (refused.value.problem, refused.value.line) == (StatementProblem.INVALID_AMOUNT, 7)


@pytest.mark.parametrize(
    "text", ["2026-11-20", "20261120", "20.11.2026", "20-11-2026", "20/11/2026",
             "2026-11-20 12:00:00", "2026-11-20T12:00:00+01:00", " 2026.11.20 "],
)  # fmt: skip
def test_dates_are_read_as_they_are_written(text: str) -> None:
    assert parse_date(text, 1) == DAY


@pytest.mark.parametrize(
    "text", ["", "2026-13-01", "31.02.2026", "20.11.26", "2026-11/20", "today"]
)
def test_other_dates_are_refused(text: str) -> None:
    with pytest.raises(UnreadableStatementError) as refused:
        parse_date(text, 7)
    assert (refused.value.problem, refused.value.line) == (StatementProblem.INVALID_DATE, 7)


ENTITY = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><Document>&b;</Document>'
REFUSED: dict[str, tuple[bytes, StatementProblem, int]] = {
    "empty": (b" \n", StatementProblem.EMPTY, 0),
    "too large": (b"a" * (MAX_BYTES + 1), StatementProblem.TOO_LARGE, 0),
    "xlsx": (b"PK\x03\x04...", StatementProblem.NOT_TEXT, 0),
    "pdf": (b"%PDF-1.7", StatementProblem.NOT_TEXT, 0),
    "binary": (b"\x00\x01\x02", StatementProblem.NOT_TEXT, 0),
    "prose": (b"Dear bank,\nplease\n", StatementProblem.UNKNOWN_FORMAT, 0),
    "other csv": (b"a;b;c\n1;2;3\n", StatementProblem.UNKNOWN_FORMAT, 0),
    "entities": (ENTITY, StatementProblem.INVALID_XML, 0),
    "entities in utf-16": (ENTITY.decode().encode("utf-16"), StatementProblem.INVALID_XML, 0),
    "no xml": (b"<Document><a></Document>", StatementProblem.INVALID_XML, 1),
    "another message": (b"<Document><CstmrCdtTrfInitn/></Document>",
                        StatementProblem.NOT_A_STATEMENT, 0),
    "camt amount": (camt(PAID.replace("183.27", "183,2,7")), StatementProblem.INVALID_AMOUNT, 3),
    "camt direction": (camt(PAID, PAID.replace("CRDT", "?")), StatementProblem.INVALID_ENTRY, 4),
    "camt currency": (camt(PAID.replace('Ccy="PLN"', "")), StatementProblem.INVALID_CURRENCY, 3),
    "camt date": (camt(PAID.replace("2026-11-20", "x")), StatementProblem.INVALID_DATE, 3),
    "mt940 entry": (MT940_PLAIN.replace("C183,27", "X183,27").encode(),
                    StatementProblem.INVALID_ENTRY, 7),
    "mt940 date": (MT940_PLAIN.replace("2611201120", "2613201120").encode(),
                   StatementProblem.INVALID_DATE, 7),
    "mt940 currency": (MT940_PLAIN.replace("PLN2777", "zł 2777").encode(),
                       StatementProblem.INVALID_CURRENCY, 5),
    "csv amount": (PEKAO.replace("183,27", "wiele").encode(), StatementProblem.INVALID_AMOUNT, 2),
    "csv date": (PEKAO.replace("19.11.2026;1", "19.11;1").encode(),
                 StatementProblem.INVALID_DATE, 3),
    "csv currency": (PEKAO.replace("PLN", "zł").encode(), StatementProblem.INVALID_CURRENCY, 2),
    "csv long amount": (PEKAO.replace("183,27", "1" + ".111" * 2000 + ",00").encode(),
                        StatementProblem.INVALID_AMOUNT, 2),
    "csv swallowed rows": (PEKAO.replace(";ACME", ';"ACME').encode() + b"a\n" * 9,
                           StatementProblem.INVALID_ROW, 2),
    "csv cell": (PEKAO.encode() + b'"' + b"a" * 200_000 + b'"', StatementProblem.INVALID_ROW, 4),
    "santander columns": (SANTANDER.encode() + b"20-11-2026,x\n", StatementProblem.INVALID_ROW, 4),
    "many entries": (PEKAO.encode() + PEKAO.splitlines()[1].encode().join([b"\n"] * 10_001),
                     StatementProblem.TOO_MANY_ENTRIES, 0),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_is_refused_with_line_and_reason(case: str) -> None:
    content, problem, line = REFUSED[case]
    with pytest.raises(UnreadableStatementError) as refused:
        parse_statement(content)
    assert (refused.value.problem, refused.value.line) == (problem, line)
    for language in Language:
        assert refused.value.message(language)


def test_a_sentence_names_the_line() -> None:
    refused = UnreadableStatementError(StatementProblem.INVALID_AMOUNT, line=12)
    assert refused.message(Language.PL) == "Wiersz 12: tej kwoty nie da się odczytać."
    assert refused.message(Language.EN) == "Line 12: this amount cannot be read."


MEGABYTE = 1024 * 1024
MT940_START = ":20:1\n:60F:C261119PLN1,00\n:61:2611201120C1,00\n"
CSV_START = PEKAO.splitlines()[0] + "\n"
SLOW = {
    "mt940 empty lines": f"{MT940_START}:86:x" + "\n" * MEGABYTE,
    "mt940 blanks": f"{MT940_START}:86:x" + "\n \t" * (MEGABYTE // 3),
    "mt940 one-letter lines": f"{MT940_START}:86:" + "x\n" * (MEGABYTE // 2),
    "mt940 separators": f"{MT940_START}:86:020~00" + "~20" * (MEGABYTE // 3),
    "mt940 entries before details": MT940_START
    + ":61:2611201120C1,00\n" * 9_000
    + ":86:\n" * (MEGABYTE // 6),
    "csv cells": ";" * MEGABYTE,
    "csv empty rows": CSV_START + "\n" * MEGABYTE,
    "csv rows": CSV_START + "x\n" * (MEGABYTE // 2),
    "csv combining marks": ";".join(["\u0301\u0316" * 30_000] * 8),
    "camt elements": camt(PAID.replace("<Sts>", "<a/>" * (MEGABYTE // 4) + "<Sts>")).decode(),
    "camt unbooked": camt("<Ntry><Sts>PDNG</Sts></Ntry>" * (MEGABYTE // 28)).decode(),
}


@pytest.mark.parametrize("case", SLOW)
def test_a_megabyte_takes_less_than_two_seconds_of_the_processor(case: str) -> None:
    started = time.process_time()
    parse_or_refuse(SLOW[case].encode())
    assert time.process_time() - started < 2


@given(st.binary(max_size=400))
def test_no_bytes_do_more_than_be_refused(content: bytes) -> None:
    parse_or_refuse(content)


@given(
    st.sampled_from(sorted(FILES)),
    st.lists(st.tuples(st.integers(0, 2000), st.binary(max_size=6)), max_size=5),
)
def test_no_damaged_statement_does_more_than_be_refused(
    name: str, damages: list[tuple[int, bytes]]
) -> None:
    content = FILES[name][0].encode()
    for place, damage in damages:
        content = content[:place] + damage + content[place + len(damage) :]
    parse_or_refuse(content)


@given(st.text(alphabet=":61820FM~<^?0123456789CDR,/\n-PLN", max_size=200))
def test_no_fields_of_mt940_do_more_than_be_refused(fields: str) -> None:
    parse_or_refuse(f":20:1\n:60F:C261119PLN1,00\n:61:2611201120C1,00\n:86:{fields}".encode())


def parse_or_refuse(content: bytes) -> None:
    with suppress(UnreadableStatementError):
        entries = parse_statement(content).entries
        assert len(entry_references(entries)) == len(entries)
