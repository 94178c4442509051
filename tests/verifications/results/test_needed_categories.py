"""Needed categories through checks, edits and midnight: status, notices, no false alarm (R9a)."""

import importlib
from datetime import date, datetime, timedelta

import msgspec
import pytest

from prawko.hooks.licence_register import LicenceAnswer, LicenceCategory
from prawko.kit.clock import WARSAW, utc_now, warsaw_date
from prawko.verifications.expiry_reminders import ScanCursor, send_document_expiry_reminders
from prawko.verifications.mass_change_review import list_pending_reviews
from prawko_testing.fakes import licence_answer, withheld_licence
from support.database import execute_as_owner, fetch_rows
from support.fleet import licence_numbers
from support.mass_changes import approve_changes
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

NUMBER = "AA123456"
TODAY = warsaw_date(utc_now())
JAN = {"firstName": "Jan", "lastName": "Kowalski", "licenseNumber": NUMBER}
SENTENCE = {
    "pl": "Wybierz kategorie prawa jazdy z listy",
    "en": "Choose licence categories from the list",
}


def warsaw_time(days: int, hour: int, minute: int = 0, second: int = 0) -> datetime:
    day = TODAY + timedelta(days=days)
    return datetime(day.year, day.month, day.day, hour, minute, second, tzinfo=WARSAW)


@pytest.fixture(autouse=True)
def ten_in_the_morning(clock):
    clock.set(warsaw_time(0, 10))


def answer_with(number: str = NUMBER, **categories: date | None) -> LicenceAnswer:
    """A valid document with these categories; `CE` is C+E."""
    answer = licence_answer(number)
    listed = tuple(
        LicenceCategory(code.replace("CE", "C+E"), day) for code, day in categories.items()
    )
    raw = answer.raw | {"kategorie": [[one.code, str(one.expires)] for one in listed]}
    return msgspec.structs.replace(answer, categories=listed, raw=raw)


@pytest.fixture
def add_jan(anna):
    async def add(*needed: str) -> str:
        added = await anna.post("/api/drivers", {**JAN, "neededCategories": [*needed]})
        assert added.status_code == 201, added.text
        return added.json()["id"]

    return add


@pytest.fixture
def jan(anna):
    """Whether the only driver may drive, the same in every list; needs leave the status alone."""

    async def read() -> str:
        answers = set()
        for query in ("", "?verifications=1&view=summary", "?verifications=0"):
            [driver] = (await anna.get(f"/api/drivers{query}")).json()
            answers.add(driver["mayDrive"])
            if driver["verifications"]:
                assert driver["status"] == driver["verifications"][0]["status"]
        [answer] = answers
        return answer

    return read


@pytest.fixture
def scan(worker):
    """The daily scan of dates."""

    async def run() -> None:
        worker.components.get(ScanCursor).full_scan_on = None
        await send_document_expiry_reminders(worker)

    return run


async def test_needed_categories_are_kept_with_the_driver(anna, add_jan) -> None:
    driver = await add_jan("C+E", "C", "C")

    [listed] = await anna.list_drivers()
    assert listed["neededCategories"] == ["C", "C+E"]
    edited = await anna.put(f"/api/drivers/{driver}", {"lastName": "Nowak"})
    assert edited.json()["neededCategories"] == ["C", "C+E"]
    edited = await anna.put(f"/api/drivers/{driver}", {"neededCategories": []})
    assert edited.json()["neededCategories"] == []
    assert edited.json()["lastName"] == "Nowak"


@pytest.mark.parametrize("language", ["pl", "en"])
@pytest.mark.parametrize("codes", [["E"], ["C", "PT"], ["ce"], [""]])
async def test_an_unknown_category_is_refused_in_both_languages(
    anna, add_jan, codes, language
) -> None:
    driver = await add_jan("C")
    await anna.put("/api/user/language", {"language": language})
    other = {**JAN, "licenseNumber": "BB654321", "neededCategories": codes}
    for answer in (
        await anna.post("/api/drivers", other),
        await anna.put(f"/api/drivers/{driver}", {"neededCategories": codes}),
    ):
        assert answer.status_code == 422
        assert answer.json()["error"] == "invalid_driver_data"
        assert answer.json()["fields"] == {"neededCategories": SENTENCE[language]}
    [listed] = await anna.list_drivers()
    assert listed["neededCategories"] == ["C"]


