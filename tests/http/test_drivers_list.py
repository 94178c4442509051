"""The list of drivers: order, verifications, limit, staleness, pages."""

from datetime import date, datetime, timedelta

import pytest

from persons import Person
from prawko_tenants.reader import ReadDoor
from stored import answered, ends_at, subscribed

pytestmark = pytest.mark.anyio


async def drivers(person: Person, query: str = "") -> list[dict]:
    answer = await person.get(f"/api/drivers{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_drivers_stand_in_the_order_of_a_polish_list(anna, worker) -> None:
    await subscribed(anna, worker, driver_limit=20)
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
        await anna.adds(f"AA00000{number}", last=name)
    await anna.adds("AA000010", first="Ewa", last="Nowak")

    listed = [(driver["lastName"], driver["firstName"]) for driver in await drivers(anna)]

    assert [last for last, _ in listed if (last, _) != ("Nowak", "Ewa")] == names
    assert listed.index(("Nowak", "Ewa")) == listed.index(("Nowak", "Jan")) - 1


async def test_a_name_that_looks_like_code_comes_back_as_it_was_typed(anna) -> None:
    first, last = '"},{"status":"valid', "</script>\\u0022\\'; -- %s {x} 'ż"
    await anna.adds("AA123456", first=first, last=last)

    (driver,) = await drivers(anna)
    assert (driver["firstName"], driver["lastName"]) == (first, last)


async def test_a_driver_carries_its_newest_verifications_newest_first(
    anna, tools, clock, variables
) -> None:
    driver_id = await anna.adds("AA123456")
    start = clock.now()
    ids = [
        str(await answered(anna, tools, driver_id, at=start - timedelta(days=40 - n)))
        for n in range(40)
    ]
    newest_first = ids[::-1]

    for query, many in (("", 10), ("?verifications=2", 2), ("?verifications=30", 30)):
        (driver,) = await drivers(anna, query)
        assert [v["id"] for v in driver["verifications"]] == newest_first[:many]
    (driver,) = await drivers(anna, "?verifications=0")
    assert driver["verifications"] == []
    (driver,) = await drivers(anna, "?verifications=1")
    assert driver["verifications"] == [{"id": newest_first[0], "status": "valid"}]  # as written


async def test_what_was_written_last_leads_though_a_clock_was_set_back(anna, tools, clock) -> None:
    driver_id = await anna.adds("AA123456")
    ahead = [
        str(await answered(anna, tools, driver_id, at=clock.now() + timedelta(days=days)))
        for days in (1, 2, 3)
    ]
    last = str(await answered(anna, tools, driver_id, outcome="invalid"))

    for query, many in (("?verifications=2", 2), ("", 4)):
        (driver,) = await drivers(anna, query)
        assert [v["id"] for v in driver["verifications"]] == [last, *ahead[::-1]][:many]
    assert driver["status"] == "invalid"


async def test_a_verification_shows_what_the_register_answered(anna, tools, clock) -> None:
    clock.set(datetime.fromisoformat("2026-11-21T23:30:00+01:00"))
    driver_id = await anna.adds("AA123456")
    verification_id = await answered(
        anna, tools, driver_id, outcome="attention", expiry_date=date(2026, 11, 20)
    )

    (driver,) = await drivers(anna)

    (verification,) = driver["verifications"]
    at = datetime.fromisoformat(verification.pop("verifiedAt"))
    assert abs(at - clock.now()) < timedelta(minutes=1)
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
    ("at", "expired"),
    [("2026-11-21T00:30:00+01:00", True), ("2026-11-20T23:30:00+01:00", False)],
)
async def test_a_document_is_expired_on_the_warsaw_day_after_its_last(
    anna, tools, at, expired
) -> None:
    driver_id = await anna.adds("AA123456")
    await answered(
        anna, tools, driver_id, at=datetime.fromisoformat(at), expiry_date=date(2026, 11, 20)
    )

    (driver,) = await drivers(anna)

    assert driver["verifications"][0]["expired"] is expired


async def test_only_verifications_of_the_present_document_are_shown(anna, tools) -> None:
    driver_id = await anna.adds("AA123456")
    await answered(anna, tools, driver_id)
    await anna.put(f"/api/drivers/{driver_id}", {"licenseNumber": "BB123456"})

    for query in ("", "?verifications=1", "?verifications=30"):
        (driver,) = await drivers(anna, query)
        assert (driver["status"], driver["verifications"]) == ("unknown", [])

    present = await answered(
        anna, tools, driver_id, outcome="invalid", document_status="Zatrzymany"
    )
    (driver,) = await drivers(anna)
    assert [v["id"] for v in driver["verifications"]] == [str(present)]
    assert driver["verifications"][0]["licenseNumber"] == "BB123456"
    assert driver["status"] == "invalid"


