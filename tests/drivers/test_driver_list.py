"""The driver list: order, verifications, limit, staleness and pages."""

import importlib
from datetime import date, datetime, timedelta

import pytest
from sqlalchemy import update

from prawko.drivers.models import Driver
from prawko.drivers.validation import sort_key
from prawko.kit.text.letters import TABLE
from prawko_tenants.ids import TenantId
from support.database import (
    execute_as_owner,
    fetch_rows,
    insert_subscription,
    insert_verification,
    set_subscription_end,
)
from support.statements import record_statements

pytestmark = pytest.mark.anyio


async def test_drivers_are_listed_in_polish_alphabetical_order(anna, worker) -> None:
    await insert_subscription(anna, worker, driver_limit=20)
    names = [
        "Adamski",
        "Ąbacki",
        "Cabaj",
        "Ćwik",
        "lis",
        "Łoś",
        "Nowak",
        "Nowak-Ziół",
        "Źrebak",
        "Żyła",
    ]
    for number, name in enumerate(reversed(names)):
        await anna.add_driver(f"AA00000{number}", last=name)
    await anna.add_driver("AA000010", first="Ewa", last="Nowak")

    listed = [(driver["lastName"], driver["firstName"]) for driver in await anna.list_drivers()]

    assert [last for last, _ in listed if (last, _) != ("Nowak", "Ewa")] == names
    assert listed.index(("Nowak", "Ewa")) == listed.index(("Nowak", "Jan")) - 1


async def test_drivers_of_the_release_before_are_put_in_the_tables_order(
    anna, celina, logins, monkeypatch
) -> None:
    names = ["Əliyev", "Ŋan", "Ŧoŋəŧ", "Νικολάς", "Nowak"]
    with monkeypatch.context() as before:
        for letter in "ŧŋəς":
            before.delitem(TABLE.base_letters, letter)
        for number, name in enumerate(names):
            person = celina if number == 1 else anna
            await person.add_driver(f"AA00000{number}", "Məhəmməd ŋ", name)
    read = "SELECT first_name, last_name, sort_key FROM driver ORDER BY license_number"
    expected = [sort_key("Məhəmməd ŋ", name) for name in names]
    assert [row["sort_key"] for row in await fetch_rows(logins, read)] != expected
    migration = importlib.import_module("prawko_migrations.versions.0053_order_of_names")

    for _ in range(2):
        await execute_as_owner(logins, migration.BACK_FILL)

        assert [row["sort_key"] for row in await fetch_rows(logins, read)] == expected


async def test_a_name_that_looks_like_code_is_returned_unchanged(anna, context) -> None:
    first, last = '"},{"status":"valid', "</script>\\u0022\\'; -- %s {x} 'ż"
    await anna.add_driver("AA123456")
    # As stored before such signs were refused.
    async with context.database.tenant(TenantId(await anna.tenant_id(context))) as session:
        await session.execute(update(Driver).values(first_name=first, last_name=last))

    (driver,) = await anna.list_drivers()
    assert (driver["firstName"], driver["lastName"]) == (first, last)


async def test_a_driver_has_its_newest_verifications_newest_first(
    anna, context, clock, variables
) -> None:
    driver_id = await anna.add_driver("AA123456")
    start = clock.now()
    ids = [
        str(
            await insert_verification(
                anna, context, driver_id, verified_at=start - timedelta(days=40 - n)
            )
        )
        for n in range(40)
    ]
    newest_first = ids[::-1]

    for query, count in (("", 10), ("?verifications=2", 2), ("?verifications=30", 30)):
        (driver,) = await anna.list_drivers(query)
        assert [verification["id"] for verification in driver["verifications"]] == newest_first[
            :count
        ]
    (driver,) = await anna.list_drivers("?verifications=0")
    assert driver["verifications"] == []
    (driver,) = await anna.list_drivers("?verifications=1")
    [stored] = driver["verifications"]
    assert stored["id"] == newest_first[0]
    assert "licenseNumber" not in stored  # as stored


async def test_the_latest_verification_comes_first_even_if_the_clock_was_set_back(
    anna, context, clock
) -> None:
    driver_id = await anna.add_driver("AA123456")
    from_later_days = [
        str(
            await insert_verification(
                anna, context, driver_id, verified_at=clock.now() + timedelta(days=days)
            )
        )
        for days in (1, 2, 3)
    ]
    last = str(await insert_verification(anna, context, driver_id, outcome="invalid"))

    for query, count in (("?verifications=2", 2), ("", 4)):
        (driver,) = await anna.list_drivers(query)
        assert [verification["id"] for verification in driver["verifications"]] == [
            last,
            *from_later_days[::-1],
        ][:count]
    assert driver["status"] == "invalid"


