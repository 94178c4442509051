"""The register's documents: as the control API takes them, and complete."""

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

ISSUED = "Wydany"
WITHHELD = "Zatrzymany"

Name = Annotated[str, msgspec.Meta(pattern=r"\S", max_length=200)]
Serial = Annotated[str, msgspec.Meta(pattern=r"^[A-Z0-9]{1,20}\Z")]


class DictionaryEntry(msgspec.Struct, frozen=True):
    """An entry of one of the register's dictionaries."""

    wartosc: str
    kod: str | None = None


class DocumentCategory(msgspec.Struct, frozen=True, rename="camel"):
    """A category of the licence, with an expiry date of its own or none."""

    kategoria: str
    data_waznosci: str | None = None


class Remark(msgspec.Struct, frozen=True):
    """A remark for the carrier (`komunikat`)."""

    opis: str
    kod: str | None = None


class RegisterDocument(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A document as the control API takes it; missing fields are generated from the serial.

    A null `expiryDate` is a document without one. `printedSerial` is the serial in the answer, for
    tests of an answer about another document.
    """

    first_name: Name
    last_name: Name
    state: DictionaryEntry = DictionaryEntry(kod="DICT003_WYD", wartosc=ISSUED)
    reasons: tuple[DictionaryEntry, ...] = ()
    expiry_date: str | UnsetType | None = UNSET
    issuing_authority: str | UnsetType | None = UNSET
    categories: tuple[DocumentCategory, ...] | UnsetType = UNSET
    notes: tuple[Remark, ...] = ()
    printed_serial: str | None = None


class CompleteDocument(msgspec.Struct, frozen=True):
    """A document with all its fields, to be encoded in either protocol."""

    serial: str
    state: DictionaryEntry
    reasons: tuple[DictionaryEntry, ...]
    authority: DictionaryEntry | None
    expires: str | None
    categories: tuple[DocumentCategory, ...]
    notes: tuple[Remark, ...]