async def test_a_rivals_verifications_are_not_shown(anna, celina, tools) -> None:
    await answered(anna, tools, await anna.adds("AA123456"))
    await celina.adds("AA123456")

    for query in ("", "?verifications=1"):
        (driver,) = await drivers(celina, query)
        assert (driver["status"], driver["verifications"]) == ("unknown", [])


@pytest.mark.parametrize("query", ["?verifications=31", "?verifications=-1", "?verifications=x"])
async def test_another_number_of_verifications_is_refused(anna, query) -> None:
    answer = await anna.get(f"/api/drivers{query}")

    assert answer.status_code == 400
    assert answer.json()["error"] == "bad_request"


async def test_a_result_is_stale_after_48_hours(anna, tools, clock) -> None:
    driver_id = await anna.adds("AA123456")
    assert (await drivers(anna))[0]["staleSince"] is None  # nothing that could be
    verified_at = clock.now()
    await answered(anna, tools, driver_id, at=verified_at)

    clock.forward(hours=47, minutes=59)
    fresh = await drivers(anna, "?verifications=1")
    clock.forward(minutes=2)
    stale = await drivers(anna, "?verifications=1")

    assert fresh[0]["staleSince"] is None
    assert datetime.fromisoformat(stale[0]["staleSince"]) == verified_at
    assert stale[0]["status"] == "valid"


async def test_every_result_is_stale_when_nobody_renews_it(anna, tools, worker, clock) -> None:
    driver_id = await anna.adds("AA123456")
    await answered(anna, tools, driver_id)

    await ends_at(anna, worker, clock.now() - timedelta(seconds=1))

    for query in ("", "?verifications=1", "?verifications=0"):
        (driver,) = await drivers(anna, query)
        assert driver["staleSince"] is not None


async def test_the_youngest_drivers_are_beyond_a_lowered_limit(anna, worker) -> None:
    await subscribed(anna, worker, driver_limit=10)
    for number in range(7):
        await anna.adds(f"AA00000{number}", last=f"Nowak{9 - number}")

    assert not any(driver["overLimit"] for driver in await drivers(anna))
    await subscribed(anna, worker, driver_limit=5)

    for query in ("", "?verifications=1", "?page=1&pageSize=3"):
        beyond = {d["licenseNumber"]: d["overLimit"] for d in await drivers(anna, query)}
        assert beyond == {n: n in {"AA000005", "AA000006"} for n in beyond}


async def test_the_edited_driver_says_the_same_as_the_list(anna, worker, tools) -> None:
    ids = [await anna.adds(f"AA00000{number}") for number in range(3)]
    await answered(anna, tools, ids[2], at=tools.clock.now() - timedelta(hours=50))
    await subscribed(anna, worker, driver_limit=2)

    shown = (await anna.put(f"/api/drivers/{ids[2]}", {})).json()

    assert shown in await drivers(anna)
    assert shown["overLimit"] is True
    assert shown["staleSince"] is not None


async def test_pages_are_asked_for_and_counted_in_a_header(anna) -> None:
    for number in range(5):
        await anna.adds(f"AA00000{number}", last="ABCDE"[number])

    whole = await anna.get("/api/drivers")
    pages = [await anna.get(f"/api/drivers?page={n}&pageSize=2") for n in (1, 2, 3, 4)]

    assert "content-range" not in whole.headers
    assert [d for page in pages for d in page.json()] == whole.json()
    assert [page.headers["content-range"] for page in pages] == [
        "drivers 0-1/5",
        "drivers 2-3/5",
        "drivers 4-4/5",
        "drivers */5",
    ]
    first = await anna.get("/api/drivers?page=1")
    assert first.headers["content-range"] == "drivers 0-4/5"
    for refused in ("?page=0", "?pageSize=0", "?pageSize=101", "?page=x"):
        assert (await anna.get(f"/api/drivers{refused}")).status_code == 400


async def test_the_rivals_total_counts_her_own(anna, celina) -> None:
    await anna.adds("AA123456")

    answer = await celina.get("/api/drivers?page=1&pageSize=10")

    assert answer.json() == []
    assert answer.headers["content-range"] == "drivers */0"


async def test_one_statement_reads_the_list_however_long_it_is(
    anna, worker, tools, monkeypatch
) -> None:
    await subscribed(anna, worker, driver_limit=50)
    asked = []
    fetch = ReadDoor.fetch_json

    async def counting(self, sql, *args):
        asked.append(sql)
        return await fetch(self, sql, *args)

    monkeypatch.setattr(ReadDoor, "fetch_json", counting)
    for number in range(12):
        driver_id = await anna.adds(f"AA0000{number:02d}")
        if number % 2:
            await answered(anna, tools, driver_id)
        if number in {0, 11}:
            for query in ("", "?verifications=1"):
                asked.clear()
                await drivers(anna, query)
                assert len(asked) == 1
