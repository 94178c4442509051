"""Notices of expiring and expired documents and categories: one for each threshold, and one after.

Both sides of midnight are Warsaw's.
"""

import asyncio
import json
from datetime import date, datetime, timedelta

import msgspec
import pytest

from prawko.hooks.licence_register import LicenceCategory
from prawko.kit.clock import WARSAW, utc_now, warsaw_date
from prawko.notifications.expiry import reached_expiries
from prawko.verifications import expiry_reminders
from prawko.verifications.expiry_reminders import (
    ExpiryQuery,
    ScanCursor,
    find_due_reminders,
    send_document_expiry_reminders,
)
from prawko_tenants.ids import TenantId
from prawko_testing.fakes import licence_answer
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

TODAY = warsaw_date(utc_now())
A, B, C = "AA000001", "AA000002", "AA000003"


def warsaw_time(days: int = 0, hour: int = 9, minute: int = 0) -> datetime:
    day = TODAY + timedelta(days=days)
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=WARSAW)


@pytest.fixture(autouse=True)
def nine_in_the_morning(clock):
    clock.set(warsaw_time())


@pytest.fixture
def set_latest_answer(fleet, clock):
    """Set a driver's latest verification."""

    async def write_answer(
        number: str, document: date | None = None, *, status: str = "valid", **categories: date
    ) -> None:
        latest = {
            "expiryDate": document and document.isoformat(),
            "categories": [
                {"kategoria": code, "dataWaznosci": expires and expires.isoformat()}
                for code, expires in categories.items()
            ],
        }
        await fleet.admin.execute(
            "UPDATE driver SET status = $2, verified_at = $3, latest = $4::json"
            " WHERE license_number = $1",
            number, status, clock.now(), json.dumps(latest),
        )  # fmt: skip

    return write_answer


@pytest.fixture
def sent_reminders(fleet, worker):
    """Run the job twice, the second time without a cursor; return all reminders sent."""

    async def run() -> list[str]:
        await send_document_expiry_reminders(worker)
        worker.components.get(ScanCursor).full_scan_on = None
        await send_document_expiry_reminders(worker)
        rows = await fleet.admin.fetch(
            "SELECT d.license_number AS number, e ->> 'on' AS day, e ->> 'category' AS code,"
            "       e ->> 'threshold' AS before"
            "  FROM notice n JOIN driver d ON d.id = n.driver_id"
            " CROSS JOIN LATERAL jsonb_array_elements(n.params -> 'expiries') AS e"
            " WHERE n.kind IN ('expiring', 'expired') ORDER BY n.created_at, number, day, code"
        )
        return [
            f"{row['number']} {row['code'] or 'document'} {row['before'].replace('-1', 'over')}"
            for row in rows
        ]

    return run


@pytest.fixture
def message_counts(fleet):
    """Numbers of notices, panel notifications and mails."""

    async def count() -> tuple[int, int, int]:
        return tuple([
            await fleet.fetch_value(f"SELECT count(*) FROM {table}")
            for table in ("notice", "notification", "delivery")
        ])  # fmt: skip

    return count


async def test_each_threshold_is_reminded_of_once_on_its_day(
    fleet, clock, set_latest_answer, sent_reminders
) -> None:
    await fleet.add_companies([A], clock.now())
    await set_latest_answer(A, TODAY + timedelta(days=92), C=TODAY + timedelta(days=16))
    sent: list[tuple[int, str]] = []
    for days in (0, 1, 2, 3, 8, 9, 10, 16, 17, 18, 32, 33, 61, 62, 63, 77, 78, 79, 84, 85, 86, 92,
                 93, 120, 400):  # fmt: skip
        clock.set(warsaw_time(days))
        sent += [(days, reminder) for reminder in (await sent_reminders())[len(sent) :]]

    assert sent == [
        (0, f"{A} C 30"),  # 16 days are left
        (2, f"{A} C 14"),
        (2, f"{A} document 90"),
        (9, f"{A} C 7"),
        (17, f"{A} C over"),
        (32, f"{A} document 60"),
        (62, f"{A} document 30"),
        (78, f"{A} document 14"),
        (85, f"{A} document 7"),
        (93, f"{A} document over"),  # the check, which tells of it otherwise, has not run
    ]


# The day of a scan, and the ends of a year and of a decade as the last day of its look-ahead.
SCAN_DAYS = [date(2026, 11, 26), date(2026, 10, 2), date(2026, 10, 3), date(2029, 10, 2)]
SCAN_DAYS += [date(2029, 10, 3), date(2028, 2, 29), date(2026, 2, 28)]
DAYS_LEFT = [-45_000, -3_700, -366, -31, -1, 0, 1, 7, 8, 14, 30, 59, 89, 90, 91, 92, 120, 400]
LATER = date(2199, 12, 31)


