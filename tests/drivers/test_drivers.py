"""Adding, updating and removing drivers, as Anna, her colleague and another company."""

import uuid

import pytest
from sqlalchemy import text

from prawko_tenants.ids import TenantId
from support.database import count_rows, fetch_rows, insert_subscription, insert_verification
from support.statements import record_statements

pytestmark = pytest.mark.anyio

JAN = {"firstName": "Jan", "lastName": "Kowalski", "licenseNumber": "AA123456"}


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
        "mayDrive": "check",
        "neededCategories": [],
        "overLimit": False,
        "staleSince": None,
        "episode": None,
        "verifications": [],
    }
    assert await anna.list_drivers() == [answer.json()]


async def test_a_company_sees_its_own_drivers_only(anna, bartek, celina) -> None:
    await anna.add_driver("AA123456")

    assert [driver["licenseNumber"] for driver in await bartek.list_drivers()] == ["AA123456"]
    assert await celina.list_drivers() == []


async def test_names_and_number_are_stored_normalised(anna) -> None:
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
async def test_an_invalid_field_is_rejected_with_its_message(anna, change, fields) -> None:
    answer = await anna.post("/api/drivers", {**JAN, **change})

    assert answer.status_code == 422
    assert answer.json() == {
        "error": "invalid_driver_data",
        "message": next(iter(fields.values())),
        "fields": fields,
    }
    assert await anna.list_drivers() == []


async def test_a_missing_field_is_rejected_like_an_empty_one(anna) -> None:
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
async def test_a_body_of_another_shape_is_rejected(anna, body) -> None:
    answer = await anna.post("/api/drivers", body)

    assert answer.status_code == 422
    assert answer.json() == {
        "error": "invalid_driver_data",
        "message": "Nieprawidłowe dane kierowcy. Sprawdź wprowadzone informacje.",
    }
    assert await anna.list_drivers() == []


async def test_invalid_json_is_rejected(anna) -> None:
    answer = await anna.browser.post(
        "/api/drivers", content=b'{"firstName": "Jan', headers={"Content-Type": "application/json"}
    )

    assert answer.status_code in {400, 422}
    assert answer.json().keys() >= {"error", "message"}


async def test_a_number_is_unique_within_a_company(anna, bartek) -> None:
    await anna.add_driver("AA123456")

    answer = await bartek.post("/api/drivers", {**JAN, "licenseNumber": "aa123456"})

    assert answer.status_code == 409
    assert answer.json() == {
        "error": "license_number_exists",
        "message": "Numer prawa jazdy już istnieje",
    }
    assert len(await anna.list_drivers()) == 1


async def test_a_number_of_another_company_is_accepted_with_the_same_statements(
    anna, celina, context
) -> None:
    await anna.add_driver("AA123456")

    with record_statements() as taken_statements:
        accepted = await celina.post("/api/drivers", JAN)
    with record_statements() as free_statements:
        free = await celina.post("/api/drivers", {**JAN, "licenseNumber": "AA123457"})

    assert accepted.status_code == free.status_code == 201
    assert taken_statements == free_statements != []
    assert accepted.json().keys() == free.json().keys()


async def test_a_driver_beyond_the_limit_is_rejected(anna, bartek) -> None:
    for number in range(5):
        await anna.add_driver(f"AA00000{number}")

    answer = await bartek.post("/api/drivers", JAN)

    assert answer.status_code == 403
    assert answer.json()["error"] == "driver_limit_exceeded"
    assert "limit" in answer.json()["message"]
    assert len(await anna.list_drivers()) == 5


async def test_removing_a_driver_frees_a_place(anna) -> None:
    ids = [await anna.add_driver(f"AA00000{number}") for number in range(5)]
    await anna.delete(f"/api/drivers/{ids[0]}")

    assert (await anna.post("/api/drivers", JAN)).status_code == 201


async def test_without_a_subscription_drivers_can_be_listed_and_removed_only(
    anna, clock, worker
) -> None:
    driver_id = await anna.add_driver("AA123456")
    await insert_subscription(anna, worker, status="inactive")

    add = await anna.post("/api/drivers", {**JAN, "licenseNumber": "AA000001"})
    edit = await anna.put(f"/api/drivers/{driver_id}", {"firstName": "Ewa"})
    invalid = await anna.post("/api/drivers", {})

    for response in (add, edit, invalid):
        assert response.status_code == 403
        assert response.json()["error"] == "subscription_required"
    assert len(await anna.list_drivers()) == 1
    assert (await anna.delete(f"/api/drivers/{driver_id}")).status_code == 200
    assert await anna.list_drivers() == []


async def test_a_request_reads_the_subscription_once(anna, context) -> None:
    with record_statements() as statements:
        await anna.add_driver("AA123456")
    assert sum("FROM subscription" in statement for statement in statements) == 1


async def test_the_newest_subscription_sets_the_limit(anna, worker) -> None:
    await insert_subscription(anna, worker, driver_limit=6)
    for number in range(6):
        await anna.add_driver(f"AA00000{number}")

    assert (await anna.post("/api/drivers", JAN)).status_code == 403


