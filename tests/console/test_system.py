"""Plugins, incidents, acts and charts in the console."""

from datetime import timedelta
from uuid import uuid4

import pytest

from prawko.accounts.acts.jobs import verify_action_chain
from prawko.hooks.channels import DeliveryError
from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.incidents.plugin_faults import set_plugin_incident
from prawko.kit.incidents.provider_pauses import pause_provider
from prawko.kit.incidents.service import close_incident, open_incident
from support.database import execute_as_owner, fetch_rows, insert_subscription
from support.people import Person

pytestmark = pytest.mark.anyio

INCIDENTS, ACTIONS = "/api/admin/incidents", "/api/admin/actions"


@pytest.fixture
def variables(variables) -> dict[str, str]:
    """With an installed plugin that is not configured."""
    return {**variables, "TRANSFER_IBAN": ""}


async def test_plugins_show_what_is_chosen_and_what_ails_it(olga, worker) -> None:
    plugins = {one["id"]: one for one in (await olga.get("/api/admin/plugins")).json()}
    assert {one["kind"] for one in plugins.values()} >= {"register", "channel", "plugin"}
    mail = plugins["channel:recording"]
    assert (mail["configured"], mail["chosen"], mail["healthy"]) == (True, True, True)
    transfer = next(one for one in plugins.values() if one["name"] == "payments-transfer")
    assert (transfer["configured"], transfer["chosen"], transfer["version"]) == (
        False, False, "0.1.0",
    )  # fmt: skip

    async with worker.database.system() as session:
        await pause_provider(session, mail["name"], "the password is wrong", utc_now())
    plugins = {one["id"]: one for one in (await olga.get("/api/admin/plugins")).json()}
    mail = plugins[mail["id"]]
    assert (mail["healthy"], mail["lastError"]) == (False, "the password is wrong")
    assert mail["pausedUntil"] is not None


@pytest.mark.parametrize("of", ["channel", "webhook"])
async def test_a_plugin_of_which_an_incident_is_open_is_not_healthy(olga, worker, of) -> None:
    async def state() -> list[object]:
        plugins = {one["id"]: one for one in (await olga.get("/api/admin/plugins")).json()}
        assert plugins["register:fake"]["healthy"]
        return [plugins["channel:recording"][key] for key in ("healthy", "lastError")]

    reason = "TypeError in send, line 11"
    await set_plugin_incident(worker, plugin=f"{of} recording", reason=reason)
    assert await state() == [False, reason]
    await set_plugin_incident(worker, plugin=f"{of} recording", reason="")
    assert await state() == [True, None]


async def test_the_providers_are_asked_whether_they_would_serve_us(
    olga, console, mailbox, sms_inbox
) -> None:
    async def check() -> str:
        return "credit: 7"

    async def fail() -> str:
        raise DeliveryError("the key of anna@acme.test was revoked")

    mailbox.check, sms_inbox.check = check, fail

    checks = {one["id"]: one for one in (await olga.get("/api/admin/plugins/checks")).json()}

    assert checks["channel:recording"] == {
        "id": "channel:recording", "passed": True, "text": "credit: 7",
    }  # fmt: skip
    assert checks["channel:recording-sms"]["passed"] is False
    assert checks["channel:recording-sms"]["text"] == "the key of … was revoked"
    assert checks["register:fake"]["passed"] is None


async def test_an_incident_is_closed_once_and_opened_again_while_it_lasts(
    olga, worker, logins
) -> None:
    async def open_one() -> None:
        async with worker.database.system() as session:
            await open_incident(
                session, kind="run_late", key="2026-11-22", detail="1/2", now=utc_now()
            )

    await open_one()
    [incident] = (await olga.get(INCIDENTS, params={"filter": '{"open":true}'})).json()
    assert (incident["kind"], incident["key"], incident["closedAt"]) == (
        "run_late", "2026-11-22", None,
    )  # fmt: skip
    closed = await olga.post(f"{INCIDENTS}/{incident['id']}/close", {"reason": "wiemy"})
    assert closed.status_code == 200, closed.text
    assert closed.json()["closedAt"] is not None
    again = await olga.post(f"{INCIDENTS}/{incident['id']}/close", {})
    assert (again.status_code, again.json()["error"]) == (409, "incident_closed")
    await open_one()
    [reopened] = (await olga.get(INCIDENTS)).json()  # what returns at once is the same incident
    assert (reopened["id"], reopened["closedAt"]) == (incident["id"], None)
    actions = (await olga.get(ACTIONS)).json()
    assert [(one["actionType"], one["reason"], one["adminEmail"]) for one in actions] == [
        ("incident_closed", "wiemy", olga.email)
    ]


async def test_closing_a_closed_incident_leaves_a_later_one_of_its_kind_open(olga, worker) -> None:
    about, now = {"kind": "run_late", "key": "2026-11-22"}, utc_now()
    async with worker.database.system() as session:
        await open_incident(session, **about, detail="1/2", now=now - timedelta(hours=2))
        await close_incident(session, **about, now=now - timedelta(hours=1))
    async with worker.database.system() as session:
        await open_incident(session, **about, detail="1/2", now=now)
    later, former = (await olga.get(INCIDENTS)).json()

    refused = await olga.post(f"{INCIDENTS}/{former['id']}/close", {"reason": "wiemy"})

    assert (refused.status_code, refused.json()["error"]) == (409, "incident_closed")
    assert (await olga.get(f"{INCIDENTS}/{later['id']}")).json()["closedAt"] is None


