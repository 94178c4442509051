"""Mass changes wait for an operator's decision; withheld licences do not."""

from datetime import datetime, time, timedelta

import pytest

from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.clock import WARSAW, warsaw_date
from prawko.kit.text.i18n import Language, translate
from prawko.verifications.daily.planning import plan_run
from prawko.verifications.daily.worker import CheckWorker
from prawko.verifications.jobs import reconcile_runs
from prawko.verifications.mass_change import ReviewDecision
from prawko.verifications.mass_change_review import (
    MASS_CHANGE_INCIDENT,
    MASS_RETURN_INCIDENT,
    MASS_WITHDRAWAL_INCIDENT,
    decide_review,
    list_pending_reviews,
    resolve_changes,
)
from prawko_testing.fakes import licence_answer, withheld_licence
from support.fleet import licence_numbers
from support.mass_changes import approve_changes, reject_changes
from support.statements import record_statements

pytestmark = pytest.mark.anyio

LICENCES = [f"AA{index:06d}" for index in range(40)]
BELOW_THRESHOLD, ABOVE_THRESHOLD = 20, 21


@pytest.fixture
async def checked_fleet(fleet, run_check, clock):
    """Forty drivers whose licences were valid yesterday."""
    await fleet.add_companies(LICENCES, clock.now(), companies=3)
    await run_check()
    assert set((await fleet.statuses()).values()) == {"valid"}
    clock.forward(days=1)
    return fleet


def annul_licences(register, count):
    for number in LICENCES[:count]:
        register.answers[number] = licence_answer(number, "Unieważniony", code="DICT003_UNI")


async def notice_kinds(fleet):
    rows = await fleet.driver_rows()
    return sorted(kind for row in rows.values() for kind in row["notices"] or [])


async def test_a_few_changes_take_effect_when_the_run_is_complete(
    checked_fleet, run_check, register
):
    annul_licences(register, BELOW_THRESHOLD)
    report = await run_check()
    assert (report.attention, report.unresolved) == (BELOW_THRESHOLD, 0)
    assert await notice_kinds(checked_fleet) == ["attention"] * BELOW_THRESHOLD


async def test_too_many_changes_wait_for_a_decision_and_send_one_operator_mail(
    checked_fleet, run_check, register, mailbox, worker
):
    annul_licences(register, ABOVE_THRESHOLD)
    register.answers[LICENCES[-1]] = withheld_licence(LICENCES[-1])
    before = await checked_fleet.driver_rows()

    report = await run_check()
    await run_check()

    assert (report.attention, report.invalid, report.unresolved) == (0, 1, ABOVE_THRESHOLD)
    assert await notice_kinds(checked_fleet) == ["withheld"]
    after = await checked_fleet.driver_rows()
    assert all(after[number] == before[number] for number in LICENCES[:ABOVE_THRESHOLD])
    [mail] = mailbox.messages_to("operator@prawko.test")
    assert translate(f"mails.operator.kinds.{MASS_CHANGE_INCIDENT}", Language.PL) in mail.text
    assert [run.quarantined for run in await list_pending_reviews(worker)] == [ABOVE_THRESHOLD]


@pytest.mark.parametrize("withheld", [BELOW_THRESHOLD, ABOVE_THRESHOLD])
async def test_many_withheld_licences_alert_at_once_and_are_an_incident(
    checked_fleet, run_check, register, mailbox, withheld
):
    for number in LICENCES[:withheld]:
        register.answers[number] = withheld_licence(number)
    await run_check()
    assert await notice_kinds(checked_fleet) == ["withheld"] * withheld

    mails = [mail.text for mail in mailbox.messages_to("operator@prawko.test")]
    reported = translate(f"mails.operator.kinds.{MASS_WITHDRAWAL_INCIDENT}", Language.PL)
    assert [reported in mail for mail in mails] == [True] * (withheld > BELOW_THRESHOLD)


async def test_licences_that_stay_withheld_are_no_incident(
    checked_fleet, run_check, register, mailbox, clock
):
    for number in LICENCES[:ABOVE_THRESHOLD]:
        register.answers[number] = withheld_licence(number)
    await run_check()
    clock.forward(days=1)
    await run_check()

    assert len(mailbox.messages_to("operator@prawko.test")) == 1


