"""Who may drive, and why, is the same in all that leaves the product about a driver (R9c)."""

import csv
import io
import zipfile
from datetime import date, datetime, timedelta

import msgspec
import pytest

from prawko.hooks.licence_register import LicenceAnswer, LicenceCategory
from prawko.kit.clock import WARSAW, utc_now, warsaw_date
from prawko.kit.documents.email_template import Accent
from prawko.notifications.links import ACKNOWLEDGEMENT_PAGE
from prawko.verifications.expiry_reminders import ScanCursor, send_document_expiry_reminders
from prawko_testing.fakes import licence_answer, withheld_licence
from support.pdf import printed_text
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

TODAY = warsaw_date(utc_now())
YESTERDAY = TODAY - timedelta(days=1)
NO, CHECK, YES = "nie", "sprawdź", "tak"
WORDS = {
    NO: "Nie może jechać",
    CHECK: "Sprawdź przed jazdą",
    YES: "Może jechać według tego sprawdzenia",
}
SMS_NO = "nie moze jechac"
ADVICE = {NO: "Nie powierzaj", CHECK: "prawdz"}


class Case(msgspec.Struct, frozen=True):
    """What the register says of a driver, and what leaves the product about it.

    `notice` is the kind of the notice that the driver gets, empty for none.
    """

    register: LicenceAnswer | None
    answer: str
    reason: str
    notice: str = ""
    needed: tuple[str, ...] = ()


def with_categories(*days: date | None) -> LicenceAnswer:
    listed = tuple(LicenceCategory(code, day) for code, day in zip("BC", days, strict=True))
    answer = licence_answer("")
    return msgspec.structs.replace(answer, categories=listed, raw=answer.raw | {"days": str(days)})


VALID, LATER = with_categories(None, None), TODAY + timedelta(days=900)
OVER, VOIDED = licence_answer("", expires=YESTERDAY), licence_answer("", "Unieważniony", code=None)
CASES = {
    "document": Case(OVER, NO, "dokument po terminie", "attention"),
    "categories": Case(
        with_categories(YESTERDAY, YESTERDAY), NO, "wszystkie kategorie po terminie", "expired"
    ),
    "needed": Case(VALID, NO, "brak potrzebnej kategorii", "category_invalid", ("D",)),
    "needed over": Case(
        with_categories(LATER, YESTERDAY), NO, "brak potrzebnej kategorii", "category_invalid",
        ("C",),
    ),
    "withheld": Case(withheld_licence(""), NO, "zatrzymane", "withheld"),
    "withdrawn": Case(licence_answer("", "Cofnięty", code=None), NO, "zatrzymane", "withheld"),
    "unusual": Case(VOIDED, CHECK, "wymaga uwagi", "attention"),
    "unusual, over": Case(
        msgspec.structs.replace(VOIDED, categories=(LicenceCategory("B", YESTERDAY),)),
        NO, "wszystkie kategorie po terminie", "attention",
    ),
    "unusual, needed": Case(
        VOIDED, NO, "brak potrzebnej kategorii", "attention", ("D",)
    ),
    "not found": Case(None, CHECK, "nie znaleziono", "not_found"),
    "valid": Case(VALID, YES, "ważne"),
    "stale": Case(VALID, CHECK, "wynik nieaktualny"),
    "never checked": Case(VALID, CHECK, "czeka na sprawdzenie"),
}  # fmt: skip
NUMBERS = {name: f"AB{place:06}" for place, name in enumerate(CASES)}


@pytest.fixture
async def drivers(anna, worker, fleet, register, clock, run_check) -> dict[str, str]:
    """A driver of each case, checked and with its notices sent; ids by case."""
    clock.set(datetime(TODAY.year, TODAY.month, TODAY.day, 10, tzinfo=WARSAW))
    await fleet.admin.execute("UPDATE subscription SET driver_limit = 50")
    ids = {}
    for name, case in CASES.items():
        if name == "never checked":
            await run_check()
        register.answers[NUMBERS[name]] = case.register and msgspec.structs.replace(
            case.register, number=NUMBERS[name]
        )
        driver = {"firstName": "Jan", "lastName": "Lis", "licenseNumber": NUMBERS[name]}
        added = await anna.post("/api/drivers", driver | {"neededCategories": [*case.needed]})
        assert added.status_code == 201, added.text
        ids[name] = added.json()["id"]
    worker.components.get(ScanCursor).full_scan_on = None
    await send_document_expiry_reminders(worker)
    await fleet.admin.execute(
        "UPDATE driver SET verified_at = verified_at - interval '49 hours'"
        " WHERE license_number = $1",
        NUMBERS["stale"],
    )
    await deliver_outbox(worker)
    return ids