async def test_without_needed_categories_an_expired_one_changes_nothing(
    add_jan, jan, register, run_check, fleet, scan
) -> None:
    await add_jan()
    register.answers[NUMBER] = answer_with(B=None, C=TODAY - timedelta(days=9))
    await run_check()
    await scan()

    assert await jan() == "yes"
    assert await fleet.notice_kinds(NUMBER) == ["expired"]


BEFORE, EARLIER = TODAY - timedelta(days=9), TODAY - timedelta(days=20)


@pytest.mark.parametrize(
    ("categories", "last_day"),
    [
        ([("B", BEFORE), ("C", EARLIER)], BEFORE),
        ([("B", BEFORE), ("C", None)], None),
        # Of two days of one category the first one counts.
        ([("BE", BEFORE), ("B+E", None), ("b + e", EARLIER)], EARLIER),
        ([("B", TODAY)], TODAY),
        ([], None),
    ],
)
async def test_a_result_of_the_release_before_is_judged_by_all_categories(
    add_jan, jan, register, run_check, fleet, logins, categories, last_day
) -> None:
    """The migration stores the day that a check would; an episode keeps its begin."""
    await add_jan()
    listed = tuple(LicenceCategory(*category) for category in categories)
    register.answers[NUMBER] = msgspec.structs.replace(answer_with(), categories=listed)
    await run_check()
    read = "SELECT valid_until FROM driver"
    document = licence_answer(NUMBER).expires
    assert await fleet.fetch_value(read) == (last_day or document)
    migration = importlib.import_module("prawko_migrations.versions.0047_categories_all_over")

    for before in (EARLIER - timedelta(days=1), None, document):
        await fleet.admin.execute("UPDATE driver SET valid_until = $1", before)
        await execute_as_owner(logins, migration.BACK_FILL)
        is_over = before is not None and before < TODAY
        assert await fleet.fetch_value(read) == (before if is_over else last_day or before)
    assert await jan() == ("no" if last_day in {BEFORE, EARLIER} else "yes")


@pytest.mark.parametrize(
    ("categories", "problem"),
    [
        ({"B": None}, {"missing": ["C"], "expiries": []}),
        ({}, {"missing": ["C"], "expiries": []}),
        ({"C": TODAY - timedelta(days=9)}, {"missing": [], "expiries": [TODAY - timedelta(9)]}),
    ],
)
async def test_a_missing_or_expired_category_is_attention_with_one_notice(
    anna, add_jan, jan, register, run_check, fleet, scan, clock, mailbox, worker,
    categories, problem,
) -> None:  # fmt: skip
    await add_jan("C")
    register.answers[NUMBER] = answer_with(**categories)
    for _ in range(3):
        await run_check()
        await scan()
        clock.forward(days=1)

    assert await jan() == "no"
    assert await fleet.notice_kinds(NUMBER) == ["category_invalid"]
    [driver] = await anna.list_drivers()
    assert {one["status"] for one in driver["verifications"]} == {"valid"}  # the document's
    params = msgspec.json.decode(await fleet.fetch_value("SELECT params::text FROM notice"))
    assert params["missing"] == problem["missing"]
    assert [one["on"] for one in params["expiries"]] == [str(on) for on in problem["expiries"]]
    await deliver_outbox(worker)
    [mail] = [
        mail for mail in mailbox.messages_to(anna.email) if "Brak ważnej kategorii" in mail.subject
    ]
    assert "Jan Kowalski" in mail.subject
    notifications = (await anna.get("/api/notifications")).json()
    assert [one["type"] for one in notifications] == ["driver_status"]


async def test_a_category_that_expires_overnight_is_attention_without_a_new_answer(
    add_jan, jan, register, run_check, fleet, scan, clock
) -> None:
    await add_jan("C")
    register.answers[NUMBER] = answer_with(C=TODAY)
    await run_check()
    await scan()

    clock.set(warsaw_time(0, 23, 59, 59))
    assert await jan() == "yes"
    clock.set(warsaw_time(1, 0, 0, 0))
    assert await jan() == "no"
    clock.set(warsaw_time(1, 7, 5))
    await scan()
    await run_check()
    await scan()
    assert await jan() == "no"
    kinds = await fleet.notice_kinds(NUMBER)
    assert kinds == ["expiring", "category_invalid"]


