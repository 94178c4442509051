"""The console's people: the list in react-admin's dialect, the history, changes and deletion."""

import asyncio
import json
import time
from datetime import UTC, datetime, timedelta
from urllib.parse import quote
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import text

from prawko.billing.jobs import expire_ended_subscriptions
from prawko.kit.clock import WARSAW
from prawko_tenants.ids import TenantId
from prawko_testing.fakes import withheld_licence
from support.database import count_rows, fetch_rows, insert_subscription, set_subscription_end
from support.invoices import issue_sale
from support.people import create_operator
from support.statements import record_statements

pytestmark = pytest.mark.anyio

REASON = {"reason": "Klient prosił telefonicznie"}
MANY = 20_000
_INSERT_PEOPLE = """
    WITH person AS (
        SELECT n, gen_random_uuid() AS id, gen_random_uuid() AS tenant,
               'osoba' || n || '@firma' || n % 500 || '.test' AS email
          FROM generate_series(1, $1) AS n
    ), u AS (
        INSERT INTO user_account (id, email, email_key, password_hash, created_at, updated_at)
        SELECT id, email, email, '', now() - n * interval '1 minute', now() FROM person
    ), t AS (
        INSERT INTO tenant (id, company_name, created_at, updated_at)
        SELECT tenant, 'Firma ' || n, now(), now() FROM person
    ), m AS (
        INSERT INTO membership (tenant_id, user_id, role, created_at)
        SELECT tenant, id, 'owner', now() FROM person
    )
    INSERT INTO subscription (tenant_id, id, status, driver_limit, start_date, end_date,
                              monitored_until, created_at, updated_at)
    SELECT tenant, gen_random_uuid(), CASE WHEN n % 3 = 0 THEN 'inactive' ELSE 'active' END,
           5 * (n % 40), now(), now() + interval '30 days', now(), now(), now() FROM person
"""

# The newest subscription gets a payment method that renewals would charge.
_ADD_MANDATE = """
    WITH mandate AS (
        INSERT INTO payment_mandate (tenant_id, id, provider, method, token, key_id, label,
                                     created_at)
        SELECT tenant_id, gen_random_uuid(), 'fake', 'card', 'x', 'k', '4242', now()
          FROM subscription ORDER BY id DESC LIMIT 1
        RETURNING tenant_id, id
    )
    UPDATE subscription SET mandate_id = mandate.id FROM mandate
     WHERE subscription.tenant_id = mandate.tenant_id AND cancelled_at IS NOT NULL
"""
_SCHEDULE_LIMIT = """
    UPDATE subscription SET scheduled_limit = 10, scheduled_limit_at = end_date
     WHERE driver_limit = 20
"""


async def change_rows(person, worker, sql: str) -> int:
    """Change rows of the person's company as a worker; return their number."""
    async with worker.database.tenant(TenantId(await person.tenant_id(worker))) as session:
        return (await session.execute(text(sql))).rowcount


def users_url(**parameters) -> str:
    """The address that ra-data-simple-rest asks for a list."""
    return "/api/admin/users?" + "&".join(
        f"{name}={quote(json.dumps(value))}" for name, value in parameters.items()
    )


async def user_of(olga, person) -> dict:
    [found] = (await olga.get(users_url(filter={"email": person.email}))).json()
    return found


async def admin_actions(logins) -> list[dict]:
    return await fetch_rows(logins, "SELECT * FROM admin_action ORDER BY sequence")


async def test_a_list_without_parameters_is_a_bare_array(olga, anna) -> None:
    answer = await olga.get("/api/admin/users")

    assert answer.status_code == 200
    assert {user["email"] for user in answer.json()} == {anna.email, olga.email}
    assert answer.headers["content-range"] == "users 0-1/2"


async def test_a_user_is_shown_with_the_companys_subscription(olga, anna, worker, logins) -> None:
    await anna.add_driver("AA123456")
    await insert_subscription(anna, worker, driver_limit=25, cancelled=True)

    user = await user_of(olga, anna)

    assert (user["status"], user["driverLimit"], user["driversCount"]) == ("active", 25, 1)
    assert [one["isTrial"] for one in user["subscriptions"]] == [False, True]
    newest = user["subscriptions"][0]
    assert (newest["status"], newest["driverLimit"], newest["cancelled"]) == ("active", 25, True)
    assert datetime.fromisoformat(newest["endDate"]).tzinfo is not None
    assert user == (await olga.get(f"/api/admin/users/{user['id']}")).json()
    assert not {"passwordHash", "phoneNumber"} & user.keys()
    assert user["companyId"] == str(await anna.tenant_id(worker))


