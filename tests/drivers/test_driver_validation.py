import pytest

from prawko.drivers.errors import DriverLimitError, InvalidDriverDataError
from prawko.drivers.validation import parse_details
from prawko.kit.text.i18n import Language

JAN = {"first_name": "Jan", "last_name": "Nowak", "license_number": "aa123456"}


def test_details_are_normalised():
    assert parse_details(JAN) == {**JAN, "license_number": "AA123456"}


def test_only_given_fields_are_parsed():
    assert parse_details({"last_name": " Kos "}) == {"last_name": "Kos"}
    assert parse_details({}) == {}


@pytest.mark.parametrize(
    ("change", "field", "message"),
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
def test_each_field_has_its_message(change, field, message):
    with pytest.raises(InvalidDriverDataError) as error:
        parse_details({**JAN, **change})
    assert error.value.message(Language.PL) == message
    assert error.value.field_messages(Language.PL) == {field: message}


@pytest.mark.parametrize("language", Language)
def test_all_invalid_fields_are_reported_and_the_first_is_the_message(language):
    with pytest.raises(InvalidDriverDataError) as error:
        parse_details({"first_name": "", "last_name": "x" * 81, "license_number": "\n1"})
    messages = error.value.field_messages(language)
    assert list(messages) == ["firstName", "lastName", "licenseNumber"]
    assert error.value.message(language) == messages["firstName"]


@pytest.mark.parametrize("language", Language)
def test_the_limit_message_contains_the_word_limit(language):
    assert "limit" in DriverLimitError().message(language)
