"""The wrong document's outcome never stands (readings R10 and R11)."""

import asyncio

import pytest

from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import RegisterError, RegisterTrouble
from prawko.testing.fakes import answer, withheld

pytestmark = pytest.mark.anyio

NUMBER = "AA123456"
OTHER = "BB654321"


async def test_an_edit_while_the_register_is_asked_voids_its_answer(anna, check, fleet, register):
    driver = await anna.adds(NUMBER)
    register.says[NUMBER] = withheld(NUMBER)
    edited = False

    async def edit(query):
        nonlocal edited
        if not edited:
            edited = True
            changed = await anna.put(f"/api/drivers/{driver}", {"licenseNumber": OTHER})
            assert changed.status_code == 200

    register.before_answer = edit
    await check()
    await check()

    assert await fleet.statuses() == {OTHER: "valid"}
    assert await fleet.kinds(OTHER) == []
    assert [query.number for query in register.asked] == [NUMBER, OTHER]


async def test_an_edit_there_and_back_while_the_register_is_asked_voids_its_answer(
    anna, check, fleet, register
):
    driver = await anna.adds(NUMBER)
    register.says[NUMBER] = withheld(NUMBER)
    edited = False

    async def edit(query):
        nonlocal edited
        if not edited:
            edited = True
            for name in ("Nowak", "Kowalski"):
                await anna.put(f"/api/drivers/{driver}", {"lastName": name})
            register.says[NUMBER] = answer(NUMBER)

    register.before_answer = edit
    await check()
    await check()

    assert await fleet.statuses() == {NUMBER: "valid"}


async def test_the_newest_question_wins_over_the_run(anna, check, fleet, register):
    driver = await anna.adds(NUMBER)
    first = True

    async def overtake(query):
        nonlocal first
        if not first:
            return
        first = False
        register.says[NUMBER] = withheld(NUMBER)
        manual = await anna.post(f"/api/drivers/{driver}/verify")
        assert manual.json()["status"] == "invalid"
        register.says[NUMBER] = answer(NUMBER)

    register.before_answer = overtake
    report = await check()

    assert report.unresolved == 0
    assert await fleet.statuses() == {NUMBER: "invalid"}
    assert await fleet.kinds(NUMBER) == ["withheld"]
    shown = (await anna.get("/api/drivers")).json()[0]["verifications"]
    assert [one["status"] for one in shown] == ["invalid", "valid"]  # the run's is history


async def test_an_answer_for_another_serial_is_no_answer(anna, check, fleet, register):
    driver = await anna.adds(NUMBER)
    register.says[NUMBER] = withheld(OTHER)

    report = await check()
    manual = await anna.post(f"/api/drivers/{driver}/verify")

    assert (report.done, report.unresolved) == (0, 1)
    assert (await fleet.items())[NUMBER]["error_kind"] == "garbage"
    assert manual.status_code == 502
    assert manual.json()["error"] == "verification_failed"
    assert await fleet.statuses() == {NUMBER: "unknown"}
    assert await fleet.value("SELECT count(*) FROM verification") == 0


@pytest.mark.parametrize("state", ["valid", "invalid", "attention"])
async def test_a_document_that_is_gone_counts_when_it_is_still_gone_an_hour_later(
    state, fleet, check, clock, register
):
    await fleet.add([NUMBER], clock.now())
    said = {
        "valid": answer(NUMBER),
        "invalid": withheld(NUMBER),
        "attention": answer(NUMBER, "?"),
    }
    register.says[NUMBER] = said[state]
    await check()
    clock.forward(days=1)
    before = await fleet.kinds(NUMBER)
    register.says[NUMBER] = None
    asked = len(register.asked)

    report = await check()
    assert (report.done, report.unresolved) == (0, 1)
    clock.forward(minutes=58)
    await check()
    assert len(register.asked) == asked + 1
    assert await fleet.statuses() == {NUMBER: state}
    assert await fleet.kinds(NUMBER) == before

    clock.forward(minutes=3)
    report = await check()
    assert (report.done, report.not_found, report.unresolved) == (1, 1, 0)
    assert await fleet.statuses() == {NUMBER: "not_found"}
    assert await fleet.kinds(NUMBER) == [*before, "not_found"]


