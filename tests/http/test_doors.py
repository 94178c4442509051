"""The doors under /dev, in front of the product as `prawko demo` puts it together."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path

import pytest

from doors import mails
from persons import PASSWORD, Person
from prawko.base.texts import Language
from prawko.notifications.kinds import MEDIA, NoticeKind
from prawko.notifications.wording import entry
from prawko_demo.clock import FileClock
from prawko_demo.doors.samples import samples
from prawko_demo.stage import Stage

pytestmark = pytest.mark.anyio

FIGURES = ["day", "planned", "done", "valid", "invalid", "attention", "notFound", "unresolved",
           "notices"]  # fmt: skip
KINDS = (
    "http_400 http_401 http_403 http_404 http_429 http_500 http_503 refused reset silence drip "
    "html empty null object array cut wrong_types redirect huge bad_gzip"
)
WITHHELD = {
    "firstName": "Jan",
    "lastName": "Kowalski",
    "state": {"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"},
    "reasons": [{"kod": "DICT067_PKT", "wartosc": "Przekroczenie 24 punktów karnych"}],
    "expiryDate": "2033-05-21",
    "issuingAuthority": "Starosta Zgierski",
    "categories": [{"kategoria": "C+E", "dataWaznosci": "2031-05-21"}],
}


async def check(dev: Person) -> dict:
    answer = await dev.post("/dev/daily-check")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def statuses(firm: Person) -> dict[str, str]:
    drivers = (await firm.get("/api/drivers")).json()
    return {driver["licenseNumber"]: driver["status"] for driver in drivers}


async def test_the_mailbox_shows_the_code_that_a_mail_carries(dev: Person) -> None:
    assert (await dev.get("/dev/mailbox")).json() == []
    await dev.post("/api/register", {"email": "anna@acme.test", "password": PASSWORD})

    (mail,) = await mails(dev)
    assert set(mail) >= {"id", "channel", "to", "subject", "text", "createdAt", "code"}
    assert (mail["channel"], mail["to"]) == ("email", "anna@acme.test")
    assert mail["code"] in mail["text"]

    assert (await dev.delete("/dev/mailbox")).json() == {"ok": True}
    assert (await dev.get("/dev/mailbox")).json() == []


async def test_the_mailbox_shows_sms_beside_mails(dev: Person, firm: Person) -> None:
    await dev.delete("/dev/mailbox")
    sent = await firm.post(
        "/api/notifications/send-verification-sms", {"phoneNumber": "+48600100200"}
    )
    assert sent.status_code == 200

    (sms,) = await mails(dev)
    assert (sms["channel"], sms["to"], sms["subject"]) == ("sms", "+48600100200", "")
    assert sms["code"] in sms["text"]
    proved = await firm.post("/api/notifications/verify-sms", {"code": sms["code"]})
    assert proved.status_code == 200


async def test_a_withheld_licence_reaches_a_proved_phone_in_the_morning(
    dev: Person, firm: Person
) -> None:
    await firm.post("/api/notifications/send-verification-sms", {"phoneNumber": "+48600100200"})
    code = (await mails(dev))[0]["code"]
    await firm.post("/api/notifications/verify-sms", {"code": code})
    chosen = {"emailEnabled": True, "smsEnabled": True}
    assert (await firm.put("/api/notifications/settings", chosen)).status_code == 200
    await dev.delete("/dev/mailbox")
    night = (datetime.now(UTC) + timedelta(days=1)).date()
    await dev.put("/dev/clock", {"now": f"{night}T02:00:00+01:00"})
    await firm.adds("AA123459")

    await check(dev)
    assert [sent["channel"] for sent in await mails(dev)] == ["email"]
    await dev.put("/dev/clock", {"now": f"{night}T06:00:01+01:00"})
    sms = (await mails(dev))[0]
    assert (sms["channel"], sms["to"]) == ("sms", "+48600100200")
    assert "AA123459" in sms["text"]


async def test_the_newest_message_comes_first(dev: Person) -> None:
    for name in ("anna", "bartek"):
        await dev.post("/api/register", {"email": f"{name}@acme.test", "password": PASSWORD})
        await mails(dev)
    sent = (await dev.get("/dev/mailbox")).json()
    assert [mail["to"] for mail in sent] == ["bartek@acme.test", "anna@acme.test"]


async def test_the_clock_moves_and_goes_on_ticking(dev: Person, stage: Stage) -> None:
    moved = await dev.put("/dev/clock", {"now": "2026-11-21T05:59:00+01:00"})
    assert moved.status_code == 200
    there = datetime(2026, 11, 21, 4, 59, tzinfo=UTC)
    first = datetime.fromisoformat((await dev.get("/dev/clock")).json()["now"])
    second = datetime.fromisoformat((await dev.get("/dev/clock")).json()["now"])
    assert there < first < second < there + timedelta(seconds=10)


async def test_other_processes_follow_the_clock_at_once(dev: Person, stage: Stage) -> None:
    elsewhere = FileClock(Path(stage.folder, "clock"))
    assert elsewhere.offset() == timedelta(0)
    for day in range(1, 20):
        there = datetime(2027, 1, day, 11, tzinfo=UTC)
        moved = await dev.put("/dev/clock", {"now": there.isoformat()})
        assert there <= elsewhere.now() < there + timedelta(seconds=10)
        assert elsewhere.offset().total_seconds() == moved.json()["offset"]
    back = await dev.put("/dev/clock", {"now": None})
    assert back.json()["offset"] == 0
    assert elsewhere.offset() == timedelta(0)


async def test_the_panel_says_how_far_the_clock_was_moved(dev: Person, firm: Person) -> None:
    moved = (await dev.put("/dev/clock", {"now": "2027-01-05T12:00:00+01:00"})).json()
    assert (await firm.get("/api/user")).json()["clockOffset"] == moved["offset"]


@pytest.mark.parametrize(
    ("now", "status"),
    [
        ("2026-11-21T05:59:00", 422),
        ("2099-01-01T00:00:00Z", 422),
        ("0001-01-01T00:00:00+14:00", 422),
        ("soon", 400),
    ],
)
async def test_a_time_that_is_none_moves_nothing(dev: Person, now: object, status: int) -> None:
    refused = await dev.put("/dev/clock", {"now": now})
    assert refused.status_code == status
    assert set(refused.json()) == {"error", "message"}
    assert (await dev.get("/dev/clock")).json()["offset"] == 0


@pytest.mark.parametrize("days", [-699, 699])
async def test_as_far_as_the_clock_moves_the_check_works(
    dev: Person, firm: Person, days: int
) -> None:
    await firm.adds("AA123451")
    there = datetime.now(UTC) + timedelta(days=days)
    beyond = there + timedelta(days=days / 300)

    refused = await dev.put("/dev/clock", {"now": beyond.isoformat()})
    moved = await dev.put("/dev/clock", {"now": there.isoformat()})

    assert (refused.status_code, refused.json()) == (
        422,
        {"error": "no_time", "message": "The clock moves 23 months at most, either way."},
    )
    assert moved.status_code == 200
    assert (await check(dev))["unresolved"] == 0
    assert (await dev.post("/dev/jobs")).status_code == 200


async def test_a_document_put_into_the_register_is_what_the_check_finds(
    dev: Person, firm: Person
) -> None:
    await firm.adds("AA123451")
    await firm.adds("AA123452")
    put = await dev.put("/dev/register/documents/AA123451", WITHHELD)
    assert put.status_code == 200

    report = await check(dev)
    assert list(report) == FIGURES
    counts = {name: report[name] for name in FIGURES[1:]}
    assert counts == {
        "planned": 2, "done": 2, "valid": 1, "invalid": 1, "attention": 0, "notFound": 0,
        "unresolved": 0, "notices": 1,
    }  # fmt: skip
    assert await statuses(firm) == {"AA123451": "invalid", "AA123452": "valid"}
    mail = (await dev.get("/dev/mailbox")).json()[0]
    assert mail["to"] == firm.email
    assert "AA123451" in mail["text"]


async def test_a_second_check_of_the_day_plans_newcomers_only(dev: Person, firm: Person) -> None:
    await firm.adds("AA123451")
    assert (await check(dev))["planned"] == 1
    assert (await check(dev))["planned"] == 0
    await firm.adds("AA123452")
    report = await check(dev)
    assert (report["planned"], report["done"], report["valid"]) == (1, 1, 1)


async def test_the_check_belongs_to_the_products_day(dev: Person, firm: Person) -> None:
    await firm.adds("AA123451")
    assert (await check(dev))["planned"] == 1
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    await dev.put("/dev/clock", {"now": tomorrow.isoformat()})
    report = await check(dev)
    assert (report["planned"], report["valid"], report["notices"]) == (1, 1, 0)
    now = datetime.fromisoformat((await dev.get("/dev/clock")).json()["now"])
    assert report["day"] == now.date().isoformat()


async def test_a_document_is_forgotten_and_unknown_ones_follow_the_rule(
    dev: Person, firm: Person
) -> None:
    await firm.adds("AA123459")
    await dev.put("/dev/register/documents/AA123459", {"firstName": "Jan", "lastName": "Kowalski"})
    assert (await check(dev))["valid"] == 1
    assert (await dev.delete("/dev/register/documents/AA123459")).json() == {"forgotten": True}
    await firm.adds("AA123458")
    await firm.adds("AA123457")
    report = await check(dev)
    assert (report["notFound"], report["valid"]) == (1, 1)
    assert await statuses(firm) == {
        "AA123457": "valid", "AA123458": "not_found", "AA123459": "valid",
    }  # fmt: skip


async def test_the_register_may_know_nothing_that_nobody_put_there(
    dev: Person, firm: Person
) -> None:
    assert (await dev.put("/dev/register/unknown", {"mode": "not_found"})).status_code == 200
    await firm.adds("AA123451")
    assert (await check(dev))["notFound"] == 1


async def test_a_failing_register_leaves_drivers_unresolved(dev: Person, firm: Person) -> None:
    await firm.adds("AA123451")
    order = {"kind": "http_503", "retryAfter": 30, "times": None}
    assert (await dev.put("/dev/register/faults", order)).status_code == 200
    report = await check(dev)
    assert (report["planned"], report["done"], report["unresolved"]) == (1, 0, 1)
    assert await statuses(firm) == {"AA123451": "unknown"}


async def test_the_jobs_do_not_wait_for_a_register_that_pauses(dev: Person, firm: Person) -> None:
    await firm.adds("AA123451")
    await firm.adds("AA123452")
    order = {"kind": "http_429", "retryAfter": 600, "times": None}
    await dev.put("/dev/register/faults", order)
    await check(dev)
    hour = datetime.now(UTC) + timedelta(hours=1)
    await dev.put("/dev/clock", {"now": hour.isoformat()})
    async with asyncio.timeout(20):
        assert "reconcile" in (await dev.post("/dev/jobs")).json()["ran"]
    assert set((await statuses(firm)).values()) == {"unknown"}


async def test_every_kind_of_failure_can_be_ordered_and_ended(dev: Person) -> None:
    for kind in KINDS.split():
        ordered = await dev.put("/dev/register/faults", {"kind": kind, "times": 3})
        assert ordered.status_code == 200, kind
    assert (await dev.put("/dev/register/faults", {"kind": None})).json()["kind"] is None


async def test_the_questions_asked_are_counted(dev: Person, firm: Person) -> None:
    await firm.adds("AA123451")
    await check(dev)
    calls = (await dev.get("/dev/register/calls")).json()
    assert calls == {"count": 1, "bySerial": {"AA123451": 1}}
    await dev.delete("/dev/register/calls")
    assert (await dev.get("/dev/register/calls")).json() == {"count": 0, "bySerial": {}}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/dev/register/documents/AA123456", {"firstName": "Jan"}),
        ("/dev/register/documents/aa-1", {"firstName": "Jan", "lastName": "Kos"}),
        ("/dev/register/unknown", {"mode": "perhaps"}),
        ("/dev/register/faults", {"kind": "flood"}),
    ],
)
async def test_what_the_register_cannot_read_is_refused_with_the_reason(
    dev: Person, path: str, body: object
) -> None:
    refused = await dev.put(path, body)
    assert refused.status_code == 422
    assert set(refused.json()) == {"error", "message"}


async def test_the_periodic_jobs_end_what_has_ended(dev: Person, firm: Person) -> None:
    later = datetime.now(UTC) + timedelta(days=8)
    await dev.put("/dev/clock", {"now": later.isoformat()})
    ran = (await dev.post("/dev/jobs")).json()["ran"]
    assert {"reconcile", "close_ended_subscriptions", "forget_days"} <= set(ran)
    assert (await firm.get("/api/subscription")).json()["trial"]["ended"] is True
    assert (await firm.get("/api/subscription")).json()["status"] == "expired"


async def test_the_periodic_jobs_remind_of_a_licence_that_expires_and_of_the_end_of_a_trial(
    dev: Person, firm: Person
) -> None:
    await firm.adds("AB123450")
    today = datetime.now(UTC).date()
    document = {**WITHHELD, "state": {"wartosc": "Wydany"}, "reasons": []}
    document["expiryDate"] = str(today + timedelta(days=29))
    await dev.put("/dev/register/documents/AB123450", document)
    await check(dev)
    for _ in range(2):
        titles = [mail["subject"] for mail in await mails(dev)]
    assert titles.count("Zbliża się koniec ważności prawa jazdy: Jan Kowalski") == 1

    end = datetime.fromisoformat((await firm.get("/api/subscription")).json()["endDate"])
    for before in (2, 1):
        await dev.put("/dev/clock", {"now": (end - timedelta(days=before)).isoformat()})
        await mails(dev)
    titles = [mail["subject"] for mail in await mails(dev)]
    assert titles[:2] == ["Okres próbny kończy się jutro", "Okres próbny kończy się za 2 dni"]


async def test_the_periodic_jobs_do_what_they_ring_for(dev: Person, firm: Person) -> None:
    await firm.adds("AA123459")
    morning = (datetime.now(UTC) + timedelta(days=1)).date()
    await dev.put("/dev/clock", {"now": f"{morning}T09:30:00+01:00"})
    await dev.post("/dev/jobs")
    assert await statuses(firm) == {"AA123459": "invalid"}
    assert "AA123459" in (await dev.get("/dev/mailbox")).json()[0]["text"]


async def test_another_sites_page_moves_nothing(dev: Person) -> None:
    for headers in (
        {"Origin": "https://elsewhere.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Host": "elsewhere.example:8000"},
    ):
        refused = await dev.delete("/dev/mailbox", headers=headers)
        assert refused.status_code == 403
        assert refused.json()["error"] == "foreign_site"
    assert (await dev.get("/dev/mailbox", headers={"Host": "elsewhere.example"})).status_code == 403


async def test_the_page_for_people_obeys_a_strict_policy(dev: Person) -> None:
    page = await dev.get("/dev")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert not re.search(r"<style|style=|<script>| on[a-z]+=", page.text)
    parts = re.findall(r'(?:src|href)="(/dev/[^"]+)"', page.text)
    assert len(parts) == 3
    for part in parts:
        assert (await dev.get(part)).status_code == 200
    assert (await dev.get("/dev/page/__init__.py")).status_code == 404


async def test_every_kind_of_notice_can_be_looked_at_in_both_languages(dev: Person) -> None:
    page = await dev.get("/dev/notices")
    assert page.status_code == 200
    assert "unsafe" not in page.headers["content-security-policy"]
    assert not re.search(r"<style|style=|<script| on[a-z]+=", page.text)
    shown = samples(datetime.now(UTC)).values()
    assert {sample.kind for sample in shown} == set(NoticeKind)
    for sample in shown:
        for language in Language:
            words = entry(sample.kind, sample.facts, language)
            assert escape(words.title) in page.text
    frames = re.findall(r'<iframe sandbox loading="lazy" src="([^"]+)"', page.text)
    assert len(frames) == 2 * sum(bool(MEDIA[sample.kind]) for sample in shown)


async def test_a_previewed_mail_stands_in_a_frame_that_may_do_nothing(dev: Person) -> None:
    for name, sample in samples(datetime.now(UTC)).items():
        for language in Language:
            mail = await dev.get(f"/dev/notices/{name}/{language}")
            if not MEDIA[sample.kind]:
                assert mail.status_code == 404
                continue
            assert mail.status_code == 200
            policy = mail.headers.get_list("content-security-policy")
            assert len(policy) == 1
            assert policy[0].endswith("; sandbox")
            assert "default-src 'none'; style-src 'unsafe-inline';" in policy[0]
            assert mail.headers.get_list("x-frame-options") == ["SAMEORIGIN"]
            assert f'<html lang="{language}">' in mail.text


@pytest.mark.parametrize("path", ["withheld/de", "nothing/pl", "confirmed/pl"])
async def test_what_is_no_notice_is_not_found(dev: Person, path: str) -> None:
    assert (await dev.get(f"/dev/notices/{path}")).status_code == 404


async def test_the_doors_stand_in_no_document_of_the_product(dev: Person) -> None:
    described = (await dev.get("/api/openapi/openapi.json")).json()
    assert not [path for path in described["paths"] if path.startswith("/dev")]