@pytest.mark.parametrize("returned", [BELOW_THRESHOLD, ABOVE_THRESHOLD])
async def test_most_withheld_licences_that_become_valid_are_an_incident(
    checked_fleet, run_check, register, mailbox, clock, returned
):
    for number in LICENCES[: 2 * BELOW_THRESHOLD]:
        register.answers[number] = withheld_licence(number)
    await run_check()
    clock.forward(days=1)
    for number in LICENCES[:returned]:
        register.answers[number] = licence_answer(number)
    await run_check()
    await run_check()

    statuses = list((await checked_fleet.statuses()).values())
    assert statuses.count("valid") == returned
    mails = [mail.text for mail in mailbox.messages_to("operator@prawko.test")]
    reported = translate(f"mails.operator.kinds.{MASS_RETURN_INCIDENT}", Language.PL)
    assert sum(reported in mail for mail in mails) == (returned > BELOW_THRESHOLD)


async def test_approved_changes_take_effect_once(checked_fleet, run_check, register, worker, clock):
    annul_licences(register, ABOVE_THRESHOLD)
    await run_check()
    day = (await list_pending_reviews(worker))[0].day

    await approve_changes(worker, day)
    await approve_changes(worker, day)
    await run_check()

    assert await notice_kinds(checked_fleet) == ["attention"] * ABOVE_THRESHOLD
    rows = await checked_fleet.driver_rows()
    assert {rows[number]["verifications"] for number in LICENCES} == {2}
    assert await list_pending_reviews(worker) == []


async def test_each_company_costs_one_statement_that_closes_its_items(
    checked_fleet, run_check, register, worker
):
    annul_licences(register, ABOVE_THRESHOLD)
    await run_check()
    # Every second change is overtaken by a newer check, and does not count.
    overtaken = LICENCES[:ABOVE_THRESHOLD:2]
    await checked_fleet.admin.execute(
        "UPDATE driver SET asked_at_system = now() + interval '5 seconds'"
        " WHERE license_number = ANY($1)",
        overtaken,
    )
    day = (await list_pending_reviews(worker))[0].day
    # In a larger run they are not too many.
    await checked_fleet.admin.execute(
        "UPDATE check_run SET planned = 2000, done = 2000, review_state = NULL"
    )

    with record_statements() as statements:
        await resolve_changes(worker, day)

    assert sum("UPDATE check_item" in sql for sql in statements) == 3  # companies
    # The latest verification is read of drivers with needed categories alone.
    assert not any("register_answer.raw" in sql or "driver.latest," in sql for sql in statements)
    counted = await checked_fleet.fetch_value(
        "SELECT array_agg(license_number::text ORDER BY license_number)"
        "  FROM check_item i JOIN driver d ON d.id = i.driver_id"
        " WHERE i.day = $1 AND i.state = 'done' AND i.counted_change",
        day,
    )
    assert counted == LICENCES[1:ABOVE_THRESHOLD:2]


async def test_rejected_changes_change_no_driver(checked_fleet, run_check, register, worker, clock):
    annul_licences(register, ABOVE_THRESHOLD)
    before = await checked_fleet.driver_rows()
    await run_check()
    day = (await list_pending_reviews(worker))[0].day
    await reject_changes(worker, day)
    await run_check()
    after = await checked_fleet.driver_rows()
    assert all(after[number] == before[number] for number in LICENCES[:ABOVE_THRESHOLD])
    assert await list_pending_reviews(worker) == []

    clock.forward(days=1)
    register.answers.clear()
    await run_check()
    assert await notice_kinds(checked_fleet) == []
    assert set((await checked_fleet.statuses()).values()) == {"valid"}


async def test_documents_that_go_missing_one_by_one_are_quarantined_together(
    checked_fleet, run_check, register, clock
):
    for number in LICENCES[:ABOVE_THRESHOLD]:
        register.answers[number] = None
    await run_check()
    for number in LICENCES[:ABOVE_THRESHOLD]:  # the rechecks become due one after the other
        await checked_fleet.admin.execute(
            "UPDATE check_item i SET not_found_since = not_found_since - interval '61 minutes'"
            "  FROM driver d WHERE d.id = i.driver_id AND i.state = 'due'"
            "   AND d.license_number = $1",
            number,
        )
        if number in LICENCES[:3]:
            await run_check()
    clock.forward(hours=2)
    await run_check()
    assert await notice_kinds(checked_fleet) == []
    assert set((await checked_fleet.statuses()).values()) == {"valid"}


async def test_a_quarantined_result_does_not_overtake_a_newer_check(
    checked_fleet, run_check, register, worker, clock
):
    annul_licences(register, ABOVE_THRESHOLD)
    await run_check()
    day = (await list_pending_reviews(worker))[0].day
    clock.forward(days=1)
    register.answers.clear()
    await run_check()
    await approve_changes(worker, day)
    assert await notice_kinds(checked_fleet) == []
    assert set((await checked_fleet.statuses()).values()) == {"valid"}


