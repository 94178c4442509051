"""Typed text: what it becomes, and that every output shows each letter that a form accepts."""

import io
import json
import logging
import sys
import unicodedata
import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from html import unescape
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import ARRAY, Text, func, literal, select

from prawko.accounts.email_address import parse_email
from prawko.accounts.phone_verification import parse_phone, parse_phone_code
from prawko.accounts.registration import normalise_code
from prawko.billing.billing_details import BillingDetails, find_detail_errors, normalise_details
from prawko.billing.trial import parse_tax_id
from prawko.drivers.errors import InvalidDriverDataError
from prawko.drivers.import_schemas import RowState
from prawko.drivers.import_validation import validate_rows
from prawko.drivers.list_export import DriverFilter, TableFormat, export_list, search_drivers
from prawko.drivers.table_reader import read_text as read_table
from prawko.drivers.validation import (
    FieldError,
    FieldProblem,
    parse_details,
    parse_licence_number,
    parse_name,
    parse_note,
)
from prawko.hooks.gsm7 import to_gsm7
from prawko.invoices.pdf import render_pdf
from prawko.kit.database import contains_folded
from prawko.kit.documents.email_template import render_email
from prawko.kit.text import letters
from prawko.kit.text.i18n import Language
from prawko.kit.text.letters import fold_letters, fold_words, normalise_typed
from prawko.legal.agreement import Agreement, AgreementParty
from prawko.legal.pdf import render_agreement
from prawko.notifications.recipients import service as recipients
from prawko.support.validation import normalise_lines
from prawko.verifications.confirmation_document import Confirmation, ConfirmationTable
from prawko.verifications.confirmation_pdf import render_confirmation
from prawko_testing.invoice_issuer_contract import BUYER, sample_invoice
from support.listed_drivers import listed_driver
from support.pdf import read_text

CASES = json.loads(Path(__file__).with_name("typed_text.json").read_text(encoding="utf-8"))
DIRT = "\u202a\ufeff\u00a0{}\u200b\u2060\u202c "
OTHER_ALPHABET = "z innego alfabetu niż pozostałe. Wpisz je ponownie"
TODAY = datetime(2026, 11, 21, 12, tzinfo=UTC)


DETAILS = {
    "company_name": "Kos i Synowie", "tax_id": "5260250274", "street": "Prosta 5",
    "postal_code": "00-950", "city": "Łódź",
}  # fmt: skip


def normalise_detail(name: str, text: str) -> str:
    return normalise_details(BillingDetails(**{name: text})).to_dict()[name]


def write(character: str) -> str:
    """Return a letter, or a mark on the letter that it needs."""
    return f"A{character}" if unicodedata.combining(character) else character


def is_accepted(character: str) -> bool:
    try:
        return parse_name(f"A-{write(character)}") not in ("A", "A-A")
    except FieldError:
        return False


@pytest.fixture(scope="module")
def accepted() -> list[str]:
    """The letters and marks that a name may have."""
    return [
        character
        for character in map(chr, range(0x110000))
        if unicodedata.category(character)[0] in "LM" and is_accepted(character)
    ]


@pytest.fixture(scope="module")
def names(accepted: list[str]) -> list[str]:
    """Names of 26 letters, as they are stored: each is a word, because no word mixes alphabets."""
    return [
        parse_name("-".join(map(write, accepted[first : first + 26])))
        for first in range(0, len(accepted), 26)
    ]


def test_the_browser_has_the_same_table() -> None:
    own = files("prawko.kit.text").joinpath("letters.json").read_bytes()
    root = Path(__file__).parents[2]
    assert root.joinpath("frontend/src/lib/letters.json").read_bytes() == own


@pytest.mark.parametrize(("typed", "text"), CASES["normalised"].items())
def test_typed_text_is_normalised(typed, text) -> None:
    assert normalise_typed(typed) == text
    assert normalise_typed(text) == text


@pytest.mark.parametrize(("typed", "code"), CASES["compact"].items())
def test_codes_and_numbers_lose_their_separators(typed, code) -> None:
    assert letters.strip_separators(typed) == code


