"""The daily check in the console: progress, pause, retry, review."""

from datetime import timedelta

import pytest

from prawko.apps.composition_root import create_renderer_registry
from prawko.console.check_run_forecast import RunActivity, expected_end, is_stalled, rate_per_minute
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.clock import utc_now, warsaw_date
from prawko.verifications.daily.planning import plan_run
from prawko.verifications.daily.run_now import run_daily_check
from prawko.verifications.jobs import (
    apply_review_decisions,
    reconcile_runs,
    retry_unanswered_items,
    run_check_worker,
)
from prawko.verifications.monitoring import check_health
from prawko_testing.fakes import licence_answer
from support.database import fetch_rows
from support.people import Person
from support.statements import record_statements

pytestmark = pytest.mark.anyio

RUNS = "/api/admin/check-runs"
REASON = {"reason": "przerwa w rejestrze"}
LICENCES = [f"AA{index:06d}" for index in range(40)]


@pytest.fixture
def run_check(worker):
    return lambda: run_daily_check(worker, create_renderer_registry(worker))


async def list_actions(logins) -> list[tuple[str, str | None]]:
    rows = await fetch_rows(
        logins, "SELECT action_type, reason FROM admin_action ORDER BY sequence"
    )
    return [(row["action_type"], row["reason"]) for row in rows]


