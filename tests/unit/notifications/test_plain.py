"""An SMS is one part, whatever it is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.notifications.plain import LONGEST, one_part, plain

# The letters of GSM 03.38 that count once, less those that are not ours.
GSM = set(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)


@pytest.mark.parametrize(
    ("words", "letters"),
    [
        ("Zażółć gęślą jaźń", "Zazolc gesla jazn"),
        ("ŁÓDŹ, ŚWIĘTOCHŁOWICE", "LODZ, SWIETOCHLOWICE"),
        ("Müller, Łukáš, Đorđević, Ståle Bjørn", "Muller, Lukas, Dordevic, Stale Bjorn"),
        ("Stan: „Wydany” \u2013 ważny…", 'Stan: "Wydany" - wazny...'),
        ("183,27\xa0zł {x} [y] ~ | €5 a^b", "183,27 zl (x) (y) - / EUR5 ab"),
        ("Шевченко", "????????"),
        ("dwie\nlinie\tobok", "dwie?linie?obok"),
        ("½ ﬁ ①", "1?2 fi 1"),
    ],
)
def test_letters_become_plain(words, letters) -> None:
    assert plain(words) == letters


@given(st.text(max_size=300))
def test_what_is_plain_is_gsm_and_stays_as_it_is(words) -> None:
    letters = plain(words)

    assert set(letters) <= GSM
    assert plain(letters) == letters


def line(words) -> str:
    return f"Prawko: zatrzymane uprawnienia: {words['name']}, AA123456. Stan: {words['state']}."


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Jan Kowalski", "Jan Kowalski"),
        ("Grzegorz " + "Brzęczyszczykiewicz" * 5, "G. Brzeczyszczykiewicz"),
        ("Aleksander " + "X" * 90, "A. " + "X" * 60),
        ("X" * 160, "X" * 60),
    ],
)
def test_a_long_name_gives_way_and_the_rest_stays_whole(name, said) -> None:
    words = one_part(line, {"name": name, "state": "Zatrzymany"})

    assert len(words) <= LONGEST
    assert words.startswith(f"Prawko: zatrzymane uprawnienia: {said}")
    assert words.endswith(", AA123456. Stan: Zatrzymany.")


def test_the_longest_word_gives_way_first() -> None:
    words = one_part(line, {"name": "Jan Kowalski", "state": "stan nieznany " * 20})

    assert len(words) <= LONGEST
    assert "Jan Kowalski, AA123456" in words
    assert "Stan: stan nieznany stan" in words


def test_our_own_words_are_cut_when_nothing_else_gives_way() -> None:
    assert len(one_part(lambda _: "słowo " * 60, {})) <= LONGEST


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=120))
def test_it_is_one_part_whatever_stands_in_it(name, state, brand) -> None:
    words = one_part(
        lambda parts: f"{brand}: {parts['name']}, {parts['state']}", {"name": name, "state": state}
    )

    assert len(words) <= LONGEST
    assert set(words) <= GSM
