"""Tries are limited: tight for an account, generous for a network, kept in PostgreSQL alone."""

import asyncio
import dataclasses
import re
from pathlib import Path

import msgspec
import pytest
from redis.asyncio import Redis

from persons import PASSWORD, Person
from prawko.accounts import beat, limits
from prawko.accounts.throttle import Limit, Throttle
from prawko.base.settings import Settings
from prawko.web.app import create_app
from stored import look, write

pytestmark = pytest.mark.anyio

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"
WRONG = "Zle0haslo"


@pytest.fixture(autouse=True)
def _quick_beat(monkeypatch) -> None:
    """Refusals come at once: how long they take has tests of its own."""
    monkeypatch.setattr(beat, "BEAT_SECONDS", 0.001)


@pytest.fixture
def behind(tools, visitor_of):
    """Browsers at an address, in front of a panel with other settings."""

    def make(ip: str = "127.0.0.1", **settings):
        changed = msgspec.structs.replace(tools.settings, **settings)
        return visitor_of(create_app(dataclasses.replace(tools, settings=changed)), ip)

    return make


async def logs_in(browser, email: str, password: str = WRONG, **headers) -> int:
    answer = await browser.post(
        "/api/login", json={"email": email, "password": password}, headers=headers
    )
    if answer.status_code == 429:
        assert answer.json()["error"] == "too_many_requests"
        assert answer.json()["message"] == "Zbyt wiele prób. Spróbuj ponownie za chwilę."
        assert 0 < int(answer.headers["Retry-After"]) <= 3600
    return answer.status_code


async def window_passes(logins) -> None:
    await write(logins, "UPDATE throttle SET window_started_at = now() - interval '2 hours'")


async def test_an_account_bears_ten_wrong_passwords_in_a_quarter_of_an_hour(
    visitor, anna, tools, logins, servers
) -> None:
    browser = visitor()
    assert tools.settings.login_tries_per_account == 10
    assert [await logs_in(browser, anna.email) for _ in range(10)] == [401] * 10
    assert await logs_in(browser, anna.email, PASSWORD) == 429

    # The count is a fact of PostgreSQL: losing Redis lets nobody try again.
    redis = Redis.from_url(servers.servers.redis_url)
    await redis.flushall()
    await redis.aclose()
    assert await logs_in(browser, anna.email, PASSWORD) == 429

    await window_passes(logins)
    assert await logs_in(browser, anna.email, PASSWORD) == 200


async def test_guesses_made_at_once_are_counted_each(visitor, anna) -> None:
    tried = await asyncio.gather(*(logs_in(visitor(), anna.email) for _ in range(16)))

    assert sorted(tried) == [401] * 10 + [429] * 6


async def test_a_success_begins_the_count_anew(visitor, anna) -> None:
    browser = visitor()
    for _ in range(2):
        assert [await logs_in(browser, anna.email) for _ in range(6)] == [401] * 6
        assert await logs_in(browser, anna.email, PASSWORD) == 200


async def test_strangers_close_an_account_to_strangers_not_to_its_owner(anna, behind) -> None:
    strangers = [behind(f"203.0.113.{n}") for n in range(5)]
    tried = [await logs_in(strangers[n % 5], anna.email) for n in range(12)]
    assert tried == [401] * 10 + [429] * 2

    assert await logs_in(behind("203.0.113.77"), anna.email, PASSWORD) == 429
    assert await logs_in(behind(), anna.email, PASSWORD) == 200


async def test_of_ipv6_an_owners_whole_network_is_familiar(anna, behind) -> None:
    assert await logs_in(behind("2001:db8:1:1::1"), anna.email, PASSWORD) == 200
    stranger = behind("2001:db8:1:2::1")
    assert [await logs_in(stranger, anna.email) for _ in range(11)] == [401] * 10 + [429]

    assert await logs_in(behind("2001:db8:1:2::9"), anna.email, PASSWORD) == 429
    assert await logs_in(behind("2001:db8:1:1::9"), anna.email, PASSWORD) == 200


async def test_a_network_bears_many_people_but_no_flood(anna, behind) -> None:
    browser = behind(login_tries_per_address=8)
    tried = [await logs_in(browser, f"nikt{n}@acme.test") for n in range(10)]
    assert tried == [401] * 8 + [429] * 2
    assert await logs_in(browser, anna.email, PASSWORD) == 429
    assert await logs_in(behind("203.0.113.9", login_tries_per_address=8), anna.email) == 401


async def test_what_is_no_address_uses_its_network_up_too(behind) -> None:
    browser = behind(login_tries_per_address=2)

    assert [await logs_in(browser, "a\0@b.pl") for _ in range(3)] == [401, 401, 429]


