"""Where a person is signed in, and ending it, there or everywhere else."""

import asyncio
from datetime import timedelta

import pytest

from persons import PASSWORD, Person, deliver
from prawko.accounts import open_sessions, passwords, service
from stored import look, write

pytestmark = pytest.mark.anyio

AGENT = "Mozilla/5.0 (Test)"
CHANGE = {
    "currentPassword": PASSWORD,
    "newPassword": "Nowe0haslo",
    "confirmPassword": "Nowe0haslo",
}


async def second_browser(person: Person, visitor) -> Person:
    other = Person(person.email, visitor())
    other.browser.headers["User-Agent"] = AGENT
    await other.signs_in()
    return other


async def test_a_person_sees_the_own_browsers_and_which_one_asks(visitor, anna, celina) -> None:
    other = await second_browser(anna, visitor)

    mine = (await anna.get("/api/sessions")).json()
    theirs = (await other.get("/api/sessions")).json()

    assert len(mine) == 2
    assert [one["agent"] for one in mine if not one["current"]] == [AGENT]
    assert [one["agent"] for one in theirs if one["current"]] == [AGENT]
    assert {one["id"] for one in mine} == {one["id"] for one in theirs}
    assert all(
        set(one) == {"id", "current", "createdAt", "lastSeenAt", "ip", "agent"} for one in mine
    )
    assert {one["ip"] for one in mine} == {"127.0.0.1"}
    assert len((await celina.get("/api/sessions")).json()) == 1


async def test_a_session_is_ended_from_another_browser(visitor, anna) -> None:
    other = await second_browser(anna, visitor)
    listed = (await anna.get("/api/sessions")).json()
    ended = next(one["id"] for one in listed if not one["current"])

    answer = await anna.delete(f"/api/sessions/{ended}")

    assert (answer.status_code, answer.json()) == (200, {"id": ended})
    assert (await other.get("/api/user")).status_code == 401
    assert (await anna.get("/api/user")).status_code == 200
    assert (await anna.delete(f"/api/sessions/{ended}")).status_code == 404


async def test_ending_the_own_session_signs_out(anna) -> None:
    own = (await anna.get("/api/sessions")).json()[0]["id"]

    answer = await anna.delete(f"/api/sessions/{own}")

    assert answer.status_code == 200
    assert "max-age=0" in answer.headers["set-cookie"].lower()
    assert (await anna.get("/api/user")).status_code == 401


async def test_nobody_ends_a_colleagues_or_a_rivals_session(anna, bartek, celina) -> None:
    annas = (await anna.get("/api/sessions")).json()[0]["id"]

    for stranger in (bartek, celina):
        answer = await stranger.delete(f"/api/sessions/{annas}")
        assert answer.status_code == 404
        assert answer.json() == {"error": "not_found", "message": "Nie znaleziono."}
    assert (await anna.get("/api/user")).status_code == 200


async def test_all_others_end_at_once_and_are_counted(visitor, anna, bartek) -> None:
    others = [await second_browser(anna, visitor) for _ in range(3)]

    answer = await anna.post("/api/sessions/revoke-others")

    assert (answer.status_code, answer.json()) == (200, {"ok": True, "count": 3})
    assert [(await other.get("/api/user")).status_code for other in others] == [401] * 3
    assert (await anna.get("/api/user")).status_code == 200
    assert (await bartek.get("/api/user")).status_code == 200
    assert (await anna.post("/api/sessions/revoke-others")).json() == {"ok": True, "count": 0}


async def test_a_session_in_somebodys_name_is_hidden_and_may_not_touch_the_account(
    visitor, anna, logins, tools
) -> None:
    operator = await second_browser(anna, visitor)
    await write(
        logins,
        "UPDATE login_session SET impersonator_id = user_id WHERE agent = $1",
        AGENT,
    )

    assert len((await anna.get("/api/sessions")).json()) == 1
    for answer in (
        await operator.get("/api/sessions"),
        await operator.post("/api/sessions/revoke-others"),
        await operator.post("/api/user/change-password", CHANGE),
    ):
        assert answer.status_code == 403
        assert answer.json()["error"] == "auth_forbidden"


async def test_a_revocation_beats_a_change_of_password_under_way(
    visitor, anna, tools, logins, monkeypatch
) -> None:
    other = await second_browser(anna, visitor)
    reached, go = asyncio.Event(), asyncio.Event()
    hashes = passwords.hash_password

    async def slow_hash(password: str) -> str:
        reached.set()
        await go.wait()
        return await hashes(password)

    monkeypatch.setattr(passwords, "hash_password", slow_hash)
    slow = asyncio.create_task(other.post("/api/user/change-password", CHANGE))
    await reached.wait()
    assert (await anna.post("/api/sessions/revoke-others")).json()["count"] == 1
    go.set()

    answer = await slow
    assert answer.status_code == 401
    assert answer.json()["error"] == "auth_required"
    monkeypatch.undo()
    await anna.post("/api/logout")
    await anna.signs_in()