async def test_the_log_is_listed_and_verified(olga, worker, logins) -> None:
    for number in range(3):
        async with worker.database.system() as session:
            await open_incident(session, kind="k", key=str(number), detail="", now=utc_now())
    for incident in (await olga.get(INCIDENTS)).json():
        await olga.post(f"{INCIDENTS}/{incident['id']}/close", {"reason": "x"})

    answer = await olga.get(ACTIONS, params={"range": "[0,1]"})
    assert answer.headers["Content-Range"] == "actions 0-1/3"
    assert [one["sequence"] for one in answer.json()] == [3, 2]
    for filters, count in (('{"actionType":"incident_closed"}', 3), ('{"q":"OLGA@"}', 3),
                           ('{"actionType":"user_deleted"}', 0), ('{"q":"nobody"}', 0),
                           (f'{{"companyId":"{uuid4()}"}}', 0)):  # fmt: skip
        assert len((await olga.get(ACTIONS, params={"filter": filters})).json()) == count, filters
    verified = (await olga.get(f"{ACTIONS}/verification")).json()
    assert (verified["rows"], verified["brokenAt"]) == (3, None)

    for statement in (
        "ALTER TABLE admin_action DISABLE TRIGGER admin_action_append_only",
        "UPDATE admin_action SET reason = 'another' WHERE sequence = 2",
        "ALTER TABLE admin_action ENABLE TRIGGER admin_action_append_only",
    ):
        await execute_as_owner(logins, statement)
    verified = (await olga.get(f"{ACTIONS}/verification")).json()
    assert (verified["rows"], verified["brokenAt"]) == (1, 2)


async def test_the_verification_on_request_knows_the_last_one(olga, worker, logins) -> None:
    for number in range(3):
        async with worker.database.system() as session:
            await open_incident(session, kind="k", key=str(number), detail="", now=utc_now())
    for incident in (await olga.get(INCIDENTS)).json():
        await olga.post(f"{INCIDENTS}/{incident['id']}/close", {"reason": "x"})
    await verify_action_chain(worker)
    for statement in (
        "ALTER TABLE admin_action DISABLE TRIGGER admin_action_append_only",
        "DELETE FROM admin_action WHERE sequence = 3",
        "ALTER TABLE admin_action ENABLE TRIGGER admin_action_append_only",
    ):
        await execute_as_owner(logins, statement)

    verified = (await olga.get(f"{ACTIONS}/verification")).json()

    assert verified["brokenAt"] == 3


@pytest.mark.parametrize("resource", ["users", "companies", "payments", "actions", "tickets"])
async def test_a_search_for_what_postgresql_cannot_store_is_refused(olga, resource) -> None:
    answer = await olga.get(f"/api/admin/{resource}", params={"filter": '{"q":"a\\u0000"}'})

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_list_query")


async def test_deeply_nested_json_is_refused(olga) -> None:
    body = '{"x":' + "[" * 100_000 + "]" * 100_000 + "}"
    answer = await olga.browser.post(
        "/api/admin/check-runs/pause", content=body, headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == 400


async def test_charts_have_every_day_and_month(olga, anna, worker, clock) -> None:
    await insert_subscription(anna, worker)
    charts = (await olga.get("/api/admin/charts")).json()
    today = warsaw_date(clock.now())
    for name in ("signUps", "active"):
        assert [one["day"] for one in charts[name]] == [
            (today - timedelta(days=ago)).isoformat() for ago in reversed(range(90))
        ], name
    assert charts["signUps"][-1]["count"] >= 1
    counts = [one["count"] for one in charts["active"]]
    assert set(counts[:-1]) == {0}
    assert counts[-1] >= 1, "it started today and ends in thirty days"
    clock.forward(days=31)
    later = [one["count"] for one in (await olga.get("/api/admin/charts")).json()["active"]]
    assert later[-31] == counts[-1], "today, a month later"
    assert later[-1] == 0
    assert len(charts["revenue"]) == len(charts["churn"]) == 12
    assert charts["revenue"][-1]["month"] == today.replace(day=1).isoformat()
    assert charts["outcomes"] == []


async def test_who_is_no_operator_learns_nothing(anna, celina, new_browser, logins) -> None:
    visitor = Person("", new_browser())
    for person, status in ((visitor, 401), (anna, 403), (celina, 403)):
        for path in ("plugins", "plugins/checks", "incidents", f"incidents/{uuid4()}", "actions",
                     "actions/verification", "charts"):  # fmt: skip
            assert (await person.get(f"/api/admin/{path}")).status_code == status, path
        closed = await person.post(f"{INCIDENTS}/{uuid4()}/close", {})
        assert closed.status_code == status
    assert await fetch_rows(logins, "SELECT id FROM admin_action") == []