async def test_a_document_that_is_back_within_the_hour_was_never_gone(
    fleet, check, clock, register
):
    await fleet.add([NUMBER], clock.now())
    await check()
    clock.forward(days=1)
    register.says[NUMBER] = None
    await check()
    clock.forward(hours=1, minutes=1)
    del register.says[NUMBER]
    report = await check()
    assert (report.done, report.valid) == (1, 1)
    assert await fleet.statuses() == {NUMBER: "valid"}
    assert await fleet.kinds(NUMBER) == []


@pytest.mark.parametrize("days", [0, 1])
async def test_a_document_that_was_seen_in_between_is_missing_anew(
    days, anna, check, fleet, clock, register
):
    """Missing to the run, there for a check by hand, missing again: the hour begins again."""
    driver = await anna.adds(NUMBER)
    await check()
    clock.forward(days=1)
    register.says[NUMBER] = None
    await check()
    clock.forward(minutes=30)
    register.says[NUMBER] = answer(NUMBER)
    seen = await anna.post(f"/api/drivers/{driver}/verify")
    assert seen.json()["status"] == "valid"
    register.says[NUMBER] = None
    clock.forward(days=days, minutes=31)

    report = await check()

    assert (report.done, report.unresolved, report.notices) == (0, 1, 0)
    assert await fleet.statuses() == {NUMBER: "valid"}
    clock.forward(hours=1, minutes=1)
    assert (await check()).not_found == 1


async def test_a_check_by_hand_that_finds_nothing_says_so_and_waits_an_hour(
    anna, check, fleet, clock, register
):
    driver = await anna.adds(NUMBER)
    await check()
    register.says[NUMBER] = None
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
    assert await fleet.kinds(NUMBER) == ["not_found"]


TROUBLES = [
    RegisterError(RegisterTrouble.UNAVAILABLE, "Kowalski is down"),
    RegisterError(RegisterTrouble.GARBAGE, "Kowalski"),
    RegisterError(RegisterTrouble.REFUSED, "Kowalski"),
    RegisterError(RegisterTrouble.THROTTLED, "Kowalski", retry_after=7),
    AccountError("Kowalski"),
    ValueError("Kowalski"),
]


STATES = {
    "unknown": None,
    "valid": answer(NUMBER),
    "invalid": withheld(NUMBER),
    "attention": answer(NUMBER, "?"),
    "not_found": None,
}


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda error: repr(error)[:60])
async def test_where_there_is_no_answer_nothing_about_the_driver_changes(
    trouble, fleet, check, clock, register, mailbox, subtests
):
    for state, said in STATES.items():
        await fleet.everybody_leaves()
        clock.forward(days=1)
        await fleet.add([NUMBER], clock.now())
        if state != "unknown":
            register.says[NUMBER] = said
            await check()
            clock.forward(days=1)
        before, mails = (await fleet.fates())[NUMBER], len(mailbox.sent)

        register.says[NUMBER] = trouble
        report = await check()

        with subtests.test(state=state):
            assert before["status"] == state
            assert (report.done, report.unresolved, report.notices) == (0, 1, 0)
            assert (await fleet.fates())[NUMBER] == before
            told = {str(sent.recipient.email) for sent in mailbox.sent[mails:]}
            assert told <= {"operator@prawko.test"}
            item = (await fleet.items())[NUMBER]
            assert (item["state"], item["outcome"], item["lease_until"]) == ("due", None, None)
            assert item["error_kind"]
            assert "Kowalski" not in item["error_kind"]


async def test_one_driver_the_register_chokes_on_stops_nobody_else(fleet, check, clock, register):
    licences = [f"AA{index:06d}" for index in range(60)]
    await fleet.add(licences, clock.now(), companies=3)
    for number in licences[::7]:
        register.says[number] = RegisterError(RegisterTrouble.UNAVAILABLE, "no")
    report = await check()
    silent = len(licences[::7])
    assert (report.done, report.unresolved) == (60 - silent, silent)


async def test_slow_answers_hold_nobody_else_up(fleet, check, clock, register, worker):
    licences = [f"AA{index:06d}" for index in range(80)]
    await fleet.add(licences, clock.now(), companies=3)
    slow = set(licences[:8])
    seen = asyncio.Event()

    async def wait(query):
        if query.number in slow:
            await seen.wait()

    register.before_answer = wait
    running = asyncio.create_task(check())
    try:
        async with asyncio.timeout(20):
            while await fleet.value("SELECT count(*) FROM verification") < 72:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
    finally:
        seen.set()
        report = await running
    assert (report.done, report.unresolved) == (80, 0)
