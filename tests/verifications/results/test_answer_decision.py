"""Answers that take effect: edits, newer queries, missing documents (docs/rules.md R10, R11)."""

import asyncio
import dataclasses

import msgspec
import pytest

from prawko.apps.composition_root import create_renderer_registry
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.verifications.daily.run_now import run_daily_check
from prawko_testing.fakes import licence_answer, withheld_licence
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

NUMBER = "AA123456"
OTHER = "BB654321"
SECONDS = 120.0  # until a test gives up


async def test_an_edit_during_the_query_discards_the_answer(anna, run_check, fleet, register):
    driver = await anna.add_driver(NUMBER)
    register.answers[NUMBER] = withheld_licence(NUMBER)
    edited = False

    async def edit(query):
        nonlocal edited
        if not edited:
            edited = True
            changed = await anna.put(f"/api/drivers/{driver}", {"licenseNumber": OTHER})
            assert changed.status_code == 200

    register.before_answer = edit
    await run_check()
    await run_check()

    assert await fleet.statuses() == {OTHER: "valid"}
    assert await fleet.notice_kinds(OTHER) == []
    assert [query.number for query in register.queries] == [NUMBER, OTHER]


async def test_an_edit_and_its_reversal_during_the_query_discard_the_answer(
    anna, run_check, fleet, register
):
    driver = await anna.add_driver(NUMBER)
    register.answers[NUMBER] = withheld_licence(NUMBER)
    edited = False

    async def edit(query):
        nonlocal edited
        if not edited:
            edited = True
            for name in ("Nowak", "Kowalski"):
                await anna.put(f"/api/drivers/{driver}", {"lastName": name})
            register.answers[NUMBER] = licence_answer(NUMBER)

    register.before_answer = edit
    await run_check()
    await run_check()

    assert await fleet.statuses() == {NUMBER: "valid"}


async def test_a_newer_manual_query_wins_over_the_run(anna, run_check, fleet, register):
    driver = await anna.add_driver(NUMBER)
    first = True

    async def check_in_between(query):
        nonlocal first
        if not first:
            return
        first = False
        register.answers[NUMBER] = withheld_licence(NUMBER)
        manual = await anna.post(f"/api/drivers/{driver}/verify")
        assert manual.json()["status"] == "invalid"
        register.answers[NUMBER] = licence_answer(NUMBER)

    register.before_answer = check_in_between
    report = await run_check()

    assert report.unresolved == 0
    assert await fleet.statuses() == {NUMBER: "invalid"}
    assert await fleet.notice_kinds(NUMBER) == ["withheld"]
    verifications = (await anna.get("/api/drivers")).json()[0]["verifications"]
    assert [verification["status"] for verification in verifications] == [
        "invalid",
        "valid",
    ]  # the run's answer is in the history only


async def test_an_answer_with_another_licence_number_is_rejected(anna, run_check, fleet, register):
    driver = await anna.add_driver(NUMBER)
    register.answers[NUMBER] = withheld_licence(OTHER)

    report = await run_check()
    manual = await anna.post(f"/api/drivers/{driver}/verify")

    assert (report.done, report.unresolved) == (0, 1)
    assert (await fleet.latest_items())[NUMBER]["error_kind"] == RegisterErrorKind.INVALID_RESPONSE
    assert manual.status_code == 502
    assert manual.json()["error"] == "verification_failed"
    assert await fleet.statuses() == {NUMBER: "unknown"}
    assert await fleet.fetch_value("SELECT count(*) FROM verification") == 0


@pytest.mark.parametrize("state", ["valid", "invalid", "attention"])
async def test_a_missing_document_counts_if_still_missing_an_hour_later(
    state, fleet, run_check, clock, register
):
    clock.set(clock.now().replace(hour=10))  # an hour later is the same day
    await fleet.add_companies([NUMBER], clock.now())
    answers = {
        "valid": licence_answer(NUMBER),
        "invalid": withheld_licence(NUMBER),
        "attention": licence_answer(NUMBER, "?"),
    }
    register.answers[NUMBER] = answers[state]
    await run_check()
    clock.forward(days=1)
    before = await fleet.notice_kinds(NUMBER)
    register.answers[NUMBER] = None
    queries = len(register.queries)

    report = await run_check()
    assert (report.done, report.unresolved) == (0, 1)
    clock.forward(minutes=58)
    await run_check()
    assert len(register.queries) == queries + 1
    assert await fleet.statuses() == {NUMBER: state}
    assert await fleet.notice_kinds(NUMBER) == before

    clock.forward(minutes=3)
    report = await run_check()
    assert (report.done, report.not_found, report.unresolved) == (1, 1, 0)
    assert await fleet.statuses() == {NUMBER: "not_found"}
    assert await fleet.notice_kinds(NUMBER) == [*before, "not_found"]


async def test_a_document_found_again_within_the_hour_changes_nothing(
    fleet, run_check, clock, register
):
    await fleet.add_companies([NUMBER], clock.now())
    await run_check()
    clock.forward(days=1)
    register.answers[NUMBER] = None
    await run_check()
    clock.forward(hours=1, minutes=1)
    del register.answers[NUMBER]
    report = await run_check()
    assert (report.done, report.valid) == (1, 1)
    assert await fleet.statuses() == {NUMBER: "valid"}
    assert await fleet.notice_kinds(NUMBER) == []