def test_no_format_character_is_left() -> None:
    formats = (c for c in map(chr, range(sys.maxunicode)) if unicodedata.category(c) == "Cf")
    assert normalise_typed("a".join(formats)).strip("a") == ""


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (parse_name, "Nowak-Kos"),
        (parse_licence_number, "AA123456"),
        (parse_note, "Zjazd o 12"),
        (parse_email, "jan@acme.test"),
        (parse_phone, "+48600100200"),
        (parse_phone_code, "123456"),
        (normalise_code, "AB2CD3"),
        (lambda text: parse_tax_id(text, strict=True), "5260250274"),
        (recipients.parse_name, "Ewa Kos"),
        (normalise_lines, "Dzień dobry"),
        *((partial(normalise_detail, name), text) for name, text in DETAILS.items()),
    ],
)  # fmt: skip
def test_every_field_takes_what_people_paste(parse: Callable[[str], str], text) -> None:
    middle = len(text) // 2
    assert parse(DIRT.format(f"{text[:middle]}\u00ad{text[middle:]}")) == text


@pytest.mark.parametrize("name", ["Nowak \u2013 Kos", "Nowak--Kos", "-Nowak- -Kos \u2013"])
def test_a_name_has_single_hyphens_within_it_alone(name) -> None:
    assert parse_name(name) == "Nowak-Kos"


@pytest.mark.parametrize(("query", "name"), CASES["found"].items())
def test_a_search_finds_a_name_however_it_is_typed(query, name) -> None:
    assert search_drivers([listed_driver(last_name=name)], query)
    assert fold_letters(query) == fold_letters(name)


@pytest.mark.parametrize(("query", "words"), CASES["words"].items())
def test_a_query_has_words(query, words) -> None:
    assert fold_words(query).split() == words


@pytest.mark.parametrize(
    "query", ["AA-123456", "aa 123\u2013456", "Kos - Nowak", "nowak kos", "Nowak, Kos"]
)
def test_a_search_takes_hyphens_for_blanks(query) -> None:
    assert search_drivers([listed_driver(last_name="Kos-Nowak")], query)


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        ("J\u0430n", "\u0430"), ("Nowak-\u0410nna", "\u0410"), ("\u039dOWAK", "\u039d"),
        ("Илли\u006f", "o"), ("O'Br\u0456en", "\u0456"), ("\u0421\u043es", "s"),
        ("Jan Шевченко", None), ("Nowak-Шевченко", None), ("Олександр", None), ("Ἀθήνα", None),
        ("Nguyễn", None), ("Đ\u0301", None), ("D'\u00c0l\u00baA", None), ("Ж\u0301", None),
    ],
)  # fmt: skip
def test_a_word_that_mixes_alphabets_is_refused_by_its_letter(name, letter) -> None:
    fields = {"first_name": name, "last_name": "Kos", "license_number": "AB123456"}
    row = f"Imię;Nazwisko;Nr PJ\n{name};Kos;AB123456"
    if letter is None:
        assert parse_details(fields)["first_name"] == unicodedata.normalize("NFC", name)
        assert validate_rows(read_table(row))[0].state is RowState.READY
        return
    with pytest.raises(InvalidDriverDataError) as refused:
        parse_details(fields | {"last_name": "K\u043es"})
    said = refused.value.field_messages(Language.PL)
    assert said["firstName"] == f"Imię zawiera literę „{letter}” {OTHER_ALPHABET}"
    assert said["lastName"] == f"Nazwisko zawiera literę „\u043e” {OTHER_ALPHABET}"
    [problem] = validate_rows(read_table(row))[0].problems
    assert (problem.text, problem.letter) == ("drivers.first_name.mixed", letter)


@pytest.mark.parametrize(
    ("name", "problem"),
    [("नेहा", FieldProblem.OTHER_SCRIPT), ("王小明", FieldProblem.OTHER_SCRIPT),
     ("\u3164", FieldProblem.MISSING), ("Ⴥ😀", FieldProblem.INVALID_CHARACTERS)],
)  # fmt: skip
def test_letters_that_no_document_can_show_are_refused(name, problem) -> None:
    with pytest.raises(FieldError) as refused:
        parse_name(name)
    assert refused.value.problem is problem
    details = BillingDetails(**DETAILS | {"company_name": f"Kos {name}"})
    expected = {"company_name": "billing.details.script"} if normalise_typed(name) else {}
    assert find_detail_errors(details) == expected


