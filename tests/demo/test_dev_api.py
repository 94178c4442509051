"""The developer tools under /dev, on the product as `prawko demo` puts it together."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path

import pytest

from demo.mailbox import deliver_and_read_mails
from prawko.kit.text.i18n import Language
from prawko.notifications.catalogue import CATALOGUE, NoticeKind
from prawko.notifications.templates import render_entry
from prawko_demo.clock import FileClock
from prawko_demo.config import DemoConfig
from prawko_demo.dev_api.notice_samples import build_samples
from support.people import PASSWORD, Person

pytestmark = pytest.mark.anyio

REPORT_FIELDS = [
    "day", "planned", "done", "valid", "invalid", "attention", "notFound", "unresolved", "notices",
]  # fmt: skip
FAULT_KINDS = (
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


async def trigger_daily_check(dev: Person) -> dict:
    answer = await dev.post("/dev/daily-check")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def driver_statuses(company: Person) -> dict[str, str]:
    drivers = (await company.get("/api/drivers")).json()
    return {driver["licenseNumber"]: driver["status"] for driver in drivers}


async def test_the_mailbox_shows_the_code_that_a_mail_carries(dev_client: Person) -> None:
    assert (await dev_client.get("/dev/mailbox")).json() == []
    await dev_client.post("/api/register", {"email": "anna@acme.test", "password": PASSWORD})

    (mail,) = await deliver_and_read_mails(dev_client)
    assert set(mail) >= {"id", "channel", "to", "subject", "text", "createdAt", "code"}
    assert (mail["channel"], mail["to"]) == ("email", "anna@acme.test")
    assert mail["code"] in mail["text"]

    assert (await dev_client.delete("/dev/mailbox")).json() == {"ok": True}
    assert (await dev_client.get("/dev/mailbox")).json() == []


async def test_the_mailbox_shows_sms_beside_mails(dev_client: Person, company: Person) -> None:
    await dev_client.delete("/dev/mailbox")
    sent = await company.post(
        "/api/notifications/send-verification-sms", {"phoneNumber": "+48600100200"}
    )
    assert sent.status_code == 200

    (sms,) = await deliver_and_read_mails(dev_client)
    assert (sms["channel"], sms["to"], sms["subject"]) == ("sms", "+48600100200", "")
    assert sms["code"] in sms["text"]
    verified = await company.post("/api/notifications/verify-sms", {"code": sms["code"]})
    assert verified.status_code == 200


async def test_an_sms_about_a_withheld_licence_waits_for_the_morning(
    dev_client: Person, company: Person
) -> None:
    await company.post("/api/notifications/send-verification-sms", {"phoneNumber": "+48600100200"})
    code = (await deliver_and_read_mails(dev_client))[0]["code"]
    await company.post("/api/notifications/verify-sms", {"code": code})
    settings = {"emailEnabled": True, "smsEnabled": True}
    assert (await company.put("/api/notifications/settings", settings)).status_code == 200
    await dev_client.delete("/dev/mailbox")
    night = (datetime.now(UTC) + timedelta(days=1)).date()
    await dev_client.put("/dev/clock", {"now": f"{night}T02:00:00+01:00"})
    await company.add_driver("AA123459")

    await trigger_daily_check(dev_client)
    assert [sent["channel"] for sent in await deliver_and_read_mails(dev_client)] == ["email"]
    await dev_client.put("/dev/clock", {"now": f"{night}T06:00:01+01:00"})
    sms = (await deliver_and_read_mails(dev_client))[0]
    assert (sms["channel"], sms["to"]) == ("sms", "+48600100200")
    assert "AA123459" in sms["text"]


async def test_the_newest_message_comes_first(dev_client: Person) -> None:
    for name in ("anna", "bartek"):
        await dev_client.post("/api/register", {"email": f"{name}@acme.test", "password": PASSWORD})
        await deliver_and_read_mails(dev_client)
    sent = (await dev_client.get("/dev/mailbox")).json()
    assert [mail["to"] for mail in sent] == ["bartek@acme.test", "anna@acme.test"]


async def test_a_moved_clock_continues_from_the_set_time(
    dev_client: Person, demo_config: DemoConfig
) -> None:
    moved_clock = await dev_client.put("/dev/clock", {"now": "2026-11-21T05:59:00+01:00"})
    assert moved_clock.status_code == 200
    new_time = datetime(2026, 11, 21, 4, 59, tzinfo=UTC)
    first = datetime.fromisoformat((await dev_client.get("/dev/clock")).json()["now"])
    second = datetime.fromisoformat((await dev_client.get("/dev/clock")).json()["now"])
    assert new_time < first < second < new_time + timedelta(seconds=10)


async def test_other_processes_use_a_moved_clock_at_once(
    dev_client: Person, demo_config: DemoConfig
) -> None:
    other_process_clock = FileClock(Path(demo_config.folder, "clock"))
    assert other_process_clock.offset() == timedelta(0)
    for day in range(1, 20):
        new_time = datetime(2027, 1, day, 11, tzinfo=UTC)
        moved_clock = await dev_client.put("/dev/clock", {"now": new_time.isoformat()})
        assert new_time <= other_process_clock.now() < new_time + timedelta(seconds=10)
        assert other_process_clock.offset().total_seconds() == moved_clock.json()["offset"]
    reset = await dev_client.put("/dev/clock", {"now": None})
    assert reset.json()["offset"] == 0
    assert other_process_clock.offset() == timedelta(0)


async def test_the_panel_returns_the_clock_offset(dev_client: Person, company: Person) -> None:
    moved_clock = (await dev_client.put("/dev/clock", {"now": "2027-01-05T12:00:00+01:00"})).json()
    assert (await company.get("/api/user")).json()["clockOffset"] == moved_clock["offset"]


@pytest.mark.parametrize(
    ("now", "status"),
    [
        ("2026-11-21T05:59:00", 422),
        ("2099-01-01T00:00:00Z", 422),
        ("0001-01-01T00:00:00+14:00", 422),
        ("soon", 400),
    ],
)
async def test_an_invalid_time_does_not_move_the_clock(
    dev_client: Person, now: object, status: int
) -> None:
    refused = await dev_client.put("/dev/clock", {"now": now})
    assert refused.status_code == status
    assert set(refused.json()) == {"error", "message"}
    assert (await dev_client.get("/dev/clock")).json()["offset"] == 0


@pytest.mark.parametrize("days", [-699, 699])
async def test_the_check_works_at_the_limits_of_the_clock(
    dev_client: Person, company: Person, days: int
) -> None:
    await company.add_driver("AA123451")
    new_time = datetime.now(UTC) + timedelta(days=days)
    latest = new_time + timedelta(days=days / 300)

    refused = await dev_client.put("/dev/clock", {"now": latest.isoformat()})
    moved_clock = await dev_client.put("/dev/clock", {"now": new_time.isoformat()})

    assert (refused.status_code, refused.json()) == (
        422,
        {"error": "no_time", "message": "The clock moves 23 months at most, either way."},
    )
    assert moved_clock.status_code == 200
    assert (await trigger_daily_check(dev_client))["unresolved"] == 0
    assert (await dev_client.post("/dev/jobs")).status_code == 200


async def test_the_check_uses_a_document_stored_in_the_register(
    dev_client: Person, company: Person
) -> None:
    await company.add_driver("AA123451")
    await company.add_driver("AA123452")
    changed = await dev_client.put("/dev/register/documents/AA123451", WITHHELD)
    assert changed.status_code == 200

    report = await trigger_daily_check(dev_client)
    assert list(report) == REPORT_FIELDS
    counts = {name: report[name] for name in REPORT_FIELDS[1:]}
    assert counts == {
        "planned": 2, "done": 2, "valid": 1, "invalid": 1, "attention": 0, "notFound": 0,
        "unresolved": 0, "notices": 1,
    }  # fmt: skip
    assert await driver_statuses(company) == {"AA123451": "invalid", "AA123452": "valid"}
    mail = (await dev_client.get("/dev/mailbox")).json()[0]
    assert mail["to"] == company.email
    assert "AA123451" in mail["text"]


async def test_a_second_check_on_a_day_plans_first_checks_only(
    dev_client: Person, company: Person
) -> None:
    await company.add_driver("AA123451")
    assert (await trigger_daily_check(dev_client))["planned"] == 1
    assert (await trigger_daily_check(dev_client))["planned"] == 0
    await company.add_driver("AA123452")
    report = await trigger_daily_check(dev_client)
    assert (report["planned"], report["done"], report["valid"]) == (1, 1, 1)


async def test_the_check_runs_for_the_day_of_the_products_clock(
    dev_client: Person, company: Person
) -> None:
    await company.add_driver("AA123451")
    assert (await trigger_daily_check(dev_client))["planned"] == 1
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    await dev_client.put("/dev/clock", {"now": tomorrow.isoformat()})
    report = await trigger_daily_check(dev_client)
    assert (report["planned"], report["valid"], report["notices"]) == (1, 1, 0)
    now = datetime.fromisoformat((await dev_client.get("/dev/clock")).json()["now"])
    assert report["day"] == now.date().isoformat()


async def test_deleted_and_unknown_documents_are_generated_from_the_serial(
    dev_client: Person, company: Person
) -> None:
    await company.add_driver("AA123459")
    await dev_client.put(
        "/dev/register/documents/AA123459", {"firstName": "Jan", "lastName": "Kowalski"}
    )
    assert (await trigger_daily_check(dev_client))["valid"] == 1
    assert (await dev_client.delete("/dev/register/documents/AA123459")).json() == {
        "forgotten": True
    }
    await company.add_driver("AA123458")
    await company.add_driver("AA123457")
    report = await trigger_daily_check(dev_client)
    assert (report["notFound"], report["valid"]) == (1, 1)
    assert await driver_statuses(company) == {
        "AA123457": "valid", "AA123458": "not_found", "AA123459": "valid",
    }  # fmt: skip


async def test_unknown_documents_can_be_not_found(dev_client: Person, company: Person) -> None:
    assert (await dev_client.put("/dev/register/unknown", {"mode": "not_found"})).status_code == 200
    await company.add_driver("AA123451")
    assert (await trigger_daily_check(dev_client))["notFound"] == 1


async def test_a_failing_register_leaves_drivers_unresolved(
    dev_client: Person, company: Person
) -> None:
    await company.add_driver("AA123451")
    fault = {"kind": "http_503", "retryAfter": 30, "times": None}
    assert (await dev_client.put("/dev/register/faults", fault)).status_code == 200
    report = await trigger_daily_check(dev_client)
    assert (report["planned"], report["done"], report["unresolved"]) == (1, 0, 1)
    assert await driver_statuses(company) == {"AA123451": "unknown"}


async def test_the_periodic_jobs_do_not_wait_for_a_rate_limited_register(
    dev_client: Person, company: Person
) -> None:
    await company.add_driver("AA123451")
    await company.add_driver("AA123452")
    fault = {"kind": "http_429", "retryAfter": 600, "times": None}
    await dev_client.put("/dev/register/faults", fault)
    await trigger_daily_check(dev_client)
    hour = datetime.now(UTC) + timedelta(hours=1)
    await dev_client.put("/dev/clock", {"now": hour.isoformat()})
    async with asyncio.timeout(20):
        assert "reconcile_runs" in (await dev_client.post("/dev/jobs")).json()["ran"]
    assert set((await driver_statuses(company)).values()) == {"unknown"}


async def test_every_kind_of_fault_can_be_set_and_removed(dev_client: Person) -> None:
    for kind in FAULT_KINDS.split():
        response = await dev_client.put("/dev/register/faults", {"kind": kind, "times": 3})
        assert response.status_code == 200, kind
    assert (await dev_client.put("/dev/register/faults", {"kind": None})).json()["kind"] is None


async def test_register_calls_are_counted(dev_client: Person, company: Person) -> None:
    await company.add_driver("AA123451")
    await trigger_daily_check(dev_client)
    calls = (await dev_client.get("/dev/register/calls")).json()
    assert calls == {"count": 1, "bySerial": {"AA123451": 1}}
    await dev_client.delete("/dev/register/calls")
    assert (await dev_client.get("/dev/register/calls")).json() == {"count": 0, "bySerial": {}}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/dev/register/documents/AA123456", {"firstName": "Jan"}),
        ("/dev/register/documents/aa-1", {"firstName": "Jan", "lastName": "Kos"}),
        ("/dev/register/unknown", {"mode": "perhaps"}),
        ("/dev/register/faults", {"kind": "flood"}),
    ],
)
async def test_invalid_register_requests_are_rejected_with_a_message(
    dev_client: Person, path: str, body: object
) -> None:
    refused = await dev_client.put(path, body)
    assert refused.status_code == 422
    assert set(refused.json()) == {"error", "message"}


async def test_the_periodic_jobs_expire_a_trial(dev_client: Person, company: Person) -> None:
    end = datetime.now(UTC) + timedelta(days=8)
    await dev_client.put("/dev/clock", {"now": end.isoformat()})
    ran = (await dev_client.post("/dev/jobs")).json()["ran"]
    assert {"reconcile_runs", "expire_ended_subscriptions", "prune_check_items"} <= set(ran)
    assert (await company.get("/api/subscription")).json()["trial"]["ended"] is True
    assert (await company.get("/api/subscription")).json()["status"] == "expired"


async def test_the_periodic_jobs_send_reminders_of_expiring_licences_and_trials(
    dev_client: Person, company: Person
) -> None:
    await company.add_driver("AB123450")
    today = datetime.now(UTC).date()
    document = {**WITHHELD, "state": {"wartosc": "Wydany"}, "reasons": []}
    document["expiryDate"] = str(today + timedelta(days=29))
    await dev_client.put("/dev/register/documents/AB123450", document)
    await trigger_daily_check(dev_client)
    for _ in range(2):
        titles = [mail["subject"] for mail in await deliver_and_read_mails(dev_client)]
    assert titles.count("Zbliża się koniec ważności prawa jazdy: Jan Kowalski") == 1

    end = datetime.fromisoformat((await company.get("/api/subscription")).json()["endDate"])
    for before in (2, 1):
        await dev_client.put("/dev/clock", {"now": (end - timedelta(days=before)).isoformat()})
        await deliver_and_read_mails(dev_client)
    titles = [mail["subject"] for mail in await deliver_and_read_mails(dev_client)]
    assert titles[:2] == ["Okres próbny kończy się jutro", "Okres próbny kończy się za 2 dni"]


async def test_the_periodic_jobs_run_the_jobs_they_enqueue(
    dev_client: Person, company: Person
) -> None:
    await company.add_driver("AA123459")
    morning = (datetime.now(UTC) + timedelta(days=1)).date()
    await dev_client.put("/dev/clock", {"now": f"{morning}T09:30:00+01:00"})
    await dev_client.post("/dev/jobs")
    assert await driver_statuses(company) == {"AA123459": "invalid"}
    assert "AA123459" in (await dev_client.get("/dev/mailbox")).json()[0]["text"]


async def test_requests_of_another_site_are_rejected(dev_client: Person) -> None:
    for headers in (
        {"Origin": "https://elsewhere.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Host": "elsewhere.example:8000"},
    ):
        refused = await dev_client.delete("/dev/mailbox", headers=headers)
        assert refused.status_code == 403
        assert refused.json()["error"] == "foreign_site"
    assert (
        await dev_client.get("/dev/mailbox", headers={"Host": "elsewhere.example"})
    ).status_code == 403


async def test_the_page_has_a_strict_content_security_policy(dev_client: Person) -> None:
    page = await dev_client.get("/dev")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert not re.search(r"<style|style=|<script>| on[a-z]+=", page.text)
    assets = re.findall(r'(?:src|href)="(/dev/[^"]+)"', page.text)
    assert len(assets) == 3
    for asset in assets:
        assert (await dev_client.get(asset)).status_code == 200
    assert (await dev_client.get("/dev/page/__init__.py")).status_code == 404


async def test_every_kind_of_notice_is_previewed_in_both_languages(dev_client: Person) -> None:
    page = await dev_client.get("/dev/notices")
    assert page.status_code == 200
    assert "unsafe" not in page.headers["content-security-policy"]
    assert not re.search(r"<style|style=|<script| on[a-z]+=", page.text)
    samples = build_samples(datetime.now(UTC)).values()
    assert {sample.kind for sample in samples} == set(NoticeKind)
    for sample in samples:
        for language in Language:
            rendered = render_entry(sample.kind, sample.payload, language)
            assert escape(rendered.title) in page.text
    frames = re.findall(r'<iframe sandbox loading="lazy" src="([^"]+)"', page.text)
    assert len(frames) == 2 * sum(bool(CATALOGUE[sample.kind].media) for sample in samples)


async def test_a_previewed_email_is_sandboxed(dev_client: Person) -> None:
    for name, sample in build_samples(datetime.now(UTC)).items():
        for language in Language:
            mail = await dev_client.get(f"/dev/notices/{name}/{language}")
            if not CATALOGUE[sample.kind].media:
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
async def test_an_unknown_preview_is_not_found(dev_client: Person, path: str) -> None:
    assert (await dev_client.get(f"/dev/notices/{path}")).status_code == 404


async def test_the_dev_api_is_not_in_the_openapi_document(dev_client: Person) -> None:
    described = (await dev_client.get("/api/openapi/openapi.json")).json()
    assert not [path for path in described["paths"] if path.startswith("/dev")]
