"""Effects of the daily check on drivers, history and notices (docs/rules.md R6, R9, R12)."""

from datetime import UTC, date, datetime, time, timedelta

import msgspec
import pytest

from prawko.drivers.models import Outcome
from prawko.hooks.licence_register import LicenceAnswer, LicenceCategory, LicenceQuery
from prawko.kit.clock import WARSAW, warsaw_date
from prawko.verifications.answers import normalise_answer
from prawko.verifications.decision import CheckResult, Decision
from prawko.verifications.register.check_tasks import SentQuery
from prawko.verifications.results_writer import save_answers
from prawko_tenants.ids import AnswerId, DriverId, TenantId, new_id
from prawko_testing.fakes import licence_answer, withheld_licence
from support.statements import record_statements

pytestmark = pytest.mark.anyio

NUMBER = "AA123456"
EXPIRED = "AA123457"


def licence_over(number: str) -> LicenceAnswer:
    """A valid licence with one category, which is over."""
    answer, over = licence_answer(number), (LicenceCategory("B", date(2020, 1, 1)),)
    return msgspec.structs.replace(answer, categories=over, raw=answer.raw | {"over": True})


ANSWERS = {
    "valid": licence_answer,
    "over": licence_over,
    "invalid": withheld_licence,
    "attention": lambda number: licence_answer(number, "Utracony", code="DICT003_UTR"),
    "not_found": lambda number: None,
}
EXPECTED_NOTICES = {
    ("unknown", "valid"): [],
    ("unknown", "invalid"): ["withheld"],
    ("unknown", "attention"): ["attention"],
    ("unknown", "not_found"): ["not_found"],
    ("valid", "valid"): [],
    ("valid", "invalid"): ["withheld"],
    ("valid", "attention"): ["attention"],
    ("valid", "not_found"): ["not_found"],
    ("invalid", "valid"): ["restored"],
    ("invalid", "invalid"): [],
    ("invalid", "attention"): ["attention"],
    ("invalid", "not_found"): ["not_found"],
    ("attention", "valid"): ["confirmed"],
    ("attention", "invalid"): ["withheld"],
    ("attention", "attention"): [],
    ("attention", "not_found"): ["not_found"],
    ("not_found", "valid"): ["confirmed"],
    ("not_found", "invalid"): ["withheld"],
    ("not_found", "attention"): ["attention"],
    ("not_found", "not_found"): [],
    # A valid licence whose categories are over is no recovery; what comes after it is.
    **{(previous, "over"): [] for previous in ("unknown", *ANSWERS)},
    ("over", "valid"): ["confirmed"],
    ("over", "invalid"): ["withheld"],
    ("over", "attention"): ["attention"],
    ("over", "not_found"): ["not_found"],
}
STATUSES = {"over": "valid"}


async def test_each_status_change_is_notified_once_and_nothing_else(
    fleet, run_check, clock, register, mailbox, subtests
):
    """Every change in one run, each with a driver and a company of its own."""
    drivers = {f"AA{index:06d}": change for index, change in enumerate(EXPECTED_NOTICES)}
    changed_numbers = [number for number, (previous, _) in drivers.items() if previous != "unknown"]
    await fleet.add_companies(changed_numbers, clock.now(), companies=len(changed_numbers))
    register.answers = {number: ANSWERS[drivers[number][0]](number) for number in changed_numbers}
    await run_check()
    clock.forward(days=1)
    new_numbers = [number for number in drivers if number not in changed_numbers]
    await fleet.add_companies(new_numbers, clock.now(), companies=len(new_numbers))
    statuses = {n: STATUSES.get(previous, previous) for n, (previous, _) in drivers.items()}
    assert await fleet.statuses() == statuses
    owners, before, mails = await fleet.owner_emails(), await fleet.driver_rows(), len(mailbox.sent)

    register.answers = {
        number: ANSWERS[outcome](number) for number, (_, outcome) in drivers.items()
    }
    reports = [await run_check(), await run_check()]
    rechecked = {
        number for number, (previous, outcome) in drivers.items()
        if previous not in {"unknown", "not_found"} and outcome == "not_found"
    }  # fmt: skip
    rows_between = await fleet.driver_rows()
    clock.forward(hours=1, seconds=1)
    reports += [await run_check(), await run_check()]

    after, sent = await fleet.driver_rows(), [mail.recipient.email for mail in mailbox.sent[mails:]]
    for number, (previous, outcome) in drivers.items():
        expected = EXPECTED_NOTICES[previous, outcome]
        with subtests.test(previous=previous, outcome=outcome):
            new_status = STATUSES.get(outcome, outcome)
            between = statuses[number] if number in rechecked else new_status
            assert rows_between[number]["status"] == between
            assert after[number]["status"] == new_status
            count_before = len(before[number]["notices"] or [])
            assert (after[number]["notices"] or [])[count_before:] == expected
            mailed_kinds = [kind for kind in expected if kind != "confirmed"]
            assert sent.count(owners[number]) == len(mailed_kinds)
    assert sum(report.notices for report in reports) == sum(map(len, EXPECTED_NOTICES.values()))
    assert set(sent) <= set(owners.values())