async def test_an_ended_subscription_is_inactive(olga, anna, worker) -> None:
    await set_subscription_end(anna, worker, worker.clock.now() - timedelta(hours=1))

    user = await user_of(olga, anna)

    assert (user["status"], user["subscriptions"][0]["status"]) == ("inactive", "expired")


async def test_a_person_without_a_subscription_is_inactive_with_a_limit_of_0(olga) -> None:
    user = await user_of(olga, olga)

    assert (user["status"], user["driverLimit"], user["subscriptions"]) == ("inactive", 0, [])
    assert user["isAdmin"]


PEOPLE = (
    ({"sort": ["email", "ASC"]}, ["anna@acme.test", "celina@rival.test", "olga@prawko.test"]),
    ({"sort": ["email", "DESC"], "range": [0, 0]}, ["olga@prawko.test"]),
    ({"sort": ["email", "ASC"], "range": [1, 2]}, ["celina@rival.test", "olga@prawko.test"]),
    ({"sort": ["driverLimit", "DESC"], "range": [0, 0]}, ["celina@rival.test"]),
    ({"sort": ["status", "ASC"], "range": [0, 0]}, ["olga@prawko.test"]),
    ({"filter": {"q": "ACME"}}, ["anna@acme.test"]),
    ({"filter": {"email": " Celina@"}}, ["celina@rival.test"]),
    ({"filter": {"q": "%"}}, []),
    ({"filter": {"q": "_nna"}}, []),
    ({"filter": {"status": "inactive"}}, ["olga@prawko.test"]),
    ({"filter": {"status": "active", "q": "acme"}}, ["anna@acme.test"]),
    ({"filter": {"id": []}}, []),
    ({"range": [10, 19]}, []),
)


async def test_people_are_searched_sorted_and_paged(olga, anna, celina, worker) -> None:
    await insert_subscription(celina, worker, driver_limit=50)

    for parameters, emails in PEOPLE:
        answer = await olga.get(users_url(**parameters))

        assert [user["email"] for user in answer.json()] == emails, parameters
        if not emails:
            assert answer.headers["content-range"].startswith("users */"), parameters


async def test_people_are_found_by_their_ids(olga, anna, celina) -> None:
    ids = [(await user_of(olga, person))["id"] for person in (anna, celina)]

    answer = await olga.get(users_url(filter={"id": ids}))

    assert {user["id"] for user in answer.json()} == set(ids)


async def test_a_malformed_list_query_is_refused(olga) -> None:
    for query in ("sort=email", "range=[0,1000]", 'filter={"passwordHash":"x"}', "filter=["):
        answer = await olga.get(f"/api/admin/users?{query}")
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_list_query"), query


async def test_the_figures_count_people_subscriptions_and_acts(olga, anna, celina, worker) -> None:
    await set_subscription_end(celina, worker, worker.clock.now() - timedelta(hours=1))
    user = await user_of(olga, anna)
    await olga.get(f"/api/admin/users/{user['id']}/history")

    assert (await olga.get("/api/admin/stats")).json() == {
        "totalUsers": 3, "newUsersToday": 3, "activeSubscriptions": 1, "actionsToday": 1,
    }  # fmt: skip


async def test_a_list_of_20_000_people_is_quick_and_costs_as_many_statements_as_one_of_two(
    olga, anna, logins
) -> None:
    urls = [
        users_url(sort=["createdAt", "DESC"], range=[0, 49]),
        users_url(sort=["email", "ASC"], range=[15000, 15049]),
        users_url(sort=["driverLimit", "DESC"], range=[0, 49]),
        users_url(sort=["status", "ASC"], range=[0, 49], filter={"status": "active"}),
        users_url(sort=["email", "ASC"], range=[0, 49], filter={"q": "FIRMA77."}),
        "/api/admin/stats",
    ]

    async def measure(url):
        await olga.get(url)
        with record_statements() as statements:
            started = time.perf_counter()
            answer = await olga.get(url)
            seconds = time.perf_counter() - started
        assert answer.status_code == 200, answer.text
        return len(statements), seconds

    few = [(await measure(url))[0] for url in urls]
    connection = await asyncpg.connect(logins.owner)
    try:
        await connection.execute("ALTER TABLE tenant NO FORCE ROW LEVEL SECURITY")
        await connection.execute("ALTER TABLE subscription NO FORCE ROW LEVEL SECURITY")
        await connection.execute(_INSERT_PEOPLE, MANY)
        await connection.execute("ALTER TABLE tenant FORCE ROW LEVEL SECURITY")
        await connection.execute("ALTER TABLE subscription FORCE ROW LEVEL SECURITY")
        await connection.execute("ANALYZE")
    finally:
        await connection.close()
    many = [await measure(url) for url in urls]

    assert [count for count, _ in many] == few
    assert all(seconds < 2 for _, seconds in many)  # at most 0.2 on an idle machine


