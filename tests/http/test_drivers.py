"""Adding, changing and removing drivers, as Anna, her colleague and a rival."""

import uuid
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from persons import Person
from stored import answered, count, look, subscribed

pytestmark = pytest.mark.anyio

JAN = {"firstName": "Jan", "lastName": "Kowalski", "licenseNumber": "AA123456"}


@pytest.fixture
def statements(tools):
    """Collects what the panel's sessions send to the database."""
    engine = tools.database._engine.sync_engine

    @contextmanager
    def collect():
        sent = []

        def note(connection, cursor, statement, *_) -> None:
            sent.append(statement)

        event.listen(engine, "before_cursor_execute", note)
        yield sent
        event.remove(engine, "before_cursor_execute", note)

    return collect


async def drivers(person: Person) -> list[dict]:
    answer = await person.get("/api/drivers")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_driver_is_added_and_listed(anna, clock) -> None:
    answer = await anna.post("/api/drivers", JAN)

    assert answer.status_code == 201
    assert answer.headers["content-type"] == "application/json"
    driver = answer.json()
    assert uuid.UUID(driver.pop("id"))
    assert driver.pop("createdAt").endswith("Z")
    assert driver == {
        **JAN,
        "status": "unknown",
        "overLimit": False,
        "staleSince": None,
        "verifications": [],
    }
    assert await drivers(anna) == [answer.json()]


async def test_a_company_sees_its_own_drivers_only(anna, bartek, celina) -> None:
    await anna.adds("AA123456")

    assert [driver["licenseNumber"] for driver in await drivers(bartek)] == ["AA123456"]
    assert await drivers(celina) == []


async def test_names_and_number_are_stored_tidied(anna) -> None:
    answer = await anna.post(
        "/api/drivers",
        {
            "firstName": " Anna  Maria ",
            "lastName": "Z\u0301dz\u0301b\u0142o",
            "licenseNumber": "ab000001",
        },
    )

    driver = answer.json()
    assert (driver["firstName"], driver["lastName"]) == ("Anna Maria", "Źdźbło")
    assert driver["licenseNumber"] == "AB000001"


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"firstName": ""}, {"firstName": "Imię jest wymagane"}),
        ({"lastName": "  "}, {"lastName": "Nazwisko jest wymagane"}),
        ({"licenseNumber": ""}, {"licenseNumber": "Numer prawa jazdy jest wymagany"}),
        (
            {"licenseNumber": "AA12345"},
            {"licenseNumber": "Numer prawa jazdy musi być w formacie AA123456"},
        ),
        (
            {"licenseNumber": "AA123456\n"},
            {"licenseNumber": "Numer prawa jazdy musi być w formacie AA123456"},
        ),
        (
            {"licenseNumber": "\u00df123456"},
            {"licenseNumber": "Numer prawa jazdy musi być w formacie AA123456"},
        ),
        ({"firstName": "x" * 81}, {"firstName": "Imię może mieć najwyżej 80 znaków"}),
        (
            {"lastName": "Nowak\r\nBcc: a@b.test"},
            {"lastName": "Nazwisko zawiera niedozwolone znaki"},
        ),
        (
            {"lastName": "", "licenseNumber": "1"},
            {
                "lastName": "Nazwisko jest wymagane",
                "licenseNumber": "Numer prawa jazdy musi być w formacie AA123456",
            },
        ),
    ],
)
async def test_an_unfit_field_is_refused_with_its_sentence(anna, change, fields) -> None:
    answer = await anna.post("/api/drivers", {**JAN, **change})

    assert answer.status_code == 422
    assert answer.json() == {
        "error": "invalid_driver_data",
        "message": next(iter(fields.values())),
        "fields": fields,
    }
    assert await drivers(anna) == []


async def test_what_is_missing_is_refused_like_what_is_empty(anna) -> None:
    answer = await anna.post("/api/drivers", {})

    assert answer.json()["message"] == "Imię jest wymagane"
    assert list(answer.json()["fields"]) == ["firstName", "lastName", "licenseNumber"]