async def test_every_driver_of_every_company_is_queried_once(fleet, run_check, clock, register):
    licences = [f"AA{index:06d}" for index in range(137)]
    for number in licences[:3]:
        register.answers[number] = withheld_licence(number)
    register.answers[licences[5]] = None
    await fleet.add_companies(licences, clock.now(), companies=11)

    report = await run_check()

    assert (report.planned, report.done, report.unresolved) == (137, 137, 0)
    assert (report.valid, report.invalid, report.attention, report.not_found) == (133, 3, 0, 1)
    assert report.notices == 4
    assert sorted(query.number for query in register.queries) == licences
    rows = await fleet.driver_rows()
    assert {row["verifications"] for row in rows.values()} == {1}

    second_run = await run_check()
    assert (second_run.planned, second_run.done, second_run.notices) == (0, 0, 0)
    assert len(register.queries) == 137


async def test_a_driver_added_after_the_run_is_planned_alone(fleet, run_check, clock, register):
    await fleet.add_companies([NUMBER], clock.now())
    await run_check()
    await fleet.add_companies(["BB000001"], clock.now())

    report = await run_check()

    assert (report.planned, report.done, report.valid) == (1, 1, 1)
    assert [query.number for query in register.queries] == [NUMBER, "BB000001"]


async def test_an_edited_driver_is_queried_again_the_same_day(
    anna, run_check, fleet, register, clock
):
    driver = await anna.add_driver(NUMBER)
    await run_check()
    await anna.put(f"/api/drivers/{driver}", {"lastName": "Nowak"})
    assert await fleet.statuses() == {NUMBER: "unknown"}

    await run_check()

    assert [query.last_name for query in register.queries] == ["Kowalski", "Nowak"]
    assert await fleet.statuses() == {NUMBER: "valid"}
    verifications = (await anna.get("/api/drivers")).json()[0]["verifications"]
    history = (await anna.get(f"/api/drivers/{driver}/verifications")).json()
    assert (len(verifications), len(history)) == (1, 2)


async def test_the_newest_query_counts_although_the_product_clock_went_back(
    anna, run_check, fleet, register, clock
):
    driver = await anna.add_driver(NUMBER)
    await run_check()
    register.answers[NUMBER] = withheld_licence(NUMBER)
    clock.forward(minutes=-10)

    answer = await anna.post(f"/api/drivers/{driver}/verify")

    assert answer.status_code == 200, answer.text
    assert await fleet.statuses() == {NUMBER: "invalid"}


async def test_only_the_oldest_drivers_within_the_limit_are_checked(
    fleet, run_check, clock, register
):
    await fleet.add_companies(["AA000001", "AA000002", "AA000003"], clock.now())
    await fleet.admin.execute("UPDATE subscription SET driver_limit = 2")

    report = await run_check()

    assert report.planned == 2
    assert [query.number for query in register.queries] == ["AA000001", "AA000002"]


