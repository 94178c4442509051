"""Since when a driver is withheld, and who took the driver off the road (docs/rules.md R9b)."""

import asyncio
import uuid
from collections import Counter
from datetime import UTC, date, datetime, timedelta

import asyncpg
import pytest
from sqlalchemy import text

from prawko.kit.clock import WARSAW
from prawko_tenants.ids import TenantId
from prawko_testing.fakes import licence_answer, withheld_licence
from support.archives import json_rows, open_archive
from support.database import count_rows, fetch_rows, insert_verification

pytestmark = pytest.mark.anyio

NOTE = "Poinformowany telefonicznie, auto oddane"
LISTS = ("", "?verifications=0", "?verifications=1&view=summary")


@pytest.fixture
async def jan(anna) -> str:
    return await anna.add_driver("AA123456")


@pytest.fixture
def check(anna, context):
    """Records a verification; returns its time."""

    async def record(driver: str, outcome: str, at: datetime) -> datetime:
        state = {"valid": "Wydany", "invalid": "Zatrzymany"}.get(outcome)
        await insert_verification(
            anna, context, driver, outcome=outcome, document_status=state, verified_at=at
        )
        return at

    return record


@pytest.fixture
def episode_of(anna):
    """The episode of the only driver, the same in every list."""

    async def read(person=anna):
        episodes = []
        for query in LISTS:
            [driver] = await person.list_drivers(query)
            episodes.append(driver["episode"])
        assert episodes.count(episodes[0]) == len(episodes)
        return episodes[0]

    return read


@pytest.fixture
async def withheld(jan, check, clock) -> dict[str, str]:
    """The body of an entry about Jan, who has been withheld since yesterday."""
    since = await check(jan, "invalid", clock.now() - timedelta(days=1))
    return {"since": since.isoformat(), "note": NOTE}


def acknowledge(person, driver, entry):
    return person.post(f"/api/drivers/{driver}/acknowledgements", entry)


async def test_a_withholding_counts_from_the_check_that_brought_it(
    jan, check, clock, episode_of
) -> None:
    start = clock.now() - timedelta(days=9)
    assert await episode_of() is None
    await check(jan, "valid", start)
    assert await episode_of() is None
    since = await check(jan, "invalid", start + timedelta(days=1))
    await check(jan, "invalid", start + timedelta(days=2))
    await check(jan, "invalid", start + timedelta(days=3))

    episode = await episode_of()
    assert datetime.fromisoformat(episode["since"]) == since
    assert (episode["reasons"], episode["acknowledgement"]) == ([], None)

    await check(jan, "valid", start + timedelta(days=4))
    assert await episode_of() is None
    again = await check(jan, "invalid", start + timedelta(days=5))
    assert datetime.fromisoformat((await episode_of())["since"]) == again


async def test_the_check_brings_since_and_the_reason(
    anna, jan, register, run_daily_check, clock, episode_of
) -> None:
    register.answers["AA123456"] = licence_answer("AA123456")
    await run_daily_check()
    assert await episode_of() is None
    clock.forward(days=1)
    register.answers["AA123456"] = withheld_licence("AA123456")
    await run_daily_check()
    [driver] = await anna.list_drivers()
    first = driver["verifications"][0]
    clock.forward(days=1)
    await run_daily_check()

    episode = await episode_of()
    assert episode["since"] == first["verifiedAt"]
    assert episode["reasons"] == first["reasons"] != []


async def test_a_document_counts_from_the_midnight_after_its_last_day(
    anna, jan, context, clock, episode_of
) -> None:
    clock.set(datetime(2026, 11, 23, 3, tzinfo=WARSAW))
    await insert_verification(anna, context, jan, verified_at=clock.now() - timedelta(days=1))
    await set_valid_until(anna, context, date(2026, 11, 22))
    midnight = datetime(2026, 11, 23, tzinfo=WARSAW)
    assert datetime.fromisoformat((await episode_of())["since"]) == midnight

    # The check of the day says the same, and begins nothing new.
    await insert_verification(anna, context, jan, outcome="attention", verified_at=clock.now())
    await set_valid_until(anna, context, date(2026, 11, 22))
    assert datetime.fromisoformat((await episode_of())["since"]) == midnight


async def set_valid_until(person, context, day: date) -> None:
    async with context.database.tenant(TenantId(await person.tenant_id(context))) as session:
        await session.execute(text("UPDATE driver SET valid_until = :day"), {"day": day})


