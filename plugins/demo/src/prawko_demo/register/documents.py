"""What the simulated register knows: documents put there, and a rule for all others."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

ISSUED = "Wydany"
WITHHELD = "Zatrzymany"
_STATE_CODES = {ISSUED: "DICT003_WYD", WITHHELD: "DICT003_ZAT"}

_LETTERS = dict(zip("ŻÓŁĆĘŚĄŹŃ", "ZOLCESAZN", strict=True))
_KEPT = {letter: letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"} | _LETTERS

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

Name = Annotated[str, msgspec.Meta(pattern=r"\S", max_length=200)]
Serial = Annotated[str, msgspec.Meta(pattern=r"^[A-Z0-9]{1,20}\Z")]


class Coded(msgspec.Struct, frozen=True):
    """A dictionary entry of the register."""

    wartosc: str
    kod: str | None = None


class Category(msgspec.Struct, frozen=True, rename="camel"):
    """A category of the licence, with a date of its own or none."""

    kategoria: str
    data_waznosci: str | None = None


class Note(msgspec.Struct, frozen=True):
    """A remark for the carrier (`komunikat`)."""

    opis: str
    kod: str | None = None


class Document(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """One document as the control API takes it; what is left out is made up from the serial.

    A null `expiryDate` is a document without end. `printedSerial` is the serial the answer
    bears, for tests of an answer about another document.
    """

    first_name: Name
    last_name: Name
    state: Coded = Coded(kod="DICT003_WYD", wartosc=ISSUED)
    reasons: tuple[Coded, ...] = ()
    expiry_date: str | UnsetType | None = UNSET
    issuing_authority: str | UnsetType | None = UNSET
    categories: tuple[Category, ...] | UnsetType = UNSET
    notes: tuple[Note, ...] = ()
    printed_serial: str | None = None


class Known(msgspec.Struct, frozen=True):
    """A document with nothing left open, ready to be written in either protocol."""

    serial: str
    state: Coded
    reasons: tuple[Coded, ...]
    authority: Coded | None
    expires: str | None
    categories: tuple[Category, ...]
    notes: tuple[Note, ...]


class Unknown(StrEnum):
    """What is said of a serial that nobody put there."""

    AUTO = "auto"
    NOT_FOUND = "not_found"


class Shelf:
    """The documents, and how often each was asked for."""

    def __init__(self) -> None:
        self.unknown = Unknown.AUTO
        self.calls: Counter[str] = Counter()
        self.count = 0
        self._documents: dict[str, Document] = {}
        self._serials: dict[str, str] = {}  # by the hash that the public service is asked with

    def put(self, serial: str, document: Document) -> None:
        """Know a document; the one known by the serial before is forgotten."""
        self.forget(serial)
        self._documents[serial] = document
        key = search_hash(document.first_name, document.last_name, serial)
        self._serials[key] = serial

    def get(self, serial: str) -> Document | None:
        """The document as it was put."""
        return self._documents.get(serial)

    @property
    def documents(self) -> Mapping[str, Document]:
        """All that were put, by serial."""
        return self._documents

    def forget(self, serial: str) -> bool:
        """Whether there was one to forget."""
        document = self._documents.pop(serial, None)
        if document is None:
            return False
        self._serials.pop(search_hash(document.first_name, document.last_name, serial), None)
        return True

    def ask(self, first_name: str, last_name: str, serial: str) -> Known | None:
        """Answer the official service: names and serial must belong together."""
        self._counted(serial)
        document = self._documents.get(serial)
        if document is None:
            return automatic(serial) if self.unknown is Unknown.AUTO else None
        if _names(first_name, last_name) != _names(document.first_name, document.last_name):
            return None
        return complete(serial, document)

    def ask_hash(self, key: str) -> Known | None:
        """Answer the public service; a hash that nobody put there says nothing of a serial."""
        serial = self._serials.get(key)
        self._counted(serial)
        return None if serial is None else complete(serial, self._documents[serial])

    def _counted(self, serial: str | None) -> None:
        self.count += 1
        if serial is not None:
            self.calls[serial] += 1

    def forget_calls(self) -> None:
        """Count from nought."""
        self.count = 0
        self.calls.clear()


def search_hash(first_name: str, last_name: str, serial: str) -> str:
    """Write the key of the public service: MD5 over upper-case Latin letters and digits."""
    letters = (first_name + last_name + serial)[:500].upper()
    kept = "".join([_KEPT[letter] for letter in letters if letter in _KEPT])
    return hashlib.md5(kept.encode(), usedforsecurity=False).hexdigest().upper()


def _names(first_name: str, last_name: str) -> tuple[str, str]:
    """The register knows the first given name, and is not asked in any one case."""
    return first_name.split(maxsplit=1)[0].upper(), " ".join(last_name.split()).upper()


def automatic(serial: str) -> Known | None:
    """The document of a serial that nobody put there, always the same one.

    Issued and good until between 2035 and 2040; the last digit 8 is not found, 9 is withheld.
    """
    if serial[-1:] == "8":
        return None
    number = int("".join(filter(str.isdigit, serial)) or 0)
    expires = _expiry(number)
    withheld = serial[-1:] == "9"
    return Known(
        serial=serial,
        state=_coded_state(Coded(WITHHELD if withheld else ISSUED)),
        reasons=(Coded("Przekroczenie 24 punktów karnych", "DICT067_PKT"),) if withheld else (),
        authority=_authority(number),
        expires=expires,
        categories=_categories(number, expires),
        notes=(Note("Dokument wymaga dodatkowego sprawdzenia", "DICT486B_SPR"),)
        if withheld
        else (),
    )


def complete(serial: str, document: Document) -> Known:
    """Fill what was left out of a document as `automatic` would."""
    number = int("".join(filter(str.isdigit, serial)) or 0)
    expires = _expiry(number) if document.expiry_date is UNSET else document.expiry_date
    authority = (
        _authority(number)
        if document.issuing_authority is UNSET
        else document.issuing_authority and Coded(document.issuing_authority, "DICT061_0000")
    )
    return Known(
        serial=serial if document.printed_serial is None else document.printed_serial,
        state=_coded_state(document.state),
        reasons=document.reasons,
        authority=authority or None,
        expires=expires,
        categories=_categories(number, expires)
        if document.categories is UNSET
        else document.categories,
        notes=document.notes,
    )


def _coded_state(state: Coded) -> Coded:
    return state if state.kod else Coded(state.wartosc, _state_code(state.wartosc))


def _state_code(text: str) -> str:
    plain = "".join(_KEPT.get(letter, "") for letter in text.upper())
    return _STATE_CODES.get(text) or f"DICT003_{plain[:3]}"


def _expiry(number: int) -> str:
    return f"{2035 + number % 6}-{1 + number % 12:02}-{1 + number % 28:02}"


def _authority(number: int) -> Coded:
    code, text = _AUTHORITIES[number % len(_AUTHORITIES)]
    return Coded(text, f"DICT061_{code}")


def _categories(number: int, expires: str | None) -> tuple[Category, ...]:
    """Every fifth holder's first category has no date of its own."""
    codes = _CATEGORIES[number % len(_CATEGORIES)]
    return tuple(
        Category(code, None if number % 5 == 0 and place == 0 else expires)
        for place, code in enumerate(codes)
    )