@pytest.mark.parametrize(
    ("needed", "begins", "changes"),
    [
        (["C"], warsaw_time(1, 0), (["C", "D"], ["D"], ["C", "D"])),
        (["C"], warsaw_time(1, 0), (["B", "C"], ["C"])),
        (["C", "D"], None, (["C", "B"], ["C"])),  # from the check that found D missing
    ],
)
async def test_an_episode_goes_on_whatever_is_marked_while_something_needed_is_over(
    anna, add_jan, register, run_check, clock, needed, begins, changes
) -> None:
    driver = await add_jan(*needed)
    register.answers[NUMBER] = answer_with(B=TODAY - timedelta(days=9), C=TODAY)
    await run_check()
    [listed] = await anna.list_drivers()
    checked_at = datetime.fromisoformat(listed["verifications"][0]["verifiedAt"])

    clock.set(warsaw_time(1, 9))
    for chosen in changes:
        changed = await anna.put(f"/api/drivers/{driver}", {"neededCategories": chosen})
        assert changed.json()["mayDrive"] == "no"
        [listed] = await anna.list_drivers()
        assert datetime.fromisoformat(listed["episode"]["since"]) == (begins or checked_at), chosen
    await run_check()  # no new answer of the day is a change either
    [listed] = await anna.list_drivers()
    assert datetime.fromisoformat(listed["episode"]["since"]) == (begins or checked_at)


async def test_an_episode_goes_on_from_a_documents_state_to_an_expired_category(
    anna, add_jan, register, run_check, clock
) -> None:
    await add_jan("C")
    register.answers[NUMBER] = licence_answer(NUMBER, "Unieważniony", code="DICT003_UNI")
    await run_check()
    [listed] = await anna.list_drivers()
    since = listed["episode"]["since"]
    assert since == listed["verifications"][0]["verifiedAt"]

    register.answers[NUMBER] = answer_with(C=TODAY)
    for days in (1, 2):
        clock.set(warsaw_time(days, 9))
        await run_check()
        [listed] = await anna.list_drivers()
        assert (listed["mayDrive"], listed["episode"]["since"]) == ("no", since)


async def test_a_document_without_end_ends_an_episode(
    add_jan, jan, register, run_check, fleet, clock
) -> None:
    """Whatever was over before: an unknown end is compared with nothing."""
    await add_jan("C")
    endless = msgspec.structs.replace(answer_with(C=None), expires=None)
    annulled = licence_answer(NUMBER, "Unieważniony", code="DICT003_UNI")
    answers = []
    for days, answer in enumerate((annulled, endless, answer_with(C=TODAY), endless)):
        clock.set(warsaw_time(days, 10))
        register.answers[NUMBER] = answer
        await run_check()
        answers.append(await jan())

    assert answers == ["check", "yes", "no", "yes"]
    assert await fleet.fetch_value("SELECT valid_until FROM driver") is None


async def test_a_document_that_expires_overnight_is_attention_without_a_new_answer(
    add_jan, jan, register, run_check, clock
) -> None:
    await add_jan()
    register.answers[NUMBER] = licence_answer(NUMBER, expires=TODAY)
    await run_check()

    clock.set(warsaw_time(0, 23, 59, 59))
    assert await jan() == "yes"
    clock.set(warsaw_time(1, 0))
    assert await jan() == "no"


async def test_a_needed_category_is_judged_at_once_by_the_last_answer(
    anna, add_jan, jan, register, run_check, fleet, queue
) -> None:
    driver = await add_jan()
    register.answers[NUMBER] = answer_with(B=None)
    await run_check()
    asked = len(register.queries)

    changed = await anna.put(f"/api/drivers/{driver}", {"neededCategories": ["C"]})

    assert changed.json()["mayDrive"] == "no"
    assert await jan() == "no"
    assert await fleet.notice_kinds(NUMBER) == ["category_invalid"]
    await run_check()
    assert len(register.queries) == asked  # the document is the same: no new check is due
    assert await fleet.notice_kinds(NUMBER) == ["category_invalid"]


async def test_unmarking_ends_the_attention_without_a_word(
    anna, add_jan, jan, register, run_check, fleet, scan, clock
) -> None:
    driver = await add_jan("C")
    register.answers[NUMBER] = answer_with(C=TODAY - timedelta(days=1), B=None)
    await run_check()
    assert await jan() == "no"

    for needed in ([], ["C"], [], ["C"], []):
        await anna.put(f"/api/drivers/{driver}", {"neededCategories": needed})
        assert await jan() == ("no" if needed else "yes")
        await scan()
    clock.forward(days=1)
    await run_check()
    await scan()

    assert await jan() == "yes"
    assert await fleet.notice_kinds(NUMBER) == ["category_invalid"]