@pytest.mark.parametrize(
    "ended",
    [
        "status = 'inactive'",
        "status = 'cancelled'",
        "status = 'trial'",
        "monitored_until = start_date",
        "status = 'expired', monitored_until = start_date",
    ],
)
async def test_a_company_without_a_subscription_is_not_checked(
    ended, fleet, run_check, clock, register
):
    await fleet.add_companies([NUMBER], clock.now())
    await fleet.admin.execute(f"UPDATE subscription SET {ended}")
    assert (await run_check()).planned == 0
    assert register.queries == []


async def test_the_newest_subscription_decides(fleet, run_check, clock):
    await fleet.add_companies([NUMBER], clock.now())
    await fleet.admin.execute(
        "INSERT INTO subscription SELECT (s).* FROM (SELECT jsonb_populate_record(subscription,"
        " jsonb_build_object('id', uuidv7(), 'status', 'inactive')) AS s FROM subscription) AS x"
    )
    assert (await run_check()).planned == 0


async def test_an_answer_is_stored_once_and_encrypted(anna, run_check, fleet, clock, register):
    driver = await anna.add_driver(NUMBER)
    for _ in range(3):
        await run_check()
        clock.forward(days=1)
    assert await fleet.fetch_value("SELECT count(*) FROM register_answer") == 1
    assert await fleet.fetch_value("SELECT count(*) FROM verification") == 3
    raw = await fleet.fetch_value("SELECT raw FROM register_answer")
    assert b"Wydany" not in raw
    history = (await anna.get(f"/api/drivers/{driver}/verifications")).json()
    assert [entry["verificationResponse"] for entry in history] == [licence_answer(NUMBER).raw] * 3
    assert len({entry["lastVerificationHash"] for entry in history}) == 1


async def test_an_answer_stored_meanwhile_keeps_its_id(fleet, clock, worker):
    await fleet.add_companies([NUMBER], clock.now())
    [driver] = await fleet.admin.fetch("SELECT tenant_id, id FROM driver")
    tenant_id, received = TenantId(driver["tenant_id"]), normalise_answer(licence_answer(NUMBER))
    results = [
        CheckResult(
            sent_query=SentQuery(
                tenant_id=tenant_id,
                driver_id=DriverId(driver["id"]),
                document_version=1,
                query=LicenceQuery("Jan", "Kowalski", NUMBER),
                asked_at=clock.now(),
            ),
            previous_status="unknown",
            outcome=Outcome.VALID,
            decision=Decision.EFFECTIVE,
            answer=received,
            answer_id=AnswerId(new_id()),
            unsaved_answer=received.canonical,
        )
        for _ in range(2)
    ]
    saved = []
    with record_statements() as statements:
        for result in results:
            async with worker.database.tenant(tenant_id) as session:
                saved += await save_answers(session, worker, [result])
    assert [result.answer_id for result in saved] == [results[0].answer_id] * 2
    [read] = [sql for sql in statements if "FROM register_answer" in sql]
    assert "register_answer.tenant_id" in read


async def test_the_stored_latest_verification_equals_the_joined_one(anna, run_check, register):
    register.answers[NUMBER] = withheld_licence(NUMBER)
    await anna.add_driver(NUMBER)
    await run_check()
    stored = (await anna.get("/api/drivers?verifications=1")).json()[0]["verifications"]
    verifications = (await anna.get("/api/drivers?verifications=10")).json()[0]["verifications"]
    for verification in (stored[0], verifications[0]):
        verification["verifiedAt"] = verification["verifiedAt"].rstrip("Z").ljust(26, "0")
    assert stored == verifications
    assert stored[0]["status"] == "invalid"
    assert stored[0]["documentStatus"] == "Zatrzymany"
    assert stored[0]["reasons"] == [{"kod": None, "wartosc": "Decyzja starosty"}]


