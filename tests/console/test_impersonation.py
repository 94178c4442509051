"""Log in as: a session of its own, at most an hour, that never hides who acts (rule R21)."""

import asyncio
import json
import re
from contextlib import asynccontextmanager
from datetime import timedelta

import asyncpg
import pytest

from prawko.accounts.acts.jobs import record_ended_impersonations
from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.operators import revoke_user_sessions
from prawko.kit.clock import utc_now
from support.database import execute_as_owner, fetch_rows, insert_order, open_as_owner
from support.people import PASSWORD, Person, create_operator
from web.test_permissions import ACCEPTANCE, CHANGE, DETAILS

pytestmark = pytest.mark.anyio

REASON = {"reason": "Klient nie widzi kierowcy"}
LOCK = "SELECT 1 FROM user_account WHERE email_key = $1 FOR NO KEY UPDATE"
REVOKE_ALL = """
    UPDATE login_session SET revoked_at = now()
     WHERE user_id = (SELECT id FROM user_account WHERE email_key = $1)
"""
ADD_IMPERSONATION = """
    INSERT INTO login_session
           (id, token_hash, user_id, tenant_id, created_at, last_seen_at, expires_at,
            impersonator_id)
    SELECT gen_random_uuid(), 'token', a.id, m.tenant_id, now(), now(), now() + interval '1 hour',
           o.id
      FROM user_account a JOIN membership m ON m.user_id = a.id, user_account o
     WHERE a.email_key = $1 AND o.email_key = $2
"""
IMPERSONATIONS = "SELECT id FROM login_session WHERE impersonator_id IS NOT NULL"
ENDS = {
    "expired": "UPDATE login_session SET expires_at = now()",
    "idle": "UPDATE login_session SET last_seen_at = now() - interval '31 minutes'",
    "revoked": "UPDATE login_session SET revoked_at = now()",
    "erased": "DELETE FROM user_account WHERE is_admin IS FALSE",
}
UNKNOWN = "00000000-0000-0000-0000-000000000000"
FORBIDDEN = [
    ("POST", "/api/user/change-password", CHANGE),
    ("POST", "/api/notifications/send-verification-sms", {"phoneNumber": "+48600100200"}),
    ("POST", "/api/notifications/verify-sms", {"code": "123456"}),
    ("PUT", "/api/user/billing-details", DETAILS),
    ("POST", "/api/subscription/start-trial", {"taxId": "5260250274"}),
    ("POST", "/api/subscription/create-checkout-session", {"driverLimit": 10}),
    ("POST", "/api/subscription/change-limit", {"driverLimit": 10}),
    ("POST", "/api/subscription/cancel", None),
    ("POST", "/api/subscription/resume", None),
    ("DELETE", "/api/drivers/{driver}", None),
    (
        "POST",
        "/api/drivers/{driver}/acknowledgements",
        {"since": "2026-11-22T05:10:00Z", "note": "Auto oddane"},
    ),
    ("DELETE", "/api/drivers/{driver}/acknowledgements/{driver}", None),
    ("DELETE", f"/api/notifications/{UNKNOWN}", None),
    ("POST", "/api/alert-recipients", {"name": "Ewa", "email": "ewa@nowak.test"}),
    ("PUT", f"/api/alert-recipients/{UNKNOWN}", {"name": "Ewa"}),
    ("POST", f"/api/alert-recipients/{UNKNOWN}/invitation", None),
    ("DELETE", f"/api/alert-recipients/{UNKNOWN}", None),
    ("POST", "/api/user/legal-acceptances", ACCEPTANCE),
    ("GET", "/api/sessions", None),
    ("DELETE", f"/api/sessions/{UNKNOWN}", None),
    ("POST", "/api/sessions/revoke-others", None),
    ("GET", "/api/admin/stats", None),
    ("GET", "/api/admin/users", None),
    ("GET", "/api/admin/users/{anna}", None),
    ("GET", "/api/company/export", None),
    ("GET", "/api/admin/users/{anna}/history", None),
    ("PUT", "/api/admin/users/{anna}", {"driverLimit": 10, **REASON}),
    ("DELETE", "/api/admin/users/{anna}", REASON),
    ("POST", "/api/admin/impersonate/{anna}", REASON),
    ("POST", "/api/admin/impersonate/{celina}", REASON),
    ("POST", "/api/admin/transfers", {"title": "x", "amount": 1, "reference": "x"}),
]


