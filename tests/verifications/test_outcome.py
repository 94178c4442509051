from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.drivers.models import Outcome
from prawko.hooks.licence_register import CodedText, LicenceAnswer
from prawko.verifications.outcome import outcome_of

TODAY = date(2026, 11, 20)
VALID, INVALID, ATTENTION = Outcome.VALID, Outcome.INVALID, Outcome.ATTENTION


def make_answer(text, code=None, expires=None):
    return LicenceAnswer(
        number="AA000001",
        state=CodedText(code, text),
        reasons=(),
        issuing_authority=None,
        expires=expires,
        categories=(),
        notes=(),
        raw={},
    )


@pytest.mark.parametrize(
    ("text", "code", "expires", "outcome"),
    [
        ("Wydany", "DICT003_WYD", None, VALID),
        ("Wydany", None, None, VALID),
        ("Wydany", "", None, VALID),
        ("Wydany", "DICT003A_WYD", None, VALID),
        ("Wydany", "DICT480_1", None, VALID),
        (" wydany\n", "dict003_wyd", None, VALID),
        ("Wydany", "DICT003_WYD", TODAY, VALID),
        ("Wydany", "DICT003_WYD", TODAY - timedelta(days=1), ATTENTION),
        ("Wydany", "DICT003_ZAT", None, ATTENTION),
        ("Wydany", "COFNIETY", None, ATTENTION),
        ("Wydany", "DICT003_UTR", None, ATTENTION),
        ("Wydany", "X", None, VALID),  # the text decides (docs/rules.md R9)
        ("Wydany", "ISSUED", None, VALID),
        ("Wydany warunkowo", "DICT003_WYD", None, ATTENTION),
        ("Niewydany", "DICT003_WYD", None, ATTENTION),
        ("Zatrzymany", "DICT003_ZAT", None, INVALID),
        ("Zatrzymany", "DICT003_WYD", None, INVALID),
        ("ZATRZYMANY", None, TODAY - timedelta(days=1), INVALID),
        ("Cofnięty", None, None, INVALID),
        ("Cofnięte uprawnienia", None, None, INVALID),
        ("Cofnięcie", "X", TODAY - timedelta(days=1), INVALID),
        ("Zatrzymany czasowo", None, None, ATTENTION),
        ("Unieważniony", None, None, ATTENTION),
        ("Utracony", "DICT003_UTR", None, ATTENTION),
        ("", None, None, ATTENTION),
        ("", "DICT003_WYD", None, ATTENTION),
    ],
)
def test_the_state_and_expiry_date_decide_the_outcome(text, code, expires, outcome):
    assert outcome_of(make_answer(text, code, expires), TODAY) is outcome


def test_a_document_the_register_does_not_know_is_not_found():
    assert outcome_of(None, TODAY) is Outcome.NOT_FOUND


def test_a_document_is_valid_on_its_last_day_and_no_longer():
    last = make_answer("Wydany", expires=TODAY)
    assert outcome_of(last, TODAY) is VALID
    assert outcome_of(last, TODAY + timedelta(days=1)) is ATTENTION


@given(text=st.text(), code=st.none() | st.text(), expires=st.none() | st.dates())
def test_valid_means_issued_and_not_expired(text, code, expires):
    if outcome_of(make_answer(text, code, expires), TODAY) is VALID:
        assert text.strip().casefold() == "wydany"
        assert expires is None or expires >= TODAY


@given(text=st.text(), code=st.none() | st.text(), expires=st.none() | st.dates())
def test_invalid_means_withheld_or_withdrawn(text, code, expires):
    if outcome_of(make_answer(text, code, expires), TODAY) is INVALID:
        state = text.strip().casefold()
        assert state == "zatrzymany" or state.startswith("cofni")


@given(suffix=st.text(), expires=st.none() | st.dates())
def test_a_withdrawn_document_is_always_invalid(suffix, expires):
    assert outcome_of(make_answer("Cofni" + suffix, "DICT003_WYD", expires), TODAY) is INVALID