@pytest.mark.parametrize("day", SCAN_DAYS, ids=str)
async def test_the_statement_reads_every_driver_whom_the_rule_names(
    fleet, worker, clock, set_latest_answer, day
) -> None:
    answers: dict[str, tuple[date | None, dict[str, date | None]]] = {}
    for on in [day + timedelta(days=days) for days in DAYS_LEFT]:
        for document, categories in [
            (on, {}), (on, {"C": LATER}), (None, {"C": on}), (LATER, {"B": None, "c+e": on}),
        ]:  # fmt: skip
            answers[f"AA{len(answers):06}"] = document, categories
    answers |= {"AB000001": (None, {}), "AB000002": (LATER, {"C": None})}
    await fleet.add_companies([*answers], clock.now())
    for number, (document, categories) in answers.items():
        await set_latest_answer(number, document, **categories)
    tenant_id = TenantId(await fleet.fetch_value("SELECT id FROM tenant"))

    query = ExpiryQuery(len(answers), day, clock.now())
    notices = await find_due_reminders(worker.database.reader(tenant_id), query)

    assert {notice.payload.license_number for notice in notices} == {
        number
        for number, (document, categories) in answers.items()
        if reached_expiries(document, categories.items(), day)
    }


async def test_after_a_gap_only_the_lowest_threshold_is_reminded_of(
    fleet, clock, set_latest_answer, sent_reminders
) -> None:
    await fleet.add_companies([A], clock.now())
    await set_latest_answer(A, TODAY + timedelta(days=95))
    assert await sent_reminders() == []

    clock.set(warsaw_time(85))

    assert await sent_reminders() == [f"{A} document 14"]


async def test_a_new_expiry_date_starts_its_own_thresholds(
    fleet, clock, set_latest_answer, sent_reminders
) -> None:
    await fleet.add_companies([A], clock.now())
    await set_latest_answer(A, TODAY + timedelta(days=10))
    assert await sent_reminders() == [f"{A} document 14"]

    await set_latest_answer(A, TODAY + timedelta(days=80))

    assert await sent_reminders() == [f"{A} document 14", f"{A} document 90"]


async def test_each_driver_has_one_notice_and_each_company_one_mail(
    fleet, clock, set_latest_answer, sent_reminders, message_counts, worker, mailbox
) -> None:
    sooner, later = TODAY + timedelta(days=30), TODAY + timedelta(days=60)
    await fleet.add_companies([A, B, C], clock.now())
    await set_latest_answer(A, sooner, B=sooner, C=sooner, D=later)
    await set_latest_answer(B, later)
    await set_latest_answer(C, TODAY + timedelta(days=200))

    sent = await sent_reminders()

    assert sent == [
        f"{A} document 30", f"{A} B 30", f"{A} C 30", f"{A} D 60", f"{B} document 60",
    ]  # fmt: skip
    assert await message_counts() == (2, 2, 1)
    assert await deliver_outbox(worker) == 1
    mail = mailbox.sent[-1].message
    assert mail.subject == "Zbliża się koniec ważności praw jazdy: 2 kierowcy"
    dates = (
        f"Dokument i kategorie B, C: {sooner:%d.%m.%Y} (za 30 dni); kategoria D: {later:%d.%m.%Y}"
    )
    assert f"{A}: {dates}" in mail.text
    assert mail.text.index(A) < mail.text.index(B)
    assert C not in mail.text


@pytest.mark.parametrize("remove_driver", [A, B])
async def test_a_removed_drivers_dates_are_left_out_of_the_mail(
    fleet, clock, set_latest_answer, sent_reminders, worker, mailbox, remove_driver
) -> None:
    await fleet.add_companies([A, B, C], clock.now())
    for number in (A, B, C):
        await set_latest_answer(number, TODAY + timedelta(days=30))
    await sent_reminders()
    await fleet.admin.execute("DELETE FROM driver WHERE license_number = $1", remove_driver)

    assert await deliver_outbox(worker) == 1

    mail = mailbox.sent[-1].message
    assert mail.subject.endswith("2 kierowcy")
    assert {number for number in (A, B, C) if number in mail.text} == {A, B, C} - {remove_driver}


async def test_no_mail_is_sent_when_every_driver_was_removed(
    fleet, clock, set_latest_answer, sent_reminders, worker
) -> None:
    await fleet.add_companies([A], clock.now())
    await set_latest_answer(A, TODAY + timedelta(days=30))
    await sent_reminders()
    await fleet.admin.execute("DELETE FROM driver")

    assert await deliver_outbox(worker) == 0