async def id_of(logins, person) -> str:
    [row] = await fetch_rows(
        logins, "SELECT id FROM user_account WHERE email_key = $1", person.email
    )
    return str(row["id"])


async def impersonate(olga, user_id: str):
    return await olga.post(f"/api/admin/impersonate/{user_id}", REASON)


async def events_of(logins, person) -> list[tuple[str, dict]]:
    rows = await fetch_rows(
        logins,
        "SELECT activity_type, details FROM user_activity WHERE user_id = $1 ORDER BY id",
        await id_of(logins, person),
    )
    return [(row["activity_type"], json.loads(row["details"] or "{}")) for row in rows]


@pytest.fixture
async def in_annas_name(olga, anna, logins):
    """Olga's browser, in Anna's name."""
    answer = await impersonate(olga, await id_of(logins, anna))
    assert answer.status_code == 200, answer.text
    return olga


async def test_an_operator_sees_the_customers_panel_and_who_acts(
    olga, anna, in_annas_name, logins
) -> None:
    user = (await in_annas_name.get("/api/user")).json()

    assert user["email"] == anna.email
    assert user["impersonator"]["email"] == "olga@prawko.test"
    assert 3590 <= user["impersonator"]["secondsLeft"] <= 3600
    assert user["isAdmin"] is False
    assert (await anna.get("/api/user")).json()["impersonator"] is None


async def test_the_session_lasts_an_hour_at_most_in_the_browser_and_in_the_database(
    olga, anna, logins
) -> None:
    answer = await impersonate(olga, await id_of(logins, anna))

    assert "Max-Age=3600" in answer.headers["set-cookie"]
    assert "HttpOnly" in answer.headers["set-cookie"]
    [row] = await fetch_rows(
        logins,
        "SELECT expires_at - created_at AS lifetime, impersonator_id FROM login_session"
        " WHERE impersonator_id IS NOT NULL",
    )
    assert row["lifetime"] == timedelta(minutes=60)
    with pytest.raises(asyncpg.CheckViolationError):
        await execute_as_owner(
            logins,
            "UPDATE login_session SET expires_at = expires_at + interval '1 second'"
            " WHERE impersonator_id IS NOT NULL",
        )


async def test_an_impersonation_ends_after_the_hour(in_annas_name, logins) -> None:
    await execute_as_owner(
        logins,
        "UPDATE login_session SET expires_at = $1 WHERE impersonator_id IS NOT NULL",
        utc_now(),
    )

    assert (await in_annas_name.get("/api/user")).status_code == 401
    assert (await in_annas_name.post("/api/impersonation/leave")).status_code == 401


async def test_what_is_the_customers_own_is_refused(olga, anna, celina, logins) -> None:
    ids = {
        "driver": await anna.add_driver("AA123456"),
        "anna": await id_of(logins, anna),
        "celina": await id_of(logins, celina),
    }
    await impersonate(olga, ids["anna"])

    for verb, path, body in FORBIDDEN:
        answer = await olga.browser.request(verb, path.format(**ids), json=body)
        found = (answer.status_code, answer.json()["error"])
        assert found == (403, "auth_forbidden"), (verb, path)


async def test_the_consoles_pages_send_the_impersonator_to_the_login(in_annas_name) -> None:
    answer = await in_annas_name.get("/admin/users")

    assert (answer.status_code, answer.headers["location"]) == (303, "/auth/login")


