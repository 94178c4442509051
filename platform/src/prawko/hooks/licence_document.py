"""Reads the register's `dokumentPotwierdzajacyUprawnienia`, whichever protocol carried it.

Both services of the register send the same object under the same names; a plugin turns its
own wire format into plain dicts, lists and strings and has them read here. Strict where it
decides: an answer that does not say a document's state, or says it in an unexpected shape,
is garbage and never a state.
"""

import re
from datetime import date
from typing import Any, NoReturn

import msgspec

from prawko.hooks.licence_register import (
    Category,
    CodedText,
    LicenceAnswer,
    RegisterError,
    RegisterTrouble,
)

# Dates are xsd:date and may carry a zone (`2005-09-12+02:00`) or even a time: the day is kept.
_DATE = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T[0-9:.]{5,18})?(?:Z|[+-][0-9]{2}:[0-9]{2})?", re.ASCII
)
# What neither a screen nor the database can hold: control characters and half characters.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


class _Coded(msgspec.Struct):
    """`{kod, wartosc}`; a sibling service of the register calls the words `wartoscOpisowa`."""

    kod: str | None = None
    wartosc: str | None = None
    opisowa: str | None = msgspec.field(default=None, name="wartoscOpisowa")


class _State(msgspec.Struct, rename="camel"):
    stan_dokumentu: _Coded
    powod_zmiany_stanu: list[str | _Coded] | None = None


class _Category(msgspec.Struct, rename="camel"):
    kategoria: str | _Coded | None = None
    zakres_kodu_uprawnienia: str | _Coded | None = None
    data_waznosci: str | None = None


class _Document(msgspec.Struct, rename="camel"):
    stan_dokumentu: _State
    typ_dokumentu: _Coded | None = None
    seria_numer_blankietu_druku: str | None = None
    organ_wydajacy_dokument: _Coded | None = None
    data_waznosci: str | None = None
    dane_uprawnienia_kategorii: list[_Category] | None = None


class _Note(msgspec.Struct):
    kod: str | None = None
    opis: str | None = None


class _Answer(msgspec.Struct):
    document: _Document = msgspec.field(name="dokumentPotwierdzajacyUprawnienia")
    komunikaty: list[_Note] | None = None


def read_document(answer: object, *, asked: str) -> LicenceAnswer:
    """Read an answer that describes a document; `asked` is the serial of the question.

    A blank serial means the one that was asked (the official service may leave it out).
    Raises RegisterError (garbage) for anything else that is not such an answer, the answer
    for another serial included. `raw` is rebuilt from the known fields, so that the same
    facts give the same bytes.
    """
    try:
        read = msgspec.convert(answer, _Answer)
    except (msgspec.ValidationError, RecursionError) as error:
        _garbage(f"not a document: {error}")
    document = read.document
    serial = "".join((document.seria_numer_blankietu_druku or "").split()).upper() or asked
    if serial != asked:
        _garbage("the answer is about another serial")
    state = _state(document.stan_dokumentu.stan_dokumentu)
    reasons = _reasons(document.stan_dokumentu.powod_zmiany_stanu or ())
    categories = [_category(entry) for entry in document.dane_uprawnienia_kategorii or ()]
    notes = _notes(read.komunikaty or ())
    kind = _coded(document.typ_dokumentu)
    authority = _coded(document.organ_wydajacy_dokument)
    expires = _date(document.data_waznosci)
    return LicenceAnswer(
        serial=serial,
        state=state,
        reasons=reasons,
        issuing_authority=None if authority is None else authority["wartosc"],
        expires=expires,
        categories=tuple(categories),
        notes=tuple(text for note in notes if (text := note["opis"] or note["kod"])),
        raw={
            "dokumentPotwierdzajacyUprawnienia": {
                "typDokumentu": kind,
                "seriaNumerBlankietuDruku": serial,
                "organWydajacyDokument": authority,
                "dataWaznosci": None if expires is None else expires.isoformat(),
                "stanDokumentu": {
                    "stanDokumentu": {"kod": state.code, "wartosc": state.text},
                    "powodZmianyStanu": [{"kod": r.code, "wartosc": r.text} for r in reasons],
                },
                "daneUprawnieniaKategorii": [
                    {
                        "kategoria": entry.code,
                        "dataWaznosci": entry.expires and entry.expires.isoformat(),
                    }
                    for entry in categories
                ],
            },
            "komunikaty": notes,
        },
    )


def _garbage(reason: str) -> NoReturn:
    raise RegisterError(RegisterTrouble.GARBAGE, reason) from None


def _text(value: str | None) -> str | None:
    """One line without outer blanks; None when nothing is left."""
    if value is None:
        return None
    text = " ".join(value.split())
    if _UNPRINTABLE.search(text):
        _garbage("a text holds control characters")
    return text or None


def _words(value: _Coded) -> str | None:
    return _text(value.wartosc) or _text(value.opisowa)


def _state(value: _Coded) -> CodedText:
    code, text = _text(value.kod), _words(value)
    if code is None or text is None:
        _garbage("the document's state is missing")
    return CodedText(code=code, text=text)


def _coded(value: _Coded | None) -> dict[str, str | None] | None:
    if value is None:
        return None
    entry = {"kod": _text(value.kod), "wartosc": _words(value)}
    return entry if any(entry.values()) else None


def _reasons(values: Any) -> tuple[CodedText, ...]:
    """Strings from one service, coded entries from the other; blank ones say nothing."""
    found = []
    for value in values:
        code, text = (
            (None, _text(value)) if isinstance(value, str) else (_text(value.kod), _words(value))
        )
        if words := text or code:
            found.append(CodedText(code=code, text=words))
    return tuple(found)


def _category(entry: _Category) -> Category:
    value = entry.kategoria if entry.kategoria is not None else entry.zakres_kodu_uprawnienia
    entered = _Coded(wartosc=value) if isinstance(value, str) else value or _Coded()
    code = _words(entered) or (_text(entered.kod) or "").removeprefix("DICT060_")
    if not code:
        _garbage("a category has no code")
    return Category(code=code, expires=_date(entry.data_waznosci))


def _notes(values: Any) -> list[dict[str, str | None]]:
    notes = [{"kod": _text(note.kod), "opis": _text(note.opis)} for note in values]
    return [note for note in notes if any(note.values())]


def _date(value: str | None) -> date | None:
    """A missing date is no date ("bezterminowo"); an unreadable one is garbage."""
    if value is None:
        return None
    match = _DATE.fullmatch(value.strip())
    if match is None:
        _garbage("a date is malformed")
    try:
        return date.fromisoformat(match[1])
    except ValueError:
        _garbage("a date is no day of the calendar")
