"""Companies are told in time that a licence or a category expires, once for each threshold."""

import asyncio
import json
from datetime import date, datetime, timedelta

import pytest

from persons import deliver
from prawko.base.clock import WARSAW, machine_now, warsaw_day
from prawko.testing.fakes import answer
from prawko.verifications import expiring_documents
from prawko.verifications.expiring_documents import _looks, tell_of_expiring_documents

pytestmark = pytest.mark.anyio

TODAY = warsaw_day(machine_now())
A, B, C = "AA000001", "AA000002", "AA000003"


def morning(days: int = 0, hour: int = 9, minute: int = 0) -> datetime:
    day = TODAY + timedelta(days=days)
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=WARSAW)


@pytest.fixture(autouse=True)
def nine_o_clock(clock):
    clock.set(morning())


@pytest.fixture
def shown(fleet, clock):
    """Write what the register last said of a driver."""

    async def write(
        number: str, document: date | None = None, *, status: str = "valid", **categories: date
    ) -> None:
        latest = {
            "expiryDate": document and document.isoformat(),
            "categories": [
                {"kategoria": code, "dataWaznosci": on and on.isoformat()}
                for code, on in categories.items()
            ],
        }
        await fleet.admin.execute(
            "UPDATE driver SET status = $2, verified_at = $3, latest = $4::json"
            " WHERE license_number = $1",
            number, status, clock.now(), json.dumps(latest),
        )  # fmt: skip

    return write


@pytest.fixture
def told(fleet, worker):
    """Look twice, the second time as a process that remembers nothing; say what was told."""

    async def look() -> list[str]:
        await tell_of_expiring_documents(worker)
        _looks.clear()
        await tell_of_expiring_documents(worker)
        rows = await fleet.admin.fetch(
            "SELECT d.license_number AS number, e ->> 'on' AS day, e ->> 'category' AS code,"
            "       e ->> 'threshold' AS before"
            "  FROM notice n JOIN driver d ON d.id = n.driver_id"
            " CROSS JOIN LATERAL jsonb_array_elements(n.params -> 'expiries') AS e"
            " WHERE n.kind = 'expiring' ORDER BY n.created_at, number, day, code"
        )
        return [f"{r['number']} {r['code'] or 'document'} {r['before']}" for r in rows]

    return look


@pytest.fixture
def messages(fleet):
    """How many notices, rows in the panel and mails there are."""

    async def count() -> tuple[int, int, int]:
        return tuple([
            await fleet.value(f"SELECT count(*) FROM {table}")
            for table in ("notice", "notification", "delivery")
        ])  # fmt: skip

    return count


async def test_each_threshold_is_told_once_on_its_day(fleet, clock, shown, told) -> None:
    await fleet.add([A], clock.now())
    await shown(A, TODAY + timedelta(days=92), C=TODAY + timedelta(days=16))
    said: list[tuple[int, str]] = []
    for days in (0, 1, 2, 3, 8, 9, 10, 32, 33, 61, 62, 63, 77, 78, 79, 84, 85, 86, 92, 93, 120):
        clock.set(morning(days))
        said += [(days, one) for one in (await told())[len(said) :]]

    assert said == [
        (0, f"{A} C 30"),  # 16 days are left
        (2, f"{A} C 14"),
        (2, f"{A} document 90"),
        (9, f"{A} C 7"),
        (32, f"{A} document 60"),
        (62, f"{A} document 30"),
        (78, f"{A} document 14"),
        (85, f"{A} document 7"),
    ]


async def test_after_a_long_silence_the_lowest_threshold_alone_is_told(
    fleet, clock, shown, told
) -> None:
    await fleet.add([A], clock.now())
    await shown(A, TODAY + timedelta(days=95))
    assert await told() == []

    clock.set(morning(85))

    assert await told() == [f"{A} document 14"]


async def test_a_renewed_date_starts_anew(fleet, clock, shown, told) -> None:
    await fleet.add([A], clock.now())
    await shown(A, TODAY + timedelta(days=10))
    assert await told() == [f"{A} document 14"]

    await shown(A, TODAY + timedelta(days=80))

    assert await told() == [f"{A} document 14", f"{A} document 90"]


async def test_one_driver_is_one_notice_and_one_company_one_mail(
    fleet, clock, shown, told, messages, worker, mailbox
) -> None:
    near, far = TODAY + timedelta(days=30), TODAY + timedelta(days=60)
    await fleet.add([A, B, C], clock.now())
    await shown(A, near, B=near, C=near, D=far)
    await shown(B, far)
    await shown(C, TODAY + timedelta(days=200))

    said = await told()

    assert said == [
        f"{A} document 30", f"{A} B 30", f"{A} C 30", f"{A} D 60", f"{B} document 60",
    ]  # fmt: skip
    assert await messages() == (2, 2, 1)
    assert await deliver(worker) == 1
    mail = mailbox.sent[-1].notice
    assert mail.title == "Zbliża się koniec ważności praw jazdy: 2 kierowcy"
    dates = f"Dokument i kategorie B, C: {near:%d.%m.%Y} (za 30 dni); kategoria D: {far:%d.%m.%Y}"
    assert f"{A}: {dates}" in mail.text
    assert mail.text.index(A) < mail.text.index(B)
    assert C not in mail.text