async def get_run(olga: Person, day: str = "today") -> dict[str, object]:
    answer = await olga.get(f"{RUNS}/{day}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def act(olga: Person, path: str, **body: object) -> tuple[int, object]:
    answer = await olga.post(f"{RUNS}/{path}", {**REASON, **body})
    return answer.status_code, answer.json().get("error")


async def test_a_finished_run_has_its_outcomes_and_its_rate(olga, fleet, run_check, worker) -> None:
    assert (await olga.get(f"{RUNS}/today")).status_code == 404
    await fleet.add_companies(LICENCES, worker.clock.now(), companies=3)
    await run_check()

    run = await get_run(olga)
    assert run["id"] == run["day"] == warsaw_date(worker.clock.now()).isoformat()
    names = ("state", "planned", "done", "valid", "unresolved", "leased")
    assert [run[name] for name in names] == ["finished", 40, 40, 40, 0, 0]
    assert (run["errors"], run["expectedEndAt"], run["stalled"], run["paused"]) == (
        [], None, False, False,
    )  # fmt: skip
    assert run["ratePerMinute"] > 0
    listed = await olga.get(RUNS, params={"range": "[0,9]", "sort": '["day","DESC"]'})
    assert [one["id"] for one in listed.json()] == [run["id"]]
    assert listed.headers["Content-Range"] == "check-runs 0-0/1"
    for ids, count in ((f'["{run["id"]}"]', 1), ('["2020-01-01"]', 0)):
        answer = await olga.get(RUNS, params={"filter": f'{{"id":{ids}}}'})
        assert len(answer.json()) == count


async def test_a_list_takes_a_constant_number_of_statements(olga, fleet, run_check, clock) -> None:
    await fleet.add_companies(LICENCES[:2], clock.now(), companies=1)
    counts = []
    for _ in range(3):
        await run_check()
        clock.forward(days=1)
        with record_statements() as statements:
            assert (await olga.get(RUNS)).status_code == 200
        counts.append(len(statements))
    await run_check()
    assert len(set(counts[1:])) == 1, counts


async def test_unanswered_drivers_are_counted_by_error_and_retried_at_once(
    olga, fleet, run_check, register, worker, clock, logins
) -> None:
    await fleet.add_companies(LICENCES, clock.now(), companies=3)
    for number in LICENCES[:3]:
        register.answers[number] = RegisterError(RegisterErrorKind.INVALID_RESPONSE, "garbled")
    await run_check()
    run = await get_run(olga)
    assert (run["unresolved"], run["errors"]) == (3, [{"kind": "invalid_response", "count": 3}])
    for number in LICENCES[:3]:
        register.answers[number] = licence_answer(number)
    await run_check()
    assert (await get_run(olga))["unresolved"] == 3, "they are not due yet"

    assert (await act(olga, "today/retry"))[0] == 200
    await retry_unanswered_items(worker)
    await run_check()

    assert (await get_run(olga))["unresolved"] == 0
    assert await list_actions(logins) == [("check_retried", REASON["reason"])]
    assert await act(olga, "2020-01-01/retry") == (404, "not_found")
    assert await act(olga, "nonsense/retry") == (404, "not_found")


async def test_a_lost_retry_is_made_up_for_by_the_reconciler(
    olga, fleet, run_check, register, worker, clock
) -> None:
    await fleet.add_companies(LICENCES[:2], clock.now(), companies=1)
    register.answers[LICENCES[0]] = RegisterError(RegisterErrorKind.INVALID_RESPONSE, "garbled")
    await run_check()
    register.answers[LICENCES[0]] = licence_answer(LICENCES[0])
    await act(olga, "today/retry")
    await reconcile_runs(worker)
    await run_check()
    assert (await get_run(olga))["unresolved"] == 0


async def test_a_superseded_run_is_not_retried(olga, fleet, run_check, clock) -> None:
    await fleet.add_companies(LICENCES[:2], clock.now(), companies=1)
    await run_check()
    day = warsaw_date(clock.now()).isoformat()
    clock.forward(days=1)
    await run_check()
    assert await act(olga, f"{day}/retry") == (409, "check_run_superseded")


async def test_a_pause_stops_the_workers_and_its_end_lets_them_go_on(
    olga, fleet, worker, clock, logins, queue
) -> None:
    await fleet.add_companies(LICENCES, clock.now(), companies=3)
    await plan_run(worker.database, clock.now())
    assert await act(olga, "resume") == (409, "check_not_paused")
    assert (await act(olga, "pause"))[0] == 200
    assert await act(olga, "pause") == (409, "check_paused")

    day = warsaw_date(clock.now())
    await run_check_worker(worker, day=day)
    await reconcile_runs(worker)
    run = await get_run(olga)
    assert (run["done"], run["state"], run["paused"], run["expectedEndAt"], run["stalled"]) == (
        0, "running", True, None, False,
    )  # fmt: skip
    assert run["pausedSince"] is not None

    assert (await act(olga, "resume"))[0] == 200
    await run_check_worker(worker, day=day)
    assert (await get_run(olga))["done"] == 40
    assert [action for action, _ in await list_actions(logins)] == ["check_paused", "check_resumed"]


async def test_a_pause_of_more_than_a_day_is_an_incident_until_it_ends(olga, worker, clock) -> None:
    async def open_kinds() -> set[str]:
        await check_health(worker)
        answer = await olga.get("/api/admin/incidents", params={"filter": '{"open":true}'})
        return {one["kind"] for one in answer.json()}

    await act(olga, "pause")
    assert "check_paused" not in await open_kinds()
    clock.forward(days=1, minutes=1)
    assert "check_paused" in await open_kinds()
    await act(olga, "resume")
    assert "check_paused" not in await open_kinds()


async def hold_back_changes(fleet, run_check, register, clock) -> None:
    """Let the register invalidate so many licences at once that a run waits for a decision."""
    await fleet.add_companies(LICENCES, clock.now(), companies=3)
    await run_check()
    clock.forward(days=1)
    for number in LICENCES[:21]:
        register.answers[number] = licence_answer(number, "Unieważniony", code="DICT003_UNI")
    await run_check()


@pytest.mark.parametrize(("decision", "attention"), [("approve", 21), ("reject", 0)])
async def test_a_mass_change_is_decided_once_and_applied_by_the_worker(
    olga, fleet, run_check, register, worker, clock, logins, decision, attention
) -> None:
    await hold_back_changes(fleet, run_check, register, clock)
    run = await get_run(olga)
    assert (run["reviewState"], run["quarantined"]) == ("pending", 21)
    changes = (await olga.get(f"{RUNS}/today/changes")).json()
    assert sum(one["attention"] for one in changes) == sum(one["total"] for one in changes) == 21
    assert {one["notFound"] for one in changes} == {0}

    refused = await olga.post(f"{RUNS}/today/{decision}", {})
    assert (refused.status_code, refused.json()["error"]) == (422, "reason_required")
    assert (await act(olga, f"today/{decision}"))[0] == 200
    assert await act(olga, f"today/{decision}") == (409, "no_pending_review")
    await apply_review_decisions(worker)
    await apply_review_decisions(worker)

    statuses = list((await fleet.statuses()).values())
    assert statuses.count("attention") == attention
    run = await get_run(olga)
    assert (run["quarantined"], run["unresolved"], run["done"]) == (0, 0, 40)
    rows = await fetch_rows(logins, "SELECT quarantined FROM check_run ORDER BY day DESC LIMIT 1")
    assert rows == [{"quarantined": 0}], "the decision is applied, and not looked at again"
    assert (await olga.get(f"{RUNS}/today/changes")).json() == []
    assert [action for action, _ in await list_actions(logins)] == [
        f"review_{'approved' if decision == 'approve' else 'rejected'}"
    ]


async def test_a_lost_decision_is_applied_by_the_reconciler(
    olga, fleet, run_check, register, worker, clock
) -> None:
    await hold_back_changes(fleet, run_check, register, clock)
    await act(olga, "today/approve")
    await reconcile_runs(worker)
    assert list((await fleet.statuses()).values()).count("attention") == 21


async def test_who_is_no_operator_learns_nothing(anna, celina, new_browser, logins) -> None:
    visitor = Person("", new_browser())
    for person, status in ((visitor, 401), (anna, 403), (celina, 403)):
        for path in ("pause", "resume", "today/retry", "today/approve", "today/reject"):
            assert (await person.post(f"{RUNS}/{path}", REASON)).status_code == status, path
        for path in ("", "/today", "/2020-01-01", "/today/changes"):
            assert (await person.get(f"{RUNS}{path}")).status_code == status, path
    assert await fetch_rows(logins, "SELECT id FROM check_pause") == []
    assert await list_actions(logins) == []


NOW = utc_now()


@pytest.mark.parametrize(
    ("done", "seconds", "rate"), [(0, 60, 0.0), (120, 60, 120.0), (10, 0, 600.0), (1, 3600, 0.0)]
)
def test_the_rate_is_of_the_time_since_the_start(done: int, seconds: int, rate: float) -> None:
    assert rate_per_minute(done, NOW - timedelta(seconds=seconds), None, NOW) == rate
    assert rate_per_minute(done, None, None, NOW) is None


@pytest.mark.parametrize(
    ("unresolved", "measured", "seconds"), [(120, 60.0, 120), (100, 0.0, 50), (0, 60.0, None)]
)
def test_the_end_is_expected_at_the_measured_rate_or_the_allowed_one(
    unresolved: int, measured: float, seconds: int | None
) -> None:
    end = expected_end(unresolved, measured, 2.0, NOW)
    assert end == (None if seconds is None else NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize(
    ("due", "progress_ago", "resumed_ago", "is_paused", "is_blocked", "stalled"),
    [
        (10, 5, 60, False, False, True),
        (10, 3, 60, False, False, False),
        (10, 60, 3, False, False, False),
        (10, None, 5, False, False, True),
        (0, 60, 60, False, False, False),
        (10, 60, 60, True, False, False),
        (10, 60, 60, False, True, False),
    ],
)
def test_a_run_is_stalled_when_work_is_due_and_no_worker_does_it(
    due, progress_ago, resumed_ago, is_paused, is_blocked, stalled
) -> None:
    activity = RunActivity(
        due=due,
        last_progress_at=None if progress_ago is None else NOW - timedelta(seconds=progress_ago),
        is_blocked=is_blocked,
    )
    resumed_at = NOW - timedelta(seconds=resumed_ago)
    assert (
        is_stalled(activity, is_paused=is_paused, resumed_at=resumed_at, system_now=NOW) is stalled
    )
