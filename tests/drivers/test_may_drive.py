"""Who may drive (docs/rules.md R9c): every state, last day, age and subscription in one list."""

from collections import Counter
from datetime import date, datetime, timedelta
from itertools import product

import msgspec
import pytest

from prawko.drivers.list_export import DriverGroup, groups_of
from prawko.drivers.models import UNKNOWN, Driver, MayDrive, Outcome
from prawko.drivers.needed_categories import Validity, entitled_until
from prawko.drivers.queries import STALE_AFTER
from prawko.drivers.schemas import CategoryOut, DriverSummaryOut, VerificationSummaryOut
from prawko.kit.clock import WARSAW
from prawko_tenants.ids import TenantId, new_id
from support.database import set_subscription_end

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 11, 21, 9, tzinfo=WARSAW)
TODAY = NOW.date()
YESTERDAY, TOMORROW = TODAY - timedelta(days=1), TODAY + timedelta(days=1)
FRESH, STALE = (NOW - STALE_AFTER + timedelta(minutes=sign) for sign in (1, -1))
STATUSES = (UNKNOWN, *Outcome)
# Status; whether the last day is over; whether the result is fresh and the company monitored.
NO, CHECK, YES = MayDrive
TABLE = {
    ("valid", False, True): YES,
    ("valid", False, False): CHECK,
    ("valid", True, True): NO,
    ("valid", True, False): NO,
    ("attention", False, True): CHECK,
    ("attention", False, False): CHECK,
    ("attention", True, True): NO,
    ("attention", True, False): NO,
    **{("invalid", *rest): NO for rest in product((False, True), repeat=2)},
    **{("not_found", *rest): CHECK for rest in product((False, True), repeat=2)},
    **{("unknown", *rest): CHECK for rest in product((False, True), repeat=2)},
}


CELLS = [
    cell
    for cell in product(STATUSES, (None, date.min, YESTERDAY, TODAY, TOMORROW), (STALE, FRESH))
    if cell[0] != UNKNOWN
] + [(UNKNOWN, None, None)]


@pytest.mark.parametrize("monitored", [True, False])
async def test_every_driver_has_one_answer(anna, context, clock, monitored) -> None:
    clock.set(NOW)
    if not monitored:
        await set_subscription_end(anna, context, NOW)
    async with context.database.tenant(TenantId(await anna.tenant_id(context))) as session:
        session.add_all(
            Driver(
                id=new_id(), first_name="Jan", last_name="Lis", sort_key="", created_at=NOW,
                license_number=f"AA{number:06}", status=status, valid_until=last_day,
                verified_at=verified_at, status_since=verified_at,
            )
            for number, (status, last_day, verified_at) in enumerate(CELLS)
        )  # fmt: skip

    listed = {one["licenseNumber"]: one for one in await anna.list_drivers("?verifications=0")}

    for number, (status, last_day, verified_at) in enumerate(CELLS):
        is_over = last_day is not None and last_day < TODAY
        one = listed[f"AA{number:06}"]
        expected = TABLE[status, is_over, monitored and verified_at == FRESH]
        assert (one["status"], one["mayDrive"]) == (status, expected), CELLS[number]
        validity = Validity(status, last_day)
        assert validity.may_drive(TODAY, is_current=monitored and verified_at == FRESH) == expected
    await assert_counts(anna, listed.values())


async def assert_counts(person, listed) -> None:
    """The summary, the filter and the files' groups count the same drivers as the list."""
    counts = Counter(one["mayDrive"] for one in listed)
    drivers = msgspec.convert([*listed], list[DriverSummaryOut])
    groups = Counter(group for one in drivers for group in groups_of(one, TODAY))
    assert (await person.get("/api/drivers/summary")).json() == {
        **{answer: counts[answer] for answer in MayDrive},
        "unhandled": groups[DriverGroup.UNHANDLED],
        "expiring": groups[DriverGroup.EXPIRING_90],
    }
    for answer in MayDrive:
        page = await person.get(f"/api/drivers?verifications=0&mayDrive={answer}&pageSize=5")
        of_answer = [one["id"] for one in listed if one["mayDrive"] == answer]
        assert [one["id"] for one in page.json()] == of_answer[:5]
        assert page.headers["content-range"].endswith(f"/{len(of_answer)}")


async def test_the_summary_counts_what_ends_within_90_days(anna, context, clock) -> None:
    clock.set(NOW)
    days = (None, *(TODAY + timedelta(days=days) for days in (-1, 0, 90, 91)))
    async with context.database.tenant(TenantId(await anna.tenant_id(context))) as session:
        for number, (status, document, *categories) in enumerate(
            product(("valid", "invalid", "attention"), days, days, days)
        ):
            listed = [("B", categories[0]), ("C", categories[1])][: number % 3]
            latest = VerificationSummaryOut(
                status=status, verified_at=NOW, document_status=None, issuing_authority=None,
                expiry_date=document, expired=False,
                categories=[CategoryOut(kategoria=code, data_waznosci=day) for code, day in listed],
            )  # fmt: skip
            session.add(
                Driver(
                    id=new_id(), first_name="Jan", last_name="Lis", sort_key="", created_at=NOW,
                    license_number=f"AA{number:06}", status=status, verified_at=NOW,
                    valid_until=entitled_until(document, [], listed),
                    latest=msgspec.to_builtins(latest),
                )
            )  # fmt: skip
    drivers = await anna.list_drivers("?verifications=1&view=summary")
    assert len(drivers) == 3 * 5**3
    await assert_counts(anna, drivers)


@pytest.mark.parametrize(
    ("document", "needed", "categories", "last_day"),
    [
        (None, [], [], None),
        (TODAY, [], [], TODAY),
        # Not needed: the last of all categories counts.
        (None, [], [("B", None), ("C", YESTERDAY)], None),
        (None, [], [("B", TODAY), ("C", YESTERDAY)], TODAY),
        (YESTERDAY, [], [("B", TODAY)], YESTERDAY),
        (TOMORROW, [], [("B", TODAY)], TODAY),
        (None, [], [("B+E", None), ("BE", TODAY)], TODAY),
        # Needed: the first of those counts, and what is not listed at once.
        (None, ["C"], [("B", None), ("C", TODAY)], TODAY),
        (TODAY, ["C"], [("B", None), ("C", TOMORROW)], TODAY),
        (None, ["C", "D"], [("C", None), ("D", None)], None),
        (None, ["C", "D"], [("C", None)], date.min),
        (None, ["C"], [], date.min),
    ],
)
def test_a_document_entitles_through_its_last_day(document, needed, categories, last_day) -> None:
    assert entitled_until(document, needed, categories) == last_day