async def test_every_write_is_recorded_with_both_ids(olga, anna, logins) -> None:
    olga_id, driver = await id_of(logins, olga), await anna.add_driver("AA123456")
    await impersonate(olga, await id_of(logins, anna))
    session = str((await fetch_rows(logins, IMPERSONATIONS))[0]["id"])
    await olga.put(f"/api/drivers/{driver}", {"lastName": "Nowak"})
    await olga.delete(f"/api/drivers/{driver}")
    await olga.post("/api/notifications/read-all")
    await olga.get("/api/drivers")
    await olga.post("/api/impersonation/leave")

    events = await events_of(logins, anna)

    assert [event for event in events if "impersonator" in event[1]] == [
        ("impersonation_started", {"impersonator": olga_id}),
        ("impersonated_call", {"impersonator": olga_id, "operation": "updateDriver",
                               "driver_id": driver}),
        ("driver_changed", {"impersonator": olga_id, "driver": driver}),
        ("impersonated_call", {"impersonator": olga_id, "operation": "removeDriver",
                               "driver_id": driver}),
        ("impersonated_call", {"impersonator": olga_id, "operation": "readAllNotifications"}),
        ("impersonated_call", {"impersonator": olga_id, "operation": "leaveImpersonation"}),
        ("impersonation_ended", {"impersonator": olga_id, "session": session}),
    ]  # fmt: skip


async def test_the_beginning_is_an_act_with_a_reason(olga, anna, in_annas_name, logins) -> None:
    [action] = await fetch_rows(logins, "SELECT * FROM admin_action")

    assert (action["action_type"], action["reason"]) == (
        "impersonation_started", REASON["reason"],
    )  # fmt: skip
    assert str(action["target_user_id"]) == await id_of(logins, anna)


@pytest.mark.parametrize("end", ["left", "expired", "idle", "revoked", "erased"])
async def test_every_end_is_an_act_once(olga, anna, logins, worker, end) -> None:
    await impersonate(olga, await id_of(logins, anna))
    [session] = await fetch_rows(logins, IMPERSONATIONS)
    await record_ended_impersonations(worker)
    assert len(await fetch_rows(logins, "SELECT 1 FROM admin_action")) == 1  # it goes on
    if end == "left":
        assert (await olga.post("/api/impersonation/leave")).status_code == 200
    else:
        await execute_as_owner(logins, ENDS[end])

    await asyncio.gather(*(record_ended_impersonations(worker) for _ in range(3)))
    await record_ended_impersonations(worker)

    start, ended = await fetch_rows(logins, "SELECT * FROM admin_action ORDER BY sequence")
    assert ended["action_type"] == "impersonation_ended"
    how = {"idle": "expired", "erased": "revoked"}.get(end, end)
    assert json.loads(ended["details"]) == {"how": how, "impersonation": str(session["id"])}
    assert (ended["admin_id"], ended["tenant_id"]) == (start["admin_id"], start["tenant_id"])
    assert ended["target_user_id"] == start["target_user_id"]


async def test_leaving_gives_the_operator_a_new_session(olga, anna, logins) -> None:
    first_token = olga.browser.cookies["prawko"]
    await impersonate(olga, await id_of(logins, anna))
    in_annas_name = olga.browser.cookies["prawko"]
    assert (await olga.post("/api/impersonation/leave")).json() == {"ok": True}

    user = (await olga.get("/api/user")).json()

    assert (user["email"], user["impersonator"], user["isAdmin"]) == (olga.email, None, True)
    assert (await olga.get("/api/admin/stats")).status_code == 200
    last_token = olga.browser.cookies["prawko"]
    assert len({first_token, in_annas_name, last_token}) == 3
    for ended in (first_token, in_annas_name):
        olga.browser.cookies.set("prawko", ended, domain="127.0.0.1", path="/")
        answer = await olga.browser.get("/api/user", headers={"Cookie": f"prawko={ended}"})
        assert answer.status_code == 401


