"""People of a company: an owner gives roles and removes, everybody may leave, an owner stays."""

import asyncio

import pytest

from prawko_testing.fakes import withheld_licence
from support.database import count_rows, execute_as_owner, fetch_rows
from support.people import PASSWORD, Person, deliver_outbox
from support.revoked_requests import request_while_revoked

pytestmark = pytest.mark.anyio

MEMBERS = "/api/members"


async def find_ids(person: Person) -> dict[str, str]:
    answer = await person.get(MEMBERS)
    assert answer.status_code == 200, answer.text
    return {one["email"]: one["id"] for one in answer.json()}


async def change(person: Person, member_id: str, role: str) -> tuple[int, str]:
    answer = await person.put(f"{MEMBERS}/{member_id}", {"role": role})
    return answer.status_code, answer.json().get("error", "")


@pytest.fixture
async def ids(anna, bartek, accountant) -> dict[str, str]:
    return await find_ids(anna)


async def test_an_owner_sees_who_belongs_to_the_company(anna, bartek, celina) -> None:
    first, second = (await anna.get(MEMBERS)).json()

    assert first == {
        "id": first["id"], "email": anna.email, "name": "", "role": "owner", "branchIds": [],
        "status": "active", "lastSeenAt": first["lastSeenAt"], "secondFactor": False,
    }  # fmt: skip
    assert (second["email"], second["role"]) == (bartek.email, "manager")
    assert first["lastSeenAt"] is not None
    assert list(await find_ids(celina)) == [celina.email]
    assert (await bartek.get(MEMBERS)).json()["message"].endswith("Może to zrobić właściciel.")


async def test_a_changed_role_holds_from_the_next_request_on(anna, bartek, ids, logins) -> None:
    assert await change(anna, ids[bartek.email], "accountant") == (200, "")

    assert (await bartek.get("/api/drivers")).status_code == 403
    assert (await bartek.get("/api/invoices")).status_code == 200
    assert await change(anna, ids[bartek.email], "accountant") == (200, "")
    events = "SELECT details FROM user_activity WHERE activity_type = 'member_changed'"
    [event] = await fetch_rows(logins, events)
    assert event["details"] == f'{{"role": "accountant", "person": "{ids[bartek.email]}"}}'


async def test_only_an_owner_changes_or_removes_others(anna, bartek, accountant, ids) -> None:
    for role in ("manager", "dispatcher"):
        await change(anna, ids[bartek.email], role)
        assert await change(bartek, ids[bartek.email], "owner") == (403, "role_forbidden")
        refused = await bartek.delete(f"{MEMBERS}/{ids[accountant.email]}")
        assert (refused.status_code, refused.json()["error"]) == (403, "role_forbidden")
    assert await change(anna, ids[bartek.email], "member") == (400, "bad_request")


async def test_ownership_is_handed_over_and_an_owner_stays(anna, bartek, ids) -> None:
    assert await change(anna, ids[anna.email], "manager") == (409, "last_owner")
    left = await anna.delete(f"{MEMBERS}/{ids[anna.email]}")
    assert (left.status_code, left.json()["error"]) == (409, "last_owner")

    assert await change(anna, ids[bartek.email], "owner") == (200, "")
    assert await change(anna, ids[anna.email], "dispatcher") == (200, "")
    assert (await anna.get("/api/user")).json()["role"] == "dispatcher"
    assert await change(anna, ids[bartek.email], "manager") == (403, "role_forbidden")
    assert await change(bartek, ids[bartek.email], "manager") == (409, "last_owner")


async def test_of_two_owners_who_demote_each_other_at_once_one_succeeds(
    anna, bartek, ids, logins
) -> None:
    await change(anna, ids[bartek.email], "owner")

    for _ in range(5):
        answers = await asyncio.gather(
            change(anna, ids[bartek.email], "manager"), change(bartek, ids[anna.email], "manager")
        )
        assert sorted(status for status, _ in answers) == [200, 403]
        await execute_as_owner(
            logins, "UPDATE membership SET role = 'owner' WHERE role = 'manager'"
        )


async def test_of_two_owners_who_leave_at_once_one_stays(anna, bartek, ids, logins) -> None:
    await change(anna, ids[bartek.email], "owner")
    await execute_as_owner(logins, "DELETE FROM membership WHERE role = 'accountant'")

    answers = await asyncio.gather(
        *(person.delete(f"{MEMBERS}/{ids[person.email]}") for person in (anna, bartek))
    )

    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert await count_rows(logins, "membership") == 1


async def test_a_removed_person_has_no_access_and_gets_nothing(
    anna, bartek, ids, run_daily_check, register, worker, mailbox, logins
) -> None:
    register.answers["AA123456"] = withheld_licence("AA123456")
    await anna.add_driver("AA123456")
    await run_daily_check()
    assert len((await bartek.get("/api/notifications")).json()) == 1
    before = len(mailbox.messages_to(bartek.email))

    assert (await anna.delete(f"{MEMBERS}/{ids[bartek.email]}")).status_code == 200

    assert (await bartek.get("/api/user")).status_code == 401
    login = await bartek.post("/api/login", {"email": bartek.email, "password": PASSWORD})
    assert (login.status_code, login.json()["error"]) == (401, "invalid_credentials")
    await deliver_outbox(worker)
    assert len(mailbox.messages_to(bartek.email)) == before
    assert len(mailbox.messages_to(anna.email)) > 0
    of_bartek = "SELECT 1 FROM {} WHERE user_id = $1"
    for table in ("login_session", "notification", "push_browser"):
        assert await fetch_rows(logins, of_bartek.format(table), ids[bartek.email]) == []
    again = await anna.delete(f"{MEMBERS}/{ids[bartek.email]}")
    assert again.status_code == 404


REMOVE = """
    DELETE FROM membership
     WHERE user_id = (SELECT user_id FROM login_session WHERE token_hash = $1)
"""


@pytest.mark.parametrize(
    ("verb", "path", "body"),
    [
        # Whose row would name the person.
        ("POST", "", {"firstName": "Ewa", "lastName": "Nowak", "licenseNumber": "ZZ654321"}),
        ("PUT", "/{driver}", {"firstName": "Ewa"}),
        ("DELETE", "/{driver}", None),
    ],
)
async def test_a_request_of_a_person_who_is_removed_on_the_way_changes_nothing(
    verb, path, body, anna, bartek, logins, monkeypatch
) -> None:
    path = "/api/drivers" + path.format(driver=await anna.add_driver("AA123456"))

    answer = await request_while_revoked(bartek, logins, verb, path, body, monkeypatch, REMOVE)

    assert (answer.status_code, answer.json()["error"]) == (401, "auth_required"), answer.text
    [driver] = await anna.list_drivers()
    assert (driver["firstName"], driver["licenseNumber"]) == ("Jan", "AA123456")


async def test_a_person_who_leaves_is_signed_out(anna, bartek, ids, logins) -> None:
    answer = await bartek.delete(f"{MEMBERS}/{ids[bartek.email]}")

    assert (answer.status_code, answer.json()) == (200, {"id": ids[bartek.email]})
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert bartek.email not in await find_ids(anna)
    [event] = await fetch_rows(
        logins, "SELECT user_id FROM user_activity WHERE activity_type = 'company_left'"
    )
    assert str(event["user_id"]) == ids[bartek.email]