async def test_a_needed_category_that_is_marked_today_counts_from_today(
    anna, jan, register, run_daily_check, clock, episode_of
) -> None:
    register.answers["AA123456"] = licence_answer("AA123456")
    await run_daily_check()
    clock.forward(days=3)
    before = clock.now()
    marked = await anna.put(f"/api/drivers/{jan}", {"neededCategories": ["D+E"]})
    assert (marked.json()["status"], marked.json()["mayDrive"]) == ("valid", "no")
    entry = {"since": marked.json()["episode"]["since"], "note": NOTE}
    assert (await acknowledge(anna, jan, entry)).status_code == 200
    since = datetime.fromisoformat((await episode_of())["since"])
    assert before <= since <= clock.now()

    # The next check says the same of it, and begins nothing new.
    clock.forward(days=1)
    await run_daily_check()
    assert datetime.fromisoformat((await episode_of())["since"]) == since
    await anna.put(f"/api/drivers/{jan}", {"neededCategories": []})
    assert await episode_of() is None


async def test_any_member_acknowledges_and_everybody_of_the_company_sees_it(
    anna, bartek, celina, jan, withheld, clock, episode_of, logins
) -> None:
    answer = await acknowledge(bartek, jan, {**withheld, "note": f"  {NOTE}\r\n"})

    assert answer.status_code == 200, answer.text
    acknowledgement = answer.json()["episode"]["acknowledgement"]
    assert uuid.UUID(acknowledgement.pop("id"))
    created_at = datetime.fromisoformat(acknowledgement.pop("createdAt"))
    assert abs(clock.now() - created_at) < timedelta(minutes=1)
    assert acknowledgement == {"note": NOTE, "createdBy": "bartek@acme.test"}
    assert await episode_of() == answer.json()["episode"]
    [event] = await fetch_rows(
        logins,
        "SELECT u.email, a.details::text AS details FROM user_activity a"
        " JOIN user_account u ON u.id = a.user_id WHERE activity_type = 'driver_acknowledged'",
    )
    assert event["email"] == "bartek@acme.test"
    assert jan in event["details"]
    assert "telefonicznie" not in event["details"]
    assert await celina.list_drivers() == []


async def test_a_second_acknowledgement_changes_nothing(
    anna, bartek, jan, withheld, logins
) -> None:
    first = (await acknowledge(anna, jan, withheld)).json()
    answers = await asyncio.gather(
        *(acknowledge(person, jan, {**withheld, "note": "Inna"}) for person in (anna, bartek))
    )

    assert [answer.status_code for answer in answers] == [200, 200]
    assert all(answer.json()["episode"] == first["episode"] for answer in answers)
    assert await count_rows(logins, "acknowledgement") == 1


async def test_two_colleagues_at_once_make_one_entry(anna, bartek, jan, withheld, logins) -> None:
    answers = await asyncio.gather(
        *(acknowledge(person, jan, withheld) for person in (anna, bartek) for _ in range(3))
    )

    assert {answer.status_code for answer in answers} == {200}
    assert await count_rows(logins, "acknowledgement") == 1


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("pl", "Notatka może mieć najwyżej 200 znaków"),
        ("en", "The note may have at most 200 characters"),
    ],
)
async def test_a_note_is_a_line_of_bounded_length_that_may_be_empty(
    anna, jan, withheld, sentence, language, episode_of
) -> None:
    await anna.put("/api/user/language", {"language": language})

    answer = await acknowledge(anna, jan, {**withheld, "note": "x" * 201})

    assert answer.status_code == 422
    assert answer.json() == {
        "error": "invalid_acknowledgement",
        "message": sentence,
        "fields": {"note": sentence},
    }
    assert (await episode_of())["acknowledgement"] is None
    assert (await acknowledge(anna, jan, {"since": withheld["since"]})).status_code == 200
    assert (await episode_of())["acknowledgement"]["note"] == ""


