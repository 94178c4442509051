"""Generates documents, and missing fields of documents, from the digits of the serial."""

from msgspec import UNSET

from prawko_demo.register.documents import (
    ISSUED,
    WITHHELD,
    CompleteDocument,
    DictionaryEntry,
    DocumentCategory,
    RegisterDocument,
    Remark,
)
from prawko_demo.register.search_hash import to_latin

_STATE_CODES = {ISSUED: "DICT003_WYD", WITHHELD: "DICT003_ZAT"}
_AUTHORITIES = (
    ("1061", "Prezydent Miasta Łodzi"),
    ("1465", "Prezydent m.st. Warszawy"),
    ("0219", "Starosta Świdnicki"),
    ("2417", "Starosta Żywiecki"),
    ("2261", "Prezydent Miasta Gdańska"),
    ("0224", "Starosta Ząbkowicki"),
    ("1807", "Starosta Krośnieński"),
    ("3064", "Prezydent Miasta Poznania"),
)
_CATEGORIES = (("B",), ("B", "C"), ("B", "C", "C+E"), ("B", "C", "C+E", "D"))


def generate_document(serial: str) -> CompleteDocument | None:
    """Return the document of a serial without a stored one, the same at each call.

    Issued and valid until a day between 2035 and 2040. A serial that ends in 8 has none, one that
    ends in 9 is withheld.
    """
    if serial[-1:] == "8":
        return None
    number = _number_of(serial)
    expires = _generate_expiry(number)
    is_withheld = serial[-1:] == "9"
    return CompleteDocument(
        serial=serial,
        state=_with_state_code(DictionaryEntry(WITHHELD if is_withheld else ISSUED)),
        reasons=(DictionaryEntry("Przekroczenie 24 punktów karnych", "DICT067_PKT"),)
        if is_withheld
        else (),
        authority=_generate_authority(number),
        expires=expires,
        categories=_generate_categories(number, expires),
        notes=(Remark("Dokument wymaga dodatkowego sprawdzenia", "DICT486B_SPR"),)
        if is_withheld
        else (),
    )


def complete_document(serial: str, document: RegisterDocument) -> CompleteDocument:
    """Fill the missing fields of a stored document as `generate_document` does."""
    number = _number_of(serial)
    expires = _generate_expiry(number) if document.expiry_date is UNSET else document.expiry_date
    authority = (
        _generate_authority(number)
        if document.issuing_authority is UNSET
        else document.issuing_authority
        and DictionaryEntry(document.issuing_authority, "DICT061_0000")
    )
    return CompleteDocument(
        serial=serial if document.printed_serial is None else document.printed_serial,
        state=_with_state_code(document.state),
        reasons=document.reasons,
        authority=authority or None,
        expires=expires,
        categories=_generate_categories(number, expires)
        if document.categories is UNSET
        else document.categories,
        notes=document.notes,
    )


def _number_of(serial: str) -> int:
    return int("".join(filter(str.isdigit, serial)) or 0)


def _with_state_code(state: DictionaryEntry) -> DictionaryEntry:
    return state if state.kod else DictionaryEntry(state.wartosc, _state_code(state.wartosc))


def _state_code(text: str) -> str:
    return _STATE_CODES.get(text) or f"DICT003_{to_latin(text)[:3]}"


def _generate_expiry(number: int) -> str:
    return f"{2035 + number % 6}-{1 + number % 12:02}-{1 + number % 28:02}"


def _generate_authority(number: int) -> DictionaryEntry:
    code, text = _AUTHORITIES[number % len(_AUTHORITIES)]
    return DictionaryEntry(text, f"DICT061_{code}")


def _generate_categories(number: int, expires: str | None) -> tuple[DocumentCategory, ...]:
    """Return categories that expire with the document; every fifth first one has no date."""
    codes = _CATEGORIES[number % len(_CATEGORIES)]
    return tuple(
        DocumentCategory(code, None if number % 5 == 0 and place == 0 else expires)
        for place, code in enumerate(codes)
    )