async def test_every_output_gives_one_answer_and_its_reason(anna, drivers, mailbox) -> None:
    listed = {one["id"]: one for one in await anna.list_drivers()}
    table = (await anna.get("/api/drivers/export?format=csv")).content.decode("utf-8-sig")
    rows = {row[2]: row for row in csv.reader(io.StringIO(table), delimiter=";")}
    workbook = zipfile.ZipFile(io.BytesIO((await anna.get("/api/drivers/export")).content))
    sheet = workbook.read("xl/worksheets/sheet1.xml").decode()
    notices = {one["driverId"]: one for one in (await anna.get("/api/notifications")).json()}

    for name, case in CASES.items():
        number, words = NUMBERS[name], WORDS[case.answer]
        answers = {"no": NO, "check": CHECK, "yes": YES}
        assert answers[listed[drivers[name]]["mayDrive"]] == case.answer, name
        assert rows[number][4:6] == [case.answer, case.reason], name
        cells = sheet[sheet.index(number) :]
        assert cells.index(case.answer) < cells.index(case.reason), name
        mails = [one.message for one in mailbox.sent if number in one.message.text]
        if not case.notice:
            assert drivers[name] not in notices, name
            assert mails == [], name
            continue
        notice, [mail] = notices[drivers[name]], mails
        assert notice["kind"] == case.notice, name
        assert notice["content"].startswith(f"{words}. "), (name, notice["content"])
        assert "Może jechać" not in mail.text, name
        assert mail.text.startswith(f"{words}: "), (name, mail.text)
        assert f">{words}</strong>" in mail.html.replace("\u00a0", " "), name
        assert (Accent.DANGER in mail.html) is (case.answer == NO), name
        sms = mail.sms_text or ""
        leads_to_act = sms.startswith(f"Prawko: {SMS_NO}: ") and f"{ACKNOWLEDGEMENT_PAGE}#" in sms
        assert ADVICE[case.answer] in sms or (case.answer == NO and leads_to_act), (name, sms)
        assert "Jan Lis" in mail.push.title, name


async def test_the_confirmations_give_the_same_answers(anna, drivers) -> None:
    company = printed_text((await anna.get("/api/company/confirmation")).content)
    for name, case in CASES.items():
        answer = {CHECK: "do sprawdzenia"}.get(case.answer, case.answer)
        reason = "" if case.answer == YES else f": {case.reason}"
        if name == "never checked":
            reason = " brak sprawdzenia"
        assert f"{NUMBERS[name]} {answer}{reason}" in company, name
    [check] = (await anna.get(f"/api/drivers/{drivers['needed']}")).json()["verifications"]
    path = f"/api/drivers/{drivers['needed']}/verifications/{check['id']}/confirmation"
    assert "Może jechać nie Wynik brak potrzebnej kategorii: D" in printed_text(
        (await anna.get(path)).content
    )


async def test_a_recovery_is_green_and_says_that_the_driver_may_drive(
    anna, drivers, register, run_check, clock, mailbox, worker
) -> None:
    number = NUMBERS["withheld"]
    register.answers[number] = msgspec.structs.replace(VALID, number=number)
    clock.forward(days=1)
    await run_check()
    await deliver_outbox(worker)

    mail = mailbox.messages_to(anna.email)[-1]
    assert "Przywrócone uprawnienia: Jan Lis" in mail.subject
    assert mail.text.startswith(f"{WORDS[YES]}: ")
    assert Accent.SUCCESS in mail.html
    # An SMS of the evening leaves at 06:00.
    assert "jechac" not in mail.sms_text
