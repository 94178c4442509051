"""What a day's check does to drivers, and whom it tells (readings R6, R9 and R12)."""

from datetime import date, timedelta

import pytest

from prawko.testing.fakes import answer, withheld

pytestmark = pytest.mark.anyio

NUMBER = "AA123456"
SAYS = {
    "valid": answer,
    "invalid": withheld,
    "attention": lambda number: answer(number, "Utracony", code="DICT003_UTR"),
    "not_found": lambda number: None,
}
NOTICE = {
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
}


async def test_a_change_is_told_once_and_nothing_else(
    fleet, check, clock, register, mailbox, subtests
):
    """Every change at once, each of a driver and a company that have nothing to do with others."""
    drivers = {f"AA{index:06d}": change for index, change in enumerate(NOTICE)}
    old = [number for number, (previous, _) in drivers.items() if previous != "unknown"]
    await fleet.add(old, clock.now(), companies=len(old))
    register.says = {number: SAYS[drivers[number][0]](number) for number in old}
    await check()
    clock.forward(days=1)
    new = [number for number in drivers if number not in old]
    await fleet.add(new, clock.now(), companies=len(new))
    assert await fleet.statuses() == {number: was for number, (was, _) in drivers.items()}
    owners, before, mails = await fleet.owners(), await fleet.fates(), len(mailbox.sent)

    register.says = {number: SAYS[outcome](number) for number, (_, outcome) in drivers.items()}
    reports = [await check(), await check()]
    waits = {
        number for number, (previous, outcome) in drivers.items()
        if previous not in {"unknown", "not_found"} and outcome == "not_found"
    }  # fmt: skip
    halfway = await fleet.fates()
    clock.forward(hours=1, seconds=1)
    reports += [await check(), await check()]

    after, sent = await fleet.fates(), [mail.recipient.email for mail in mailbox.sent[mails:]]
    for number, (previous, outcome) in drivers.items():
        told = NOTICE[previous, outcome]
        with subtests.test(previous=previous, outcome=outcome):
            assert halfway[number]["status"] == (previous if number in waits else outcome)
            assert after[number]["status"] == outcome
            known = len(before[number]["notices"] or [])
            assert (after[number]["notices"] or [])[known:] == told
            loud = [kind for kind in told if kind != "confirmed"]
            assert sent.count(owners[number]) == len(loud)
    assert sum(report.notices for report in reports) == sum(map(len, NOTICE.values()))
    assert set(sent) <= set(owners.values())


async def test_every_driver_of_every_company_is_asked_about_once(fleet, check, clock, register):
    licences = [f"AA{index:06d}" for index in range(137)]
    for number in licences[:3]:
        register.says[number] = withheld(number)
    register.says[licences[5]] = None
    await fleet.add(licences, clock.now(), companies=11)

    report = await check()

    assert (report.planned, report.done, report.unresolved) == (137, 137, 0)
    assert (report.valid, report.invalid, report.attention, report.not_found) == (133, 3, 0, 1)
    assert report.notices == 4
    assert sorted(query.number for query in register.asked) == licences
    fates = await fleet.fates()
    assert {fate["verifications"] for fate in fates.values()} == {1}

    again = await check()
    assert (again.planned, again.done, again.notices) == (0, 0, 0)
    assert len(register.asked) == 137


async def test_a_newcomer_of_the_day_is_planned_alone(fleet, check, clock, register):
    await fleet.add([NUMBER], clock.now())
    await check()
    await fleet.add(["BB000001"], clock.now())

    report = await check()

    assert (report.planned, report.done, report.valid) == (1, 1, 1)
    assert [query.number for query in register.asked] == [NUMBER, "BB000001"]


async def test_an_edited_driver_is_asked_about_again_the_same_day(
    anna, check, fleet, register, clock
):
    driver = await anna.adds(NUMBER)
    await check()
    await anna.put(f"/api/drivers/{driver}", {"lastName": "Nowak"})
    assert await fleet.statuses() == {NUMBER: "unknown"}

    await check()

    assert [query.last_name for query in register.asked] == ["Kowalski", "Nowak"]
    assert await fleet.statuses() == {NUMBER: "valid"}
    shown = (await anna.get("/api/drivers")).json()[0]["verifications"]
    history = (await anna.get(f"/api/drivers/{driver}/verifications")).json()
    assert (len(shown), len(history)) == (1, 2)


async def test_only_the_oldest_drivers_within_the_limit_are_checked(fleet, check, clock, register):
    await fleet.add(["AA000001", "AA000002", "AA000003"], clock.now())
    await fleet.admin.execute("UPDATE subscription SET driver_limit = 2")

    report = await check()

    assert report.planned == 2
    assert [query.number for query in register.asked] == ["AA000001", "AA000002"]


@pytest.mark.parametrize(
    "ended",
    [
        "status = 'inactive'",
        "status = 'cancelled'",
        "status = 'trial'",
        "checked_until = start_date",
        "status = 'expired', checked_until = start_date",
    ],
)
async def test_a_company_without_a_subscription_is_not_checked(
    ended, fleet, check, clock, register
):
    await fleet.add([NUMBER], clock.now())
    await fleet.admin.execute(f"UPDATE subscription SET {ended}")
    assert (await check()).planned == 0
    assert register.asked == []