async def test_a_changed_name_or_number_makes_another_document(anna, context, logins) -> None:
    driver_id = await anna.add_driver("AA123456")
    for change in (
        {"firstName": "Ewa"},
        {"lastName": "Nowak"},
        {"licenseNumber": "bb654321"},
        {"firstName": "Jan", "lastName": "Kos", "licenseNumber": "CC000001"},
    ):
        await insert_verification(anna, context, driver_id)
        (before,) = await fetch_rows(logins, "SELECT * FROM driver")
        assert (before["status"], before["latest"] is None) == ("valid", False)

        answer = await anna.put(f"/api/drivers/{driver_id}", change)

        assert answer.status_code == 200
        driver = answer.json()
        expected = {
            name: text.upper() if name == "licenseNumber" else text for name, text in change.items()
        }
        assert {name: driver[name] for name in change} == expected
        assert driver["id"] == driver_id
        assert (driver["status"], driver["verifications"]) == ("unknown", [])
        assert await anna.list_drivers() == [driver]
        (after,) = await fetch_rows(logins, "SELECT * FROM driver")
        assert after["document_version"] == before["document_version"] + 1
        assert after["latest"] is None
        assert after["verified_at"] is None
        assert after["sort_key"] != before["sort_key"] or "licenseNumber" in change
    assert await count_rows(logins, "verification") == 4  # all are in the history


async def test_equal_values_change_nothing(anna, context, logins) -> None:
    driver_id = await anna.add_driver("AA123456")
    await insert_verification(anna, context, driver_id)
    before = await fetch_rows(logins, "SELECT * FROM driver")

    for unchanged in (JAN, {"licenseNumber": "aa123456"}, {"firstName": " Jan "}, {}):
        answer = await anna.put(f"/api/drivers/{driver_id}", unchanged)
        assert answer.status_code == 200
        assert answer.json() == (await anna.list_drivers())[0]
        assert len(answer.json()["verifications"]) == 1

    assert await fetch_rows(logins, "SELECT * FROM driver") == before


@pytest.mark.parametrize(
    ("stored", "sent"),
    [
        ("O\u2019Neil", "O'Neil"),
        ("Nowak - Kowalska", "Nowak - Kowalska"),
        ("Nowak \u2013Kowalska", "Nowak-Kowalska"),
    ],
)
async def test_a_name_from_before_names_were_normalised_stays_the_same_document(
    anna, context, logins, stored, sent
) -> None:
    driver_id = await anna.add_driver("AA123456")
    await insert_verification(anna, context, driver_id)
    async with context.database.tenant(TenantId(await anna.tenant_id(context))) as session:
        await session.execute(text("UPDATE driver SET last_name = :name"), {"name": stored})
    before = await fetch_rows(logins, "SELECT * FROM driver")

    sent_back = await anna.put(f"/api/drivers/{driver_id}", {**JAN, "lastName": sent})

    assert sent_back.json()["status"] == "valid"
    assert await fetch_rows(logins, "SELECT * FROM driver") == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"firstName": ""}, "Imię jest wymagane"),
        ({"licenseNumber": "A"}, "Numer prawa jazdy musi być w formacie AA123456"),
        ({"lastName": None}, "Nieprawidłowe dane kierowcy. Sprawdź wprowadzone informacje."),
        ({"status": "valid"}, "Nieprawidłowe dane kierowcy. Sprawdź wprowadzone informacje."),
    ],
)
async def test_an_invalid_change_is_rejected(anna, change, message) -> None:
    driver_id = await anna.add_driver("AA123456")

    answer = await anna.put(f"/api/drivers/{driver_id}", change)

    assert answer.status_code == 422
    assert (answer.json()["error"], answer.json()["message"]) == ("invalid_driver_data", message)
    assert (await anna.list_drivers())[0]["status"] == "unknown"


async def test_a_number_cannot_be_changed_to_that_of_another_driver(anna) -> None:
    await anna.add_driver("AA123456")
    other_driver = await anna.add_driver("AA123457", last="Nowak")

    answer = await anna.put(
        f"/api/drivers/{other_driver}", {"firstName": "Ewa", "licenseNumber": "AA123456"}
    )

    assert answer.status_code == 409
    assert answer.json()["error"] == "license_number_exists"
    assert [driver["firstName"] for driver in await anna.list_drivers()] == ["Jan", "Jan"]


async def test_a_number_may_be_changed_to_one_of_another_company(anna, celina) -> None:
    await anna.add_driver("AA123456")
    driver_id = await celina.add_driver("BB123456")

    answer = await celina.put(f"/api/drivers/{driver_id}", {"licenseNumber": "AA123456"})

    assert answer.status_code == 200


async def test_a_driver_is_removed_with_all_its_data(anna, bartek, context, logins) -> None:
    driver_id = await anna.add_driver("AA123456")
    await insert_verification(anna, context, driver_id)

    answer = await bartek.delete(f"/api/drivers/{driver_id}")

    assert answer.status_code == 200
    assert answer.json() == {"id": driver_id}
    for table in ("driver", "register_answer", "verification"):
        assert await count_rows(logins, table) == 0
    assert (await anna.delete(f"/api/drivers/{driver_id}")).status_code == 404


async def test_another_company_can_neither_update_nor_remove_nor_detect_a_driver(
    anna, celina
) -> None:
    driver_id = await anna.add_driver("AA123456")
    before = await anna.list_drivers()

    for path in (driver_id, str(uuid.uuid4()), "not-an-id", "1"):
        edit = await celina.put(f"/api/drivers/{path}", {"firstName": "Ewa"})
        remove = await celina.delete(f"/api/drivers/{path}")
        for answer in (edit, remove):
            assert answer.status_code == 404
            assert answer.json() == {"error": "not_found", "message": "Nie znaleziono."}
    assert await anna.list_drivers() == before


async def test_errors_are_in_the_language_of_the_account(anna) -> None:
    await anna.put("/api/user/language", {"language": "en"})

    invalid = await anna.post("/api/drivers", {**JAN, "licenseNumber": "?"})
    for number in range(5):
        await anna.add_driver(f"AA00000{number}")
    refused = await anna.post("/api/drivers", JAN)

    assert invalid.json()["message"] == "The license number must have the format AA123456"
    assert refused.json()["message"] == (
        "Driver limit exceeded. Upgrade your plan to add more drivers."
    )
