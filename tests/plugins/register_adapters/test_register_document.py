"""Parsing of a document, whichever protocol carried it."""

from copy import deepcopy
from datetime import date

import pytest

from prawko.hooks.licence_document import parse_document
from prawko.hooks.licence_register import (
    CodedText,
    LicenceCategory,
    RegisterError,
    RegisterErrorKind,
)

ANSWER = {
    "dokumentPotwierdzajacyUprawnienia": {
        "typDokumentu": {"kod": "DICT155_PJ", "wartosc": "Prawo jazdy"},
        "seriaNumerBlankietuDruku": "AB123456",
        "organWydajacyDokument": {"kod": "DICT061_1432", "wartosc": "Starosta Wołomiński"},
        "dataWaznosci": "2039-02-28",
        "stanDokumentu": {
            "stanDokumentu": {"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"},
            "powodZmianyStanu": [{"kod": "DICT067_1", "wartosc": "Decyzja starosty"}],
        },
        "daneUprawnieniaKategorii": [
            {"kategoria": "B"},
            {"kategoria": "C+E", "dataWaznosci": "2030-01-31"},
        ],
    },
    "komunikaty": [{"kod": "DICT486B_1", "opis": "Sprawdź dodatkowo"}],
}


def make_answer(**changes):
    """The answer with parts of its document replaced; `...` takes a part away."""
    changed = deepcopy(ANSWER)
    document = changed["dokumentPotwierdzajacyUprawnienia"]
    for name, value in changes.items():
        if value is ...:
            del document[name]
        else:
            document[name] = value
    return changed


def parse_answer(content):
    return parse_document(content, expected_number="AB123456")


def state_change(**fields):
    return {"stanDokumentu": fields}


def test_every_field_is_parsed():
    document = parse_answer(ANSWER)

    assert document.number == "AB123456"
    assert document.state == CodedText(code="DICT003_ZAT", text="Zatrzymany")
    assert document.reasons == (CodedText(code="DICT067_1", text="Decyzja starosty"),)
    assert document.issuing_authority == "Starosta Wołomiński"
    assert document.expires == date(2039, 2, 28)
    assert document.categories == (
        LicenceCategory(code="B", expires=None),
        LicenceCategory(code="C+E", expires=date(2030, 1, 31)),
    )
    assert document.notes == ("Sprawdź dodatkowo",)


def test_optional_fields_may_be_missing():
    bare = {
        "dokumentPotwierdzajacyUprawnienia": state_change(**state_change(kod="K", wartosc="Wydany"))
    }

    document = parse_answer(bare)

    assert document.state.text == "Wydany"
    assert document.number == "AB123456"
    assert (document.issuing_authority, document.expires) == (None, None)
    assert (document.reasons, document.categories, document.notes) == ((), (), ())


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        {},
        "Wydany",
        {"dokumentPotwierdzajacyUprawnienia": None},
        {"dokumentPotwierdzajacyUprawnienia": {}},
        {"dokumentPotwierdzajacyUprawnienia": []},
        make_answer(stanDokumentu=...),
        make_answer(stanDokumentu=None),
        make_answer(stanDokumentu="Wydany"),
        make_answer(stanDokumentu={}),
        make_answer(stanDokumentu={"kod": "DICT003_WYD", "wartosc": "Wydany"}),
        make_answer(stanDokumentu={"stanDokumentu": None}),
        make_answer(stanDokumentu={"stanDokumentu": "Wydany"}),
        make_answer(stanDokumentu={"stanDokumentu": [{"kod": "DICT003_WYD", "wartosc": "Wydany"}]}),
        make_answer(stanDokumentu=state_change(kod="DICT003_WYD")),
        make_answer(stanDokumentu=state_change(kod="DICT003_WYD", wartosc=None)),
        make_answer(stanDokumentu=state_change(kod="DICT003_WYD", wartosc=" \t")),
        make_answer(stanDokumentu=state_change(kod="DICT003_WYD", wartosc=["Wydany"])),
        make_answer(stanDokumentu=state_change(kod="DICT003_WYD", wartosc=True)),
        make_answer(stanDokumentu=state_change(kod=3, wartosc="Wydany")),
        make_answer(stanDokumentu=state_change(wartosc="Wydany")),
        make_answer(stanDokumentu=state_change(kod="", wartosc="Wydany")),
        make_answer(stanDokumentu=state_change(kod="K", wartosc="Wyd\x00any")),
        make_answer(stanDokumentu=state_change(kod="K", wartosc="Wydany\ud800")),
        make_answer(stanDokumentu=[state_change(kod="K", wartosc="Wydany")]),
        make_answer(seriaNumerBlankietuDruku="ZZ999999"),
        make_answer(seriaNumerBlankietuDruku=123456),
        make_answer(daneUprawnieniaKategorii={"kategoria": "B"}),
        make_answer(daneUprawnieniaKategorii="B"),
        make_answer(daneUprawnieniaKategorii=[{"dataWaznosci": "2030-01-01"}]),
        make_answer(daneUprawnieniaKategorii=[{"kategoria": " "}]),
        make_answer(daneUprawnieniaKategorii=[{"kategoria": "B", "dataWaznosci": "jutro"}]),
        make_answer(organWydajacyDokument="Starosta"),
        make_answer(typDokumentu=7),
    ],
)
def test_an_invalid_document_is_refused(content):
    with pytest.raises(RegisterError) as failure:
        parse_answer(content)

    assert failure.value.kind is RegisterErrorKind.INVALID_RESPONSE


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2039-02-28", date(2039, 2, 28)),
        ("2039-02-28+02:00", date(2039, 2, 28)),
        ("2039-02-28-11:30", date(2039, 2, 28)),
        ("2039-02-28Z", date(2039, 2, 28)),
        ("2039-02-28T00:00:00", date(2039, 2, 28)),
        ("2039-02-28T23:59:59.999+01:00", date(2039, 2, 28)),
        (" 2040-02-29\n", date(2040, 2, 29)),
        ("9999-12-31", date(9999, 12, 31)),
        (None, None),
    ],
)
def test_a_date_is_its_first_ten_characters(text, day):
    assert parse_answer(make_answer(dataWaznosci=text)).expires == day


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "2039-02-29",
        "2039-13-01",
        "0000-01-01",
        "2039-2-8",
        "20390228",
        "2039-W09-1",
        "2039-02-281",
        "2039-02-28 bezterminowo",
        "28.02.2039",
        "\uff12\uff10\uff13\uff19-02-28",
        20390228,
        ["2039-02-28"],
        False,
    ],
)
def test_a_malformed_date_is_an_error_and_not_a_missing_date(text):
    with pytest.raises(RegisterError) as failure:
        parse_answer(make_answer(dataWaznosci=text))

    assert failure.value.kind is RegisterErrorKind.INVALID_RESPONSE


