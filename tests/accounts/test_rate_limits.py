"""Rate limits: tight per account, generous per network, stored in PostgreSQL."""

import asyncio
import re
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from redis.asyncio import Redis

from prawko import limits
from prawko.accounts.jobs import watch_mailbox_limit
from prawko.kit import constant_time, rate_limit
from prawko.kit.clock import utc_now
from prawko.kit.errors import TooManyRequestsError
from prawko.kit.rate_limit import RateLimit, Throttle
from support.database import age_tries, execute_as_owner, fetch_rows
from support.people import PASSWORD, Person, deliver_outbox

pytestmark = pytest.mark.anyio

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"
WRONG_PASSWORD = "Zle0haslo"


@pytest.fixture(autouse=True)
def _short_padding(monkeypatch) -> None:
    """Shorten the padding of refusals, which has tests of its own."""
    monkeypatch.setattr(constant_time, "PADDING_INTERVAL_SECONDS", 0.001)


@pytest.fixture
def browser_with_limits(context, browser_for_app):
    """Return a function that makes browsers with an IP address and other limits."""

    def make(ip: str = "127.0.0.1", *, trusted_proxies: str = "", **max_tries: int):
        settings = msgspec.structs.replace(context.settings, trusted_proxies=trusted_proxies)
        return browser_for_app(context, ip, settings=settings, max_tries=max_tries)

    return make


async def log_in(browser, email: str, password: str = WRONG_PASSWORD, **headers) -> int:
    answer = await browser.post(
        "/api/login", json={"email": email, "password": password}, headers=headers
    )
    if answer.status_code == 429:
        assert answer.json()["error"] == "too_many_requests"
        assert answer.json()["message"] == "Zbyt wiele prób. Spróbuj ponownie za chwilę."
        assert 0 < int(answer.headers["Retry-After"]) <= 3600
    return answer.status_code


async def expire_windows(logins) -> None:
    await age_tries(logins, days=2)


async def test_ten_wrong_passwords_in_fifteen_minutes_are_allowed_per_account(
    new_browser, anna, context, logins, servers
) -> None:
    browser = new_browser()
    assert limits.WRONG_SIGN_INS.max_tries == 10
    assert [await log_in(browser, anna.email) for _ in range(10)] == [401] * 10
    assert await log_in(browser, anna.email, PASSWORD) == 429

    # The count is in PostgreSQL: losing Redis does not reset it.
    redis = Redis.from_url(servers.urls.redis_url)
    await redis.flushall()
    await redis.aclose()
    assert await log_in(browser, anna.email, PASSWORD) == 429

    await expire_windows(logins)
    assert await log_in(browser, anna.email, PASSWORD) == 200


async def test_concurrent_guesses_are_all_counted(new_browser, anna) -> None:
    answers = await asyncio.gather(*(log_in(new_browser(), anna.email) for _ in range(16)))

    assert sorted(answers) == [401] * 10 + [429] * 6


async def test_a_successful_login_resets_the_count(new_browser, anna) -> None:
    browser = new_browser()
    for _ in range(2):
        assert [await log_in(browser, anna.email) for _ in range(6)] == [401] * 6
        assert await log_in(browser, anna.email, PASSWORD) == 200


async def test_the_tries_of_all_unknown_browsers_are_counted_together(
    anna, browser_with_limits
) -> None:
    browsers = [browser_with_limits(f"203.0.113.{n}") for n in range(5)]
    answers = [await log_in(browsers[n % 5], anna.email) for n in range(12)]
    assert answers == [401] * 10 + [429] * 2

    assert await log_in(browser_with_limits("203.0.113.77"), anna.email, PASSWORD) == 429


async def test_a_network_may_have_many_people_but_not_unlimited_attempts(
    anna, browser_with_limits
) -> None:
    browser = browser_with_limits(login_address=8)
    answers = [await log_in(browser, f"nikt{n}@acme.test") for n in range(10)]
    assert answers == [401] * 8 + [429] * 2
    assert await log_in(browser, anna.email, PASSWORD) == 429
    assert await log_in(browser_with_limits("203.0.113.9", login_address=8), anna.email) == 401