async def test_each_company_gets_its_own_mail(
    fleet, clock, set_latest_answer, sent_reminders, message_counts
) -> None:
    await fleet.add_companies([A, B], clock.now(), companies=2)
    for number in (A, B):
        await set_latest_answer(number, TODAY + timedelta(days=7))

    assert await sent_reminders() == [f"{A} document 7", f"{B} document 7"]
    assert await message_counts() == (2, 2, 2)


async def test_only_valid_documents_of_monitored_drivers_are_reminded_of(
    fleet, clock, set_latest_answer, sent_reminders
) -> None:
    expires = TODAY + timedelta(days=30)
    numbers = [f"AB00000{n}" for n in range(6)]
    await fleet.add_companies(numbers, clock.now())
    for number, status in zip(
        numbers, ("invalid", "attention", "not_found", "unknown", "valid", "valid"), strict=True
    ):
        await set_latest_answer(number, expires, status=status)
    await fleet.admin.execute("UPDATE subscription SET driver_limit = 5")  # the last is beyond it
    assert await sent_reminders() == [f"{numbers[4]} document 30"]

    await fleet.admin.execute("DELETE FROM notice")
    await fleet.admin.execute(
        "UPDATE subscription SET end_date = $1, monitored_until = $1", clock.now()
    )
    assert await sent_reminders() == [], "the company is not monitored any more"


async def test_a_document_that_expired_before_the_driver_was_added_has_one_notice(
    fleet, clock, set_latest_answer, sent_reminders, message_counts, worker, mailbox
) -> None:
    await fleet.add_companies([A, B, C], clock.now())
    await set_latest_answer(A, C=TODAY - timedelta(days=22), AM=date(1999, 12, 31))
    await set_latest_answer(B, TODAY + timedelta(days=900), D=TODAY - timedelta(days=1))
    await set_latest_answer(C, TODAY + timedelta(days=30), T=date(2013, 1, 19))

    notified = [f"{C} document 30", f"{A} AM over", f"{A} C over", f"{B} D over", f"{C} T over"]
    assert sorted(await sent_reminders()) == sorted(notified)
    assert await message_counts() == (4, 4, 2), "a mail of what expires, one of what has expired"
    assert await deliver_outbox(worker) == 2
    mails = {mail.message.subject: mail.message.text for mail in mailbox.sent[-2:]}
    expired = mails.pop("Wygasły uprawnienia: 3 kierowcy")
    assert f"{B}: Nie może jechać. Kategoria D: {TODAY - timedelta(days=1):%d.%m.%Y}" in expired
    assert "Kategoria T: 19.01.2013" in expired
    assert "(za 30 dni)" not in expired
    (expiring,) = mails.values()
    assert "(za 30 dni)" in expiring
    assert "Kategoria T" not in expiring

    for days in (1, 200, 2000):
        clock.set(warsaw_time(days))
        reminders = await sent_reminders()
        assert [reminders.count(reminder) for reminder in notified] == [1] * len(notified)


@pytest.mark.parametrize(
    ("moment", "reminder"),
    [
        (warsaw_time(0, 23, 59), f"{A} C 7"),
        (warsaw_time(1, 0, 1), f"{A} C over"),
    ],
    ids=["before midnight", "after midnight"],
)
async def test_a_category_has_expired_from_midnight_in_warsaw_on(
    fleet, clock, register, run_check, sent_reminders, worker, moment, reminder
) -> None:
    clock.set(moment)
    await fleet.add_companies([A], clock.now())
    answer, category = licence_answer(A), LicenceCategory("C", TODAY)
    register.answers[A] = msgspec.structs.replace(answer, categories=(category,))
    await run_check()

    assert await sent_reminders() == [reminder]


@pytest.mark.parametrize("categories", [{}, {"C": None}, {"C": date(2999, 1, 1)}])
async def test_no_notice_is_sent_without_a_date_that_is_near_or_over(
    fleet, clock, set_latest_answer, sent_reminders, categories
) -> None:
    await fleet.add_companies([A], clock.now())
    await set_latest_answer(A, None, **categories)

    assert await sent_reminders() == []


async def test_concurrent_workers_send_one_reminder(
    fleet, clock, set_latest_answer, worker, message_counts
) -> None:
    await fleet.add_companies([A, B], clock.now())
    for number in (A, B):
        await set_latest_answer(number, TODAY + timedelta(days=14))

    await asyncio.gather(*(send_document_expiry_reminders(worker) for _ in range(4)))

    assert await message_counts() == (2, 2, 1)


