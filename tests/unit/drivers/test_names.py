import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.drivers.faults import Fault, UnfitTextError
from prawko.drivers.names import MAX_LENGTH, read_name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Jan", "Jan"),
        ("  Jan  ", "Jan"),
        ("Anna  Maria", "Anna Maria"),
        ("Nowak-Kowalska", "Nowak-Kowalska"),
        ("O'Neill", "O'Neill"),
        ("Zo\u0308e", "Zöe"),
        ("Z\u0301d\u017abło", "Źdźbło"),
        ("Łukasz\u00a0Jan", "Łukasz Jan"),
        ("Шевченко", "Шевченко"),
        ("Ż" * MAX_LENGTH, "Ż" * MAX_LENGTH),
        ("<b>Jan</b>", "<b>Jan</b>"),  # text is text; screens and mails escape it
        ("=1+1", "=1+1"),  # exports neutralise it
    ],
)
def test_a_name_is_kept_as_people_write_it(typed, name):
    assert read_name(typed) == name


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("", Fault.MISSING),
        ("   ", Fault.MISSING),
        ("\u00a0\u2003", Fault.MISSING),
        ("Ż" * (MAX_LENGTH + 1), Fault.TOO_LONG),
        ("Jan\r\nBcc: all@prawko.test", Fault.CHARACTERS),
        ("Jan\nKowalski", Fault.CHARACTERS),
        ("Jan\n", Fault.CHARACTERS),
        ("Jan\tKowalski", Fault.CHARACTERS),
        ("Jan\x00", Fault.CHARACTERS),
        ("Jan\x85", Fault.CHARACTERS),
        ("Jan\u2028Kowalski", Fault.CHARACTERS),
        ("Jan\u202enawok", Fault.CHARACTERS),
        ("Jan\u200b", Fault.CHARACTERS),
        ("Jan\ue000", Fault.CHARACTERS),
    ],
)
def test_what_is_no_name_is_refused_with_its_reason(typed, fault):
    with pytest.raises(UnfitTextError) as refusal:
        read_name(typed)
    assert refusal.value.fault is fault


@given(st.text(max_size=120))
def test_a_name_that_passes_is_short_visible_and_stays_itself(typed):
    try:
        name = read_name(typed)
    except UnfitTextError:
        return
    assert 0 < len(name) <= MAX_LENGTH
    assert name == name.strip()
    assert name.isprintable()
    assert "  " not in name
    assert unicodedata.is_normalized("NFC", name)
    assert read_name(name) == name