@pytest.mark.parametrize("days", [0, 1])
async def test_a_document_found_in_between_restarts_the_hour(
    days, anna, run_check, fleet, clock, register
):
    """Missing in the run, found by a manual check, missing again: the hour starts again."""
    driver = await anna.add_driver(NUMBER)
    await run_check()
    clock.forward(days=1)
    register.answers[NUMBER] = None
    await run_check()
    clock.forward(minutes=30)
    register.answers[NUMBER] = licence_answer(NUMBER)
    manual = await anna.post(f"/api/drivers/{driver}/verify")
    assert manual.json()["status"] == "valid"
    register.answers[NUMBER] = None
    clock.forward(days=days, minutes=31)

    report = await run_check()

    assert (report.done, report.unresolved, report.notices) == (0, 1, 0)
    assert await fleet.statuses() == {NUMBER: "valid"}
    clock.forward(hours=1, minutes=1)
    assert (await run_check()).not_found == 1


async def test_a_manual_check_reports_a_missing_document_which_counts_after_an_hour(
    anna, run_check, fleet, clock, register
):
    driver = await anna.add_driver(NUMBER)
    await run_check()
    register.answers[NUMBER] = None
    clock.forward(minutes=5)

    first = await anna.post(f"/api/drivers/{driver}/verify")
    assert (first.status_code, first.json()["status"]) == (200, "not_found")
    assert first.json()["documentStatus"] is None
    assert await fleet.statuses() == {NUMBER: "valid"}
    history = (await anna.get(f"/api/drivers/{driver}/verifications")).json()
    assert [entry["status"] for entry in history] == ["not_found", "valid"]
    assert history[0]["verificationResponse"] is None

    clock.forward(hours=1, minutes=1)
    await anna.post(f"/api/drivers/{driver}/verify")
    assert await fleet.statuses() == {NUMBER: "not_found"}
    assert await fleet.notice_kinds(NUMBER) == ["not_found"]


ERRORS = [
    RegisterError(RegisterErrorKind.UNAVAILABLE, "Kowalski is down"),
    RegisterError(RegisterErrorKind.INVALID_RESPONSE, "Kowalski"),
    RegisterError(RegisterErrorKind.INVALID_QUERY, "Kowalski"),
    RegisterError(RegisterErrorKind.RATE_LIMITED, "Kowalski", retry_after=7),
    ProviderAccountError("Kowalski"),
    ValueError("Kowalski"),
]


ANSWERS = {
    "unknown": None,
    "valid": licence_answer(NUMBER),
    "invalid": withheld_licence(NUMBER),
    "attention": licence_answer(NUMBER, "?"),
    "not_found": None,
}


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: repr(error)[:60])
async def test_without_an_answer_nothing_about_the_driver_changes(
    error, fleet, run_check, clock, register, mailbox, subtests
):
    for state, answer in ANSWERS.items():
        await fleet.delete_everything()
        clock.forward(days=1)
        await fleet.add_companies([NUMBER], clock.now())
        if state != "unknown":
            register.answers[NUMBER] = answer
            await run_check()
            clock.forward(days=1)
        before, mails = (await fleet.driver_rows())[NUMBER], len(mailbox.sent)

        register.answers[NUMBER] = error
        report = await run_check()

        with subtests.test(state=state):
            assert before["status"] == state
            assert (report.done, report.unresolved, report.notices) == (0, 1, 0)
            assert (await fleet.driver_rows())[NUMBER] == before
            recipients = {str(sent.recipient.email) for sent in mailbox.sent[mails:]}
            assert recipients <= {"operator@prawko.test"}
            item = (await fleet.latest_items())[NUMBER]
            assert (item["state"], item["outcome"], item["lease_until"]) == ("due", None, None)
            assert item["error_kind"]
            assert "Kowalski" not in item["error_kind"]


async def test_failing_queries_do_not_stop_the_others(fleet, run_check, clock, register):
    licences = [f"AA{index:06d}" for index in range(60)]
    await fleet.add_companies(licences, clock.now(), companies=3)
    for number in licences[::7]:
        register.answers[number] = RegisterError(RegisterErrorKind.UNAVAILABLE, "no")
    report = await run_check()
    failed = len(licences[::7])
    assert (report.done, report.unresolved) == (60 - failed, failed)


async def test_slow_answers_do_not_delay_the_others(fleet, clock, register, worker):
    settings = msgspec.structs.replace(worker.settings, register_deadline=SECONDS)
    patient_worker = dataclasses.replace(worker, settings=settings)
    licences = [f"AA{index:06d}" for index in range(80)]
    await fleet.add_companies(licences, clock.now(), companies=3)
    slow_numbers = set(licences[:8])
    others_done = asyncio.Event()

    async def wait_for_others(query):
        if query.number in slow_numbers:
            await others_done.wait()

    async def all_but_slow_are_done():
        return await fleet.fetch_value("SELECT count(*) FROM verification") >= 72

    register.before_answer = wait_for_others
    running = asyncio.create_task(
        run_daily_check(patient_worker, create_renderer_registry(patient_worker))
    )
    try:
        await wait_until(all_but_slow_are_done)
    finally:
        others_done.set()
        report = await running
    assert (report.done, report.unresolved) == (80, 0)