@pytest.mark.parametrize("gone", [A, B])
async def test_a_driver_who_is_removed_takes_the_own_dates_along_and_no_others(
    fleet, clock, shown, told, worker, mailbox, gone
) -> None:
    await fleet.add([A, B, C], clock.now())
    for number in (A, B, C):
        await shown(number, TODAY + timedelta(days=30))
    await told()
    await fleet.admin.execute("DELETE FROM driver WHERE license_number = $1", gone)

    assert await deliver(worker) == 1

    mail = mailbox.sent[-1].notice
    assert mail.title.endswith("2 kierowcy")
    assert {number for number in (A, B, C) if number in mail.text} == {A, B, C} - {gone}


async def test_where_every_driver_was_removed_no_mail_leaves(
    fleet, clock, shown, told, worker
) -> None:
    await fleet.add([A], clock.now())
    await shown(A, TODAY + timedelta(days=30))
    await told()
    await fleet.admin.execute("DELETE FROM driver")

    assert await deliver(worker) == 0


async def test_each_company_has_a_mail_of_its_own(fleet, clock, shown, told, messages) -> None:
    await fleet.add([A, B], clock.now(), companies=2)
    for number in (A, B):
        await shown(number, TODAY + timedelta(days=7))

    assert await told() == [f"{A} document 7", f"{B} document 7"]
    assert await messages() == (2, 2, 2)


async def test_only_valid_documents_of_drivers_who_are_checked_are_told(
    fleet, clock, shown, told
) -> None:
    near = TODAY + timedelta(days=30)
    numbers = [f"AB00000{n}" for n in range(6)]
    await fleet.add(numbers, clock.now())
    for number, status in zip(
        numbers, ("invalid", "attention", "not_found", "unknown", "valid", "valid"), strict=True
    ):
        await shown(number, near, status=status)
    await fleet.admin.execute("UPDATE subscription SET driver_limit = 5")  # the last is beyond it
    assert await told() == [f"{numbers[4]} document 30"]

    await fleet.admin.execute("DELETE FROM notice")
    await fleet.admin.execute(
        "UPDATE subscription SET end_date = $1, checked_until = $1", clock.now()
    )
    assert await told() == [], "nobody is checked any more"


@pytest.mark.parametrize("categories", [{}, {"C": None}, {"AM": date(2020, 1, 1)}])
async def test_without_a_date_ahead_nothing_is_told(fleet, clock, shown, told, categories) -> None:
    await fleet.add([A], clock.now())
    await shown(A, None, **categories)

    assert await told() == []


async def test_workers_at_once_tell_once(fleet, clock, shown, worker, messages) -> None:
    await fleet.add([A, B], clock.now())
    for number in (A, B):
        await shown(number, TODAY + timedelta(days=14))

    await asyncio.gather(*(tell_of_expiring_documents(worker) for _ in range(4)))

    assert await messages() == (2, 2, 1)


async def test_everybody_is_looked_at_once_a_day_when_the_check_is_done(
    fleet, clock, shown, worker, messages
) -> None:
    clock.set(morning(hour=6, minute=59))
    await fleet.add([A], clock.now())
    await shown(A, TODAY + timedelta(days=60))
    await tell_of_expiring_documents(worker)
    assert await messages() == (0, 0, 0), "nobody was answered about yet"

    clock.set(morning(hour=7))
    await tell_of_expiring_documents(worker)
    assert (await messages())[0] == 1

    await shown(A, TODAY + timedelta(days=30))
    clock.set(morning(hour=12))
    await tell_of_expiring_documents(worker)
    assert (await messages())[0] == 1, "no answer since, no second pass"

    clock.set(morning(1, hour=7))
    await tell_of_expiring_documents(worker)
    assert (await messages())[0] == 2


async def test_who_is_checked_later_that_day_is_told_that_day(
    fleet, check, clock, register, worker, messages
) -> None:
    await tell_of_expiring_documents(worker)
    await fleet.add([A], clock.now())
    register.says[A] = answer(A, expires=TODAY + timedelta(days=30))
    clock.set(morning(hour=15))
    await check()

    await tell_of_expiring_documents(worker)
    await tell_of_expiring_documents(worker)

    assert (await messages())[0] == 1


async def test_one_companys_trouble_is_not_the_others(
    fleet, clock, shown, worker, messages, monkeypatch
) -> None:
    await fleet.add([A, B], clock.now(), companies=2)
    for number in (A, B):
        await shown(number, TODAY + timedelta(days=7))
    troubled = await fleet.value("SELECT min(id::text)::uuid FROM tenant")
    announce = expiring_documents.announce

    async def stumble(session, tenant_id, *args, **more):
        if tenant_id == troubled:
            raise RuntimeError("a bug")
        return await announce(session, tenant_id, *args, **more)

    monkeypatch.setattr(expiring_documents, "announce", stumble)
    await tell_of_expiring_documents(worker)
    assert (await messages())[0] == 1
    monkeypatch.undo()
    await tell_of_expiring_documents(worker)
    assert (await messages())[0] == 2, "the next look makes up for it"


async def test_pages_of_companies_miss_nobody(
    fleet, clock, shown, told, messages, monkeypatch
) -> None:
    monkeypatch.setattr(expiring_documents, "PAGE", 2)
    numbers = [f"AB00000{n}" for n in range(5)]
    await fleet.add(numbers, clock.now(), companies=5)
    for number in numbers:
        await shown(number, TODAY + timedelta(days=7))

    await told()

    assert await messages() == (5, 5, 5)
