"""Addresses, passwords, codes and origins: the rules that need no database."""

from urllib.parse import quote

import pytest

from prawko.accounts import codes, limits, passwords, reset_links
from prawko.accounts.addresses import email_key, parse_email
from prawko.accounts.beat import BEAT_SECONDS, until_the_beat
from prawko.base.settings import Settings
from prawko.web.origins import client_address, read_networks
from prawko.web.sessions import own_origins, session_token
from prawko_tenants.ids import new_id

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


TRUSTED = "10.0.0.1, 172.16.0.0/12,2001:db8:1::/48"


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("203.0.113.7", [], "203.0.113.7"),
        ("203.0.113.7", ["6.6.6.6"], "203.0.113.7"),
        ("10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["6.6.6.6, 203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["6.6.6.6, 203.0.113.7, 172.20.3.4"], "203.0.113.7"),
        ("10.0.0.1", ["6.6.6.6", "203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["203.0.113.7, 10.0.0.1"], "203.0.113.7"),
        ("10.0.0.1", ["203.0.113.7:51234"], "203.0.113.7"),
        ("10.0.0.1", ["[2001:db8:2::7]:51234"], "2001:db8:2::7"),
        ("2001:db8:1::5", ["2001:DB8:2::7"], "2001:db8:2::7"),
        ("10.0.0.1", ["6.6.6.6, not an address"], "10.0.0.1"),
        ("10.0.0.1", ["x" * 5000], "10.0.0.1"),
        ("10.0.0.1", ["6.6.6.6, , 10.0.0.1"], "6.6.6.6"),
        ("10.0.0.1", ["10.0.0.1"], "10.0.0.1"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("", ["6.6.6.6"], ""),
    ],
)
def test_of_a_chain_of_proxies_the_last_stranger_counts(peer, forwarded, found) -> None:
    assert client_address(peer, forwarded, read_networks(TRUSTED)) == found


def test_without_trusted_proxies_no_chain_counts() -> None:
    assert client_address("10.0.0.1", ["6.6.6.6"], read_networks("")) == "10.0.0.1"


@pytest.mark.parametrize(
    ("ip", "whose"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:2:3:4:5:6:7", "2001:db8:2:3::/64"),
        ("2001:db8:2:3::9", "2001:db8:2:3::/64"),
        ("2001:db8:2:4::9", "2001:db8:2:4::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("", ""),
    ],
)
def test_a_networks_tries_are_counted_together(ip, whose) -> None:
    assert limits.network(ip) == whose


def test_a_beat_hides_how_long_the_work_took() -> None:
    for spent in (0.0, 0.003, 0.2499, 0.26, 0.7, 3.1):
        whole = (spent + until_the_beat(spent)) / BEAT_SECONDS
        assert whole == pytest.approx(round(whole))
        assert 0 < until_the_beat(spent) <= BEAT_SECONDS


def test_a_links_token_names_its_row_and_nothing_else_is_one() -> None:
    code_id = new_id()
    token = reset_links.new_token(code_id)

    assert reset_links.code_of(token) == code_id
    assert reset_links.new_token(code_id) != token
    assert len(token) == 64
    assert quote(token, safe="") == token
    for wrong in ("", "x", token[:-1], token + "AAAA", "ż" * 64, "=" * 64, token.replace("A", "!")):
        assert reset_links.code_of(wrong) is None or wrong == token
    assert reset_links.reset_url("https://prawko.test/", "t") == (
        "https://prawko.test/auth/reset-password?token=t"
    )


@pytest.mark.parametrize(
    ("cookies", "token"),
    [
        (b"prawko=abc", "abc"),
        (b"other=1; prawko=abc; x=2", "abc"),
        (b"prawko2=abc", None),
        (b'consent={"all":1}; a[b]=1; jupyter; Path=/x; foo=b r; prawko=abc', "abc"),
        (b"prawko=abc;prawko=def", "abc"),
        (b"x=prawko; prawko", None),
        (b"", None),
        (b"\xff\xfe", None),
        (b"prawko=\xff", None),
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