async def test_malformed_addresses_count_against_the_network(browser_with_limits) -> None:
    browser = browser_with_limits(login_address=2)

    assert [await log_in(browser, "a\0@b.pl") for _ in range(3)] == [401, 401, 429]


async def test_successful_logins_do_not_count_against_the_network(
    anna, celina, browser_with_limits
) -> None:
    browser = browser_with_limits(login_address=3)
    for _ in range(4):
        assert await log_in(browser, anna.email, PASSWORD) == 200
        assert await log_in(browser, celina.email, PASSWORD) == 200


async def test_right_passwords_of_an_account_have_a_limit_too(
    anna, celina, browser_with_limits
) -> None:
    browser = browser_with_limits(sign_in=2)

    assert [await log_in(browser, anna.email, PASSWORD) for _ in range(3)] == [200, 200, 429]
    assert await log_in(browser, celina.email, PASSWORD) == 200


async def test_a_forwarded_address_from_an_untrusted_peer_is_ignored(
    anna, browser_with_limits
) -> None:
    browser = browser_with_limits(login_address=4)
    answers = [
        await log_in(browser, f"nikt{n}@acme.test", **{"X-Forwarded-For": f"203.0.113.{n}"})
        for n in range(6)
    ]
    assert answers == [401] * 4 + [429] * 2


async def test_a_forwarded_address_from_a_trusted_proxy_is_used(
    anna, browser_with_limits, logins
) -> None:
    proxy = browser_with_limits("10.0.0.1", login_address=2, trusted_proxies="10.0.0.0/8")
    for attempt in range(6):
        spoofed = {"X-Forwarded-For": f"6.6.6.6, 203.0.113.{attempt}"}
        assert await log_in(proxy, f"nikt{attempt}@acme.test", **spoofed) == 401
    assert await log_in(proxy, anna.email, PASSWORD, **{"X-Forwarded-For": "203.0.113.50"}) == 200
    sessions = await fetch_rows(logins, "SELECT ip FROM login_session ORDER BY id DESC LIMIT 1")
    assert sessions == [{"ip": "203.0.113.50"}]


async def test_sign_ups_are_limited_per_address_and_per_network(browser_with_limits) -> None:
    browser = browser_with_limits(register=8)

    async def register(email: str) -> int:
        body = {"email": email, "password": PASSWORD}
        return (await browser.post("/api/register", json=body)).status_code

    assert [await register("dorota@nowa.test") for _ in range(6)] == [201] * 5 + [429]
    assert [await register(f"e{n}@nowa.test") for n in range(3)] == [201, 201, 429]


async def register_status(browser, email: str) -> int:
    answer = await browser.post("/api/register", json={"email": email, "password": PASSWORD})
    return answer.status_code


async def request_reset(browser, email: str) -> int:
    return (await browser.post("/api/request-password-reset", json={"email": email})).status_code


async def test_a_mailbox_gets_so_many_mails_whatever_is_added_to_its_name(
    browser_with_limits,
) -> None:
    browser = browser_with_limits()
    statuses = [await register_status(browser, f"jan+{n}@nowa.test") for n in range(6)]
    assert statuses == [201] * 5 + [429]
    statuses = [await request_reset(browser, f"Jan+r{n}@nowa.test") for n in range(6)]
    assert statuses == [200] * 5 + [429]
    assert await register_status(browser, "j.an@nowa.test") == 201  # another mailbox


async def test_a_mailbox_gets_so_many_mails_a_day_from_all_networks_and_operators_hear_of_it(
    browser_with_limits, worker, logins
) -> None:
    async def incidents() -> list[str]:
        await watch_mailbox_limit(worker)
        rows = await fetch_rows(logins, "SELECT kind FROM incident WHERE closed_at IS NULL")
        return [row["kind"] for row in rows]

    def browser_from(number: int):
        return browser_with_limits(f"203.0.113.{number}", mailbox_day=6)

    statuses = [await register_status(browser_from(n), f"jan+{n}@nowa.test") for n in range(6)]
    assert statuses == [201] * 6
    assert await incidents() == []
    assert await request_reset(browser_from(7), "jan@nowa.test") == 429
    assert await incidents() == ["mailbox_full"]
    await expire_windows(logins)
    assert await incidents() == []


