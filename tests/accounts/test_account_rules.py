"""Rules of addresses, passwords, codes, networks and tokens, without a database."""

from types import SimpleNamespace
from urllib.parse import quote

import pytest

from prawko.accounts import phone_verification, registration
from prawko.accounts.email_address import mailbox_of, normalise_email, parse_email
from prawko.accounts.one_time_codes import CODE_ALPHABET, OneTimeCodes
from prawko.accounts.passwords import hashing, policy, reset
from prawko.apps.web.authentication import allowed_origins, parse_session_token
from prawko.kit.constant_time import PADDING_INTERVAL_SECONDS, padding_seconds
from prawko.kit.crypto import KeyRing
from prawko.kit.http.client_ip import parse_networks, resolve_client_ip
from prawko.kit.rate_limit import client_network
from prawko.kit.settings import Settings
from prawko_tenants.ids import new_id

SECRET = "A" * 44


@pytest.mark.parametrize(
    ("raw", "read"),
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
        ("anna.@acme.test", None),
        ("=?x?q?a?=@acme.test", None),
        ("anna..nowak@acme.test", None),
        ("anna@-acme.test", None),
        ("anna@192.0.2.7", None),
        ("anna@" + "a" * 64 + ".test", None),
        ("anna@acme.example", "anna@acme.example"),
        ("anna@acme.local", "anna@acme.local"),
        ("anna@xn--w-uga1v8h.test", "anna@xn--w-uga1v8h.test"),
    ],
)
def test_an_address_is_parsed_or_refused(raw, read) -> None:
    assert parse_email(raw) == read


def test_addresses_compare_without_case() -> None:
    assert normalise_email("Anna@ACME.test") == normalise_email("anna@acme.TEST")


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
def test_a_password_is_checked_against_the_rules(password, faults) -> None:
    assert policy.password_issues(password) == faults


@pytest.mark.anyio
async def test_a_hash_matches_only_its_password(monkeypatch, product_hasher) -> None:
    monkeypatch.setattr(hashing, "hasher", product_hasher)
    stored = await hashing.hash_password("Haslo123")

    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert await hashing.verify_password(stored, "Haslo123")
    assert not await hashing.verify_password(stored, "Haslo124")
    assert not await hashing.verify_password(None, "nobody has this password")
    assert not await hashing.verify_password("no hash at all", "Haslo123")


def test_codes_use_only_unambiguous_characters() -> None:
    codes = {registration.new_email_code() for _ in range(500)}

    assert len(codes) == 500
    assert set("".join(codes)) <= set(CODE_ALPHABET)
    assert {len(code) for code in codes} == {6}
    assert len(set(CODE_ALPHABET)) == 32
    assert not set("01IO") & set(CODE_ALPHABET)


@pytest.mark.parametrize("raw", ["ab2cd3", " AB2 CD3\n", "aB2\tcD3"])
def test_case_and_blanks_of_a_code_do_not_matter(raw) -> None:
    assert registration.normalise_code(raw) == "AB2CD3"


TRUSTED = "10.0.0.1, 172.16.0.0/12,2001:db8:1::/48"


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected_ip"),
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
        # A socket for both kinds of addresses shows IPv4 peers so, and some proxies write so.
        ("::ffff:10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("::ffff:172.16.9.9", ["6.6.6.6, ::ffff:203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["6.6.6.6, ::ffff:10.0.0.1"], "6.6.6.6"),
        ("::ffff:203.0.113.7", ["6.6.6.6"], "203.0.113.7"),
        ("", ["6.6.6.6"], ""),
    ],
)
def test_the_last_untrusted_address_of_a_proxy_chain_is_the_client(
    peer, forwarded, expected_ip
) -> None:
    assert resolve_client_ip(peer, forwarded, parse_networks(TRUSTED)) == expected_ip