async def test_marking_again_what_is_missing_tells_of_it_once_for_an_answer(
    anna, add_jan, register, run_check, fleet
) -> None:
    driver = await add_jan()
    register.answers[NUMBER] = answer_with(B=None)
    await run_check()
    for needed in (["C"], [], ["C"], ["C", "D"]):
        await anna.put(f"/api/drivers/{driver}", {"neededCategories": needed})

    rows = await fleet.admin.fetch("SELECT params FROM notice ORDER BY id")
    missing = [msgspec.json.decode(row["params"])["missing"] for row in rows]
    assert missing == [["C"], ["D"]]


@pytest.mark.parametrize(
    ("needed", "notice", "last_day"),
    [(["C"], "category_invalid", None), ([], "expired", TODAY)],
    ids=["needed", "all"],
)
async def test_a_renewed_category_ends_the_attention_in_the_panel_alone(
    anna,
    add_jan,
    jan,
    register,
    run_check,
    fleet,
    scan,
    clock,
    mailbox,
    worker,
    needed,
    notice,
    last_day,
) -> None:
    await add_jan(*needed)
    register.answers[NUMBER] = answer_with(C=TODAY - timedelta(days=1))
    await run_check()
    await scan()
    assert await jan() == "no"
    await deliver_outbox(worker)
    mails = len(mailbox.messages_to(anna.email))
    register.answers[NUMBER] = answer_with(C=TODAY + timedelta(days=900))
    clock.forward(days=1)
    await run_check()

    assert await jan() == "yes"
    assert await fleet.notice_kinds(NUMBER) == [notice, "confirmed"]
    [newest, *_] = (await anna.get("/api/notifications")).json()
    assert (newest["type"], newest["read"]) == ("driver_status", False)
    await deliver_outbox(worker)
    assert len(mailbox.messages_to(anna.email)) == mails
    register.answers[NUMBER] = answer_with(B=last_day)
    clock.forward(days=1)
    await run_check()
    await scan()
    assert await jan() == "no"
    await deliver_outbox(worker)
    kinds = await fleet.notice_kinds(NUMBER)
    assert kinds == [notice, "confirmed", notice]
    assert len(mailbox.messages_to(anna.email)) == mails + 1


@pytest.mark.parametrize(
    ("needed", "last_day", "notice"),
    [(["C"], None, "category_invalid"), ([], TODAY - timedelta(days=9), "expired")],
)
@pytest.mark.parametrize(
    ("state", "before"),
    [("Zatrzymany", ("no", "withheld")), ("Unieważniony", ("check", "attention"))],
)
async def test_a_licence_that_comes_back_without_the_category_is_not_called_restored(
    add_jan, jan, register, run_check, fleet, scan, clock, needed, last_day, notice, state, before
) -> None:
    await add_jan(*needed)
    register.answers[NUMBER] = licence_answer(NUMBER, state, code="DICT003_" + state[:3].upper())
    await run_check()
    assert await jan() == before[0]
    register.answers[NUMBER] = answer_with(B=last_day)
    clock.forward(days=1)
    await run_check()
    await scan()

    assert await jan() == "no"
    assert await fleet.notice_kinds(NUMBER) == [before[1], notice]


async def test_a_withheld_licence_has_one_notice(
    anna, add_jan, jan, register, run_check, fleet
) -> None:
    driver = await add_jan("D")
    register.answers[NUMBER] = withheld_licence(NUMBER)
    await run_check()
    await anna.put(f"/api/drivers/{driver}", {"neededCategories": ["D", "T"]})

    assert await jan() == "no"
    assert await fleet.notice_kinds(NUMBER) == ["withheld"]


@pytest.mark.parametrize(("before", "after"), [((), ("C",)), (("C",), ())])
@pytest.mark.parametrize("is_manual", [False, True])
async def test_a_check_in_flight_is_judged_by_what_is_needed_when_it_is_recorded(
    anna, add_jan, jan, register, run_check, fleet, before, after, is_manual
) -> None:
    driver = await add_jan(*before)
    register.answers[NUMBER] = answer_with(B=None)

    async def change(query):
        await anna.put(f"/api/drivers/{driver}", {"neededCategories": [*after]})

    register.before_answer = change
    if is_manual:
        checked = await anna.post(f"/api/drivers/{driver}/verify")
        assert checked.status_code == 200
    else:
        await run_check()

    assert await jan() == ("no" if after else "yes")
    assert await fleet.notice_kinds(NUMBER) == (["category_invalid"] if after else [])