@pytest.mark.parametrize(
    "body",
    [
        {**JAN, "status": "valid"},
        {**JAN, "tenantId": str(uuid.uuid4())},
        {**JAN, "id": str(uuid.uuid4())},
        {**JAN, "firstName": None},
        {**JAN, "licenseNumber": 123456},
        [JAN],
        "Jan",
    ],
)
async def test_a_body_of_another_shape_is_refused_whole(anna, body) -> None:
    answer = await anna.post("/api/drivers", body)

    assert answer.status_code == 422
    assert answer.json() == {
        "error": "invalid_driver_data",
        "message": "Nieprawidłowe dane kierowcy. Sprawdź wprowadzone informacje.",
    }
    assert await drivers(anna) == []


async def test_what_is_no_json_is_refused(anna) -> None:
    answer = await anna.browser.post(
        "/api/drivers", content=b'{"firstName": "Jan', headers={"Content-Type": "application/json"}
    )

    assert answer.status_code in {400, 422}
    assert answer.json().keys() >= {"error", "message"}


async def test_a_number_is_refused_twice_in_one_company(anna, bartek) -> None:
    await anna.adds("AA123456")

    answer = await bartek.post("/api/drivers", {**JAN, "licenseNumber": "aa123456"})

    assert answer.status_code == 409
    assert answer.json() == {
        "error": "license_number_exists",
        "message": "Numer prawa jazdy już istnieje",
    }
    assert len(await drivers(anna)) == 1


async def test_a_number_another_company_holds_is_as_good_as_any(anna, celina, statements) -> None:
    await anna.adds("AA123456")

    with statements() as held:
        taken = await celina.post("/api/drivers", JAN)
    with statements() as fresh:
        free = await celina.post("/api/drivers", {**JAN, "licenseNumber": "AA123457"})

    assert taken.status_code == free.status_code == 201
    assert held == fresh != []
    assert taken.json().keys() == free.json().keys()


async def test_the_limit_refuses_one_driver_more(anna, bartek) -> None:
    for number in range(5):
        await anna.adds(f"AA00000{number}")

    answer = await bartek.post("/api/drivers", JAN)

    assert answer.status_code == 403
    assert answer.json()["error"] == "driver_limit_exceeded"
    assert "limit" in answer.json()["message"]
    assert len(await drivers(anna)) == 5


async def test_a_removed_driver_makes_room(anna) -> None:
    ids = [await anna.adds(f"AA00000{number}") for number in range(5)]
    await anna.delete(f"/api/drivers/{ids[0]}")

    assert (await anna.post("/api/drivers", JAN)).status_code == 201


async def test_without_a_subscription_drivers_can_be_seen_and_removed_only(
    anna, clock, worker
) -> None:
    driver_id = await anna.adds("AA123456")
    await subscribed(anna, worker, status="inactive")

    add = await anna.post("/api/drivers", {**JAN, "licenseNumber": "AA000001"})
    edit = await anna.put(f"/api/drivers/{driver_id}", {"firstName": "Ewa"})
    unfit = await anna.post("/api/drivers", {})

    for refused in (add, edit, unfit):
        assert refused.status_code == 403
        assert refused.json()["error"] == "subscription_required"
    assert len(await drivers(anna)) == 1
    assert (await anna.delete(f"/api/drivers/{driver_id}")).status_code == 200
    assert await drivers(anna) == []


async def test_the_newest_subscription_counts(anna, worker) -> None:
    await subscribed(anna, worker, driver_limit=6)
    for number in range(6):
        await anna.adds(f"AA00000{number}")

    assert (await anna.post("/api/drivers", JAN)).status_code == 403


async def test_a_changed_name_or_number_makes_another_document(anna, tools, logins) -> None:
    driver_id = await anna.adds("AA123456")
    for change in (
        {"firstName": "Ewa"},
        {"lastName": "Nowak"},
        {"licenseNumber": "bb654321"},
        {"firstName": "Jan", "lastName": "Kos", "licenseNumber": "CC000001"},
    ):
        await answered(anna, tools, driver_id)
        (before,) = await look(logins, "SELECT * FROM driver")
        assert (before["status"], before["latest"] is None) == ("valid", False)

        answer = await anna.put(f"/api/drivers/{driver_id}", change)

        assert answer.status_code == 200
        driver = answer.json()
        told = {
            name: text.upper() if name == "licenseNumber" else text for name, text in change.items()
        }
        assert {name: driver[name] for name in change} == told
        assert driver["id"] == driver_id
        assert (driver["status"], driver["verifications"]) == ("unknown", [])
        assert await drivers(anna) == [driver]
        (after,) = await look(logins, "SELECT * FROM driver")
        assert after["document_no"] == before["document_no"] + 1
        assert after["latest"] is None
        assert after["verified_at"] is None
        assert after["sort_key"] != before["sort_key"] or "licenseNumber" in change
    assert await count(logins, "verification") == 4  # the history keeps them all