async def test_a_verification_shows_what_the_register_answered(anna, context, clock) -> None:
    clock.set(datetime.fromisoformat("2026-11-21T23:30:00+01:00"))
    driver_id = await anna.add_driver("AA123456")
    verification_id = await insert_verification(
        anna, context, driver_id, outcome="attention", expiry_date=date(2026, 11, 20)
    )

    (driver,) = await anna.list_drivers()

    (verification,) = driver["verifications"]
    verified_at = datetime.fromisoformat(verification.pop("verifiedAt"))
    assert abs(verified_at - clock.now()) < timedelta(minutes=1)
    assert verification == {
        "id": str(verification_id),
        "driverId": driver_id,
        "status": "attention",
        "documentStatus": "Wydany",
        "documentCode": "DICT003_WYD",
        "issuingAuthority": "Starosta Wołomiński",
        "expiryDate": "2026-11-20",
        "expired": True,
        "categories": [{"kategoria": "B", "dataWaznosci": None}],
        "reasons": [],
        "notes": None,
        "lastVerificationHash": "0c" * 32,
        "licenseNumber": "AA123456",
    }


@pytest.mark.parametrize(
    ("system_time", "expired"),
    [("2026-11-21T00:30:00+01:00", True), ("2026-11-20T23:30:00+01:00", False)],
)
async def test_a_document_is_expired_on_the_warsaw_day_after_its_last(
    anna, context, system_time, expired
) -> None:
    driver_id = await anna.add_driver("AA123456")
    await insert_verification(
        anna,
        context,
        driver_id,
        verified_at=datetime.fromisoformat(system_time),
        expiry_date=date(2026, 11, 20),
    )

    (driver,) = await anna.list_drivers()

    assert driver["verifications"][0]["expired"] is expired


NOT_IN_SUMMARY = {
    "id", "driverId", "documentCode", "reasons", "notes", "lastVerificationHash", "licenseNumber",
}  # fmt: skip


@pytest.mark.parametrize("query", ["verifications=1", "verifications=2", "page=1&pageSize=10"])
async def test_the_summary_leaves_out_what_a_list_does_not_show(anna, context, query) -> None:
    for number in ("AA123456", "AA123457"):
        await insert_verification(anna, context, await anna.add_driver(number))
    expected = await anna.list_drivers(f"?{query}")
    for driver in expected:
        del driver["createdAt"]
        for verification in driver["verifications"]:
            for field in NOT_IN_SUMMARY & verification.keys():
                del verification[field]

    answer = await anna.get(f"/api/drivers?{query}&view=summary")

    assert answer.json() == expected
    assert len(expected[0]["verifications"]) == 1
    assert answer.headers.get("content-range") == ("drivers 0-1/2" if "page" in query else None)


async def test_an_unknown_view_is_rejected(anna) -> None:
    answer = await anna.get("/api/drivers?view=everything")

    assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")


async def test_only_verifications_of_the_current_document_are_shown(anna, context) -> None:
    driver_id = await anna.add_driver("AA123456")
    await insert_verification(anna, context, driver_id)
    await anna.put(f"/api/drivers/{driver_id}", {"licenseNumber": "BB123456"})

    for query in ("", "?verifications=1", "?verifications=30"):
        (driver,) = await anna.list_drivers(query)
        assert (driver["status"], driver["verifications"]) == ("unknown", [])

    present = await insert_verification(
        anna, context, driver_id, outcome="invalid", document_status="Zatrzymany"
    )
    (driver,) = await anna.list_drivers()
    assert [verification["id"] for verification in driver["verifications"]] == [str(present)]
    assert driver["verifications"][0]["licenseNumber"] == "BB123456"
    assert driver["status"] == "invalid"


async def test_another_companys_verifications_are_not_shown(anna, celina, context) -> None:
    await insert_verification(anna, context, await anna.add_driver("AA123456"))
    await celina.add_driver("AA123456")

    for query in ("", "?verifications=1"):
        (driver,) = await celina.list_drivers(query)
        assert (driver["status"], driver["verifications"]) == ("unknown", [])