async def test_new_drivers_with_wrong_numbers_are_notified_at_once(
    fleet, run_check, register, clock
):
    await fleet.add_companies(LICENCES[:5], clock.now())
    for number in LICENCES[:5]:
        register.answers[number] = None
    report = await run_check()
    assert (report.not_found, report.notices, report.unresolved) == (5, 5, 0)


async def test_imports_of_wrong_numbers_do_not_add_up_to_a_mass_change(
    fleet, run_check, register, clock
):
    for number in LICENCES[:30]:
        register.answers[number] = None
    for start in range(0, 30, 10):
        await fleet.add_companies(LICENCES[start : start + 10], clock.now())
        report = await run_check()
        assert (report.not_found, report.unresolved) == (10, 0)


async def test_one_companys_wrong_numbers_do_not_hold_up_other_companies_changes(
    checked_fleet, run_check, register, worker, clock
):
    wrong_numbers = [f"ZZ{index:06d}" for index in range(40)]
    await checked_fleet.add_companies(wrong_numbers, clock.now())
    register.answers.update(dict.fromkeys(wrong_numbers))
    annul_licences(register, 1)

    report = await run_check()

    assert (report.not_found, report.attention, report.unresolved) == (40, 1, 0)
    assert await checked_fleet.notice_kinds(LICENCES[0]) == ["attention"]
    assert await list_pending_reviews(worker) == []


async def test_first_outcomes_of_many_companies_are_a_mass_change(
    checked_fleet, run_check, register, worker, clock
):
    newcomers = [f"ZZ{index:06d}" for index in range(25)]
    await checked_fleet.add_companies(newcomers, clock.now(), companies=5)
    register.answers.update(dict.fromkeys(newcomers))

    await run_check()

    [review] = await list_pending_reviews(worker)
    assert review.quarantined == 25


async def test_a_decision_that_cannot_be_carried_out_costs_no_days_check(
    checked_fleet, run_check, register, worker, clock
):
    annul_licences(register, ABOVE_THRESHOLD)
    await run_check()
    day = (await list_pending_reviews(worker))[0].day
    async with worker.database.system() as session:
        assert await decide_review(session, day, ReviewDecision.APPROVED, clock.now())
    broken = "UPDATE check_item SET outcome = NULL WHERE state = 'quarantined'"
    await checked_fleet.admin.execute(broken)
    clock.set(datetime.combine(day + timedelta(days=1), time(12), WARSAW))

    await reconcile_runs(worker)

    items = "SELECT count(*) FROM check_item WHERE day = $1"
    today = warsaw_date(clock.now())
    assert await checked_fleet.fetch_value(items, today) == len(LICENCES)


@pytest.fixture
async def partly_checked_fleet(checked_fleet, worker, register, clock):
    """Half of the fleet is checked and changed, then the check is paused; all licences change.

    The check begins at noon, whatever the hour of the test.
    """
    clock.set(clock.now().astimezone(WARSAW).replace(hour=12))
    annul_licences(register, len(LICENCES))
    day = warsaw_date(clock.now())
    await plan_run(worker.database, clock.now())
    await checked_fleet.admin.execute(
        "UPDATE check_item i SET next_try_at = next_try_at + interval '1 minute' FROM driver d"
        " WHERE d.id = i.driver_id AND i.day = $1 AND d.license_number <> ALL ($2)",
        day, LICENCES[:BELOW_THRESHOLD],
    )  # fmt: skip
    await CheckWorker(worker, day).run(lambda: False)
    pause = "INSERT INTO check_pause (id, started_at) VALUES (uuidv7(), $1)"
    await checked_fleet.admin.execute(pause, clock.now())
    clock.forward(minutes=2)
    return checked_fleet


@pytest.mark.parametrize("days", [0, 1, 2])
async def test_changes_of_a_run_that_is_paused_wait_for_the_rest_of_it(
    partly_checked_fleet, worker, clock, days
):
    clock.forward(days=days)

    for _ in range(2):
        await reconcile_runs(worker)

    assert await notice_kinds(partly_checked_fleet) == []


async def test_the_changes_of_a_resumed_run_are_judged_together(
    partly_checked_fleet, run_check, worker, clock
):
    await reconcile_runs(worker)
    await partly_checked_fleet.admin.execute("UPDATE check_pause SET ended_at = $1", clock.now())

    await run_check()

    assert await notice_kinds(partly_checked_fleet) == []
    assert [run.quarantined for run in await list_pending_reviews(worker)] == [len(LICENCES)]


@pytest.fixture
async def resumed_fleet(partly_checked_fleet, worker, clock):
    """The check is resumed on the next day, whose run has begun."""
    clock.forward(days=1)
    await reconcile_runs(worker)
    await partly_checked_fleet.admin.execute("UPDATE check_pause SET ended_at = $1", clock.now())
    await reconcile_runs(worker)
    return partly_checked_fleet