async def test_the_history_has_three_parts_and_is_itself_recorded(
    olga, anna, register, run_daily_check, logins
) -> None:
    register.answers["AA123456"] = withheld_licence("AA123456")
    await anna.add_driver("AA123456", first="Żaneta", last="Nowak")
    await run_daily_check()
    user = await user_of(olga, anna)

    history = (await olga.get(f"/api/admin/users/{user['id']}/history")).json()

    assert {"registered", "email_verified", "driver_added"} <= {
        one["activityType"] for one in history["activity"]
    }
    times = [one["createdAt"] for one in history["activity"]]
    assert times == sorted(times, reverse=True)
    [trial] = history["subscriptions"]
    assert (trial["oldStatus"], trial["newStatus"], trial["note"]) == (
        None, "active", "Rozpoczęto bezpłatny okres próbny",
    )  # fmt: skip
    [check] = history["verifications"]
    assert (check["driverFirstName"], check["driverLastName"]) == ("Żaneta", "Nowak")
    assert (check["status"], check["documentStatus"]) == ("invalid", "Zatrzymany")
    assert check["mayDrive"] == "no"
    assert check["categories"]
    assert check["verificationResponse"]
    [action] = await admin_actions(logins)
    assert (action["action_type"], str(action["target_user_id"]), action["tenant_id"]) == (
        "history_viewed", user["id"], (await fetch_rows(logins, "SELECT id FROM tenant"
        " WHERE tax_id = '5260250274'"))[0]["id"],
    )  # fmt: skip


async def test_the_activity_is_filtered_by_its_type(olga, anna) -> None:
    user = await user_of(olga, anna)

    filtered = await olga.get(f"/api/admin/users/{user['id']}/history?activityType=registered")

    assert [one["activityType"] for one in filtered.json()["activity"]] == ["registered"]


async def test_one_companys_history_has_nothing_of_another(
    olga, anna, celina, register, run_daily_check
) -> None:
    for person, number in ((anna, "AA123456"), (celina, "BB123456")):
        register.answers[number] = withheld_licence(number)
        await person.add_driver(number, last=person.email.partition("@")[0])
    await run_daily_check()
    user = await user_of(olga, anna)

    history = (await olga.get(f"/api/admin/users/{user['id']}/history")).json()

    assert [one["driverLastName"] for one in history["verifications"]] == ["anna"]
    assert len(history["subscriptions"]) == 1


async def change(olga, person, **body):
    user = await user_of(olga, person)
    return await olga.put(f"/api/admin/users/{user['id']}", {**REASON, **body})


async def test_an_operators_date_is_the_end_of_that_day_in_warsaw(
    olga, anna, worker, logins
) -> None:
    day = (worker.clock.now() + timedelta(days=90)).astimezone(WARSAW).date()

    answer = await change(
        olga, anna, driverLimit=7, subscriptionEndDate=day.isoformat(), status="active"
    )

    assert (answer.status_code, answer.json()["driverLimit"]) == (200, 7)
    end = datetime.fromisoformat(answer.json()["subscriptions"][0]["endDate"])
    assert end.astimezone(WARSAW).replace(tzinfo=None).isoformat() == f"{day}T23:59:59"
    history = await fetch_rows(logins, "SELECT * FROM subscription_history ORDER BY changed_at")
    assert [(row["old_status"], row["new_status"], row["note"]) for row in history] == [
        (None, "active", "Rozpoczęto bezpłatny okres próbny"),
        ("active", "active", "Zmieniono przez operatora"),
    ]
    assert (history[1]["old_end_date"], history[1]["new_end_date"]) == (
        history[0]["new_end_date"], end,
    )  # fmt: skip
    [action] = await admin_actions(logins)
    assert (action["action_type"], action["reason"]) == ("user_updated", REASON["reason"])
    assert json.loads(action["details"])["driver_limit"] == 7
    subscription = (await anna.get("/api/subscription")).json()
    assert (subscription["driverLimit"], subscription["status"]) == (7, "active")