async def test_codes_sent_again_count_as_mails_of_the_mailbox(browser_with_limits) -> None:
    dorota = Person("dorota@nowa.test", browser_with_limits(mailbox_day=3))
    await dorota.sign_up()
    sent = [(await dorota.post("/api/verify-email/send")).status_code for _ in range(3)]

    assert sent == [200, 200, 429]


async def test_a_strangers_registrations_do_not_use_up_the_owners(browser_with_limits) -> None:
    stranger = browser_with_limits("203.0.113.9")
    statuses = [await register_status(stranger, "dorota@nowa.test") for _ in range(6)]
    assert statuses == [201] * 5 + [429]

    assert await register_status(browser_with_limits(), "dorota@nowa.test") == 201


async def test_a_full_mailbox_gets_a_reset_link_for_a_known_browser(
    anna, browser_with_limits
) -> None:
    own = browser_with_limits("198.51.100.7", mailbox_day=3)
    cookie = anna.browser.cookies["prawko-browser"]
    for number in range(4):
        await request_reset(browser_with_limits(f"203.0.113.{number}", mailbox_day=3), anna.email)
    assert await request_reset(own, anna.email) == 429

    own.cookies.set("prawko-browser", cookie, domain="127.0.0.1", path="/")
    assert await request_reset(own, anna.email) == 200


async def test_a_strangers_wrong_links_do_not_use_up_the_owners(
    anna, browser_with_limits, worker, mailbox
) -> None:
    browser = browser_with_limits(reset_address=2)
    assert await request_reset(browser, anna.email) == 200
    await deliver_outbox(worker)
    token = mailbox.messages_to(anna.email)[-1].link.partition("#token=")[2]
    forms = [
        {"token": one, "newPassword": "Nowe0haslo1", "confirmPassword": "Nowe0haslo1"}
        for one in ("x", "x", token)
    ]
    answers = [await browser.post("/api/reset-password", json=form) for form in forms]

    assert [answer.status_code for answer in answers] == [400, 429, 200]


async def test_checks_of_wrong_links_count_as_resets_do_and_those_of_valid_ones_do_not(
    anna, browser_with_limits, worker, mailbox
) -> None:
    browser = browser_with_limits(reset_address=3)
    assert await request_reset(browser, anna.email) == 200
    await deliver_outbox(worker)
    token = mailbox.messages_to(anna.email)[-1].link.partition("#token=")[2]

    async def check(one: str) -> int:
        response = await browser.post("/api/reset-password/check", json={"token": one})
        return response.status_code

    assert [await check(token) for _ in range(5)] == [200] * 5
    assert [await check(one) for one in ("x", "x", "x", token)] == [400, 400, 429, 200]


async def test_reset_links_are_limited_per_network(browser_with_limits) -> None:
    browser = browser_with_limits(reset_address=3)
    answers = [
        (await browser.post("/api/request-password-reset", json={"email": f"e{n}@nowa.test"}))
        for n in range(4)
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    reset = {"token": "x", "newPassword": "Nowe0haslo", "confirmPassword": "Nowe0haslo"}
    assert (await browser.post("/api/reset-password", json=reset)).status_code == 429


async def test_email_codes_are_sent_five_times_and_tried_thirty_times_in_fifteen_minutes(
    new_browser, context
) -> None:
    dorota = Person("dorota@nowa.test", new_browser())
    await dorota.sign_up()
    sent = [(await dorota.post("/api/verify-email/send")).status_code for _ in range(6)]
    assert sent == [200] * 5 + [429]

    limit = limits.EMAIL_CODE_TRIES
    answers = [
        (await dorota.post("/api/verify-email", {"token": "222222"})).status_code
        for _ in range(limit.max_tries + 1)
    ]
    assert answers == [400] * 30 + [429]


async def test_counts_are_stored_without_names(anna, new_browser, logins) -> None:
    await log_in(new_browser(), anna.email)

    keys = [row["key"] for row in await fetch_rows(logins, "SELECT key FROM throttle")]

    assert keys
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in keys)


