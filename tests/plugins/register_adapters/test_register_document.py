"""What is read of a document, whichever protocol carried it."""

from copy import deepcopy
from datetime import date

import pytest

from prawko.hooks.licence_document import read_document
from prawko.hooks.licence_register import Category, CodedText, RegisterError, RegisterTrouble

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


def answer(**changes):
    """The answer with parts of its document replaced; `...` takes a part away."""
    changed = deepcopy(ANSWER)
    document = changed["dokumentPotwierdzajacyUprawnienia"]
    for name, value in changes.items():
        if value is ...:
            del document[name]
        else:
            document[name] = value
    return changed


def read(content):
    return read_document(content, asked="AB123456")


def state(**entry):
    return {"stanDokumentu": entry}


def test_every_fact_is_read():
    found = read(ANSWER)

    assert found.serial == "AB123456"
    assert found.state == CodedText(code="DICT003_ZAT", text="Zatrzymany")
    assert found.reasons == (CodedText(code="DICT067_1", text="Decyzja starosty"),)
    assert found.issuing_authority == "Starosta Wołomiński"
    assert found.expires == date(2039, 2, 28)
    assert found.categories == (
        Category(code="B", expires=None),
        Category(code="C+E", expires=date(2030, 1, 31)),
    )
    assert found.notes == ("Sprawdź dodatkowo",)


def test_what_is_optional_may_be_missing():
    bare = {"dokumentPotwierdzajacyUprawnienia": state(**state(kod="K", wartosc="Wydany"))}

    found = read(bare)

    assert found.state.text == "Wydany"
    assert found.serial == "AB123456"
    assert (found.issuing_authority, found.expires) == (None, None)
    assert (found.reasons, found.categories, found.notes) == ((), (), ())


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
        answer(stanDokumentu=...),
        answer(stanDokumentu=None),
        answer(stanDokumentu="Wydany"),
        answer(stanDokumentu={}),
        answer(stanDokumentu={"kod": "DICT003_WYD", "wartosc": "Wydany"}),
        answer(stanDokumentu={"stanDokumentu": None}),
        answer(stanDokumentu={"stanDokumentu": "Wydany"}),
        answer(stanDokumentu={"stanDokumentu": [{"kod": "DICT003_WYD", "wartosc": "Wydany"}]}),
        answer(stanDokumentu=state(kod="DICT003_WYD")),
        answer(stanDokumentu=state(kod="DICT003_WYD", wartosc=None)),
        answer(stanDokumentu=state(kod="DICT003_WYD", wartosc=" \t")),
        answer(stanDokumentu=state(kod="DICT003_WYD", wartosc=["Wydany"])),
        answer(stanDokumentu=state(kod="DICT003_WYD", wartosc=True)),
        answer(stanDokumentu=state(kod=3, wartosc="Wydany")),
        answer(stanDokumentu=state(wartosc="Wydany")),
        answer(stanDokumentu=state(kod="", wartosc="Wydany")),
        answer(stanDokumentu=state(kod="K", wartosc="Wyd\x00any")),
        answer(stanDokumentu=state(kod="K", wartosc="Wydany\ud800")),
        answer(stanDokumentu=[state(kod="K", wartosc="Wydany")]),
        answer(seriaNumerBlankietuDruku="ZZ999999"),
        answer(seriaNumerBlankietuDruku=123456),
        answer(daneUprawnieniaKategorii={"kategoria": "B"}),
        answer(daneUprawnieniaKategorii="B"),
        answer(daneUprawnieniaKategorii=[{"dataWaznosci": "2030-01-01"}]),
        answer(daneUprawnieniaKategorii=[{"kategoria": " "}]),
        answer(daneUprawnieniaKategorii=[{"kategoria": "B", "dataWaznosci": "jutro"}]),
        answer(organWydajacyDokument="Starosta"),
        answer(typDokumentu=7),
    ],
)
def test_what_cannot_be_believed_is_garbage(content):
    with pytest.raises(RegisterError) as failure:
        read(content)

    assert failure.value.trouble is RegisterTrouble.GARBAGE


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
    assert read(answer(dataWaznosci=text)).expires == day


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
def test_a_date_that_cannot_be_read_is_garbage_and_not_a_missing_date(text):
    with pytest.raises(RegisterError) as failure:
        read(answer(dataWaznosci=text))

    assert failure.value.trouble is RegisterTrouble.GARBAGE


@pytest.mark.parametrize(
    "entry",
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
def test_a_category_is_read_under_either_name_and_stored_under_one(entry):
    found = read(answer(daneUprawnieniaKategorii=[entry]))

    assert found.categories == (Category(code="C+E", expires=None),)
    assert found.raw["dokumentPotwierdzajacyUprawnienia"]["daneUprawnieniaKategorii"] == [
        {"kategoria": "C+E", "dataWaznosci": None}
    ]


@pytest.mark.parametrize(
    ("sent", "found"),
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
def test_reasons_are_words_or_entries(sent, found):
    content = {"stanDokumentu": {"kod": "K", "wartosc": "Zatrzymany"}, "powodZmianyStanu": sent}

    assert read(answer(stanDokumentu=content)).reasons == found


@pytest.mark.parametrize("serial", ["", "  ", None, "ab123456", "AB 123456"])
def test_a_blank_serial_is_the_one_that_was_asked_and_its_spelling_does_not_matter(serial):
    found = read(answer(seriaNumerBlankietuDruku=serial))

    assert found.serial == "AB123456"
    assert found.raw == read(ANSWER).raw


def test_texts_are_one_line():
    organ = {"kod": "K", "wartosc": "  Starosta\r\n Wołomiński\xa0"}

    assert read(answer(organWydajacyDokument=organ)).issuing_authority == "Starosta Wołomiński"


def test_unknown_states_are_kept_as_they_are():
    unheard = state(kod="DICT003_XYZ", wartosc="Utracony (zgłoszenie)")

    assert read(answer(stanDokumentu=unheard)).state == CodedText(
        code="DICT003_XYZ", text="Utracony (zgłoszenie)"
    )


def test_fields_nobody_knows_change_nothing():
    more = answer(ograniczenia=["01.01"], czasOdpowiedzi="2026-11-21T05:00:00")

    assert read(more | {"identyfikator": "17"}).raw == read(ANSWER).raw
