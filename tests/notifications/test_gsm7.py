# ruff: noqa: RUF001  (Cyrillic letters look like Latin ones)
"""Every SMS fits one segment of GSM characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.kit.text.gsm7 import MAX_SEGMENT_LENGTH, fit_one_segment, to_gsm7

# The characters of GSM 03.38 that count once, without those that we do not use.
GSM_CHARACTERS = set(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("Zażółć gęślą jaźń", "Zazolc gesla jazn"),
        ("ŁÓDŹ, ŚWIĘTOCHŁOWICE", "LODZ, SWIETOCHLOWICE"),
        ("Müller, Łukáš, Đorđević, Ståle Bjørn", "Muller, Lukas, Dordevic, Stale Bjorn"),
        ("Stan: „Wydany” \u2013 ważny…", 'Stan: "Wydany" - wazny...'),
        ("183,27\xa0zł {x} [y] ~ | €5 a^b", "183,27 zl (x) (y) - / EUR5 ab"),
        ("Олександр Шевченко, ГРИГОРІЙ, Юлія", "Oleksandr Shevchenko, HRYHORII, Yuliia"),
        ("Юрий Щукин, Ёлкина, Ъгъл", "Iurii Shchukin, Elkina, Iegiel"),
        ("Шаўчэнка Багдановіч, Мар'яна", "Shauchenka Bahdanovich, Mar'iana"),
        ("Γεώργιος ქეთევან Արմեն Nguyễn 王 \ue000", "Georgios ketevan Armen Nguyen Wang ?"),
        ("dwie\nlinie\tobok", "dwie linie obok"),
        ("½ ﬁ ①", "1/2 fi 1"),
    ],
)
def test_letters_become_gsm_characters(text, letters) -> None:
    assert to_gsm7(text) == letters


@given(st.text(max_size=300))
def test_gsm_text_is_unchanged(text) -> None:
    letters = to_gsm7(text)

    assert set(letters) <= GSM_CHARACTERS
    assert to_gsm7(letters) == letters


def sms_line(text) -> str:
    return f"Prawko: zatrzymane uprawnienia: {text['name']}, AA123456. Stan: {text['state']}."


@pytest.mark.parametrize(
    ("name", "shortened"),
    [
        ("Jan Kowalski", "Jan Kowalski"),
        ("Grzegorz " + "Brzęczyszczykiewicz" * 5, "G. Brzeczyszczykiewicz"),
        ("Aleksander " + "X" * 90, "A. " + "X" * 60),
        ("X" * 160, "X" * 60),
    ],
)
def test_a_long_name_is_shortened_and_the_rest_is_not(name, shortened) -> None:
    parts = fit_one_segment(sms_line, {"name": name, "state": "Zatrzymany"})

    assert len(parts) <= MAX_SEGMENT_LENGTH
    assert parts.startswith(f"Prawko: zatrzymane uprawnienia: {shortened}")
    assert parts.endswith(", AA123456. Stan: Zatrzymany.")


def test_the_longest_value_is_shortened_first() -> None:
    parts = fit_one_segment(sms_line, {"name": "Jan Kowalski", "state": "stan nieznany " * 20})

    assert len(parts) <= MAX_SEGMENT_LENGTH
    assert "Jan Kowalski, AA123456" in parts
    assert "Stan: stan nieznany stan" in parts


def test_the_text_itself_is_cut_when_no_value_can_be_shortened() -> None:
    assert len(fit_one_segment(lambda _: "słowo " * 60, {})) <= MAX_SEGMENT_LENGTH


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=120))
def test_any_text_fits_one_segment(name, state, brand) -> None:
    text_parts = fit_one_segment(
        lambda parts: f"{brand}: {parts['name']}, {parts['state']}", {"name": name, "state": state}
    )

    assert len(text_parts) <= MAX_SEGMENT_LENGTH
    assert set(text_parts) <= GSM_CHARACTERS