async def test_another_document_of_the_driver_is_judged_anew(
    anna, add_jan, jan, register, run_check, fleet
) -> None:
    driver = await add_jan("C")
    register.answers[NUMBER] = answer_with(B=None)
    await run_check()
    changed = await anna.put(f"/api/drivers/{driver}", {"licenseNumber": "BB654321"})

    assert changed.json()["status"] == "unknown"
    assert changed.json()["neededCategories"] == ["C"]
    register.answers["BB654321"] = answer_with("BB654321", C=None)
    await run_check()
    assert await jan() == "yes"
    assert await fleet.notice_kinds("BB654321") == ["category_invalid"]


@pytest.mark.parametrize(
    ("needed", "last_day", "notices"),
    [("{C}", None, ["category_invalid"]), ("{}", TODAY - timedelta(days=9), [])],
)
async def test_many_lost_categories_wait_for_a_review(
    fleet, clock, register, run_check, worker, needed, last_day, notices
) -> None:
    numbers = licence_numbers(60)
    await fleet.add_companies(numbers, clock.now(), companies=2)
    await fleet.admin.execute("UPDATE driver SET needed_categories = $1::text::text[]", needed)
    await run_check()
    assert set((await fleet.statuses()).values()) == {"valid"}
    clock.forward(days=1)
    for number in numbers[:30]:
        register.answers[number] = answer_with(number, B=last_day)
    await run_check()

    assert await fleet.fetch_value("SELECT count(*) FROM notice") == 0
    today = warsaw_date(clock.now())
    changed = "SELECT count(*) FROM driver WHERE valid_until < $1"
    assert await fleet.fetch_value(changed, today) == 0
    [review] = await list_pending_reviews(worker)
    await approve_changes(worker, review.day)
    kinds = [kind for number in numbers[:30] for kind in await fleet.notice_kinds(number)]
    assert kinds == notices * 30
    assert await fleet.fetch_value(changed, today) == 30


async def test_a_change_of_what_is_needed_is_seen_by_open_panels_and_in_the_audit_log(
    anna, bartek, add_jan, logins
) -> None:
    driver = await add_jan()
    before = (await bartek.get("/api/checks/version")).json()
    await anna.put(f"/api/drivers/{driver}", {"neededCategories": ["C+E", "C"]})
    assert (await bartek.get("/api/checks/version")).json() != before
    await anna.put(f"/api/drivers/{driver}", {"neededCategories": ["C", "C+E"]})  # the same

    rows = await fetch_rows(
        logins,
        "SELECT details ->> 'neededCategories' AS needed FROM user_activity"
        " WHERE activity_type = 'driver_changed'",
    )
    assert [row["needed"] for row in rows] == ["C C+E"]


async def test_another_company_changes_nothing(anna, celina, add_jan) -> None:
    driver = await add_jan("C")
    refused = await celina.put(f"/api/drivers/{driver}", {"neededCategories": []})
    assert refused.status_code in {403, 404}
    [listed] = await anna.list_drivers()
    assert listed["neededCategories"] == ["C"]


@pytest.mark.parametrize("code", ["BE", "b + e"])
async def test_a_category_that_the_register_spells_differently_has_one_notice(
    anna, add_jan, jan, register, run_check, fleet, scan, clock, code
) -> None:
    driver = await add_jan("B+E")
    answer = answer_with(B=None)
    listed = (*answer.categories, LicenceCategory(code, TODAY - timedelta(days=9)))
    register.answers[NUMBER] = msgspec.structs.replace(answer, categories=listed)
    for _ in range(2):
        await run_check()
        await scan()
        clock.forward(days=1)
    assert await jan() == "no"
    assert await fleet.notice_kinds(NUMBER) == ["category_invalid"]

    for needed in ([], ["B+E"]):
        await anna.put(f"/api/drivers/{driver}", {"neededCategories": needed})
        await scan()
    assert await fleet.notice_kinds(NUMBER) == ["category_invalid"]


async def test_the_notice_has_the_first_of_two_dates_of_a_needed_category(
    add_jan, register, run_check, fleet, scan
) -> None:
    await add_jan("C")
    answer = answer_with()
    listed = tuple(LicenceCategory("C", TODAY - timedelta(days=ago)) for ago in (20, 9))
    register.answers[NUMBER] = msgspec.structs.replace(answer, categories=listed)
    await run_check()
    await scan()

    assert await fleet.notice_kinds(NUMBER) == ["category_invalid"]
