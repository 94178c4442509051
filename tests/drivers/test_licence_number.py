# ruff: noqa: RUF001  (tests characters that look alike)
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.drivers.validation import (
    LICENCE_NUMBER_PATTERN,
    FieldError,
    FieldProblem,
    parse_licence_number,
)
from prawko.kit.text.letters import normalise_typed


@pytest.mark.parametrize(
    ("raw", "number"),
    [
        ("AA123456", "AA123456"),
        ("aa123456", "AA123456"),
        ("zZ000000", "ZZ000000"),
        (" AA123456 ", "AA123456"),
        ("ﬁ123456", "FI123456"),
    ],
)
def test_a_number_is_stored_in_capitals(raw, number):
    assert parse_licence_number(raw) == number


@pytest.mark.parametrize("raw", ["", " ", "\t\n"])
def test_an_empty_number_is_missing(raw):
    with pytest.raises(FieldError) as error:
        parse_licence_number(raw)
    assert error.value.problem is FieldProblem.MISSING


@pytest.mark.parametrize(
    "raw",
    [
        "A1234567",
        "AA12345",
        "AA1234567",
        "AAA12345",
        "12345678",
        "AA123456\n",
        "AA 123456",
        "AA123456\x00",
        "ĄA123456",
        "ßA12345",
        "ß123456",
        "ıA123456",
        "ſA123456",
        "AA１２３４５６",
        "ＡＡ123456",
        "AA١٢٣٤٥٦",
        "АА123456",  # Cyrillic
        "AA12345²",
    ],
)
def test_an_invalid_number_is_rejected(raw):
    with pytest.raises(FieldError) as error:
        parse_licence_number(raw)
    assert error.value.problem is FieldProblem.INVALID_FORMAT


@given(st.text(max_size=10))
def test_a_parsed_number_is_two_capitals_and_six_digits(raw):
    try:
        number = parse_licence_number(raw)
    except FieldError:
        return
    assert re.fullmatch("[A-Z]{2}[0-9]{6}", number)
    assert normalise_typed(raw).upper() == number


@given(st.from_regex(r"\A[A-Za-z]{2}[0-9]{6}\Z"))
def test_every_number_of_the_format_is_accepted(raw):
    assert parse_licence_number(raw) == raw.upper()
    assert re.search(LICENCE_NUMBER_PATTERN, raw.upper())