async def test_no_stretch_as_long_as_the_window_lets_more_through_than_the_limit(
    context, monkeypatch
) -> None:
    throttle = Throttle(context.database, context.key_ring)
    limit, began = RateLimit("test", 3, timedelta(minutes=15)), utc_now()

    async def try_at(minute: float) -> int:
        """Return 0 where the try is let through, else for how many seconds it has to wait."""
        monkeypatch.setattr(rate_limit, "utc_now", lambda: began + timedelta(minutes=minute))
        try:
            await throttle.hit(limit, "somebody")
        except TooManyRequestsError as refusal:
            return refusal.retry_after or 0
        return 0

    minutes = (0, 14, 14.5, 14.9, 15.1, 15.2, 20, 29.2, 29.3, 29.6, 40, 41)
    waits = {minute: await try_at(minute) for minute in minutes}

    let_through = [minute for minute, wait in waits.items() if not wait]
    assert let_through == [0, 14, 14.5, 15.1, 29.2, 29.6, 40]
    for start in let_through:
        assert sum(start <= minute < start + 15 for minute in let_through) <= 3
    assert (waits[14.9], waits[20], waits[29.3]) == (6, 540, 12)
    assert await throttle.usage(limit, "somebody") == 3


async def test_a_clock_that_was_ahead_locks_no_user_out(context, monkeypatch) -> None:
    throttle = Throttle(context.database, context.key_ring)
    limit = RateLimit("test", 1, timedelta(minutes=15))
    with monkeypatch.context() as patched:
        patched.setattr(rate_limit, "utc_now", lambda: utc_now() + timedelta(days=400))
        await throttle.hit(limit, "somebody")

    await throttle.hit(limit, "somebody")


async def test_an_undone_try_does_not_count(context) -> None:
    throttle = Throttle(context.database, context.key_ring)
    limit = RateLimit("test", 1, limits.QUARTER_HOUR)
    for _ in range(3):
        await throttle.hit(limit, "somebody")
        await throttle.undo(limit, "somebody")
    await throttle.undo(limit, "nobody")


async def test_many_tries_at_once_are_counted_all_or_none(context) -> None:
    throttle = Throttle(context.database, context.key_ring)
    limit = RateLimit("test", 5, limits.QUARTER_HOUR)
    await throttle.hit(limit, "somebody", number=3)
    with pytest.raises(TooManyRequestsError):
        await throttle.hit(limit, "somebody", number=3)
    assert await throttle.usage(limit, "somebody") == 3

    await throttle.hit(limit, "somebody", number=2)
    with pytest.raises(TooManyRequestsError):
        await throttle.hit(limit, "somebody")


async def test_a_window_of_a_clock_that_was_wrong_is_over(context, logins) -> None:
    throttle = Throttle(context.database, context.key_ring)
    limit = RateLimit("test", 1, limits.QUARTER_HOUR)
    await throttle.hit(limit, "somebody")
    with pytest.raises(TooManyRequestsError):
        await throttle.hit(limit, "somebody")
    await execute_as_owner(logins, "UPDATE throttle SET tries = ARRAY[now() + interval '2 hours']")

    await throttle.check(limit, "somebody")
    await throttle.hit(limit, "somebody")

    with pytest.raises(TooManyRequestsError) as refused:
        await throttle.hit(limit, "somebody")
    assert refused.value.retry_after <= limit.window.total_seconds()


def test_the_documentation_has_every_limit_of_accounts() -> None:
    page = OPERATIONS.read_text(encoding="utf-8")
    assert len(limits.list_limits()) == 49
    for limit in limits.list_limits():
        minutes = int(limit.window.total_seconds() // 60)
        assert f"| `{limit.scope}` | {limit.max_tries} in {minutes} minutes |" in page, limit.scope
    assert "`REFUSE_COMMON_PASSWORDS`" in page
