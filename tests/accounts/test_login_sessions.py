"""Listing, revoking and expiry of sessions."""

import asyncio
from datetime import timedelta
from urllib.parse import quote

import pytest

from prawko.accounts.one_time_codes import OneTimeCodes
from prawko.accounts.passwords import hashing
from support.database import execute_as_owner, fetch_rows
from support.people import PASSWORD, Person, deliver_outbox, make_impersonated

pytestmark = pytest.mark.anyio

USER_AGENT = "Mozilla/5.0 (Test)"
CHANGE = {"currentPassword": PASSWORD, "newPassword": "Nowe0haslo", "confirmPassword": "Nowe0haslo"}


async def sign_in_elsewhere(person: Person, visitor) -> Person:
    other_person = Person(person.email, visitor())
    other_person.browser.headers["User-Agent"] = USER_AGENT
    await other_person.sign_in()
    return other_person


async def test_a_person_lists_the_own_sessions_with_the_current_one_marked(
    new_browser, anna, celina
) -> None:
    other = await sign_in_elsewhere(anna, new_browser)

    own_sessions = (await anna.get("/api/sessions")).json()
    listed_by_other = (await other.get("/api/sessions")).json()

    assert len(own_sessions) == 2
    assert [session["agent"] for session in own_sessions if not session["current"]] == [USER_AGENT]
    assert [session["agent"] for session in listed_by_other if session["current"]] == [USER_AGENT]
    assert {one["id"] for one in own_sessions} == {one["id"] for one in listed_by_other}
    fields = {"id", "current", "createdAt", "lastSeenAt", "ip", "agent", "operator", "inNameOf"}
    assert all(set(session) == fields for session in own_sessions)
    assert not any(session["operator"] or session["inNameOf"] for session in own_sessions)
    assert {session["ip"] for session in own_sessions} == {"127.0.0.1"}
    assert len((await celina.get("/api/sessions")).json()) == 1


async def test_a_session_is_revoked_from_another_browser(new_browser, anna) -> None:
    other = await sign_in_elsewhere(anna, new_browser)
    sessions = (await anna.get("/api/sessions")).json()
    ended = next(session["id"] for session in sessions if not session["current"])

    answer = await anna.delete(f"/api/sessions/{ended}")

    assert (answer.status_code, answer.json()) == (200, {"id": ended})
    assert (await other.get("/api/user")).status_code == 401
    assert (await anna.get("/api/user")).status_code == 200
    assert (await anna.delete(f"/api/sessions/{ended}")).status_code == 404


async def test_a_page_of_one_account_does_nothing_with_the_session_of_another(
    anna, celina, olga, logins
) -> None:
    """A second tab has signed in as Celina; the first one still shows Anna's company."""
    of_anna = {"Prawko-Account": quote(anna.email)}
    driver = {"firstName": "Jan", "lastName": "Lis", "licenseNumber": "AA123456"}
    answers = [
        await celina.post("/api/drivers", driver, headers=of_anna),
        await celina.get("/api/drivers", headers=of_anna),
        await celina.post("/api/logout", headers=of_anna),
        await olga.get("/api/admin/users", headers=of_anna),  # an act would be of the other one
    ]
    assert [one.status_code for one in answers] == [401] * 4
    assert {one.json()["error"] for one in answers} == {"auth_other_account"}
    assert (await olga.get("/api/admin/users")).status_code == 200
    assert await fetch_rows(logins, "SELECT id FROM driver") == []

    of_celina = {"Prawko-Account": quote(celina.email.encode(), safe="")}
    assert (await celina.get("/api/drivers", headers=of_celina)).status_code == 200
    for odd in ("%", "%ff", "%C4%85@", " "):
        answer = await celina.get("/api/drivers", headers={"Prawko-Account": odd})
        assert answer.status_code == 401, odd


async def test_revoking_the_own_session_signs_out(anna) -> None:
    own_session = (await anna.get("/api/sessions")).json()[0]["id"]

    answer = await anna.delete(f"/api/sessions/{own_session}")

    assert answer.status_code == 200
    assert "max-age=0" in answer.headers["set-cookie"].lower()
    assert (await anna.get("/api/user")).status_code == 401


async def test_a_user_cannot_revoke_a_colleagues_or_a_rivals_session(anna, bartek, celina) -> None:
    annas_session = (await anna.get("/api/sessions")).json()[0]["id"]

    for other_person in (bartek, celina):
        answer = await other_person.delete(f"/api/sessions/{annas_session}")
        assert answer.status_code == 404
        assert answer.json() == {"error": "not_found", "message": "Nie znaleziono."}
    assert (await anna.get("/api/user")).status_code == 200


