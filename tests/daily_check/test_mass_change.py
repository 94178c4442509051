"""Nobody's mistake becomes a mass alarm, and no true alarm waits for one."""

import pytest

from prawko.testing.fakes import answer, withheld
from prawko.verifications.settling import drop, held_runs, release

pytestmark = pytest.mark.anyio

LICENCES = [f"AA{index:06d}" for index in range(40)]
FEW, MANY = 20, 21


@pytest.fixture
async def known(fleet, check, clock):
    """Forty drivers whose licences were good yesterday."""
    await fleet.add(LICENCES, clock.now(), companies=3)
    await check()
    assert set((await fleet.statuses()).values()) == {"valid"}
    clock.forward(days=1)
    return fleet


def strange(register, many):
    for number in LICENCES[:many]:
        register.says[number] = answer(number, "Unieważniony", code="DICT003_UNI")


async def told(fleet):
    fates = await fleet.fates()
    return sorted(kind for fate in fates.values() for kind in fate["notices"] or [])


async def test_a_few_turns_take_effect_when_the_run_has_asked_all(known, check, register):
    strange(register, FEW)
    report = await check()
    assert (report.attention, report.unresolved) == (FEW, 0)
    assert await told(known) == ["attention"] * FEW


async def test_too_many_turns_wait_for_a_word_and_operators_are_told_once(
    known, check, register, mailbox, worker
):
    strange(register, MANY)
    register.says[LICENCES[-1]] = withheld(LICENCES[-1])
    before = await known.fates()

    report = await check()
    await check()

    assert (report.attention, report.invalid, report.unresolved) == (0, 1, MANY)
    assert await told(known) == ["withheld"]
    after = await known.fates()
    assert all(after[number] == before[number] for number in LICENCES[:MANY])
    mails = [sent for sent in mailbox.sent if sent.recipient.email == "operator@prawko.test"]
    assert len(mails) == 1
    assert [run.waiting for run in await held_runs(worker)] == [MANY]


async def test_released_turns_take_effect_once(known, check, register, worker, clock):
    strange(register, MANY)
    await check()
    day = (await held_runs(worker))[0].day

    await release(worker, day)
    await release(worker, day)
    await check()

    assert await told(known) == ["attention"] * MANY
    fates = await known.fates()
    assert {fates[number]["verifications"] for number in LICENCES} == {2}
    assert await held_runs(worker) == []


async def test_dropped_turns_leave_everything_as_it_was(known, check, register, worker, clock):
    strange(register, MANY)
    before = await known.fates()
    await check()
    day = (await held_runs(worker))[0].day
    await drop(worker, day)
    await check()
    after = await known.fates()
    assert all(after[number] == before[number] for number in LICENCES[:MANY])
    assert await held_runs(worker) == []

    clock.forward(days=1)
    register.says.clear()
    await check()
    assert await told(known) == []
    assert set((await known.statuses()).values()) == {"valid"}


async def test_documents_that_all_vanish_are_held_though_they_come_one_by_one(
    known, check, register, clock
):
    for number in LICENCES[:MANY]:
        register.says[number] = None
    await check()
    for number in LICENCES[:MANY]:  # the second looks come due one after the other
        await known.admin.execute(
            "UPDATE check_item i SET not_found_since = not_found_since - interval '61 minutes'"
            "  FROM driver d WHERE d.id = i.driver_id AND i.state = 'due'"
            "   AND d.license_number = $1",
            number,
        )
        if number in LICENCES[:3]:
            await check()
    clock.forward(hours=2)
    await check()
    assert await told(known) == []
    assert set((await known.statuses()).values()) == {"valid"}


async def test_what_was_held_does_not_overtake_a_newer_check(known, check, register, worker, clock):
    strange(register, MANY)
    await check()
    day = (await held_runs(worker))[0].day
    clock.forward(days=1)
    register.says.clear()
    await check()
    await release(worker, day)
    assert await told(known) == []
    assert set((await known.statuses()).values()) == {"valid"}


async def test_newcomers_with_wrong_numbers_are_told_at_once(fleet, check, register, clock):
    await fleet.add(LICENCES[:5], clock.now())
    for number in LICENCES[:5]:
        register.says[number] = None
    report = await check()
    assert (report.not_found, report.notices, report.unresolved) == (5, 5, 0)


async def test_an_import_of_wrong_numbers_day_by_day_hour_by_hour_is_not_added_up(
    fleet, check, register, clock
):
    for number in LICENCES[:30]:
        register.says[number] = None
    for start in range(0, 30, 10):
        await fleet.add(LICENCES[start : start + 10], clock.now())
        report = await check()
        assert (report.not_found, report.unresolved) == (10, 0)