@pytest.mark.parametrize(
    ("column", "left"), [("last_seen_at", "3 days"), ("expires_at", "14 days")]
)
async def test_a_session_ends_after_three_idle_days_and_after_fourteen_in_all(
    anna, logins, column, left
) -> None:
    almost = f"UPDATE login_session SET {column} = {column} - interval '{left}' + $1::interval"
    minute = timedelta(minutes=1)
    await write(logins, almost, minute)
    assert (await anna.get("/api/user")).status_code == 200
    await write(logins, f"UPDATE login_session SET {column} = now() - $1::interval", minute * 4321)
    answer = await anna.get("/api/user")

    assert answer.status_code == 401
    assert answer.json()["error"] == "auth_required"


async def test_a_session_that_is_used_does_not_end_for_idleness(anna, logins) -> None:
    day = "UPDATE login_session SET last_seen_at = last_seen_at - interval '2 days'"
    for _ in range(3):
        await write(logins, day)
        assert (await anna.get("/api/user")).status_code == 200
    assert len((await anna.get("/api/sessions")).json()) == 1


async def test_a_login_with_the_old_password_does_not_outrun_a_reset(
    visitor, anna, worker, mailbox, monkeypatch
) -> None:
    reached, go = asyncio.Event(), asyncio.Event()
    fits = passwords.matches

    async def slow_match(stored: str | None, password: str) -> bool:
        found = await fits(stored, password)
        reached.set()
        await go.wait()
        return found

    await anna.post("/api/request-password-reset", {"email": anna.email})
    await deliver(worker)
    token = mailbox.to(anna.email)[-1].link.partition("token=")[2]
    monkeypatch.setattr(passwords, "matches", slow_match)
    thief = visitor()
    login = {"email": anna.email, "password": PASSWORD}
    slow = asyncio.create_task(thief.post("/api/login", json=login))
    await reached.wait()
    new = {"token": token, "newPassword": "Nowe0haslo", "confirmPassword": "Nowe0haslo"}
    assert (await anna.post("/api/reset-password", new)).status_code == 200
    go.set()

    assert (await slow).status_code == 401
    assert (await thief.get("/api/user")).status_code == 401


async def test_a_session_revoked_meanwhile_verifies_no_address(
    visitor, worker, mailbox, tools, logins, monkeypatch
) -> None:
    dorota = Person("dorota@nowa.test", visitor())
    await dorota.signs_up()
    await deliver(worker)
    code = mailbox.to(dorota.email)[-1].code
    found = service.Accounts._matching_code

    async def and_then_revoked(self, *args):
        code_id = await found(self, *args)
        await write(logins, "UPDATE login_session SET revoked_at = now()")
        return code_id

    monkeypatch.setattr(service.Accounts, "_matching_code", and_then_revoked)
    answer = await dorota.post("/api/verify-email", {"token": code})

    assert answer.status_code == 401
    verified = await look(logins, "SELECT email_verified FROM user_account")
    assert verified == [{"email_verified": False}]


async def test_of_two_who_end_one_another_at_once_one_stays(visitor, anna) -> None:
    for _ in range(4):
        other = await second_browser(anna, visitor)
        answers = await asyncio.gather(
            anna.post("/api/sessions/revoke-others"), other.post("/api/sessions/revoke-others")
        )
        assert sorted(answer.status_code for answer in answers) == [200, 401]
        anna = anna if answers[0].status_code == 200 else other


async def test_a_login_ends_the_session_that_the_browser_had(visitor, anna, celina) -> None:
    first = anna.browser.cookies["prawko"]
    await anna.signs_in()
    assert len((await anna.get("/api/sessions")).json()) == 1
    login = {"email": celina.email, "password": PASSWORD}
    assert (await anna.post("/api/login", login)).status_code == 200

    old = visitor()
    old.cookies.set("prawko", first)
    assert (await old.get("/api/user")).status_code == 401
    assert (await anna.get("/api/user")).json()["email"] == celina.email
    assert (await celina.get("/api/user")).status_code == 200


async def test_a_failed_login_leaves_the_session_that_the_browser_had(anna) -> None:
    wrong = {"email": anna.email, "password": "Zle0haslo"}
    assert (await anna.post("/api/login", wrong)).status_code == 401
    assert (await anna.get("/api/user")).status_code == 200


async def test_the_list_names_no_token_and_stays_short(anna, logins) -> None:
    stored = await look(logins, "SELECT token_hash FROM login_session")

    text = (await anna.get("/api/sessions")).text

    assert anna.browser.cookies["prawko"] not in text
    assert all(row["token_hash"].hex() not in text for row in stored)
    assert "LIMIT 200" in str(open_sessions._LIST)