async def test_all_other_sessions_are_revoked_and_counted(new_browser, anna, bartek) -> None:
    other_people = [await sign_in_elsewhere(anna, new_browser) for _ in range(3)]

    answer = await anna.post("/api/sessions/revoke-others")

    assert (answer.status_code, answer.json()) == (200, {"ok": True, "count": 3})
    assert [(await person.get("/api/user")).status_code for person in other_people] == [401] * 3
    assert (await anna.get("/api/user")).status_code == 200
    assert (await bartek.get("/api/user")).status_code == 200
    assert (await anna.post("/api/sessions/revoke-others")).json() == {"ok": True, "count": 0}


async def test_an_impersonation_is_listed_as_such_and_may_not_change_the_account(
    new_browser, anna, logins, context
) -> None:
    operator = await sign_in_elsewhere(anna, new_browser)
    await make_impersonated(logins.owner, USER_AGENT)

    listed = (await anna.get("/api/sessions")).json()
    assert sorted((one["operator"], one["agent"]) for one in listed) == [
        (False, anna.browser.headers["User-Agent"]), (True, ""),
    ]  # fmt: skip
    for answer in (
        await operator.get("/api/sessions"),
        await operator.post("/api/sessions/revoke-others"),
        await operator.post("/api/user/change-password", CHANGE),
    ):
        assert answer.status_code == 403
        assert answer.json()["error"] == "auth_forbidden"


async def test_a_revoked_session_cannot_complete_a_password_change(
    new_browser, anna, context, logins, monkeypatch
) -> None:
    other = await sign_in_elsewhere(anna, new_browser)
    is_hashing, proceed = asyncio.Event(), asyncio.Event()
    hashes = hashing.hash_password

    async def slow_hash(password: str, *, caller: object) -> str:
        is_hashing.set()
        await proceed.wait()
        return await hashes(password, caller=caller)

    monkeypatch.setattr(hashing, "hash_password", slow_hash)
    password_change = asyncio.create_task(other.post("/api/user/change-password", CHANGE))
    await is_hashing.wait()
    assert (await anna.post("/api/sessions/revoke-others")).json()["count"] == 1
    proceed.set()

    answer = await password_change
    assert answer.status_code == 401
    assert answer.json()["error"] == "auth_required"
    monkeypatch.undo()
    await anna.post("/api/logout")
    await anna.sign_in()


@pytest.mark.parametrize(
    ("column", "remaining"), [("last_seen_at", "3 days"), ("expires_at", "14 days")]
)
async def test_a_session_expires_after_three_idle_days_and_after_fourteen_days(
    anna, logins, column, remaining
) -> None:
    set_column = (
        f"UPDATE login_session SET {column} = {column} - interval '{remaining}' + $1::interval"
    )
    minute = timedelta(minutes=1)
    await execute_as_owner(logins, set_column, minute)
    assert (await anna.get("/api/user")).status_code == 200
    await execute_as_owner(
        logins, f"UPDATE login_session SET {column} = now() - $1::interval", minute * 4321
    )
    answer = await anna.get("/api/user")

    assert answer.status_code == 401
    assert answer.json()["error"] == "auth_required"


async def test_a_session_that_a_wrong_clock_has_opened_is_refused(anna, logins) -> None:
    await execute_as_owner(
        logins,
        "UPDATE login_session SET created_at = now() + interval '400 days',"
        " signed_in_at = signed_in_at + interval '400 days',"
        " last_seen_at = now() + interval '400 days', expires_at = now() + interval '414 days'",
    )

    assert (await anna.get("/api/user")).status_code == 401


async def test_a_session_that_a_wrong_clock_has_seen_becomes_idle_as_ever(anna, logins) -> None:
    await execute_as_owner(
        logins, "UPDATE login_session SET last_seen_at = now() + interval '2 hours'"
    )

    assert (await anna.get("/api/user")).status_code == 200

    rows = await fetch_rows(logins, "SELECT last_seen_at <= now() AS is_right FROM login_session")
    assert rows == [{"is_right": True}]


async def test_a_session_in_use_does_not_become_idle(anna, logins) -> None:
    day = "UPDATE login_session SET last_seen_at = last_seen_at - interval '2 days'"
    for _ in range(3):
        await execute_as_owner(logins, day)
        assert (await anna.get("/api/user")).status_code == 200
    assert len((await anna.get("/api/sessions")).json()) == 1


