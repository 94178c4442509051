"""Manual check: permissions, rate limits and errors of the register."""

import asyncio

import pytest
from sqlalchemy import text

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.clock import utc_now
from prawko.verifications.manual_check import MAX_SLOT_WAIT_SECONDS
from prawko_testing.fakes import withheld_licence
from support.database import count_rows, set_subscription_end

pytestmark = pytest.mark.anyio

NUMBER = "AA123456"
FAILED_MESSAGE = "Nie udało się zweryfikować kierowcy"


async def test_it_returns_the_verification_and_notifies_the_company(
    anna, worker, fleet, register, enqueued_jobs
):
    driver = await anna.add_driver(NUMBER)
    register.answers[NUMBER] = withheld_licence(NUMBER)
    answer = await anna.post(f"/api/drivers/{driver}/verify")
    assert answer.status_code == 200
    assert answer.json()["status"] == "invalid"
    assert answer.json()["licenseNumber"] == NUMBER
    assert await fleet.notice_kinds(NUMBER) == ["withheld"]
    assert any("deliver_pending" in name for name, _ in enqueued_jobs)


async def test_another_companys_driver_and_an_unknown_one_look_the_same(anna, celina, register):
    driver = await anna.add_driver(NUMBER)
    other_answer = await celina.post(f"/api/drivers/{driver}/verify")
    unknown = await celina.post(f"/api/drivers/{driver[:-4]}0000/verify")
    assert (other_answer.status_code, other_answer.content) == (404, unknown.content)
    history = await celina.get(f"/api/drivers/{driver}/verifications")
    assert (history.status_code, history.content) == (404, unknown.content)
    assert register.queries == []


async def test_it_needs_a_subscription(anna, worker, clock, register):
    driver = await anna.add_driver(NUMBER)
    await set_subscription_end(anna, worker, clock.now())
    answer = await anna.post(f"/api/drivers/{driver}/verify")
    assert (answer.status_code, answer.json()["error"]) == (403, "subscription_required")
    assert register.queries == []


async def test_a_driver_beyond_the_limit_is_not_checked(anna, fleet, register):
    await anna.add_driver("AA000001")
    newest = await anna.add_driver("AA000002")
    await fleet.admin.execute("UPDATE subscription SET driver_limit = 1")
    answer = await anna.post(f"/api/drivers/{newest}/verify")
    assert (answer.status_code, answer.json()["error"]) == (403, "driver_over_limit")
    assert register.queries == []


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RegisterError(RegisterErrorKind.UNAVAILABLE, "x"), 503),
        (RegisterError(RegisterErrorKind.RATE_LIMITED, "x", retry_after=9), 503),
        (RegisterError(RegisterErrorKind.INVALID_RESPONSE, "x"), 502),
        (RegisterError(RegisterErrorKind.INVALID_QUERY, "x"), 502),
        (ProviderAccountError("x"), 502),
        (ValueError("x"), 502),
    ],
    ids=str,
)
async def test_without_an_answer_it_reports_an_error_and_changes_nothing(
    anna, fleet, register, error, status
):
    driver = await anna.add_driver(NUMBER)
    before = await fleet.driver_rows()
    register.answers[NUMBER] = error
    answer = await anna.post(f"/api/drivers/{driver}/verify")
    assert (answer.status_code, answer.json()["error"]) == (status, "verification_failed")
    assert answer.json()["message"] == FAILED_MESSAGE
    assert ("retry-after" in answer.headers) == (status == 503)
    assert await fleet.driver_rows() == before


async def test_rate_limits_apply_per_driver_and_per_company(
    context, anna, browser_for_app, register
):
    first, second = [await anna.add_driver(number) for number in ("AA000001", "AA000002")]
    max_tries = {"check_driver": 2, "check_company": 3}
    async with browser_for_app(context, max_tries=max_tries) as browser:
        browser.cookies = anna.browser.cookies

        async def check(driver):
            return await browser.post(f"/api/drivers/{driver}/verify")

        statuses = [(await check(driver)).status_code for driver in (first, first, first)]
        assert statuses == [200, 200, 429]
        refused = await check(first)
        assert int(refused.headers["retry-after"]) > 3000
        assert (await check(second)).status_code in {200, 429}
        assert (await check(second)).status_code == 429
    assert len(register.queries) <= 3


async def test_no_transaction_is_open_while_the_register_is_queried(anna, fleet, register):
    driver = await anna.add_driver(NUMBER)
    open_transactions = []

    async def count(query):
        open_transactions.append(await fleet.count_idle_transactions())

    register.before_answer = count
    assert (await anna.post(f"/api/drivers/{driver}/verify")).status_code == 200
    assert open_transactions == [0]


async def test_it_waits_at_most_five_seconds_for_a_slot(anna, fleet, register):
    assert MAX_SLOT_WAIT_SECONDS == 5
    driver = await anna.add_driver(NUMBER)
    await anna.post(f"/api/drivers/{driver}/verify")
    queries = len(register.queries)
    slot = await fleet.fetch_value(
        "UPDATE register_limiter SET next_free_at = now() + interval '2 seconds'"
        " WHERE lane = 'manual' RETURNING next_free_at"
    )
    sent_at = []
    register.before_answer = lambda query: sent_at.append(utc_now())
    assert (await anna.post(f"/api/drivers/{driver}/verify")).status_code == 200
    assert sent_at[0] >= slot
    await fleet.admin.execute(
        "UPDATE register_limiter SET next_free_at = now() + make_interval(secs => $1)",
        2 * MAX_SLOT_WAIT_SECONDS,
    )
    async with asyncio.timeout(2 * MAX_SLOT_WAIT_SECONDS):
        answer = await anna.post(f"/api/drivers/{driver}/verify")
    assert (answer.status_code, answer.json()["error"]) == (503, "verification_failed")
    assert int(answer.headers["retry-after"]) > 0
    assert len(register.queries) == queries + 1


async def test_the_history_is_paged_newest_first(anna, clock):
    driver = await anna.add_driver(NUMBER)
    ids = []
    for _ in range(5):
        ids.insert(0, (await anna.post(f"/api/drivers/{driver}/verify")).json()["id"])
        clock.forward(hours=2)
    page = await anna.get(f"/api/drivers/{driver}/verifications?page=2&pageSize=2")
    assert [entry["id"] for entry in page.json()] == ids[2:4]
    assert page.headers["content-range"].endswith("2-3/5")


async def test_a_session_revoked_during_the_query_writes_nothing(
    anna, register, context, logins
) -> None:
    driver = await anna.add_driver("AB123456")

    async def revoke_sessions(_) -> None:
        async with context.database.system() as session:
            await session.execute(text("UPDATE login_session SET revoked_at = now()"))

    register.before_answer = revoke_sessions
    answer = await anna.post(f"/api/drivers/{driver}/verify")

    assert answer.status_code == 401
    assert answer.json()["error"] == "auth_required"
    assert await count_rows(logins, "verification") == 0
