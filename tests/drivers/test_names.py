import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.drivers.validation import MAX_NAME_LENGTH, FieldError, FieldProblem, parse_name


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Jan", "Jan"),
        ("  Jan  ", "Jan"),
        ("Anna  Maria", "Anna Maria"),
        ("Nowak-Kowalska", "Nowak-Kowalska"),
        ("Nowak \u2013 Kowalska", "Nowak-Kowalska"),
        ("O'Neill", "O'Neill"),
        ("Zo\u0308e", "Zöe"),
        ("Z\u0301d\u017abło", "Źdźbło"),
        ("Łukasz\u00a0Jan", "Łukasz Jan"),
        ("Шевченко", "Шевченко"),
        ("Ż" * MAX_NAME_LENGTH, "Ż" * MAX_NAME_LENGTH),
        ("D\u2019Angelo", "D'Angelo"),
        ("Anna-Maria J. Św.", "Anna-Maria J. Św."),
    ],
)
def test_a_name_is_normalised(raw, name):
    assert parse_name(raw) == name


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ("", FieldProblem.MISSING),
        ("   ", FieldProblem.MISSING),
        ("\u00a0\u2003", FieldProblem.MISSING),
        ("Ż" * (MAX_NAME_LENGTH + 1), FieldProblem.TOO_LONG),
        ("Jan\r\nBcc: all@prawko.test", FieldProblem.INVALID_CHARACTERS),
        ("Jan\nKowalski", FieldProblem.INVALID_CHARACTERS),
        ("Jan\n", FieldProblem.INVALID_CHARACTERS),
        ("Jan\tKowalski", FieldProblem.INVALID_CHARACTERS),
        ("Jan\x00", FieldProblem.INVALID_CHARACTERS),
        ("Jan\x85", FieldProblem.INVALID_CHARACTERS),
        ("Jan\u2028Kowalski", FieldProblem.INVALID_CHARACTERS),
        ("Jan\ue000", FieldProblem.INVALID_CHARACTERS),
        ("<script>", FieldProblem.INVALID_CHARACTERS),
        ("<b>Jan</b>", FieldProblem.INVALID_CHARACTERS),
        ("=1+1", FieldProblem.INVALID_CHARACTERS),
        ("Jan; DROP TABLE driver", FieldProblem.INVALID_CHARACTERS),
        ("${jndi:ldap}", FieldProblem.INVALID_CHARACTERS),
        ("Jan 2", FieldProblem.INVALID_CHARACTERS),
        ("Jan_Kowalski", FieldProblem.INVALID_CHARACTERS),
        ("-.'", FieldProblem.INVALID_CHARACTERS),
        ("\u0301", FieldProblem.INVALID_CHARACTERS),
    ],
)
def test_an_invalid_name_is_rejected_with_its_problem(raw, problem):
    with pytest.raises(FieldError) as error:
        parse_name(raw)
    assert error.value.problem is problem


@given(st.text(max_size=120))
def test_a_parsed_name_is_short_printable_and_parses_to_itself(raw):
    try:
        name = parse_name(raw)
    except FieldError:
        return
    assert 0 < len(name) <= MAX_NAME_LENGTH
    assert name == name.strip()
    assert not set(name) & set('<>=+@;|&$(){}[]"\\/%#`\t0123456789')
    assert name.isprintable()
    assert "  " not in name
    assert unicodedata.is_normalized("NFC", name)
    assert parse_name(name) == name