async def test_only_an_impersonation_can_be_left(olga, anna, new_browser) -> None:
    for person, status in ((anna, 403), (olga, 403)):
        assert (await person.post("/api/impersonation/leave")).status_code == status
    assert (await new_browser().post("/api/impersonation/leave")).status_code == 401


async def test_an_operator_impersonates_neither_operators_nor_oneself(
    olga, new_browser, logins
) -> None:
    other = await create_operator("ola@prawko.test", new_browser(), logins.owner)
    for person in (olga, other):
        answer = await impersonate(olga, await id_of(logins, person))
        assert (answer.status_code, answer.json()["error"]) == (409, "impersonation_refused")

    assert (await olga.get("/api/admin/stats")).status_code == 200
    assert await fetch_rows(logins, "SELECT * FROM admin_action") == []


async def test_who_becomes_an_operator_meanwhile_lends_no_rights(in_annas_name, logins) -> None:
    await execute_as_owner(logins, "UPDATE user_account SET is_admin = true")

    assert (await in_annas_name.get("/api/admin/users")).status_code == 403


async def test_an_impersonation_ends_with_the_right_of_its_operator(
    in_annas_name, anna, logins
) -> None:
    await execute_as_owner(logins, "UPDATE user_account SET is_admin = false")

    assert (await in_annas_name.get("/api/user")).status_code == 401
    assert (await in_annas_name.post("/api/impersonation/leave")).status_code == 401
    assert (await anna.get("/api/user")).status_code == 200


async def test_ending_the_operators_sessions_ends_the_one_in_another_name(
    anna, in_annas_name, new_browser
) -> None:
    browser = new_browser()
    login = {"email": "olga@prawko.test", "password": PASSWORD}
    assert (await browser.post("/api/login", json=login)).status_code == 200
    assert (await browser.post("/api/sessions/revoke-others")).json()["count"] == 1

    assert (await in_annas_name.get("/api/user")).status_code == 401
    assert (await anna.get("/api/user")).status_code == 200


async def test_a_customer_who_ends_all_other_sessions_ends_the_operators_too(
    anna, in_annas_name
) -> None:
    await anna.post("/api/sessions/revoke-others")

    assert (await in_annas_name.get("/api/user")).status_code == 401


async def test_both_see_the_impersonation_among_their_sessions_and_end_it(
    olga, anna, new_browser, logins
) -> None:
    async def sessions_of(person) -> list[tuple[bool, str | None, str]]:
        return sorted(
            ((one["operator"], one["inNameOf"] or "", one["ip"])
             for one in (await person.get("/api/sessions")).json()),
        )  # fmt: skip

    elsewhere = Person(olga.email, new_browser())
    await elsewhere.sign_in()
    await impersonate(olga, await id_of(logins, anna))
    own = (False, "", "127.0.0.1")
    assert await sessions_of(anna) == [own, (True, "", "")]
    assert await sessions_of(elsewhere) == [own, (False, anna.email, "127.0.0.1")]

    [session] = [one for one in (await anna.get("/api/sessions")).json() if one["operator"]]
    assert (await anna.delete(f"/api/sessions/{session['id']}")).status_code == 200
    assert (await olga.get("/api/user")).status_code == 401
    assert await sessions_of(anna) == await sessions_of(elsewhere) == [own]


async def test_an_idle_impersonation_is_in_no_list(olga, anna, in_annas_name, logins) -> None:
    idle = "UPDATE login_session SET last_seen_at = now() - interval '31 minutes'"
    await execute_as_owner(logins, f"{idle} WHERE impersonator_id IS NOT NULL")

    assert [one["operator"] for one in (await anna.get("/api/sessions")).json()] == [False]


async def test_the_cookie_lasts_as_long_as_the_session(olga, anna, logins) -> None:
    back = "UPDATE login_session SET created_at = created_at - interval '11 hours 50 minutes'"
    await execute_as_owner(logins, back)

    answer = await impersonate(olga, await id_of(logins, anna))

    max_age = int(re.search(r"Max-Age=(\d+)", answer.headers["set-cookie"])[1])
    assert 590 <= max_age <= 600
    assert answer.json()["secondsLeft"] == max_age