async def test_a_document_that_expires_today_needs_attention_tomorrow(
    fleet, run_check, clock, register
):
    await fleet.add_companies([NUMBER], clock.now())
    register.answers[NUMBER] = licence_answer(NUMBER, expires=warsaw_date(clock.now()))
    await run_check()
    assert await fleet.statuses() == {NUMBER: "valid"}
    clock.forward(days=1)
    await run_check()
    assert await fleet.statuses() == {NUMBER: "attention"}
    latest = await fleet.fetch_value("SELECT latest ->> 'expired' FROM driver")
    assert latest == "true"


async def test_a_driver_removed_during_the_check_is_not_recorded(anna, run_check, fleet, register):
    driver = await anna.add_driver(NUMBER)

    async def remove_driver(query):
        await anna.delete(f"/api/drivers/{driver}")

    register.before_answer = remove_driver
    report = await run_check()
    assert report.unresolved == 0
    assert await fleet.fetch_value("SELECT count(*) FROM verification") == 0
    assert await fleet.fetch_value("SELECT count(*) FROM notice WHERE driver_id IS NOT NULL") == 0


async def test_a_product_clock_moved_ahead_and_back_blocks_no_later_check(
    anna, run_check, fleet, clock, register
):
    driver = await anna.add_driver(NUMBER)
    clock.forward(days=3)
    await run_check()
    clock.forward(days=-3)
    register.answers[NUMBER] = withheld_licence(NUMBER)

    manual = await anna.post(f"/api/drivers/{driver}/verify")

    assert manual.status_code == 200, manual.text
    assert await fleet.statuses() == {NUMBER: "invalid"}
    assert await fleet.notice_kinds(NUMBER) == ["withheld"]
    register.answers[NUMBER] = licence_answer(NUMBER)
    await run_check()
    assert await fleet.statuses() == {NUMBER: "valid"}


async def test_the_version_changes_with_drivers_results_and_notices(
    anna, celina, run_check, clock, register
) -> None:
    async def version(person=anna) -> str:
        return (await person.get("/api/checks/version")).json()["version"]

    versions, rivals = [await version()], await version(celina)
    driver = await anna.add_driver(NUMBER)
    versions.append(await version())
    await run_check()
    versions.append(await version())
    assert await version() == versions[-1], "nothing has changed"
    clock.forward(days=1)
    register.answers[NUMBER] = withheld_licence(NUMBER)
    await run_check()
    versions.append(await version())
    await anna.put(f"/api/drivers/{driver}", {"lastName": "Nowak"})
    versions.append(await version())
    await anna.delete(f"/api/drivers/{driver}")
    versions.append(await version())

    assert len(set(versions[:-1])) == len(versions) - 1
    assert versions[-1] != versions[-2]
    assert await version(celina) == rivals, "another company sees nothing of it"


async def test_the_summary_shows_the_freshness_of_results(anna, run_check, clock):
    await anna.add_driver(NUMBER)
    fresh = (await anna.get("/api/checks/summary")).json()
    assert fresh == {"oldestVerifiedAt": None, "staleCount": 0, "checkingStopped": False}
    await run_check()
    clock.forward(hours=49)
    stale = (await anna.get("/api/checks/summary")).json()
    assert (stale["staleCount"], stale["checkingStopped"]) == (1, False)
    clock.forward(days=7)
    ended = (await anna.get("/api/checks/summary")).json()
    assert (ended["staleCount"], ended["checkingStopped"]) == (1, True)


async def test_expiry_is_decided_by_the_warsaw_date(fleet, run_check, clock, register):
    """At half past midnight in Warsaw the UTC date is still that of yesterday."""
    today = warsaw_date(clock.now()) + timedelta(days=1)
    clock.set(datetime.combine(today, time(0, 30), WARSAW))
    yesterday = today - timedelta(days=1)
    register.answers |= {
        NUMBER: licence_answer(NUMBER, expires=today),
        EXPIRED: licence_answer(EXPIRED, expires=yesterday),
    }
    await fleet.add_companies([NUMBER, EXPIRED], clock.now())
    await run_check()
    assert clock.now().astimezone(UTC).date() == yesterday
    assert await fleet.statuses() == {NUMBER: "valid", EXPIRED: "attention"}