@pytest.mark.parametrize("language", ["pl", "en"])
async def test_several_are_acknowledged_at_once_each_with_its_outcome(
    anna, bartek, celina, check, clock, logins, language
) -> None:
    await anna.put("/api/user/language", {"language": language})
    drivers = [await anna.add_driver(f"AA00000{number}") for number in range(5)]
    foreign = await celina.add_driver("AA123456")
    since = [await check(one, "invalid", clock.now() - timedelta(days=1)) for one in drivers]
    await acknowledge(bartek, drivers[1], {"since": since[1].isoformat()})
    await check(drivers[2], "valid", clock.now())
    await check(drivers[3], "attention", clock.now())
    asked = [*zip(drivers, since, strict=True), (foreign, since[0]), (drivers[0], since[0])]
    body = {
        "note": NOTE,
        "episodes": [{"driverId": one, "since": at.isoformat()} for one, at in asked],
    }

    first, second = [
        (await anna.post("/api/drivers/acknowledgements", body)).json() for _ in range(2)
    ]

    assert [(one["driverId"], one["result"]) for one in first] == [
        (drivers[0], "acknowledged"), (drivers[1], "already_acknowledged"), (drivers[2], "ended"),
        (drivers[3], "ended"), (drivers[4], "acknowledged"), (foreign, "not_found"),
    ]  # fmt: skip
    assert len({one["message"] for one in first}) == 4
    assert "bartek@acme.test" in first[1]["message"]
    assert [second[number]["result"] for number in (0, 4)] == ["already_acknowledged"] * 2
    assert [one["acknowledgementId"] for one in first] == [
        one["acknowledgementId"] for one in second
    ]
    assert await count_rows(logins, "acknowledgement") == 3
    events = await fetch_rows(
        logins, "SELECT 1 FROM user_activity WHERE activity_type = 'driver_acknowledged'"
    )
    assert len(events) == 3
    summary = (await anna.get("/api/drivers/summary")).json()
    assert summary == {"no": 3, "check": 1, "yes": 1, "unhandled": 0, "expiring": 0}
    undone = await anna.delete(
        f"/api/drivers/{drivers[0]}/acknowledgements/{first[0]['acknowledgementId']}"
    )
    assert undone.json()["episode"]["acknowledgement"] is None
    assert (await anna.get("/api/drivers/summary")).json() == {**summary, "unhandled": 1}


async def test_two_colleagues_at_once_acknowledge_each_of_several_once(
    anna, bartek, check, clock, logins, context
) -> None:
    drivers = [await anna.add_driver(f"AA00000{number}") for number in range(4)]
    since = {one: await check(one, "invalid", clock.now()) for one in drivers}
    bodies = [
        {"episodes": [{"driverId": one, "since": since[one].isoformat()} for one in order]}
        for order in (drivers, drivers[::-1])
    ]

    answers = await asyncio.gather(
        *(
            person.post("/api/drivers/acknowledgements", body)
            for person in (anna, bartek)
            for body in bodies
        )
    )

    results = Counter(one["result"] for answer in answers for one in answer.json())
    assert results == {"acknowledged": 4, "already_acknowledged": 12}
    assert await count_rows(logins, "acknowledgement") == 4
    # Each counts towards the company's limit.
    context.max_tries["driver_acknowledgement"] = 19
    refused = await anna.post("/api/drivers/acknowledgements", bodies[0])
    assert (refused.status_code, refused.json()["error"]) == (429, "too_many_requests")


async def test_a_new_withholding_needs_a_new_acknowledgement(
    anna, jan, withheld, check, clock, episode_of
) -> None:
    assert (await acknowledge(anna, jan, withheld)).status_code == 200
    await check(jan, "invalid", clock.now())
    assert (await episode_of())["acknowledgement"] is not None

    await check(jan, "valid", clock.now() + timedelta(hours=1))
    answer = await acknowledge(anna, jan, withheld)
    assert (answer.status_code, answer.json()["error"]) == (409, "episode_ended")

    again = await check(jan, "invalid", clock.now() + timedelta(hours=2))
    assert (await episode_of())["acknowledgement"] is None
    answer = await acknowledge(anna, jan, withheld)
    assert (answer.status_code, answer.json()["error"]) == (409, "episode_ended")
    answer = await acknowledge(anna, jan, {**withheld, "since": again.isoformat()})
    assert answer.json()["episode"]["acknowledgement"]["note"] == NOTE


async def test_another_status_or_document_is_another_episode(
    anna, jan, withheld, check, clock, episode_of
) -> None:
    await acknowledge(anna, jan, withheld)
    await check(jan, "attention", clock.now())
    assert (await episode_of())["acknowledgement"] is None
    await anna.put(f"/api/drivers/{jan}", {"licenseNumber": "BB654321"})
    assert await episode_of() is None