async def test_a_login_with_the_old_password_fails_after_a_concurrent_reset(
    browser_for_app, anna, worker, mailbox, monkeypatch
) -> None:
    matching, proceed = asyncio.Event(), asyncio.Event()
    original_verify = hashing.verify_password

    async def slow_verify(stored: str | None, password: str, **options: bool) -> bool:
        is_match = await original_verify(stored, password, **options)
        matching.set()
        await proceed.wait()
        return is_match

    await anna.post("/api/request-password-reset", {"email": anna.email})
    await deliver_outbox(worker)
    token = mailbox.messages_to(anna.email)[-1].link.partition("token=")[2]
    monkeypatch.setattr(hashing, "verify_password", slow_verify)
    # From another network: of each, one sign-in at a time is processed.
    other_browser = browser_for_app(anna.browser._transport.app, "203.0.113.9")
    login = {"email": anna.email, "password": PASSWORD}
    login_task = asyncio.create_task(other_browser.post("/api/login", json=login))
    await matching.wait()
    new_password = {"token": token, "newPassword": "Nowe0haslo", "confirmPassword": "Nowe0haslo"}
    assert (await anna.post("/api/reset-password", new_password)).status_code == 200
    proceed.set()

    assert (await login_task).status_code == 401
    assert (await other_browser.get("/api/user")).status_code == 401


async def test_a_session_revoked_meanwhile_verifies_no_address(
    new_browser, worker, mailbox, context, logins, monkeypatch
) -> None:
    dorota = Person("dorota@nowa.test", new_browser())
    await dorota.sign_up()
    await deliver_outbox(worker)
    code = mailbox.messages_to(dorota.email)[-1].code
    try_code = OneTimeCodes.try_code

    async def try_and_revoke(*args):
        code = await try_code(*args)
        await execute_as_owner(logins, "UPDATE login_session SET revoked_at = now()")
        return code

    monkeypatch.setattr(OneTimeCodes, "try_code", try_and_revoke)
    answer = await dorota.post("/api/verify-email", {"token": code})

    assert answer.status_code == 401
    verified = await fetch_rows(logins, "SELECT email_verified FROM user_account")
    assert verified == [{"email_verified": False}]


async def test_of_two_sessions_that_revoke_each_other_one_stays(new_browser, anna) -> None:
    for _ in range(4):
        other_person = await sign_in_elsewhere(anna, new_browser)
        answers = await asyncio.gather(
            anna.post("/api/sessions/revoke-others"),
            other_person.post("/api/sessions/revoke-others"),
        )
        assert sorted(answer.status_code for answer in answers) == [200, 401]
        anna = anna if answers[0].status_code == 200 else other_person


async def test_a_login_revokes_the_browsers_previous_session(new_browser, anna, celina) -> None:
    first = anna.browser.cookies["prawko"]
    await anna.sign_in()
    assert len((await anna.get("/api/sessions")).json()) == 1
    login = {"email": celina.email, "password": PASSWORD}
    assert (await anna.post("/api/login", login)).status_code == 200

    old_browser = new_browser()
    old_browser.cookies.set("prawko", first)
    assert (await old_browser.get("/api/user")).status_code == 401
    assert (await anna.get("/api/user")).json()["email"] == celina.email
    assert (await celina.get("/api/user")).status_code == 200


async def test_a_failed_login_keeps_the_browsers_session(anna) -> None:
    wrong_login = {"email": anna.email, "password": "Zle0haslo"}
    assert (await anna.post("/api/login", wrong_login)).status_code == 401
    assert (await anna.get("/api/user")).status_code == 200


async def test_the_session_list_has_no_tokens_and_is_limited(anna, logins) -> None:
    stored = await fetch_rows(logins, "SELECT token_hash FROM login_session")

    text = (await anna.get("/api/sessions")).text

    assert anna.browser.cookies["prawko"] not in text
    assert all(row["token_hash"].hex() not in text for row in stored)
    await execute_as_owner(
        logins,
        """INSERT INTO login_session (id, token_hash, user_id, tenant_id, created_at, last_seen_at,
                                      expires_at)
           SELECT gen_random_uuid(), uuid_send(gen_random_uuid()), user_id, tenant_id, created_at,
                  last_seen_at, expires_at FROM login_session, generate_series(1, 210)""",
    )
    assert len((await anna.get("/api/sessions")).json()) == 200
