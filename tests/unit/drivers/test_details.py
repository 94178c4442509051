import pytest

from prawko.base.texts import Language
from prawko.drivers.details import read_details
from prawko.drivers.errors import DriverLimitError, InvalidDriverDataError

JAN = {"first_name": "Jan", "last_name": "Nowak", "license_number": "aa123456"}


def test_details_are_read_into_what_is_stored():
    assert read_details(JAN) == {**JAN, "license_number": "AA123456"}


def test_only_the_given_fields_are_read():
    assert read_details({"last_name": " Kos "}) == {"last_name": "Kos"}
    assert read_details({}) == {}


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"first_name": " "}, "firstName", "Imię jest wymagane"),
        ({"last_name": ""}, "lastName", "Nazwisko jest wymagane"),
        ({"license_number": ""}, "licenseNumber", "Numer prawa jazdy jest wymagany"),
        (
            {"license_number": "A1"},
            "licenseNumber",
            "Numer prawa jazdy musi być w formacie AA123456",
        ),
    ],
)
def test_each_field_has_the_sentence_of_the_spec(change, field, sentence):
    with pytest.raises(InvalidDriverDataError) as refusal:
        read_details({**JAN, **change})
    assert refusal.value.message(Language.PL) == sentence
    assert refusal.value.field_messages(Language.PL) == {field: sentence}


@pytest.mark.parametrize("language", Language)
def test_all_unfit_fields_are_named_at_once_and_the_first_is_the_message(language):
    with pytest.raises(InvalidDriverDataError) as refusal:
        read_details({"first_name": "", "last_name": "x" * 81, "license_number": "\n1"})
    sentences = refusal.value.field_messages(language)
    assert list(sentences) == ["firstName", "lastName", "licenseNumber"]
    assert refusal.value.message(language) == sentences["firstName"]


@pytest.mark.parametrize("language", Language)
def test_the_sentence_at_the_limit_holds_the_word_the_screens_look_for(language):
    assert "limit" in DriverLimitError().message(language)
