"""Parses the register's `dokumentPotwierdzajacyUprawnienia`, for all protocols.

Both services of the register send the same object under the same names; a plugin converts its
wire format to plain dicts, lists and strings and calls `parse_document`. Parsing is strict where
the result decides: a response without a document's state, or with an unexpected structure, is
an error and never a state.
"""

import re
from datetime import date
from typing import Any, NoReturn

import msgspec

from prawko.hooks.licence_register import (
    CodedText,
    LicenceAnswer,
    LicenceCategory,
    RegisterError,
    RegisterErrorKind,
)

# Dates are xsd:date and may have a zone (`2005-09-12+02:00`) or even a time; only the date counts.
_DATE = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T[0-9:.]{5,18})?(?:Z|[+-][0-9]{2}:[0-9]{2})?", re.ASCII
)
# Control characters and lone surrogates, which neither a page nor the database can hold.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


class _CodedValue(msgspec.Struct):
    """`{kod, wartosc}`; another service of the register calls the text `wartoscOpisowa`."""

    kod: str | None = None
    wartosc: str | None = None
    wartosc_opisowa: str | None = msgspec.field(default=None, name="wartoscOpisowa")


class _DocumentState(msgspec.Struct, rename="camel"):
    stan_dokumentu: _CodedValue
    powod_zmiany_stanu: list[str | _CodedValue] | None = None


class _DocumentCategory(msgspec.Struct, rename="camel"):
    kategoria: str | _CodedValue | None = None
    zakres_kodu_uprawnienia: str | _CodedValue | None = None
    data_waznosci: str | None = None


class _Document(msgspec.Struct, rename="camel"):
    stan_dokumentu: _DocumentState
    typ_dokumentu: _CodedValue | None = None
    seria_numer_blankietu_druku: str | None = None
    organ_wydajacy_dokument: _CodedValue | None = None
    data_waznosci: str | None = None
    dane_uprawnienia_kategorii: list[_DocumentCategory] | None = None


class _RegisterMessage(msgspec.Struct):
    kod: str | None = None
    opis: str | None = None


class _Response(msgspec.Struct):
    document: _Document = msgspec.field(name="dokumentPotwierdzajacyUprawnienia")
    komunikaty: list[_RegisterMessage] | None = None


def parse_document(response: object, *, expected_number: str) -> LicenceAnswer:
    """Parse a response that describes the document `expected_number`.

    An empty number means the expected one (the official service may leave it out). `raw` is
    rebuilt from the known fields, so that identical facts give identical bytes. Raises
    RegisterError (INVALID_RESPONSE) for any other response, including one about another
    document.
    """
    try:
        parsed = msgspec.convert(response, _Response)
    except (msgspec.ValidationError, RecursionError) as error:
        _raise_invalid(f"not a document: {error}")
    document = parsed.document
    number = "".join((document.seria_numer_blankietu_druku or "").split()).upper()
    if number and number != expected_number:
        _raise_invalid("the response is about another document")
    state = _parse_state(document.stan_dokumentu.stan_dokumentu)
    reasons = _parse_reasons(document.stan_dokumentu.powod_zmiany_stanu or ())
    categories = [_parse_category(entry) for entry in document.dane_uprawnienia_kategorii or ()]
    notes = _parse_messages(parsed.komunikaty or ())
    kind = _coded_or_none(document.typ_dokumentu)
    authority = _coded_or_none(document.organ_wydajacy_dokument)
    expires = _parse_date(document.data_waznosci)
    return LicenceAnswer(
        number=expected_number,
        state=state,
        reasons=reasons,
        issuing_authority=None if authority is None else authority["wartosc"],
        expires=expires,
        categories=tuple(categories),
        notes=tuple(text for note in notes if (text := note["opis"] or note["kod"])),
        raw={
            "dokumentPotwierdzajacyUprawnienia": {
                "typDokumentu": kind,
                "seriaNumerBlankietuDruku": expected_number,
                "organWydajacyDokument": authority,
                "dataWaznosci": None if expires is None else expires.isoformat(),
                "stanDokumentu": {
                    "stanDokumentu": {"kod": state.code, "wartosc": state.text},
                    "powodZmianyStanu": [
                        {"kod": reason.code, "wartosc": reason.text} for reason in reasons
                    ],
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


def _raise_invalid(reason: str) -> NoReturn:
    raise RegisterError(RegisterErrorKind.INVALID_RESPONSE, reason) from None


def _clean_text(value: str | None) -> str | None:
    """Return the text as one line without outer spaces; None if nothing is left."""
    if value is None:
        return None
    text = " ".join(value.split())
    if _UNPRINTABLE.search(text):
        _raise_invalid("a text contains control characters")
    return text or None


def _description(value: _CodedValue) -> str | None:
    return _clean_text(value.wartosc) or _clean_text(value.wartosc_opisowa)


def _parse_state(value: _CodedValue) -> CodedText:
    code, text = _clean_text(value.kod), _description(value)
    if code is None or text is None:
        _raise_invalid("the document's state is missing")
    return CodedText(code=code, text=text)


def _coded_or_none(value: _CodedValue | None) -> dict[str, str | None] | None:
    if value is None:
        return None
    entry = {"kod": _clean_text(value.kod), "wartosc": _description(value)}
    return entry if any(entry.values()) else None


def _parse_reasons(values: Any) -> tuple[CodedText, ...]:
    """Convert strings (from one service) or coded entries (the other); empty ones are left out."""
    reasons = []
    for value in values:
        code, text = (
            (None, _clean_text(value))
            if isinstance(value, str)
            else (_clean_text(value.kod), _description(value))
        )
        if description := text or code:
            reasons.append(CodedText(code=code, text=description))
    return tuple(reasons)


def _parse_category(entry: _DocumentCategory) -> LicenceCategory:
    value = entry.kategoria if entry.kategoria is not None else entry.zakres_kodu_uprawnienia
    coded = _CodedValue(wartosc=value) if isinstance(value, str) else value or _CodedValue()
    code = _description(coded) or (_clean_text(coded.kod) or "").removeprefix("DICT060_")
    if not code:
        _raise_invalid("a category has no code")
    return LicenceCategory(code=code, expires=_parse_date(entry.data_waznosci))


def _parse_messages(values: Any) -> list[dict[str, str | None]]:
    notes = [{"kod": _clean_text(note.kod), "opis": _clean_text(note.opis)} for note in values]
    return [note for note in notes if any(note.values())]


def _parse_date(value: str | None) -> date | None:
    """Parse a date; a missing one means no expiry ("bezterminowo"), a malformed one is an error."""
    if value is None:
        return None
    match = _DATE.fullmatch(value.strip())
    if match is None:
        _raise_invalid("a date is malformed")
    try:
        return date.fromisoformat(match[1])
    except ValueError:
        _raise_invalid("a date does not exist")
