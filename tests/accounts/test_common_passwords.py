"""Common passwords are refused, uncommon ones are not."""

import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.accounts.passwords import policy
from prawko.accounts.passwords.policy import is_common

COMMON = [
    "Password1",
    "Password123",
    "Password1!",
    "P@ssw0rd",
    "P@ssw0rd1",
    "Passw0rd",
    "Qwerty123",
    "Qwerty12",
    "1q2w3e4R",
    "1Q2w3e4r5t",
    "Zaq12wsx",
    "ZAQ!2wsx",
    "1qaz2wsX",
    "!QAZ2wsx",
    "Haslo123",
    "Hasło123!",
    "Abc12345",
    "Abcd1234",
    "A1b2c3d4",
    "Trustno1",
    "Jordan23",
    "Michael1",
    "Welcome1",
    "Football1",
    "Iloveyou1",
    "Kocham1",
    "Kochanie1",
    "Polska2024",
    "Warszawa1",
    "Kasia123",
    "Prawko2026!",
    "Kierowca1",
    "Admin123",
    "Administrator1",
    "Asdf1234",
    "Test1234",
    "Letmein1",
    "Changeme1",
    "Qwe123qwe",
    "Qaz123wsx",
    "123Qweasd",
    "1Qazxsw2",
    "Apollo13",
    "Blink182",
    "Rush2112",
    "Aa123456",
    "Aaaa1111",
    "Abc123abc",
    "Lato2026!",
    "Zima2025",
    "Maciek123",
    "Krzysztof1",
    "12345678A",
    "A12345678",
    "Q1w2e3r4",
    "Dragon01",
    "Monkey12",
    "Start123",
    "Witaj123",
    "Zxcvbnm1",
    "123456Aa",
    "Qazwsx123",
    "Master123",
    "Superman1",
    "Pokemon1",
    "Princess1",
    "Marcin1989",
    "Mateusz1",
    "Bartek12",
    "Lukasz123",
    "Łukasz123",
    "Samsung1",
    "Google123",
    "Transport1",
    "Spedycja2025",
    "HasloHaslo1",
]
UNCOMMON = [
    "Sezamie0twórz",
    "Nieznane0haslo",
    "Inne0haslo",
    "Zle0haslo",
    "Xk4mpQzu",
    "T7hrzwqLm",
    "Kawa7zmlekiem",
    "Trzy7konie-w-galopie",
    "Deszcz8pada",
    "Zielone2krzeslo",
    "Polska1gra2siatkowka",
    "correct-Horse-7-battery",
]


@pytest.mark.parametrize("password", COMMON)
def test_common_passwords_are_recognised(password) -> None:
    assert is_common(password)


@pytest.mark.parametrize("password", UNCOMMON)
def test_uncommon_passwords_are_accepted(password) -> None:
    assert not is_common(password)
    assert policy.password_issues(password, refuse_common=True) == []


def test_the_rules_refuse_far_more_than_the_three_thousand_commonest() -> None:
    tails = ["1", "12", "123", "1234", "12345", "01", "2025", "2026", "1!", "123!"]
    candidates = {f"{word.capitalize()}{tail}" for word in policy._common_words() for tail in tails}
    accepted = {password for password in candidates if not policy.password_issues(password)}

    assert len(accepted) > 3000
    assert all(
        policy.password_issues(password, refuse_common=True) == ["common"] for password in accepted
    )


def test_the_word_list_is_small_and_without_duplicates() -> None:
    policy._common_words.cache_clear()
    tracemalloc.start()
    words = policy._common_words()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 512 * 1024
    assert all(word.isascii() and word.islower() for word in words)


def test_a_very_long_password_is_not_examined() -> None:
    started = time.process_time()
    for long_password in ("a" * 5000, "1qaz" * 1250, "ż" * 5000):
        assert not is_common(long_password)
    assert time.process_time() - started < 0.5


@given(st.text(max_size=80))
def test_any_text_can_be_examined(text) -> None:
    assert is_common(text) in {True, False}


@given(
    st.text(alphabet="bcdfghjkmnpqrstvwxyzBCDFGHJKMNPQRSTVWXYZ0123456789", min_size=24, max_size=24)
)
def test_long_random_passwords_are_accepted(text) -> None:
    if len(set(text)) > 8:
        assert not is_common(text)
