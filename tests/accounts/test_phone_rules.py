"""Format of phone numbers and codes, and the wait for the next code."""

from datetime import UTC, datetime, timedelta

import pytest

from prawko.accounts import phone_verification
from prawko.accounts.errors import InvalidPhoneError, MalformedPhoneCodeError
from prawko.accounts.phone_verification import render_sms
from prawko.kit.text.i18n import Language

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
FORMAT = "Numer telefonu musi być w formacie +48XXXXXXXXX"
SIX_DIGITS = "Kod weryfikacyjny musi składać się z 6 cyfr"


@pytest.mark.parametrize("raw", ["+48600100200", " +48600100200\n"])
def test_a_number_is_plus_48_and_nine_digits(raw) -> None:
    assert phone_verification.parse_phone(raw) == "+48600100200"


@pytest.mark.parametrize(
    ("raw", "sentence"),
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
def test_any_other_number_is_refused_with_the_message_of_the_form(raw, sentence) -> None:
    with pytest.raises(InvalidPhoneError) as refused:
        phone_verification.parse_phone(raw)

    assert refused.value.message(Language.PL) == sentence
    assert refused.value.field_messages(Language.PL) == {"phoneNumber": sentence}


def test_the_english_message_asks_for_nine_digits() -> None:
    with pytest.raises(InvalidPhoneError) as refused:
        phone_verification.parse_phone("600")
    assert refused.value.message(Language.EN) == "Phone number must be 9 digits"


@pytest.mark.parametrize("raw", ["012345", " 012345 ", "012 345", "0\t1 2345\n"])
def test_blanks_in_a_code_are_ignored(raw) -> None:
    assert phone_verification.parse_phone_code(raw) == "012345"


@pytest.mark.parametrize(
    ("raw", "sentence"),
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
def test_a_malformed_code_is_refused_with_the_message_of_the_form(raw, sentence) -> None:
    with pytest.raises(MalformedPhoneCodeError) as refused:
        phone_verification.parse_phone_code(raw)

    assert refused.value.field_messages(Language.PL) == {"code": sentence}
    assert refused.value.message(Language.PL) == sentence


def test_codes_are_six_random_digits() -> None:
    codes = {phone_verification.new_phone_code() for _ in range(200)}

    assert all(phone_verification.parse_phone_code(code) == code for code in codes)
    assert len(codes) > 190
    assert {code[0] for code in codes} == set("0123456789")


@pytest.mark.parametrize(
    ("requested", "seconds"),
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
def test_the_next_code_waits_thirty_seconds(requested, seconds) -> None:
    made_at = None if requested is None else NOW + requested
    assert phone_verification.resend_wait(made_at, NOW) == timedelta(seconds=seconds)


@pytest.mark.parametrize("language", Language)
def test_the_sms_of_a_code_fits_one_segment_and_names_the_sender(language) -> None:
    message = render_sms("Prawko", language, "+48600100200", "012345")

    assert message.recipient.phone == "+48600100200"
    assert message.recipient.email is None
    assert message.content.code == "012345"
    assert message.content.sms_text.startswith("Prawko: ")
    assert "012345" in message.content.sms_text
    assert len(message.content.sms_text) <= 160
    assert message.content.sms_text.isascii(), "a Polish letter would double the price"
    assert "http" not in message.content.sms_text, "nobody shall learn to follow links in SMS"


def test_a_long_brand_leaves_room_for_the_code() -> None:
    sms_text = render_sms("Źródło " * 30, Language.PL, "+48600100200", "012345").content.sms_text

    assert "012345" in sms_text
    assert len(sms_text) <= 160