async def test_all_companies_are_scanned_once_a_day_after_the_check(
    fleet, clock, set_latest_answer, worker, message_counts
) -> None:
    clock.set(warsaw_time(hour=6, minute=59))
    await fleet.add_companies([A], clock.now())
    await set_latest_answer(A, TODAY + timedelta(days=60))
    await send_document_expiry_reminders(worker)
    assert await message_counts() == (0, 0, 0), "before the time of the full scan, and no answers"

    clock.set(warsaw_time(hour=7))
    await send_document_expiry_reminders(worker)
    assert (await message_counts())[0] == 1

    await set_latest_answer(A, TODAY + timedelta(days=30))
    clock.set(warsaw_time(hour=12))
    await send_document_expiry_reminders(worker)
    assert (await message_counts())[0] == 1, "no answer since, no second scan"

    clock.set(warsaw_time(1, hour=7))
    await send_document_expiry_reminders(worker)
    assert (await message_counts())[0] == 2


async def test_a_driver_checked_later_is_reminded_of_the_same_day(
    fleet, run_check, clock, register, worker, message_counts
) -> None:
    await send_document_expiry_reminders(worker)
    await fleet.add_companies([A], clock.now())
    register.answers[A] = licence_answer(A, expires=TODAY + timedelta(days=30))
    clock.set(warsaw_time(hour=15))
    await run_check()

    await send_document_expiry_reminders(worker)
    await send_document_expiry_reminders(worker)

    assert (await message_counts())[0] == 1


async def test_a_failing_company_does_not_stop_the_others(
    fleet, clock, set_latest_answer, worker, message_counts, monkeypatch
) -> None:
    await fleet.add_companies([A, B], clock.now(), companies=2)
    for number in (A, B):
        await set_latest_answer(number, TODAY + timedelta(days=7))
    failing = await fleet.fetch_value("SELECT min(id::text)::uuid FROM tenant")
    publish = expiry_reminders.publish_notices

    async def fail_for_one(session, tenant_id, *args, **options):
        if tenant_id == failing:
            raise RuntimeError("a bug")
        return await publish(session, tenant_id, *args, **options)

    monkeypatch.setattr(expiry_reminders, "publish_notices", fail_for_one)
    await send_document_expiry_reminders(worker)
    assert (await message_counts())[0] == 1
    monkeypatch.undo()
    await send_document_expiry_reminders(worker)
    assert (await message_counts())[0] == 2, "the next scan includes it"


async def test_paging_covers_every_company(
    fleet, clock, set_latest_answer, sent_reminders, message_counts, monkeypatch
) -> None:
    monkeypatch.setattr(expiry_reminders, "PAGE_SIZE", 2)
    numbers = [f"AB00000{n}" for n in range(5)]
    await fleet.add_companies(numbers, clock.now(), companies=5)
    for number in numbers:
        await set_latest_answer(number, TODAY + timedelta(days=7))

    await sent_reminders()

    assert await message_counts() == (5, 5, 5)


async def test_a_long_scan_goes_on_where_its_last_part_ended(
    fleet, clock, worker, set_latest_answer, monkeypatch, enqueued_jobs
) -> None:
    """Restarted from the first company each time, it would never reach the last ones."""
    monkeypatch.setattr(expiry_reminders, "MAX_PART_TIME", timedelta(0))
    await fleet.add_companies([A, B, C], clock.now(), companies=3)
    for number in (A, B, C):
        await set_latest_answer(number, C=TODAY - timedelta(days=400))
    notified = []
    for _ in range(4):
        await send_document_expiry_reminders(worker)
        notified.append(await fleet.fetch_value("SELECT count(*) FROM notice"))

    assert notified == [1, 2, 3, 3]
    again = [name for name, _ in enqueued_jobs if name.endswith("send_document_expiry_reminders")]
    assert len(again) == 3
    assert worker.components.get(ScanCursor).full_scan_on == TODAY

    # The next day begins with the first company again, wherever the day before ended.
    clock.set(warsaw_time(1))
    await set_latest_answer(A, C=TODAY - timedelta(days=399))
    await send_document_expiry_reminders(worker)
    clock.set(warsaw_time(2))
    for _ in range(4):
        await send_document_expiry_reminders(worker)
    assert await fleet.fetch_value("SELECT count(*) FROM notice") == 4


async def test_an_expired_category_has_one_notice_of_either_kind(
    fleet, clock, worker, set_latest_answer, sent_reminders
) -> None:
    await fleet.add_companies([A], clock.now())
    await set_latest_answer(A, C=TODAY - timedelta(days=9), D=TODAY - timedelta(days=9))
    await fleet.admin.execute("UPDATE driver SET needed_categories = '{C}'")
    assert await sent_reminders() == [f"{A} D over"]
    assert sorted(await fleet.notice_kinds(A)) == ["category_invalid", "expired"]

    await fleet.admin.execute("UPDATE driver SET needed_categories = '{D}'")
    await sent_reminders()
    await fleet.admin.execute("UPDATE driver SET needed_categories = '{}'")
    await sent_reminders()
    assert len(await fleet.notice_kinds(A)) == 2