async def test_an_order_is_seen_but_not_placed(anna, in_annas_name, worker) -> None:
    order = await insert_order(anna, worker)

    assert (await in_annas_name.get(f"/api/orders/{order}")).status_code == 200


@asynccontextmanager
async def locked_account(logins, person):
    """A transaction of the owner's that has locked a person's account."""
    connection = await asyncpg.connect(logins.owner)
    try:
        async with connection.transaction():
            await connection.execute(LOCK, person.email)
            yield connection
    finally:
        await connection.close()


async def wait_for_lock(logins, task: asyncio.Task) -> None:
    """Wait until the task's transaction waits for a lock, or until it is over."""
    waiting = (
        "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'"
        " UNION ALL SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'tuple'"
    )
    async with asyncio.timeout(20):
        while not task.done() and not await fetch_rows(logins, waiting):
            await asyncio.wait([task], timeout=0.02)


async def test_sessions_revoked_while_an_impersonation_begins_open_no_other(
    olga, anna, logins
) -> None:
    anna_id = await id_of(logins, anna)
    async with locked_account(logins, olga) as revocation:
        beginning = asyncio.create_task(impersonate(olga, anna_id))
        await wait_for_lock(logins, beginning)
        await revocation.execute(REVOKE_ALL, olga.email)

    assert (await beginning).status_code == 401
    active = "SELECT 1 FROM login_session WHERE impersonator_id IS NOT NULL AND revoked_at IS NULL"
    assert await fetch_rows(logins, active) == []


async def test_signing_an_operator_out_waits_for_an_impersonation_that_begins(
    olga, anna, logins, context
) -> None:
    async with open_as_owner(context, logins) as owner:
        acts = OperatorActs(owner, None, ClientInfo(ip="", user_agent=""))
        async with locked_account(logins, olga) as beginning:
            await beginning.execute(ADD_IMPERSONATION, anna.email, olga.email)
            revocation = asyncio.create_task(
                revoke_user_sessions(owner, acts, olga.email, "a lost phone")
            )
            await wait_for_lock(logins, revocation)

        assert await revocation == 2


async def test_an_impersonation_does_not_prolong_the_operators_twelve_hours(
    olga, anna, logins
) -> None:
    back = "UPDATE login_session SET created_at = created_at - interval '11 hours 50 minutes'"
    await execute_as_owner(logins, back)
    answer = await impersonate(olga, await id_of(logins, anna))
    assert answer.status_code == 200
    assert 500 < (await olga.get("/api/user")).json()["impersonator"]["secondsLeft"] <= 600
    assert (await olga.post("/api/impersonation/leave")).status_code == 200
    assert (await olga.get("/api/admin/stats")).status_code == 200

    later = "UPDATE login_session SET signed_in_at = signed_in_at - interval '11 minutes'"
    await execute_as_owner(logins, later)

    assert (await olga.get("/api/admin/stats")).status_code == 401


@pytest.mark.parametrize(
    "end",
    [
        "UPDATE login_session SET expires_at = now() WHERE impersonator_id IS NOT NULL",
        "UPDATE login_session SET signed_in_at = now() - interval '12 hours'",
    ],
    ids=["the hour", "the operator's twelve hours"],
)
async def test_nothing_is_written_after_the_end_while_the_body_arrives(
    olga, anna, logins, end
) -> None:
    driver = await anna.add_driver("AA123456")
    await impersonate(olga, await id_of(logins, anna))

    async def end_in_between():
        yield b'{"lastName":'
        await execute_as_owner(logins, end)
        yield b'"Nowak"}'

    answer = await olga.browser.put(
        f"/api/drivers/{driver}",
        content=end_in_between(),
        headers={"Content-Type": "application/json"},
    )

    assert answer.status_code == 401
    assert [one["lastName"] for one in await anna.list_drivers()] == ["Kowalski"]