RUN_STATES = "SELECT array_agg(state ORDER BY day) FROM check_run"


@pytest.mark.parametrize("is_approved", [True, False])
async def test_changes_before_a_pause_are_reviewed_with_the_run_that_is_resumed_instead(
    resumed_fleet, run_check, worker, clock, is_approved
):
    today, yesterday = warsaw_date(clock.now()), warsaw_date(clock.now() - timedelta(days=1))
    assert await notice_kinds(resumed_fleet) == []
    await run_check()
    await reconcile_runs(worker)
    assert await notice_kinds(resumed_fleet) == []
    reviews = [(run.day, run.quarantined) for run in await list_pending_reviews(worker)]
    assert reviews == [(today, len(LICENCES))]

    await (approve_changes if is_approved else reject_changes)(worker, today)
    await reconcile_runs(worker)

    reviews = [(run.day, run.quarantined) for run in await list_pending_reviews(worker)]
    if is_approved:  # those of the day before are history
        assert await notice_kinds(resumed_fleet) == ["attention"] * len(LICENCES)
        assert reviews == []
        rows = await resumed_fleet.driver_rows()
        assert [rows[number]["verifications"] for number in LICENCES] == [3] * 20 + [2] * 20
        assert await resumed_fleet.fetch_value(RUN_STATES) == ["finished"] * 3
    else:  # nor do they slip through
        assert await notice_kinds(resumed_fleet) == []
        assert reviews == [(yesterday, BELOW_THRESHOLD)]


async def test_a_few_changes_before_a_pause_take_effect_with_the_run_that_is_resumed_instead(
    resumed_fleet, run_check, register, worker
):
    register.answers.clear()
    annul_licences(register, 3)

    await run_check()
    await reconcile_runs(worker)

    assert await notice_kinds(resumed_fleet) == ["attention"] * 3
    assert await list_pending_reviews(worker) == []
    assert await resumed_fleet.fetch_value(RUN_STATES) == ["finished"] * 3


async def test_changes_that_were_found_with_the_clock_ahead_count_for_no_earlier_run(
    checked_fleet, run_check, register, worker, clock
):
    annul_licences(register, BELOW_THRESHOLD)
    today = clock.now()
    clock.forward(days=1)
    await run_check()
    clock.set(today)
    annul_licences(register, len(LICENCES))

    await run_check()

    assert await notice_kinds(checked_fleet) == ["attention"] * len(LICENCES)
    assert await list_pending_reviews(worker) == []


async def test_an_approval_is_for_no_later_changes_of_the_day(
    checked_fleet, run_check, register, worker, clock
):
    annul_licences(register, ABOVE_THRESHOLD)
    await run_check()
    await approve_changes(worker, warsaw_date(clock.now()))
    newcomers = [f"ZZ{index:06d}" for index in range(ABOVE_THRESHOLD)]
    await checked_fleet.add_companies(newcomers, clock.now(), companies=7)
    register.answers.update(dict.fromkeys(newcomers))

    for _ in range(2):
        await run_check()

    assert await notice_kinds(checked_fleet) == ["attention"] * ABOVE_THRESHOLD
    assert [run.quarantined for run in await list_pending_reviews(worker)] == [ABOVE_THRESHOLD]


async def test_approved_changes_do_not_count_towards_the_limit(
    checked_fleet, run_check, register, worker, clock
):
    annul_licences(register, ABOVE_THRESHOLD)
    await run_check()
    await approve_changes(worker, warsaw_date(clock.now()))
    await checked_fleet.add_companies(["ZZ000001"], clock.now())
    register.answers["ZZ000001"] = None

    await run_check()

    assert await checked_fleet.notice_kinds("ZZ000001") == ["not_found"]
    assert await list_pending_reviews(worker) == []


async def test_a_change_of_much_of_what_was_answered_is_a_mass_change(
    fleet, run_check, register, worker, clock
):
    drivers = licence_numbers(1200)
    await fleet.add_companies(drivers, clock.now(), companies=3)
    await run_check()
    clock.forward(days=1)
    garbage = RegisterError(RegisterErrorKind.INVALID_RESPONSE, "the answer is cut off")
    register.answers = dict.fromkeys(drivers[50:], garbage)
    for number in drivers[:ABOVE_THRESHOLD]:
        register.answers[number] = licence_answer(number, "Unieważniony", code="DICT003_UNI")

    await run_check()

    assert await notice_kinds(fleet) == []
    assert [run.quarantined for run in await list_pending_reviews(worker)] == [ABOVE_THRESHOLD]