@pytest.mark.parametrize("query", ["?verifications=31", "?verifications=-1", "?verifications=x"])
async def test_an_invalid_number_of_verifications_is_rejected(anna, query) -> None:
    answer = await anna.get(f"/api/drivers{query}")

    assert answer.status_code == 400
    assert answer.json()["error"] == "bad_request"


async def test_a_result_is_stale_after_48_hours(anna, context, clock) -> None:
    driver_id = await anna.add_driver("AA123456")
    assert (await anna.list_drivers())[0]["staleSince"] is None  # no result yet
    verified_at = clock.now()
    await insert_verification(anna, context, driver_id, verified_at=verified_at)

    clock.forward(hours=47, minutes=59)
    fresh = await anna.list_drivers("?verifications=1")
    clock.forward(minutes=2)
    stale = await anna.list_drivers("?verifications=1")

    assert fresh[0]["staleSince"] is None
    assert datetime.fromisoformat(stale[0]["staleSince"]) == verified_at
    assert stale[0]["status"] == "valid"


async def test_every_result_is_stale_without_a_subscription(anna, context, worker, clock) -> None:
    driver_id = await anna.add_driver("AA123456")
    await insert_verification(anna, context, driver_id)

    await set_subscription_end(anna, worker, clock.now() - timedelta(seconds=1))

    for query in ("", "?verifications=1", "?verifications=0"):
        (driver,) = await anna.list_drivers(query)
        assert driver["staleSince"] is not None


async def test_the_newest_drivers_are_beyond_a_lowered_limit(anna, worker) -> None:
    await insert_subscription(anna, worker, driver_limit=10)
    for number in range(7):
        await anna.add_driver(f"AA00000{number}", last=f"Nowak{'ABCDEFG'[6 - number]}")

    assert not any(driver["overLimit"] for driver in await anna.list_drivers())
    await insert_subscription(anna, worker, driver_limit=5)

    for query in ("", "?verifications=1", "?page=1&pageSize=3"):
        over_limit = {
            driver["licenseNumber"]: driver["overLimit"]
            for driver in await anna.list_drivers(query)
        }
        assert over_limit == {number: number in {"AA000005", "AA000006"} for number in over_limit}


async def test_an_updated_driver_is_returned_as_in_the_list(anna, worker, context) -> None:
    ids = [await anna.add_driver(f"AA00000{number}") for number in range(3)]
    await insert_verification(
        anna, context, ids[2], verified_at=context.clock.now() - timedelta(hours=50)
    )
    await insert_subscription(anna, worker, driver_limit=2)

    updated = (await anna.put(f"/api/drivers/{ids[2]}", {})).json()

    assert updated in await anna.list_drivers()
    assert updated["overLimit"] is True
    assert updated["staleSince"] is not None


async def test_pages_have_their_total_in_content_range(anna) -> None:
    for number in range(5):
        await anna.add_driver(f"AA00000{number}", last="ABCDE"[number])

    full_list = await anna.get("/api/drivers")
    pages = [await anna.get(f"/api/drivers?page={n}&pageSize=2") for n in (1, 2, 3, 4)]

    assert "content-range" not in full_list.headers
    assert [driver for page in pages for driver in page.json()] == full_list.json()
    assert [page.headers["content-range"] for page in pages] == [
        "drivers 0-1/5",
        "drivers 2-3/5",
        "drivers 4-4/5",
        "drivers */5",
    ]
    first = await anna.get("/api/drivers?page=1")
    assert first.headers["content-range"] == "drivers 0-4/5"
    for invalid in ("?page=0", "?pageSize=0", "?pageSize=101", "?page=x"):
        assert (await anna.get(f"/api/drivers{invalid}")).status_code == 400


async def test_the_total_counts_own_drivers_only(anna, celina) -> None:
    await anna.add_driver("AA123456")

    answer = await celina.get("/api/drivers?page=1&pageSize=10")

    assert answer.json() == []
    assert answer.headers["content-range"] == "drivers */0"


async def test_one_statement_reads_the_list_however_long_it_is(anna, worker, context) -> None:
    await insert_subscription(anna, worker, driver_limit=50)
    for number in range(12):
        driver_id = await anna.add_driver(f"AA0000{number:02d}")
        if number % 2:
            await insert_verification(anna, context, driver_id)
        if number in {0, 11}:
            for query in ("", "?verifications=1"):
                with record_statements() as statements:
                    await anna.list_drivers(query)
                session_read, list_read = statements
                assert "FROM login_session" in session_read
                assert "FROM driver" in list_read