async def test_the_day_that_it_ends_on_leaves_the_end_as_it_is(olga, anna, logins) -> None:
    [before] = await fetch_rows(logins, "SELECT end_date FROM subscription")
    day = before["end_date"].astimezone(WARSAW).date().isoformat()

    await change(olga, anna, driverLimit=9, subscriptionEndDate=day, status="active")

    [after] = await fetch_rows(logins, "SELECT end_date, driver_limit FROM subscription")
    assert (after["end_date"], after["driver_limit"]) == (before["end_date"], 9)


@pytest.mark.parametrize(
    ("status", "acts"),
    [
        ("inactive", {"company_suspended", "company_resumed"}),
        ("cancelled", {"user_updated"}),
    ],
)
async def test_a_closed_subscription_closes_the_access_at_once_until_it_is_reopened(
    olga, anna, logins, status, acts
) -> None:
    await change(olga, anna, status=status)

    refused = await anna.post(
        "/api/drivers", {"firstName": "Jan", "lastName": "Nowak", "licenseNumber": "AA123456"}
    )
    assert (refused.status_code, refused.json()["error"]) == (403, "subscription_required")
    assert (await user_of(olga, anna))["subscriptions"][0]["status"] == status

    await change(olga, anna, status="active")
    await anna.add_driver("AA123456")
    assert {one["action_type"] for one in await admin_actions(logins)} == acts


async def test_a_reopened_subscription_does_not_charge_the_mandate_of_a_cancelled_one(
    olga, anna, worker, logins
) -> None:
    await insert_subscription(anna, worker, cancelled=True)
    assert await change_rows(anna, worker, _ADD_MANDATE) == 1
    await change(olga, anna, status="cancelled")

    await change(olga, anna, status="active")

    newest = "SELECT cancelled_at, mandate_id FROM subscription ORDER BY id DESC LIMIT 1"
    assert await fetch_rows(logins, newest) == [{"cancelled_at": None, "mandate_id": None}]


async def test_an_operators_limit_replaces_a_scheduled_one(olga, anna, worker, logins) -> None:
    await insert_subscription(anna, worker, driver_limit=20)
    assert await change_rows(anna, worker, _SCHEDULE_LIMIT) == 1

    assert (await change(olga, anna, driverLimit=30)).status_code == 200

    newest = (
        "SELECT driver_limit, scheduled_limit, scheduled_limit_at FROM subscription"
        " ORDER BY id DESC LIMIT 1"
    )
    assert await fetch_rows(logins, newest) == [
        {"driver_limit": 30, "scheduled_limit": None, "scheduled_limit_at": None}
    ]


@pytest.mark.parametrize("is_saved", [True, False], ids=["saved", "not saved"])
@pytest.mark.parametrize("cancelled", [True, False], ids=["cancelled", "expired"])
async def test_a_limit_an_end_and_inactive_do_not_close_a_subscription_that_is_over(
    olga, anna, worker, logins, cancelled, is_saved
) -> None:
    """The form sends back "inactive", which the record has because the subscription is over."""
    await insert_subscription(anna, worker, days=-2, cancelled=cancelled)
    if is_saved:
        await expire_ended_subscriptions(worker)
    day = (worker.clock.now() - timedelta(days=1)).date().isoformat()

    for body in ({"driverLimit": 30}, {"subscriptionEndDate": day}, {"status": "inactive"}):
        assert (await change(olga, anna, **body)).status_code == 200, body

    [newest, _] = (await user_of(olga, anna))["subscriptions"]
    applied = [json.loads(one["details"])["status"] for one in await admin_actions(logins)]
    assert applied == [None] * 3
    status = "cancelled" if cancelled else "expired"
    assert (newest["status"], newest["driverLimit"], newest["cancelled"]) == (status, 30, cancelled)
    assert newest["endDate"][:10] == day
    await expire_ended_subscriptions(worker)
    assert (await anna.get("/api/subscription")).json()["status"] == status
    assert (await anna.get("/api/subscription/quote?driverLimit=30")).status_code == 200