async def test_the_subscription_written_last_decides(fleet, check, clock):
    await fleet.add([NUMBER], clock.now())
    await fleet.admin.execute(
        "INSERT INTO subscription SELECT (s).* FROM (SELECT jsonb_populate_record(subscription,"
        " jsonb_build_object('id', uuidv7(), 'status', 'inactive')) AS s FROM subscription) AS x"
    )
    assert (await check()).planned == 0


async def test_an_answer_is_kept_once_and_sealed(anna, check, fleet, clock, register):
    driver = await anna.adds(NUMBER)
    for _ in range(3):
        await check()
        clock.forward(days=1)
    assert await fleet.value("SELECT count(*) FROM register_answer") == 1
    assert await fleet.value("SELECT count(*) FROM verification") == 3
    raw = await fleet.value("SELECT raw FROM register_answer")
    assert b"Wydany" not in raw
    history = (await anna.get(f"/api/drivers/{driver}/verifications")).json()
    assert [entry["verificationResponse"] for entry in history] == [answer(NUMBER).raw] * 3
    assert len({entry["lastVerificationHash"] for entry in history}) == 1


async def test_the_ready_verification_is_the_newest_of_the_list(anna, check, register):
    register.says[NUMBER] = withheld(NUMBER)
    await anna.adds(NUMBER)
    await check()
    ready = (await anna.get("/api/drivers?verifications=1")).json()[0]["verifications"]
    joined = (await anna.get("/api/drivers?verifications=10")).json()[0]["verifications"]
    for one in (ready[0], joined[0]):
        one["verifiedAt"] = one["verifiedAt"].rstrip("Z").ljust(26, "0")
    assert ready == joined
    assert ready[0]["status"] == "invalid"
    assert ready[0]["documentStatus"] == "Zatrzymany"
    assert ready[0]["reasons"] == [{"kod": None, "wartosc": "Decyzja starosty"}]


async def test_a_document_that_ends_tonight_needs_attention_tomorrow(fleet, check, clock, register):
    await fleet.add([NUMBER], clock.now())
    register.says[NUMBER] = answer(NUMBER, expires=clock.now().date())
    await check()
    assert await fleet.statuses() == {NUMBER: "valid"}
    clock.forward(days=1)
    await check()
    assert await fleet.statuses() == {NUMBER: "attention"}
    latest = await fleet.value("SELECT latest ->> 'expired' FROM driver")
    assert latest == "true"


async def test_a_driver_who_leaves_meanwhile_is_nobody_s(anna, check, fleet, register):
    driver = await anna.adds(NUMBER)

    async def leave(query):
        await anna.delete(f"/api/drivers/{driver}")

    register.before_answer = leave
    report = await check()
    assert report.unresolved == 0
    assert await fleet.value("SELECT count(*) FROM verification") == 0
    assert await fleet.value("SELECT count(*) FROM notice WHERE driver_id IS NOT NULL") == 0


async def test_a_clock_that_was_moved_ahead_and_back_blocks_no_later_check(
    anna, check, fleet, clock, register
):
    driver = await anna.adds(NUMBER)
    clock.forward(days=3)
    await check()
    clock.forward(days=-3)
    register.says[NUMBER] = withheld(NUMBER)

    manual = await anna.post(f"/api/drivers/{driver}/verify")

    assert manual.status_code == 200, manual.text
    assert await fleet.statuses() == {NUMBER: "invalid"}
    assert await fleet.kinds(NUMBER) == ["withheld"]
    register.says[NUMBER] = answer(NUMBER)
    await check()
    assert await fleet.statuses() == {NUMBER: "valid"}


async def test_the_summary_says_how_fresh_the_results_are(anna, check, clock):
    await anna.adds(NUMBER)
    fresh = (await anna.get("/api/checks/summary")).json()
    assert fresh == {"oldestVerifiedAt": None, "staleCount": 0, "checkingStopped": False}
    await check()
    clock.forward(hours=49)
    stale = (await anna.get("/api/checks/summary")).json()
    assert (stale["staleCount"], stale["checkingStopped"]) == (1, False)
    clock.forward(days=7)
    ended = (await anna.get("/api/checks/summary")).json()
    assert (ended["staleCount"], ended["checkingStopped"]) == (1, True)


async def test_expiry_is_a_day_in_warsaw(fleet, check, clock, register):
    """At half past midnight in Warsaw it is still yesterday in UTC."""
    tomorrow = (clock.now() + timedelta(days=1)).date()
    clock.set(
        clock.now().replace(
            year=tomorrow.year, month=tomorrow.month, day=tomorrow.day,
            hour=22, minute=30, second=0,
        )
    )  # fmt: skip
    assert isinstance(tomorrow, date)
    register.says[NUMBER] = answer(NUMBER, expires=tomorrow)
    await fleet.add([NUMBER], clock.now())
    await check()
    summer = await fleet.value("SELECT timezone('Europe/Warsaw', $1)::date", clock.now())
    expected = "valid" if summer == tomorrow else "attention"
    assert await fleet.statuses() == {NUMBER: expected}