@pytest.mark.parametrize(
    "category",
    [
        {"kategoria": "C+E"},
        {"kategoria": {"kod": "DICT060_CE", "wartosc": "C+E"}},
        {"kategoria": {"kod": "DICT060_CE", "wartoscOpisowa": "C+E"}},
        {"kategoria": {"kod": "DICT060_C+E"}},
        {"zakresKoduUprawnienia": "C+E"},
        {"zakresKoduUprawnienia": {"kod": "C+E"}},
        {"kategoria": None, "zakresKoduUprawnienia": "C+E"},
    ],
)
def test_a_category_is_parsed_from_either_field(category):
    document = parse_answer(make_answer(daneUprawnieniaKategorii=[category]))

    assert document.categories == (LicenceCategory(code="C+E", expires=None),)
    assert document.raw["dokumentPotwierdzajacyUprawnienia"]["daneUprawnieniaKategorii"] == [
        {"kategoria": "C+E", "dataWaznosci": None}
    ]


@pytest.mark.parametrize(
    ("sent", "reasons"),
    [
        (["Decyzja starosty"], (CodedText(code=None, text="Decyzja starosty"),)),
        ([{"kod": "K", "wartosc": "Decyzja"}], (CodedText(code="K", text="Decyzja"),)),
        ([{"kod": "K"}], (CodedText(code="K", text="K"),)),
        ([{"wartosc": "Decyzja"}, "Wyrok"], (CodedText(None, "Decyzja"), CodedText(None, "Wyrok"))),
        (["", {"kod": " "}], ()),
        ([], ()),
        (None, ()),
    ],
)
def test_reasons_are_texts_or_coded_entries(sent, reasons):
    content = {"stanDokumentu": {"kod": "K", "wartosc": "Zatrzymany"}, "powodZmianyStanu": sent}

    assert parse_answer(make_answer(stanDokumentu=content)).reasons == reasons


@pytest.mark.parametrize("serial", ["", "  ", None, "ab123456", "AB 123456"])
def test_an_empty_number_is_the_expected_one_in_any_spelling(serial):
    document = parse_answer(make_answer(seriaNumerBlankietuDruku=serial))

    assert document.number == "AB123456"
    assert document.raw == parse_answer(ANSWER).raw


def test_texts_are_one_line():
    authority = {"kod": "K", "wartosc": "  Starosta\r\n Wołomiński\xa0"}

    assert (
        parse_answer(make_answer(organWydajacyDokument=authority)).issuing_authority
        == "Starosta Wołomiński"
    )


def test_unknown_states_are_returned_unchanged():
    unknown_state = state_change(kod="DICT003_XYZ", wartosc="Utracony (zgłoszenie)")

    assert parse_answer(make_answer(stanDokumentu=unknown_state)).state == CodedText(
        code="DICT003_XYZ", text="Utracony (zgłoszenie)"
    )


def test_unknown_fields_are_ignored():
    extra = make_answer(ograniczenia=["01.01"], czasOdpowiedzi="2026-11-21T05:00:00")

    assert parse_answer(extra | {"identyfikator": "17"}).raw == parse_answer(ANSWER).raw
