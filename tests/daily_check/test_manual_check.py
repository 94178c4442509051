"""A check by hand: who may, how often, and what it says when nobody answers."""

import asyncio
import dataclasses

import msgspec
import pytest
from sqlalchemy import text

from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import RegisterError, RegisterTrouble
from prawko.testing.fakes import withheld
from prawko.web.app import create_app
from stored import count, ends_at

pytestmark = pytest.mark.anyio

NUMBER = "AA123456"
SAID = "Nie udało się zweryfikować kierowcy"


async def test_it_answers_with_the_verification_and_tells_the_company(
    anna, worker, fleet, register, rings
):
    driver = await anna.adds(NUMBER)
    register.says[NUMBER] = withheld(NUMBER)
    answer = await anna.post(f"/api/drivers/{driver}/verify")
    assert answer.status_code == 200
    assert answer.json()["status"] == "invalid"
    assert answer.json()["licenseNumber"] == NUMBER
    assert await fleet.kinds(NUMBER) == ["withheld"]
    assert any("deliver_pending" in name for name, _ in rings)


async def test_a_rival_s_driver_and_none_at_all_look_the_same(anna, celina, register):
    driver = await anna.adds(NUMBER)
    foreign = await celina.post(f"/api/drivers/{driver}/verify")
    nobody = await celina.post(f"/api/drivers/{driver[:-4]}0000/verify")
    assert (foreign.status_code, foreign.content) == (404, nobody.content)
    history = await celina.get(f"/api/drivers/{driver}/verifications")
    assert (history.status_code, history.content) == (404, nobody.content)
    assert register.asked == []


async def test_it_needs_a_subscription(anna, worker, clock, register):
    driver = await anna.adds(NUMBER)
    await ends_at(anna, worker, clock.now())
    answer = await anna.post(f"/api/drivers/{driver}/verify")
    assert (answer.status_code, answer.json()["error"]) == (403, "subscription_required")
    assert register.asked == []


async def test_a_driver_beyond_the_limit_is_not_checked(anna, fleet, register):
    await anna.adds("AA000001")
    young = await anna.adds("AA000002")
    await fleet.admin.execute("UPDATE subscription SET driver_limit = 1")
    answer = await anna.post(f"/api/drivers/{young}/verify")
    assert (answer.status_code, answer.json()["error"]) == (403, "driver_limit_exceeded")
    assert register.asked == []


@pytest.mark.parametrize(
    ("trouble", "status"),
    [
        (RegisterError(RegisterTrouble.UNAVAILABLE, "x"), 503),
        (RegisterError(RegisterTrouble.THROTTLED, "x", retry_after=9), 503),
        (RegisterError(RegisterTrouble.GARBAGE, "x"), 502),
        (RegisterError(RegisterTrouble.REFUSED, "x"), 502),
        (AccountError("x"), 502),
        (ValueError("x"), 502),
    ],
    ids=str,
)
async def test_where_there_is_no_answer_it_says_so_and_changes_nothing(
    anna, fleet, register, trouble, status
):
    driver = await anna.adds(NUMBER)
    before = await fleet.fates()
    register.says[NUMBER] = trouble
    answer = await anna.post(f"/api/drivers/{driver}/verify")
    assert (answer.status_code, answer.json()["error"]) == (status, "verification_failed")
    assert answer.json()["message"] == SAID
    assert ("retry-after" in answer.headers) == (status == 503)
    assert await fleet.fates() == before


async def test_the_limits_hold_for_a_driver_and_for_the_company(tools, anna, visitor_of, register):
    first, second = [await anna.adds(number) for number in ("AA000001", "AA000002")]
    settings = msgspec.structs.replace(
        tools.settings, manual_checks_per_driver=2, manual_checks_per_company=3
    )
    app = create_app(dataclasses.replace(tools, settings=settings))
    async with visitor_of(app) as browser:
        browser.cookies = anna.browser.cookies

        async def check(driver):
            return await browser.post(f"/api/drivers/{driver}/verify")

        statuses = [(await check(driver)).status_code for driver in (first, first, first)]
        assert statuses == [200, 200, 429]
        refused = await check(first)
        assert int(refused.headers["retry-after"]) > 3000
        assert (await check(second)).status_code in {200, 429}
        assert (await check(second)).status_code == 429
    assert len(register.asked) <= 3


async def test_no_transaction_is_open_while_the_register_is_asked(anna, fleet, register):
    driver = await anna.adds(NUMBER)
    open_ones = []

    async def look(query):
        open_ones.append(await fleet.open_transactions())

    register.before_answer = look
    assert (await anna.post(f"/api/drivers/{driver}/verify")).status_code == 200
    assert open_ones == [0]


async def test_it_waits_five_seconds_for_its_turn_and_no_longer(anna, fleet, register):
    driver = await anna.adds(NUMBER)
    await anna.post(f"/api/drivers/{driver}/verify")
    asked = len(register.asked)
    await fleet.admin.execute(
        "UPDATE register_pace SET next_free_at = now() + interval '2 seconds'"
    )
    async with asyncio.timeout(5):
        assert (await anna.post(f"/api/drivers/{driver}/verify")).status_code == 200
    await fleet.admin.execute("UPDATE register_pace SET next_free_at = now() + interval '1 minute'")
    async with asyncio.timeout(1.5):
        answer = await anna.post(f"/api/drivers/{driver}/verify")
    assert (answer.status_code, answer.json()["error"]) == (503, "verification_failed")
    assert int(answer.headers["retry-after"]) > 0
    assert len(register.asked) == asked + 1


async def test_the_history_is_paged_newest_first(anna, clock):
    driver = await anna.adds(NUMBER)
    seen = []
    for _ in range(5):
        seen.insert(0, (await anna.post(f"/api/drivers/{driver}/verify")).json()["id"])
        clock.forward(hours=2)
    page = await anna.get(f"/api/drivers/{driver}/verifications?page=2&pageSize=2")
    assert [entry["id"] for entry in page.json()] == seen[2:4]
    assert page.headers["content-range"].endswith("2-3/5")


async def test_a_session_revoked_while_the_register_is_asked_writes_nothing(
    anna, register, tools, logins
) -> None:
    driver = await anna.adds("AB123456")

    async def sign_out(_) -> None:
        async with tools.database.system() as session:
            await session.execute(text("UPDATE login_session SET revoked_at = now()"))

    register.before_answer = sign_out
    answer = await anna.post(f"/api/drivers/{driver}/verify")

    assert answer.status_code == 401
    assert answer.json()["error"] == "auth_required"
    assert await count(logins, "verification") == 0