async def test_people_who_sign_in_well_do_not_use_their_network_up(anna, celina, behind) -> None:
    browser = behind(login_tries_per_address=3)
    for _ in range(4):
        assert await logs_in(browser, anna.email, PASSWORD) == 200
        assert await logs_in(browser, celina.email, PASSWORD) == 200


async def test_what_a_stranger_says_of_its_address_is_not_believed(anna, behind) -> None:
    browser = behind(login_tries_per_address=4)
    tried = [
        await logs_in(browser, f"nikt{n}@acme.test", **{"X-Forwarded-For": f"203.0.113.{n}"})
        for n in range(6)
    ]
    assert tried == [401] * 4 + [429] * 2


async def test_what_a_trusted_proxy_says_of_its_address_is_believed(anna, behind, logins) -> None:
    proxy = behind("10.0.0.1", login_tries_per_address=2, trusted_proxies="10.0.0.0/8")
    for n in range(6):
        made_up = {"X-Forwarded-For": f"6.6.6.6, 203.0.113.{n}"}
        assert await logs_in(proxy, f"nikt{n}@acme.test", **made_up) == 401
    assert await logs_in(proxy, anna.email, PASSWORD, **{"X-Forwarded-For": "203.0.113.50"}) == 200
    seen = await look(logins, "SELECT ip FROM login_session ORDER BY id DESC LIMIT 1")
    assert seen == [{"ip": "203.0.113.50"}]


async def test_an_address_is_signed_up_five_times_an_hour_and_a_network_as_set(behind) -> None:
    browser = behind(registrations_per_address=8)

    async def signs_up(email: str) -> int:
        body = {"email": email, "password": PASSWORD}
        return (await browser.post("/api/register", json=body)).status_code

    assert [await signs_up("dorota@nowa.test") for _ in range(6)] == [201] * 5 + [429]
    assert [await signs_up(f"e{n}@nowa.test") for n in range(3)] == [201, 201, 429]


async def test_links_are_asked_for_as_often_as_a_network_may(behind) -> None:
    browser = behind(resets_per_address=3)
    asked = [
        (await browser.post("/api/request-password-reset", json={"email": f"e{n}@nowa.test"}))
        for n in range(4)
    ]
    assert [answer.status_code for answer in asked] == [200, 200, 200, 429]
    reset = {"token": "x", "newPassword": "Nowe0haslo", "confirmPassword": "Nowe0haslo"}
    assert (await browser.post("/api/reset-password", json=reset)).status_code == 429


async def test_codes_are_sent_five_times_and_tried_thirty_times_a_quarter(visitor, tools) -> None:
    dorota = Person("dorota@nowa.test", visitor())
    await dorota.signs_up()
    sent = [(await dorota.post("/api/verify-email/send")).status_code for _ in range(6)]
    assert sent == [200] * 5 + [429]

    limit = limits.EMAIL_CODE_TRIES
    tried = [
        (await dorota.post("/api/verify-email", {"token": "222222"})).status_code
        for _ in range(limit.tries + 1)
    ]
    assert tried == [400] * 30 + [429]


async def test_counts_are_kept_without_names(anna, visitor, logins) -> None:
    await logs_in(visitor(), anna.email)

    keys = [row["key"] for row in await look(logins, "SELECT key FROM throttle")]

    assert keys
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in keys)


async def test_a_count_that_was_given_back_counts_no_more(tools) -> None:
    throttle = Throttle(tools.database, tools.vault)
    limit = Limit("test", 1, limits.QUARTER)
    for _ in range(3):
        await throttle.count(limit, "somebody")
        await throttle.give_back(limit, "somebody")
    await throttle.give_back(limit, "nobody")


def test_the_table_of_the_documentation_says_what_is_counted() -> None:
    page = OPERATIONS.read_text(encoding="utf-8")
    settings = Settings(database_url="", redis_url="", secret_key="")
    every = [
        limits.login_per_account(settings), limits.login_per_network(settings),
        limits.sign_ups_per_network(settings), limits.resets_per_network(settings),
        limits.sign_ups_per_email(settings), limits.resets_per_email(settings),
        limits.EMAIL_CODES, limits.EMAIL_CODE_TRIES, limits.WRONG_PASSWORDS,
    ]  # fmt: skip
    for limit in every:
        minutes = int(limit.window.total_seconds() // 60)
        assert f"| `{limit.what}` | {limit.tries} in {minutes} minutes |" in page, limit.what
    for name in (
        "LOGIN_TRIES_PER_ACCOUNT",
        "LOGIN_TRIES_PER_ADDRESS",
        "REGISTRATIONS_PER_ADDRESS",
        "RESETS_PER_ADDRESS",
        "REGISTRATIONS_PER_EMAIL",
        "RESETS_PER_EMAIL",
        "REFUSE_COMMON_PASSWORDS",
    ):
        assert f"`{name}`" in page