async def test_a_mistake_is_withdrawn_by_an_entry_and_nothing_is_erased(
    anna, bartek, jan, withheld, episode_of, logins
) -> None:
    path = f"/api/drivers/{jan}/acknowledgements"
    done = (await acknowledge(anna, jan, withheld)).json()["episode"]["acknowledgement"]

    for _ in range(2):
        answer = await bartek.delete(f"{path}/{done['id']}")
        assert answer.status_code == 200, answer.text
        assert answer.json()["episode"]["acknowledgement"] is None
    again = await acknowledge(bartek, jan, {**withheld, "note": "Teraz naprawdę"})
    assert again.json()["episode"]["acknowledgement"]["note"] == "Teraz naprawdę"
    assert (await anna.delete(f"{path}/{done['id']}")).json() == again.json()

    rows = await fetch_rows(logins, "SELECT entry, kind, note FROM acknowledgement ORDER BY entry")
    assert [(row["kind"], row["note"]) for row in rows] == [
        ("acknowledged", NOTE), ("withdrawn", ""), ("acknowledged", "Teraz naprawdę"),
    ]  # fmt: skip
    [withdrawal] = await fetch_rows(
        logins, "SELECT * FROM user_activity WHERE activity_type = 'acknowledgement_withdrawn'"
    )
    assert done["id"] in str(withdrawal["details"])


async def test_an_acknowledgement_of_an_earlier_episode_stays(
    anna, jan, withheld, check, clock, logins
) -> None:
    done = (await acknowledge(anna, jan, withheld)).json()["episode"]["acknowledgement"]
    await check(jan, "attention", clock.now())

    answer = await anna.delete(f"/api/drivers/{jan}/acknowledgements/{done['id']}")

    assert (answer.status_code, answer.json()["error"]) == (409, "episode_ended")
    assert await count_rows(logins, "acknowledgement") == 1


async def test_a_company_writes_so_many_entries_a_day(
    anna, bartek, celina, jan, withheld, context, logins
) -> None:
    context.max_tries["driver_acknowledgement"] = 2
    answer = await acknowledge(anna, jan, withheld)
    entry = answer.json()["episode"]["acknowledgement"]["id"]
    path = f"/api/drivers/{jan}/acknowledgements/{entry}"
    assert (await bartek.delete(path)).status_code == 200

    for refused in (await acknowledge(anna, jan, withheld), await bartek.delete(path)):
        assert (refused.status_code, refused.json()["error"]) == (429, "too_many_requests")
        assert int(refused.headers["retry-after"]) > 0
    assert await count_rows(logins, "acknowledgement") == 2
    assert (await acknowledge(celina, jan, withheld)).status_code == 404


async def test_the_rival_reaches_neither_driver_nor_entry(
    anna, celina, jan, withheld, episode_of
) -> None:
    done = (await acknowledge(anna, jan, withheld)).json()["episode"]["acknowledgement"]
    own = await celina.add_driver("AA123456")

    for driver in (jan, own):
        path = f"/api/drivers/{driver}/acknowledgements/{done['id']}"
        assert (await celina.delete(path)).status_code in {404, 409}
    assert (await acknowledge(celina, jan, withheld)).status_code == 404
    assert (await episode_of())["acknowledgement"] == done


async def test_no_login_changes_or_removes_an_entry(anna, jan, withheld, logins) -> None:
    await acknowledge(anna, jan, withheld)
    for login in (logins.app, logins.worker, logins.operator):
        connection = await asyncpg.connect(login)
        try:
            for statement in (
                "UPDATE acknowledgement SET note = ''",
                "DELETE FROM acknowledgement",
            ):
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await connection.execute(statement)
        finally:
            await connection.close()


async def test_the_version_changes_so_that_a_colleague_sees_it(anna, bartek, jan, withheld) -> None:
    before = (await bartek.get("/api/checks/version")).json()
    await acknowledge(anna, jan, withheld)
    assert (await bartek.get("/api/checks/version")).json() != before


async def test_entries_are_exported_and_go_with_the_driver(
    anna, bartek, jan, withheld, logins
) -> None:
    await acknowledge(bartek, jan, withheld)
    for path in ("/api/company/export", f"/api/drivers/{jan}/export"):
        [row] = json_rows(open_archive(await anna.get(path)), "acknowledgements")
        assert (row["kind"], row["note"], row["createdBy"]) == (
            "acknowledged", NOTE, "bartek@acme.test",
        )  # fmt: skip
        assert datetime.fromisoformat(row["since"]).astimezone(UTC) == datetime.fromisoformat(
            withheld["since"]
        )

    assert (await anna.delete(f"/api/drivers/{jan}")).status_code == 200
    assert await count_rows(logins, "acknowledgement") == 0