@pytest.mark.parametrize("is_saved", [True, False], ids=["saved", "not saved"])
@pytest.mark.parametrize("cancelled", [True, False], ids=["cancelled", "expired"])
async def test_a_subscription_that_is_over_is_reopened_by_active_and_an_end_together(
    olga, anna, worker, logins, cancelled, is_saved
) -> None:
    await insert_subscription(anna, worker, days=-2, cancelled=cancelled)
    if is_saved:
        await expire_ended_subscriptions(worker)
    day = {"subscriptionEndDate": (worker.clock.now() + timedelta(days=9)).date().isoformat()}
    newest = "SELECT * FROM subscription ORDER BY id DESC LIMIT 1"
    before = await fetch_rows(logins, newest)

    for body in (day, {**day, "status": "inactive"}, {"status": "active"}):
        answer = await change(olga, anna, driverLimit=30, **body)
        assert (answer.status_code, answer.json()["error"]) == (422, "subscription_over"), body

    assert await fetch_rows(logins, newest) == before
    assert await admin_actions(logins) == []
    assert (await change(olga, anna, **day, status="active")).json()["status"] == "active"
    assert [row["cancelled_at"] for row in await fetch_rows(logins, newest)] == [None]
    await anna.add_driver("AA123456")


async def test_another_limit_does_not_undo_a_cancellation(olga, anna, worker, logins) -> None:
    await insert_subscription(anna, worker, cancelled=True)

    await change(olga, anna, driverLimit=30, status="active")

    newest = "SELECT cancelled_at, driver_limit FROM subscription ORDER BY id DESC LIMIT 1"
    [row] = await fetch_rows(logins, newest)
    assert row["cancelled_at"] is not None
    assert row["driver_limit"] == 30


async def test_who_has_no_subscription_gets_one(olga, logins, worker) -> None:
    refused = await change(olga, olga, driverLimit=3, status="active")
    assert (refused.status_code, refused.json()["error"]) == (422, "invalid_user_change")
    assert await admin_actions(logins) == []
    day = (worker.clock.now() + timedelta(days=10)).date().isoformat()

    answer = await change(olga, olga, driverLimit=3, subscriptionEndDate=day, status="active")

    assert (answer.json()["status"], answer.json()["driverLimit"]) == ("active", 3)
    [row] = await fetch_rows(logins, "SELECT old_status, new_status FROM subscription_history")
    assert tuple(row.values()) == (None, "active")


async def test_what_react_admin_sends_along_is_ignored(olga, anna, logins) -> None:
    user = await user_of(olga, anna)

    body = {**user, **REASON, "driverLimit": 11, "status": "active", "email": "x@x.test"}
    answer = await olga.put(f"/api/admin/users/{user['id']}", {**body, "isAdmin": True})

    assert answer.status_code == 200
    assert answer.json() == {**user, "driverLimit": 11, "subscriptions": [
        {**user["subscriptions"][0], "driverLimit": 11}]}  # fmt: skip


MALFORMED = (
    {"driverLimit": -1},
    {"driverLimit": 1.5},
    {"driverLimit": "7"},
    {"driverLimit": 10**9},
    {"status": "trial"},
    {"status": "expired"},
    {"subscriptionEndDate": "jutro"},
    {"subscriptionEndDate": "0001-01-01"},
    {"subscriptionEndDate": "9999-12-31"},
    {"reason": "x" * 501},
)


async def test_a_malformed_change_is_refused(olga, anna, logins) -> None:
    for body in MALFORMED:
        answer = await change(olga, anna, **body)

        assert (answer.status_code, answer.json()["error"]) == (422, "invalid_user_change"), body
    assert await admin_actions(logins) == []


async def test_an_act_without_a_reason_changes_nothing(olga, anna, logins) -> None:
    user = await user_of(olga, anna)
    path = f"/api/admin/users/{user['id']}"
    for answer in (
        await olga.put(path, {"driverLimit": 50}),
        await olga.delete(path),
        await olga.delete(path, {"reason": " "}),
        await olga.post(f"/api/admin/impersonate/{user['id']}"),
    ):
        assert (answer.status_code, answer.json()["error"]) == (422, "reason_required")
        assert answer.json()["message"] == "Podaj powód."

    assert await admin_actions(logins) == []
    assert (await user_of(olga, anna)) == user


