"""Phone numbers and their codes: how they may be typed, and when the next one may follow."""

from datetime import UTC, datetime, timedelta

import pytest

from prawko.base.texts import Language
from prawko.notifications import phone
from prawko.notifications.errors import InvalidPhoneError, MalformedPhoneCodeError
from prawko.notifications.phone_sms import _sms

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
FORMAT = "Numer telefonu musi być w formacie +48XXXXXXXXX"
SIX_DIGITS = "Kod weryfikacyjny musi składać się z 6 cyfr"


@pytest.mark.parametrize("typed", ["+48600100200", " +48600100200\n"])
def test_a_number_is_48_and_nine_digits(typed) -> None:
    assert phone.parse_phone(typed) == "+48600100200"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Wprowadź numer telefonu"),
        ("  ", "Wprowadź numer telefonu"),
        ("600100200", FORMAT),
        ("+4860010020", FORMAT),
        ("+486001002000", FORMAT),
        ("+49600100200", FORMAT),
        ("0048600100200", FORMAT),
        ("+48 600 100 200", FORMAT),
        ("+48600100200, +48600100201", FORMAT),
        ("+48600100200\n+48600100201", FORMAT),
        ("+48\u0666\u0660\u0660100200", FORMAT),
        ("+48600100\uff12\uff10\uff10", FORMAT),
        ("+48600100200\x00", FORMAT),
    ],
)
def test_any_other_number_is_refused_in_the_words_of_the_form(typed, sentence) -> None:
    with pytest.raises(InvalidPhoneError) as refused:
        phone.parse_phone(typed)

    assert refused.value.message(Language.PL) == sentence
    assert refused.value.field_messages(Language.PL) == {"phoneNumber": sentence}


def test_english_people_read_of_nine_digits() -> None:
    with pytest.raises(InvalidPhoneError) as refused:
        phone.parse_phone("600")
    assert refused.value.message(Language.EN) == "Phone number must be 9 digits"


@pytest.mark.parametrize("typed", ["012345", " 012345 ", "012 345", "0\t1 2345\n"])
def test_blanks_around_a_code_count_for_nothing(typed) -> None:
    assert phone.parse_code(typed) == "012345"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Wprowadź kod weryfikacyjny"),
        (" ", "Wprowadź kod weryfikacyjny"),
        ("12345", SIX_DIGITS),
        ("1234567", SIX_DIGITS),
        ("12345a", SIX_DIGITS),
        ("\u0661\u0662\u0663456", SIX_DIGITS),
        ("-12345", SIX_DIGITS),
    ],
)
def test_what_can_be_no_code_is_refused_in_the_words_of_the_form(typed, sentence) -> None:
    with pytest.raises(MalformedPhoneCodeError) as refused:
        phone.parse_code(typed)

    assert refused.value.field_messages(Language.PL) == {"code": sentence}
    assert refused.value.message(Language.PL) == sentence


def test_codes_are_six_digits_and_not_always_the_same() -> None:
    codes = {phone.new_code() for _ in range(200)}

    assert all(phone.parse_code(code) == code for code in codes)
    assert len(codes) > 190
    assert {code[0] for code in codes} == set("0123456789")


@pytest.mark.parametrize(
    ("made", "wait"),
    [
        (None, 0),
        (timedelta(0), 30),
        (timedelta(seconds=-1), 29),
        (timedelta(seconds=-30), 0),
        (timedelta(days=-1), 0),
        (timedelta(milliseconds=5), 30),  # two processes' clocks differ a little
        (timedelta(days=1), 0),  # the demo's clock was set back
    ],
)
def test_the_next_code_waits_half_a_minute(made, wait) -> None:
    made_at = None if made is None else NOW + made
    assert phone.wait_before_next(made_at, NOW) == timedelta(seconds=wait)


@pytest.mark.parametrize("language", Language)
def test_the_sms_fits_one_part_and_names_the_sender(language) -> None:
    message = _sms("Prawko", language, "+48600100200", "012345")

    assert message.recipient.phone == "+48600100200"
    assert message.recipient.email is None
    assert message.notice.code == "012345"
    assert message.notice.line.startswith("Prawko: ")
    assert "012345" in message.notice.line
    assert len(message.notice.line) <= 160
    assert message.notice.line.isascii(), "a Polish letter would double the price"
    assert "http" not in message.notice.line, "nobody shall learn to follow links in SMS"


def test_a_long_name_of_ours_leaves_room_for_the_code() -> None:
    line = _sms("Źródło " * 30, Language.PL, "+48600100200", "012345").notice.line

    assert "012345" in line
    assert len(line) <= 160
