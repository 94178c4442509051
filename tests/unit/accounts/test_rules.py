"""Addresses, passwords, codes and origins: the rules that need no database."""

import pytest

from prawko.accounts import codes, passwords
from prawko.accounts.addresses import email_key, parse_email
from prawko.base.settings import Settings
from prawko.web.dependencies import _nearest_stranger
from prawko.web.sessions import own_origins, session_token

SECRET = "A" * 44


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("anna@acme.test", "anna@acme.test"),
        ("  Anna.Nowak+fleet@ACME.test ", "Anna.Nowak+fleet@ACME.test"),
        ("a@b.co", "a@b.co"),
        ("anna", None),
        ("anna@acme", None),
        ("@acme.test", None),
        ("anna@@acme.test", None),
        ("an na@acme.test", None),
        ("anna@acme.test\nBcc: x@y.test", None),
        ("anna@acme..test", None),
        ("żaneta@acme.test", None),
        ("anna@żółw.test", None),
        ("x" * 65 + "@acme.test", None),
        ("anna@" + "a" * 250 + ".test", None),
    ],
)
def test_an_address_is_read_or_refused(typed, read) -> None:
    assert parse_email(typed) == read


def test_addresses_compare_without_case() -> None:
    assert email_key("Anna@ACME.test") == email_key("anna@acme.TEST")


@pytest.mark.parametrize(
    ("password", "faults"),
    [
        ("Haslo123", []),
        ("Ż1234567", []),
        ("haslo123", ["no_capital"]),
        ("HasloHaslo", ["no_digit"]),
        ("Has1", ["too_short"]),
        ("", ["too_short", "no_capital", "no_digit"]),
        ("Haslo\u0661\u0662\u0663", ["no_digit"]),  # Arabic digits
        ("Aa1" + "x" * 5000, ["too_long"]),
    ],
)
def test_a_password_says_what_it_lacks(password, faults) -> None:
    assert passwords.faults(password) == faults


@pytest.mark.anyio
async def test_a_hash_fits_its_password_alone() -> None:
    stored = await passwords.hash_password("Haslo123")

    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert await passwords.matches(stored, "Haslo123")
    assert not await passwords.matches(stored, "Haslo124")
    assert not await passwords.matches(None, "nobody has this password")
    assert not await passwords.matches("no hash at all", "Haslo123")


def test_codes_are_of_letters_nobody_mistakes() -> None:
    made = {codes.new_email_code() for _ in range(500)}

    assert len(made) == 500
    assert set("".join(made)) <= set(codes.ALPHABET)
    assert {len(code) for code in made} == {6}
    assert len(set(codes.ALPHABET)) == 32
    assert not set("01IO") & set(codes.ALPHABET)


@pytest.mark.parametrize("typed", ["ab2cd3", " AB2 CD3\n", "aB2\tcD3"])
def test_small_letters_and_blanks_around_a_code_do_not_matter(typed) -> None:
    assert codes.as_typed(typed) == "AB2CD3"


@pytest.mark.parametrize(
    ("forwarded", "found"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("6.6.6.6, 203.0.113.7", "203.0.113.7"),
        ("6.6.6.6, 203.0.113.7, 10.0.0.1", "203.0.113.7"),
        ("10.0.0.1", None),
        ("", None),
    ],
)
def test_of_a_chain_of_proxies_the_last_stranger_counts(forwarded, found) -> None:
    assert _nearest_stranger(forwarded, frozenset({"10.0.0.1"})) == found


@pytest.mark.parametrize(
    ("cookies", "token"),
    [
        (b"prawko=abc", "abc"),
        (b"other=1; prawko=abc; x=2", "abc"),
        (b"prawko2=abc", None),
        (b"", None),
        (b"\xff\xfe", None),
    ],
)
def test_the_sessions_cookie_is_found(cookies, token) -> None:
    assert session_token(cookies, "prawko") == token


def test_a_loopback_site_answers_to_both_of_its_names() -> None:
    def origins(base_url: str) -> set[bytes]:
        made = Settings(database_url="", redis_url="", secret_key=SECRET, base_url=base_url)
        return set(own_origins(made))

    assert origins("http://127.0.0.1:8000") == {b"http://127.0.0.1:8000", b"http://localhost:8000"}
    assert origins("https://prawko.test") == {b"https://prawko.test"}
