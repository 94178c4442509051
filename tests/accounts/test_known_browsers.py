"""Known browsers: who is not locked out by strangers, and what the cookie is not worth (S5)."""

from datetime import timedelta
from http.cookies import SimpleCookie
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.known_browsers import (
    KNOWN_BROWSER_LIFETIME,
    MAX_PEOPLE,
    KnownBrowser,
    encode_known_browsers,
    parse_known_browsers,
)
from prawko.accounts.operators import revoke_user_sessions
from prawko.kit import constant_time
from prawko.kit.clock import utc_now
from prawko.kit.crypto import KeyRing
from prawko_tenants.ids import UserId, new_id
from support.database import execute_as_owner, open_as_owner
from support.people import PASSWORD, Person, deliver_outbox

pytestmark = pytest.mark.anyio

COOKIE = "prawko-browser"
WRONG, NEW = "Zle0haslo", "Nowe0haslo1"
STRANGER_IP, NEW_IP = "203.0.113.66", "198.51.100.7"
KEY_RING = KeyRing(b"k" * 32)
NOW = utc_now()


@pytest.fixture(autouse=True)
def _short_padding(monkeypatch) -> None:
    monkeypatch.setattr(constant_time, "PADDING_INTERVAL_SECONDS", 0.001)


@pytest.fixture
def browser_at(new_browser, browser_for_app):
    """Returns a function that makes browsers with an IP address and perhaps a cookie."""
    site = new_browser()._transport.app

    def make(ip: str = NEW_IP, cookie: str | None = None):
        browser = browser_for_app(site, ip)
        if cookie is not None:
            browser.cookies.set(COOKIE, cookie, domain="127.0.0.1", path="/")
        return browser

    return make


async def log_in(browser, email: str, password: str = PASSWORD) -> int:
    body = {"email": email, "password": password}
    return (await browser.post("/api/login", json=body)).status_code


async def flood(browser_at, email: str, ip: str = STRANGER_IP) -> list[int]:
    """Guess as a stranger until everybody who is not known is refused."""
    return [await log_in(browser_at(ip), email, WRONG) for _ in range(12)]


def known_browser(user_id: UUID | None = None, **changes) -> KnownBrowser:
    seconds = int((NOW + timedelta(days=1)).timestamp())
    browser = KnownBrowser(UserId(user_id or new_id()), b"12345678", 3, seconds)
    return msgspec.structs.replace(browser, **changes)


def test_a_cookie_proves_what_was_written_in_it() -> None:
    browsers = tuple(known_browser(generation=number) for number in range(MAX_PEOPLE))
    cookie = encode_known_browsers(KEY_RING, browsers)

    assert parse_known_browsers(KEY_RING, cookie, NOW) == browsers
    assert len(cookie) < 1024
    assert SimpleCookie(f"a={cookie}")["a"].value == cookie


def test_a_cookie_of_another_installation_or_time_proves_nothing() -> None:
    expired = known_browser(expires_at=int(NOW.timestamp()))
    cookie = encode_known_browsers(KEY_RING, [expired, known_browser()])

    assert len(parse_known_browsers(KEY_RING, cookie, NOW)) == 1
    assert parse_known_browsers(KeyRing(b"x" * 32), cookie, NOW) == ()
    assert parse_known_browsers(KEY_RING, cookie, NOW + timedelta(days=2)) == ()


@given(st.text() | st.from_regex(r"[A-Za-z0-9_=-]{40}\.[A-Za-z0-9_=-]{44}"))
def test_no_other_text_proves_anything(text) -> None:
    assert parse_known_browsers(KEY_RING, text, NOW) == ()


@given(st.integers(0, 91), st.characters(codec="ascii", categories=["L", "N"]))
def test_a_changed_cookie_proves_nothing(position, character) -> None:
    cookie = encode_known_browsers(KEY_RING, [known_browser(UUID(int=7))])
    changed = cookie[:position] + character + cookie[position + 1 :]

    assert parse_known_browsers(KEY_RING, changed, NOW) == () or changed == cookie


async def test_a_strangers_flood_does_not_lock_the_owner_out_of_a_known_browser(
    anna, browser_at
) -> None:
    cookie = anna.browser.cookies[COOKIE]
    assert await flood(browser_at, anna.email) == [401] * 10 + [429] * 2

    assert await log_in(browser_at(), anna.email) == 429
    assert await log_in(browser_at(cookie=cookie), anna.email) == 200


async def test_a_flood_from_the_owners_own_network_does_not_either(
    anna, context, browser_for_app
) -> None:
    *strangers, own = (browser_for_app(context, max_tries={"login_address": 3}) for _ in range(13))
    guesses = [await log_in(stranger, anna.email, WRONG) for stranger in strangers]
    assert guesses == [401] * 3 + [429] * 9

    own.cookies.set(COOKIE, anna.browser.cookies[COOKIE], domain="127.0.0.1", path="/")
    assert await log_in(own, anna.email) == 200


async def test_a_flood_that_goes_on_does_not_lock_the_owner_out_after_a_reset(
    anna, browser_at, worker, mailbox
) -> None:
    owner = browser_at()
    await flood(browser_at, anna.email)
    assert await log_in(owner, anna.email) == 429

    await owner.post("/api/request-password-reset", json={"email": anna.email})
    await deliver_outbox(worker)
    token = mailbox.messages_to(anna.email)[-1].link.partition("#token=")[2]
    body = {"token": token, "newPassword": NEW, "confirmPassword": NEW}
    assert (await owner.post("/api/reset-password", json=body)).status_code == 200
    await flood(browser_at, anna.email)
    await flood(browser_at, anna.email, ip=NEW_IP)

    assert await log_in(owner, anna.email, NEW) == 200


