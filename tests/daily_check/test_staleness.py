"""Companies are told once that results are old, and once that nobody checks (reading R12b)."""

import pytest

from prawko.hooks.licence_register import RegisterError, RegisterTrouble
from prawko.verifications.stale_results import tell_of_stale_results

pytestmark = pytest.mark.anyio

DOWN = RegisterError(RegisterTrouble.UNAVAILABLE, "down")
A, B, C = "AA000001", "AA000002", "AA000003"


@pytest.fixture
def told(fleet, worker):
    """Look, and say of what companies were told in all, oldest first."""

    async def look():
        await tell_of_stale_results(worker)
        await tell_of_stale_results(worker)
        rows = await fleet.admin.fetch(
            "SELECT kind FROM notice WHERE driver_id IS NULL ORDER BY created_at"
        )
        return [row["kind"] for row in rows]

    return look


async def test_within_two_days_nobody_is_told(fleet, check, clock, told):
    await fleet.add([A], clock.now())
    await check()
    clock.forward(hours=47, minutes=59)
    assert await told() == []


async def test_one_mail_for_one_spell_though_drivers_recover_one_after_another(
    fleet, check, clock, register, told
):
    await fleet.add([A], clock.now())
    await check()
    clock.forward(hours=1)
    await fleet.admin.execute(
        "INSERT INTO driver (tenant_id, id, first_name, last_name, license_number, sort_key,"
        " created_at) SELECT tenant_id, uuidv7(), 'Ola', 'Nowak', n, 'nowak', $1"
        " FROM driver, unnest($2::text[]) AS n WHERE license_number = $3",
        clock.now(), [B, C], A,
    )  # fmt: skip
    await check()
    register.says = {A: DOWN, B: DOWN, C: DOWN}
    clock.forward(hours=47, minutes=30)
    assert await told() == ["results_stale"]

    clock.forward(hours=1)  # now B and C are stale, too
    assert await told() == ["results_stale"]
    del register.says[A]
    await fleet.forget_trouble()
    await check()
    assert await told() == ["results_stale"], "the spell of the others is the same"
    del register.says[B]
    clock.forward(minutes=31)
    await fleet.forget_trouble()
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 minute'")
    await check()
    assert (await fleet.statuses()).keys() == {A, B, C}
    assert await told() == ["results_stale"]


async def test_the_next_spell_is_told_anew(fleet, check, clock, told):
    await fleet.add([A], clock.now())
    await check()
    clock.forward(hours=49)
    assert await told() == ["results_stale"]
    await check()
    assert await told() == ["results_stale"]
    clock.forward(hours=49)
    assert await told() == ["results_stale"] * 2


async def test_drivers_beyond_the_limit_are_nobody_s_promise(fleet, check, clock, told):
    await fleet.add([A, B], clock.now())
    await check()
    await fleet.admin.execute("UPDATE subscription SET driver_limit = 1")
    clock.forward(hours=25)
    await check()
    clock.forward(hours=25)
    assert await told() == []


async def test_a_company_that_has_just_come_back_is_checked_first(fleet, check, clock, told):
    await fleet.add([A], clock.now())
    await check()
    clock.forward(days=20)
    await fleet.admin.execute("UPDATE subscription SET created_at = $1", clock.now())
    assert await told() == []


async def test_the_end_of_checking_is_told_once_and_its_return_and_end_again(
    fleet, check, clock, told
):
    await fleet.add([A], clock.now(), days=3)
    await check()
    clock.forward(days=2, hours=23)
    await check()
    clock.forward(hours=2)
    assert await told() == ["checking_stopped"]
    clock.forward(days=1)
    assert await told() == ["checking_stopped"]

    await fleet.admin.execute(
        "UPDATE subscription SET end_date = $1, checked_until = $1", clock.now()
    )
    clock.forward(hours=1)
    assert await told() == ["checking_stopped"] * 2


async def test_a_company_without_drivers_has_nothing_that_could_stop(fleet, clock, told):
    await fleet.add([], clock.now(), days=1)
    clock.forward(days=2)
    assert await told() == []