def confirm(names: list[str]) -> bytes:
    return render_confirmation(
        Confirmation(
            language=Language.PL, title=names[0], lead=names[0], verdict=names[0],
            facts=[("Kierowca", name) for name in names],
            tables=[ConfirmationTable(heading="", columns=[""], widths=[170], rows=[names[:1]])],
            notes=names[:1], page="{page}", created_at=TODAY,
        )
    )  # fmt: skip


def invoice(names: list[str]) -> bytes:
    buyer = msgspec.structs.replace(BUYER, name=" ".join(names), city=names[0])
    return render_pdf(sample_invoice(buyer=buyer), structured=True)


def agree(names: list[str]) -> bytes:
    return render_agreement(
        Agreement(
            language=Language.PL, title="Umowa", annex="", version="", conclusion=names[0],
            parties=[AgreementParty("Administrator", names)], sections=[], page="{page}",
            created_at=TODAY,
        )
    )  # fmt: skip


@pytest.mark.parametrize("draw", [confirm, invoice, agree])
def test_every_document_shows_every_letter(draw, names, caplog) -> None:
    with caplog.at_level(logging.WARNING, logger="fpdf"):
        documents = [draw(names[n : n + 8]) for n in range(0, len(names), 8)]  # a page each
    shown = "".join("".join(read_text(pdf).split()) for pdf in documents)

    assert not caplog.records  # a glyph is missing
    assert [name for name in names if name not in shown] == []


def test_a_document_names_people_in_any_script() -> None:
    shown = "".join(read_text(confirm(["नेहा", "王小明", "Nowak\u2011Kos"])).split())
    assert "neha" in shown
    assert "WangXiaoMing" in shown
    assert "Nowak\u2011Kos" in shown


def test_an_sms_names_every_letter(accepted) -> None:
    shown = {letter: to_gsm7(parse_name(f"A-{write(letter)}")) for letter in accepted}
    assert {letter: text for letter, text in shown.items() if "?" in text} == {}


def test_mails_and_tables_show_every_letter(names) -> None:
    mail = render_email(Language.PL, "Prawko", names[0], names)
    drivers = msgspec.json.encode([listed_driver(last_name=name) for name in names])
    csv, xlsx = (
        export_list(drivers, kind, DriverFilter(), date(2026, 11, 21), Language.PL)[0]
        for kind in (TableFormat.CSV, TableFormat.XLSX)
    )
    with zipfile.ZipFile(io.BytesIO(xlsx)) as archive:
        sheet = "".join(archive.read(name).decode() for name in archive.namelist())
    for output in (mail.text, unescape(mail.html), csv.decode(), sheet):
        assert [name for name in names if name not in output] == []


STORED_NAMES = [
    "Søren Weiß", "Łódź Śląska", "O\u2019Brien", "Nowak\u2013Kos", "Æsir Straße", "ÞÓR Ŋandu",
    "Олександр", "ГАЛИНА", "Ἀθήνα", "S\u0301la\u0328ska", "a.b*c[d]^e\\f-g", "(x|y) {2}",
    "Œuvre nœud", "Meßstab", "Kos  - Lis", "Lis, Kos",
]  # fmt: skip


@pytest.mark.anyio
async def test_the_database_finds_what_a_folded_name_contains(worker) -> None:
    folded = {name: fold_words(name) for name in STORED_NAMES}
    parts = {
        one[start : start + size]
        for one in folded.values() for size in (1, 3) for start in range(len(one))
    }  # fmt: skip
    stored = func.unnest(literal(STORED_NAMES, ARRAY(Text))).column_valued("name")
    async with worker.database.system() as session:
        for text in sorted(
            parts | set(STORED_NAMES) | {"", "'", "sorensen", "nowak kos", "Kos-Lis"}
        ):
            found = await session.scalars(select(stored).where(contains_folded(stored, text)))
            expected = {name for name in STORED_NAMES if fold_words(text) in folded[name]}
            assert set(found) == expected, text