async def test_the_cookie_opens_nothing_and_allows_ten_guesses_of_its_own(anna, browser_at) -> None:
    thief = browser_at(cookie=anna.browser.cookies[COOKIE])

    assert (await thief.get("/api/user")).status_code == 401
    assert [await log_in(thief, anna.email, WRONG) for _ in range(12)] == [401] * 10 + [429] * 2
    # Nor do they use up the owner's elsewhere.
    assert await log_in(browser_at(), anna.email) == 200


async def test_neither_network_nor_cookie_tells_whether_an_account_exists(
    anna, celina, browser_at
) -> None:
    celinas_cookie = celina.browser.cookies[COOKIE]
    for cookie in (None, celinas_cookie, "x.y"):
        answers = {
            email: [await log_in(browser_at("127.0.0.1", cookie), email, WRONG) for _ in range(12)]
            for email in (anna.email, "nobody@acme.test")
        }
        assert answers[anna.email] == answers["nobody@acme.test"]


async def test_the_account_of_who_registered_an_address_first_knows_no_browser_of_theirs(
    browser_at, worker, mailbox
) -> None:
    first = Person("dorota@nowa.test", browser_at(STRANGER_IP))
    await first.sign_up()
    await first.sign_in()
    assert COOKIE not in first.browser.cookies  # nobody proved that the address is theirs
    owner = Person(first.email, browser_at())
    await owner.sign_up()
    await owner.verify_email(worker, mailbox)

    assert await flood(browser_at, owner.email) == [401] * 10 + [429] * 2
    assert await log_in(first.browser, owner.email) == 429
    cookie = owner.browser.cookies[COOKIE]
    assert await log_in(browser_at(cookie=cookie), owner.email) == 200


async def test_a_sign_in_renews_the_cookie_for_ninety_days_and_keeps_other_people(
    anna, celina, browser_at
) -> None:
    browser = browser_at(cookie=celina.browser.cookies[COOKIE])
    answer = await browser.post("/api/login", json={"email": anna.email, "password": PASSWORD})

    cookie = next(line for line in answer.headers.get_list("set-cookie") if line.startswith(COOKIE))
    assert "httponly" in cookie.lower()
    assert "samesite=strict" in cookie.lower()
    assert f"max-age={90 * 24 * 3600}" in cookie.lower()
    assert timedelta(days=90) == KNOWN_BROWSER_LIFETIME
    for person in (anna, celina):
        await flood(browser_at, person.email)
        both = browser_at(cookie=browser.cookies[COOKIE])
        assert await log_in(both, person.email) == 200


async def test_over_https_the_cookie_is_bound_to_the_host(context, anna, browser_for_app) -> None:
    settings = msgspec.structs.replace(context.settings, base_url="https://prawko.test")
    browser = browser_for_app(context, settings=settings)
    answer = await browser.post("/api/login", json={"email": anna.email, "password": PASSWORD})

    names = [line.partition("=")[0] for line in answer.headers.get_list("set-cookie")]
    assert names == ["__Host-prawko", "__Host-prawko-browser"]
    assert all("Secure" in line for line in answer.headers.get_list("set-cookie"))


async def change_password(anna) -> str:
    body = {"currentPassword": PASSWORD, "newPassword": NEW, "confirmPassword": NEW}
    assert (await anna.post("/api/user/change-password", body)).status_code == 200
    return NEW


async def end_other_sessions(anna) -> str:
    assert (await anna.post("/api/sessions/revoke-others")).status_code == 200
    return PASSWORD


@pytest.mark.parametrize("act", [change_password, end_other_sessions])
async def test_who_ends_all_other_sessions_makes_all_other_browsers_unknown(
    anna, browser_at, act
) -> None:
    old_cookie = anna.browser.cookies[COOKIE]
    password = await act(anna)
    await flood(browser_at, anna.email)

    assert await log_in(browser_at(cookie=old_cookie), anna.email, password) == 429
    own = browser_at(cookie=anna.browser.cookies[COOKIE])  # the one in which it was done
    assert await log_in(own, anna.email, password) == 200


async def test_the_operators_sign_out_makes_every_browser_unknown(
    anna, context, logins, browser_at
) -> None:
    async with open_as_owner(context, logins) as owner:
        acts = OperatorActs(owner, None, ClientInfo(ip="", user_agent=""))
        assert await revoke_user_sessions(owner, acts, anna.email, "a lost phone") == 1
    await flood(browser_at, anna.email)

    assert await log_in(anna.browser, anna.email) == 429


async def test_an_erased_account_knows_no_browser(anna, browser_at, logins) -> None:
    cookie = anna.browser.cookies[COOKIE]
    await execute_as_owner(logins, "DELETE FROM user_account WHERE email_key = $1", anna.email)
    again = Person(anna.email, browser_at("192.0.2.1"))
    await again.sign_up()
    await flood(browser_at, anna.email)

    assert await log_in(browser_at(cookie=cookie), anna.email) == 429