@pytest.mark.parametrize("setting", ["::ffff:10.0.0.1", "::ffff:10.0.0.0/104", "10.0.0.0/8"])
@pytest.mark.parametrize("peer", ["10.0.0.1", "::ffff:10.0.0.1"])
def test_a_proxy_is_trusted_however_its_address_is_written(setting, peer) -> None:
    networks = parse_networks(setting)

    assert resolve_client_ip(peer, ["203.0.113.7"], networks) == "203.0.113.7"
    assert resolve_client_ip("203.0.113.9", ["6.6.6.6"], networks) == "203.0.113.9"


def test_without_trusted_proxies_the_header_is_ignored() -> None:
    assert resolve_client_ip("10.0.0.1", ["6.6.6.6"], parse_networks("")) == "10.0.0.1"


@pytest.mark.parametrize(
    ("ip", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:2:3:4:5:6:7", "2001:db8:2:3::/64"),
        ("2001:db8:2:3::9", "2001:db8:2:3::/64"),
        ("2001:db8:2:4::9", "2001:db8:2:4::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("", ""),
    ],
)
def test_addresses_of_one_network_are_counted_together(ip, network) -> None:
    assert client_network(ip) == network


@pytest.mark.parametrize(
    ("address", "mailbox"),
    [
        ("Jan@Acme.test", "jan@acme.test"),
        ("jan+1@acme.test", "jan@acme.test"),
        ("jan+a+b@acme.test", "jan@acme.test"),
        ("j.an@acme.test", "j.an@acme.test"),
        ("+jan@acme.test", "+jan@acme.test"),
        ("J.a.n.K+x@GoogleMail.com", "jank@gmail.com"),
        ("jank@gmail.com", "jank@gmail.com"),
    ],
)
def test_what_is_added_to_a_name_is_the_same_mailbox(address, mailbox) -> None:
    assert mailbox_of(address) == mailbox


def test_responses_are_padded_to_the_interval() -> None:
    for elapsed in (0.0, 0.003, 0.2499, 0.26, 0.7, 3.1):
        intervals = (elapsed + padding_seconds(elapsed)) / PADDING_INTERVAL_SECONDS
        assert intervals == pytest.approx(round(intervals))
        assert 0 < padding_seconds(elapsed) <= PADDING_INTERVAL_SECONDS


def test_a_reset_token_holds_its_code_id_and_other_tokens_are_rejected() -> None:
    code_id = new_id()
    token = reset.new_reset_token(code_id)

    assert reset.parse_reset_token(token) == code_id
    assert reset.new_reset_token(code_id) != token
    assert len(token) == 64
    assert quote(token, safe="") == token
    for malformed in (
        "",
        "x",
        token[:-1],
        token + "AAAA",
        "ż" * 64,
        "=" * 64,
        token.replace("A", "!"),
    ):
        assert reset.parse_reset_token(malformed) is None or malformed == token
    assert reset.reset_url("https://prawko.test/", "t") == (
        "https://prawko.test/auth/reset-password#token=t"
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
def test_the_session_cookie_is_read(cookies, token) -> None:
    assert parse_session_token(cookies, "prawko") == token


def test_a_loopback_site_is_allowed_under_both_of_its_names() -> None:
    def origins(base_url: str) -> set[bytes]:
        settings = Settings(database_url="", redis_url="", secret_key=SECRET, base_url=base_url)
        return set(allowed_origins(settings))

    assert origins("http://127.0.0.1:8000") == {b"http://127.0.0.1:8000", b"http://localhost:8000"}
    assert origins("https://prawko.test") == {b"https://prawko.test"}


@pytest.mark.parametrize(
    ("module", "is_bound"), [(registration, True), (phone_verification, True), (reset, False)]
)
def test_the_digest_of_a_code_is_of_its_person_too_and_that_of_a_link_of_its_token(
    module, is_bound
) -> None:
    codes = OneTimeCodes(SimpleNamespace(key_ring=KeyRing(b"secret" * 6)), module._PURPOSE)

    assert (codes._digest(new_id(), "123456") != codes._digest(new_id(), "123456")) is is_bound