async def test_deleting_a_user_deletes_the_company_but_not_its_invoices(
    olga, anna, celina, worker, logins
) -> None:
    await anna.add_driver("AA123456")
    await issue_sale(worker, await anna.tenant_id(worker))
    user = await user_of(olga, anna)

    answer = await olga.delete(f"/api/admin/users/{user['id']}", REASON)

    assert (answer.status_code, answer.json()) == (200, {"id": user["id"]})
    assert {one["email"] for one in (await olga.get("/api/admin/users")).json()} == {
        celina.email,
        olga.email,
    }
    assert (await anna.get("/api/user")).status_code == 401
    assert await count_rows(logins, "driver") == 0
    assert await count_rows(logins, "invoice") == 1
    assert (await celina.get("/api/drivers")).status_code == 200
    [action] = await admin_actions(logins)
    assert (action["action_type"], action["target_user_id"]) == ("user_deleted", None)
    assert action["admin_id"] is not None
    assert (await olga.get(f"/api/admin/users/{user['id']}")).status_code == 404


async def test_react_admins_own_delete_without_a_body_is_understood(olga, anna) -> None:
    user = await user_of(olga, anna)

    answer = await olga.browser.delete(
        f"/api/admin/users/{user['id']}", headers={"Content-Type": "text/plain"}
    )

    assert (answer.status_code, answer.json()["error"]) == (422, "reason_required")


async def test_a_deleted_colleague_leaves_the_company_to_the_others(
    olga, anna, bartek, logins
) -> None:
    await anna.add_driver("AA123456")
    user = await user_of(olga, bartek)

    assert (await olga.delete(f"/api/admin/users/{user['id']}", REASON)).status_code == 200

    assert (await bartek.get("/api/user")).status_code == 401
    assert len(await anna.list_drivers()) == 1


async def test_the_last_operator_is_not_deleted_another_one_is(olga, new_browser, logins) -> None:
    user = await user_of(olga, olga)
    refused = await olga.delete(f"/api/admin/users/{user['id']}", REASON)
    assert (refused.status_code, refused.json()["error"]) == (409, "last_operator")
    assert await admin_actions(logins) == []
    second = await create_operator("ola@prawko.test", new_browser(), logins.owner)

    answer = await olga.delete(f"/api/admin/users/{user['id']}", REASON)

    assert answer.status_code == 200
    assert (await olga.get("/api/admin/users")).status_code == 401
    assert [one["email"] for one in (await second.get("/api/admin/users")).json()] == [second.email]
    [action] = await admin_actions(logins)
    assert (action["admin_id"], action["target_user_id"]) == (None, None)


async def test_of_two_operators_who_delete_each_other_one_remains(
    olga, new_browser, logins
) -> None:
    second = await create_operator("ola@prawko.test", new_browser(), logins.owner)
    pairs = [(olga, second), (second, olga)]
    paths = [f"/api/admin/users/{(await user_of(olga, other))['id']}" for _, other in pairs]
    blocker = await asyncpg.connect(logins.owner)
    try:
        async with blocker.transaction():
            await blocker.execute("SELECT 1 FROM user_account FOR NO KEY UPDATE")
            deletions = [
                asyncio.create_task(person.delete(path, REASON))
                for (person, _), path in zip(pairs, paths, strict=True)
            ]
            async with asyncio.timeout(20):  # until both wait for an account
                while await count_rows(logins, "pg_locks WHERE NOT granted") < len(deletions):
                    await asyncio.wait(deletions, timeout=0.02)
    finally:
        await blocker.close()

    answers = await asyncio.gather(*deletions)

    assert sorted(answer.status_code for answer in answers) == [200, 401]
    assert await count_rows(logins, "user_account") == 1


async def test_a_missing_user_is_not_found(olga) -> None:
    for user_id in (uuid4(), "no-id-at-all"):
        path = f"/api/admin/users/{user_id}"
        for answer in (
            await olga.get(path),
            await olga.get(f"{path}/history"),
            await olga.put(path, REASON),
            await olga.delete(path, REASON),
            await olga.post(f"/api/admin/impersonate/{user_id}", REASON),
        ):
            assert (answer.status_code, answer.json()["error"]) == (404, "not_found")


async def test_the_session_says_who_uses_the_console_and_how_long(olga) -> None:
    session = (await olga.get("/api/admin/session")).json()

    assert (session["email"], session["secondFactor"]) == (olga.email, "not_required")
    remaining = datetime.fromisoformat(session["expiresAt"]) - datetime.now(UTC)
    assert timedelta(hours=11) < remaining <= timedelta(hours=12)