async def test_equal_values_change_nothing(anna, tools, logins) -> None:
    driver_id = await anna.adds("AA123456")
    await answered(anna, tools, driver_id)
    before = await look(logins, "SELECT * FROM driver")

    for same in (JAN, {"licenseNumber": "aa123456"}, {"firstName": " Jan "}, {}):
        answer = await anna.put(f"/api/drivers/{driver_id}", same)
        assert answer.status_code == 200
        assert answer.json() == (await drivers(anna))[0]
        assert len(answer.json()["verifications"]) == 1

    assert await look(logins, "SELECT * FROM driver") == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"firstName": ""}, "Imię jest wymagane"),
        ({"licenseNumber": "A"}, "Numer prawa jazdy musi być w formacie AA123456"),
        ({"lastName": None}, "Nieprawidłowe dane kierowcy. Sprawdź wprowadzone informacje."),
        ({"status": "valid"}, "Nieprawidłowe dane kierowcy. Sprawdź wprowadzone informacje."),
    ],
)
async def test_an_unfit_change_is_refused(anna, change, message) -> None:
    driver_id = await anna.adds("AA123456")

    answer = await anna.put(f"/api/drivers/{driver_id}", change)

    assert answer.status_code == 422
    assert (answer.json()["error"], answer.json()["message"]) == ("invalid_driver_data", message)
    assert (await drivers(anna))[0]["status"] == "unknown"


async def test_a_number_cannot_be_changed_to_a_colleagues(anna) -> None:
    await anna.adds("AA123456")
    other = await anna.adds("AA123457", last="Nowak")

    answer = await anna.put(
        f"/api/drivers/{other}", {"firstName": "Ewa", "licenseNumber": "AA123456"}
    )

    assert answer.status_code == 409
    assert answer.json()["error"] == "license_number_exists"
    assert [driver["firstName"] for driver in await drivers(anna)] == ["Jan", "Jan"]


async def test_a_number_may_be_changed_to_one_of_another_company(anna, celina) -> None:
    await anna.adds("AA123456")
    driver_id = await celina.adds("BB123456")

    answer = await celina.put(f"/api/drivers/{driver_id}", {"licenseNumber": "AA123456"})

    assert answer.status_code == 200


async def test_a_driver_is_removed_with_all_that_is_known_of_it(
    anna, bartek, tools, logins
) -> None:
    driver_id = await anna.adds("AA123456")
    await answered(anna, tools, driver_id)

    answer = await bartek.delete(f"/api/drivers/{driver_id}")

    assert answer.status_code == 200
    assert answer.json() == {"id": driver_id}
    for table in ("driver", "register_answer", "verification"):
        assert await count(logins, table) == 0
    assert (await anna.delete(f"/api/drivers/{driver_id}")).status_code == 404


async def test_a_rival_can_neither_change_nor_remove_nor_tell_that_a_driver_exists(
    anna, celina
) -> None:
    driver_id = await anna.adds("AA123456")
    before = await drivers(anna)

    for path in (driver_id, str(uuid.uuid4()), "not-an-id", "1"):
        edit = await celina.put(f"/api/drivers/{path}", {"firstName": "Ewa"})
        remove = await celina.delete(f"/api/drivers/{path}")
        for answer in (edit, remove):
            assert answer.status_code == 404
            assert answer.json() == {"error": "not_found", "message": "Nie znaleziono."}
    assert await drivers(anna) == before


async def test_refusals_speak_the_language_of_the_account(anna) -> None:
    await anna.put("/api/user/language", {"language": "en"})

    unfit = await anna.post("/api/drivers", {**JAN, "licenseNumber": "?"})
    for number in range(5):
        await anna.adds(f"AA00000{number}")
    beyond = await anna.post("/api/drivers", JAN)

    assert unfit.json()["message"] == "The license number must have the format AA123456"
    assert beyond.json()["message"] == (
        "Driver limit exceeded. Upgrade your plan to add more drivers."
    )
