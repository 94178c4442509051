"""A flood of sign-ins from one address, and how long a stranger's sign-in takes beside it."""

import asyncio
import time
from itertools import count
from statistics import median

import pytest

from support.database import execute_as_owner
from support.people import PASSWORD

pytestmark = pytest.mark.anyio

ROUNDS = 5  # the best of them counts
SIGN_INS = 15
CONNECTIONS = 6
FLOOD_IP = "203.0.113.9"


@pytest.mark.parametrize(
    ("password", "statuses"), [(PASSWORD, {200, 503}), ("wrong", {401, 429, 503})],
    ids=["right", "refused"],
)  # fmt: skip
async def test_a_flood_of_sign_ins_at_most_doubles_a_strangers(
    anna, bartek, celina, context, browser_for_app, logins, product_hasher, password, statuses
) -> None:
    strong = product_hasher.hash(PASSWORD)  # the tests' people have cheap ones
    await execute_as_owner(logins, "UPDATE user_account SET password_hash = $1", strong)
    if password == PASSWORD:
        context.max_tries["sign_in"] = 10_000
    site = anna.browser._transport.app
    networks = (f"198.51.{number // 250}.{number % 250 + 1}" for number in count())

    async def sign_in(browser, email: str) -> None:
        answer = await browser.post("/api/login", json={"email": email, "password": password})
        assert answer.status_code in statuses, answer.text

    async def flood(number: int) -> None:
        """Sign in again and again, from a known browser or from new ones."""
        person, browser = (anna, bartek)[number % 2], browser_for_app(site, FLOOD_IP)
        while True:
            await sign_in(browser, person.email)
            if number >= CONNECTIONS // 2:
                browser.cookies.clear()

    async def typical() -> float:
        """Return the median of the seconds that a sign-in from a new browser takes."""
        seconds = []
        for _ in range(SIGN_INS):
            stranger = browser_for_app(site, next(networks))
            began = time.monotonic()
            body = {"email": celina.email, "password": PASSWORD}
            assert (await stranger.post("/api/login", json=body)).status_code == 200
            seconds.append(time.monotonic() - began)
        return median(seconds)

    ratios = []
    for _ in range(ROUNDS):
        quiet = await typical()
        floods = [asyncio.create_task(flood(number)) for number in range(CONNECTIONS)]
        await asyncio.sleep(0.5)
        ratios.append(await typical() / quiet)
        for one in floods:
            one.cancel()
        await asyncio.gather(*floods, return_exceptions=True)
    assert min(ratios) <= 2, ratios
