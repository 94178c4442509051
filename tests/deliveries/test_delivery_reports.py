"""Delivery reports: in any order and however often, they lead to the same state."""

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import permutations

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from sqlalchemy import text

from prawko.apps.composition_root import create_renderer_registry
from prawko.hooks.channels import Medium
from prawko.kit.backoff import MAX_ATTEMPTS
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.crypto import KeyRing
from prawko.kit.deliveries.delivery_reports import process_reports
from prawko.kit.deliveries.jobs import RETENTION, process_delivery_reports, purge_messages
from prawko.kit.deliveries.monitoring import watch_loss_rate
from prawko.kit.deliveries.senders import deliver_due
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.payloads import DriverPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko_tenants.ids import TenantId
from support.database import execute_as_owner, fetch_rows
from support.people import Person
from support.servers.carriers import (
    REPORTS_KEY,
    REPORTS_URL,
    FakeSendGrid,
    FakeSmsApi,
    sendgrid_event,
    smsapi_index,
    smsapi_query,
)

pytestmark = pytest.mark.anyio

BOTH = ChannelPolicy(media=frozenset(Medium), sms_from_hour=0)
BOUNCE = {"type": "bounce", "reason": "550 5.1.1 <Anna@ACME.test> +48 600 100 200 unknown user"}


@pytest.fixture
async def sendgrid() -> AsyncIterator[FakeSendGrid]:
    fake = FakeSendGrid()
    async with fake.serve():
        yield fake


@pytest.fixture
async def smsapi() -> AsyncIterator[FakeSmsApi]:
    fake = FakeSmsApi()
    async with fake.serve():
        yield fake


@pytest.fixture
def variables(variables, sendgrid, smsapi) -> dict[str, str]:
    """Variables with accounts at both carriers."""
    return {
        **variables,
        "CHANNEL_SENDGRID_URL": sendgrid.url,
        "CHANNEL_SENDGRID_KEY": "SG.key",
        "CHANNEL_SENDGRID_SENDER": "Prawko <powiadomienia@prawko.test>",
        "CHANNEL_SENDGRID_REPORT_KEY": sendgrid.public_key,
        "CHANNEL_SMSAPI_URL": smsapi.url,
        "CHANNEL_SMSAPI_TOKEN": "token",
        "CHANNEL_SMSAPI_REPORTS": REPORTS_URL,
    }


class ReportScenario:
    """Anna's company, which sends by SendGrid and SMSAPI, and the webhooks of both."""

    def __init__(self, anna: Person, worker: AppContext, sendgrid, smsapi, browser, logins) -> None:
        settings = msgspec.structs.replace(
            worker.settings, mail_channel="sendgrid", sms_channel="smsapi"
        )
        self.worker = dataclasses.replace(worker, settings=settings)
        self.anna, self.browser, self.logins = anna, browser, logins
        self.sendgrid, self.smsapi = sendgrid, smsapi
        self._notice_count = 0

    async def send_notice(self) -> int:
        """Publish one more notice to Anna; returns how many messages were sent."""
        self._notice_count += 1
        payload = DriverPayload(
            first_name="Jan", last_name="Kowalski", license_number="AA123456",
            checked_at=utc_now(), state="Zatrzymany",
        )  # fmt: skip
        draft = NoticeDraft(
            kind=NoticeKind.WITHHELD, dedup_key=str(self._notice_count), payload=payload
        )
        tenant_id = TenantId(await self.anna.tenant_id(self.worker))
        async with self.worker.database.batch() as session:
            await session.switch_tenant(tenant_id)
            await publish_notices(
                session, tenant_id, [draft], policy=BOTH, now=self.worker.clock.now()
            )
        return await self.deliver()

    async def deliver(self) -> int:
        return await deliver_due(self.worker, create_renderer_registry(self.worker))

    async def send_mail(self) -> str:
        """Send one more mail to Anna; returns its key."""
        await self.send_notice()
        return self.sendgrid.delivery_keys[-1]

    async def post_events(self, *events: dict, **options):
        body, headers = self.sendgrid.sign(list(events), **options)
        return await self.browser.post("/api/webhooks/sendgrid", content=body, headers=headers)

    async def post_sms_report(self, *messages: tuple[str, int, str], **options):
        query = smsapi_query(*messages, **options)
        return await self.browser.get("/api/webhooks/smsapi", params=query)

    async def process_reports(self) -> int:
        return await process_reports(self.worker, create_renderer_registry(self.worker).feedback)

    async def webhook_events(self) -> list[dict]:
        return await fetch_rows(self.logins, "SELECT * FROM webhook_event ORDER BY id")

    async def delivery_row(self, key: str) -> dict:
        [row] = await fetch_rows(self.logins, "SELECT * FROM delivery WHERE key = $1", key)
        return row

    async def email_problem(self) -> str | None:
        return (await self.anna.get("/api/user")).json()["emailProblem"]

    async def confirm_address(self) -> None:
        answer = await self.anna.put(
            "/api/notifications/settings", {"emailEnabled": True, "smsEnabled": False}
        )
        assert answer.status_code == 200, answer.text

    async def count_notifications(self, kind: str) -> int:
        notifications = (await self.anna.get("/api/notifications?pageSize=100")).json()
        return len([row for row in notifications if row["type"] == kind])

    async def execute_sql(self, sql: str, **values: object) -> None:
        async with self.worker.database.system() as session:
            await session.execute(text(sql), values)


@pytest.fixture
async def scenario(anna, worker, sendgrid, smsapi, new_browser, logins) -> ReportScenario:
    # Carriers report in whole seconds: the address was verified before this one.
    await execute_as_owner(
        logins, "UPDATE user_account SET email_trusted_at = now() - interval '1 minute'"
    )
    return ReportScenario(anna, worker, sendgrid, smsapi, new_browser(), logins)


@pytest.fixture
async def verified_phone(scenario, logins) -> None:
    """Anna's phone is verified, and she receives SMS."""
    import asyncpg  # noqa: PLC0415

    connection = await asyncpg.connect(logins.owner)
    await connection.execute(
        "UPDATE user_account SET phone_number = '+48600100200', phone_verified = true,"
        " sms_notifications_enabled = true WHERE email_key = 'anna@acme.test'"
    )
    await connection.close()


async def test_an_event_is_stored_encrypted_and_emptied_after_processing(scenario) -> None:
    key = await scenario.send_mail()
    answers = [await scenario.post_events(sendgrid_event(key)) for _ in range(5)]

    assert {(answer.status_code, answer.text) for answer in answers} == {(200, '{"ok":true}')}
    [event] = await scenario.webhook_events()
    assert (event["provider"], event["event_id"]) == ("sendgrid", f"delivered-{key}")
    assert key.encode() not in event["body"]
    assert (event["processed_at"], (await scenario.delivery_row(key))["report"]) == (None, None)

    assert await scenario.process_reports() == 1
    assert await scenario.process_reports() == 0
    [processed] = await scenario.webhook_events()
    assert (processed["outcome"], processed["body"]) == ("applied", None)
    assert processed["processed_at"] is not None
    row = await scenario.delivery_row(key)
    assert (row["state"], row["report"]) == ("sent", "delivered")
    assert row["reported_at"] is not None
    assert await scenario.email_problem() is None


async def test_reports_in_any_order_lead_to_the_same_state(scenario, logins) -> None:
    reports = [("delivered", {}), ("bounce", BOUNCE), ("dropped", {"reason": "Bounced Address"})]
    ends = set()
    # Carriers report in whole seconds; the confirmation of the owner falls between them.
    timestamp = int((utc_now() + timedelta(minutes=1)).timestamp())
    for number, sequence in enumerate(permutations(reports)):
        key = await scenario.send_mail()
        for kind, fields in sequence:
            for _ in range(5):
                assert (
                    await scenario.post_events(
                        sendgrid_event(key, kind, timestamp=timestamp, **fields)
                    )
                ).status_code == 200
            await scenario.process_reports()
        row = await scenario.delivery_row(key)
        ends.add((row["state"], row["report"], row["error"], await scenario.email_problem()))
        assert await scenario.count_notifications("email_refused") == number + 1, (
            "one notice, however many reports"
        )
        await scenario.confirm_address()

    assert ends == {("sent", "bounced", "550 5.1.1 … … unknown user", "bounced")}
    assert len(await scenario.webhook_events()) == 18
    outcomes = {row["outcome"] for row in await scenario.webhook_events()}
    assert outcomes == {"applied", "duplicate"}


AT_FAULT = (
    ("bounce", {"type": "bounce"}, "bounced", "bounced"),
    ("bounce", {"type": "blocked"}, "failed", None),
    ("dropped", {"reason": "Unsubscribed Address"}, "dropped", "dropped"),
    ("dropped", {"reason": "Spam Content"}, "failed", None),
    ("spamreport", {}, "spam", "spam"),
)


async def test_an_address_at_fault_is_suppressed_and_shown(scenario) -> None:
    timestamp = int((utc_now() + timedelta(minutes=1)).timestamp())
    count = 0
    for kind, fields, report, problem in AT_FAULT:
        key = await scenario.send_mail()
        await scenario.post_events(sendgrid_event(key, kind, timestamp=timestamp, **fields))
        await scenario.process_reports()

        count += 0 if problem is None else 1
        assert (await scenario.delivery_row(key))["report"] == report
        assert await scenario.email_problem() == problem
        assert await scenario.count_notifications("email_refused") == count
        assert await scenario.send_notice() == (1 if problem is None else 0)
        await scenario.confirm_address()


async def test_a_suppressed_address_still_gets_requested_mails(scenario) -> None:
    key = await scenario.send_mail()
    await scenario.post_events(sendgrid_event(key, "bounce", type="bounce"))
    await scenario.process_reports()
    mails = len(scenario.sendgrid.mails)

    assert await scenario.send_notice() == 0, "notices are in the panel only"
    response = await scenario.browser.post(
        "/api/request-password-reset", json={"email": scenario.anna.email}
    )
    assert response.status_code == 200
    assert await scenario.deliver() == 1
    assert len(scenario.sendgrid.mails) == mails + 1
    reset = scenario.sendgrid.delivery_keys[-1]
    await scenario.post_events(sendgrid_event(reset))
    await scenario.process_reports()
    assert await scenario.email_problem() == "bounced", "the owner has not confirmed it"


async def test_a_confirmation_overrides_older_reports_but_not_newer_ones(scenario) -> None:
    first, before, after = [await scenario.send_mail() for _ in range(3)]
    await scenario.post_events(sendgrid_event(first, "spamreport"))
    await scenario.process_reports()
    assert await scenario.email_problem() == "spam"
    await scenario.confirm_address()
    assert await scenario.email_problem() is None
    earlier = int((utc_now() - timedelta(hours=1)).timestamp())
    later = int((utc_now() + timedelta(minutes=1)).timestamp())

    await scenario.post_events(sendgrid_event(before, "bounce", type="bounce", timestamp=earlier))
    await scenario.process_reports()
    assert (await scenario.delivery_row(before))["report"] == "bounced"
    assert await scenario.email_problem() is None
    assert await scenario.send_notice() == 1

    await scenario.post_events(sendgrid_event(after, "bounce", type="bounce", timestamp=later))
    await scenario.process_reports()
    assert await scenario.email_problem() == "bounced"


@pytest.mark.parametrize("timestamp", [253402300799, 0, -62135596800])
async def test_a_report_whose_time_cannot_be_true_is_of_its_call(scenario, timestamp) -> None:
    for problem in (None, "bounced"):
        key = await scenario.send_mail()
        event = sendgrid_event(key, "bounce", type="bounce", timestamp=timestamp)
        assert (await scenario.post_events(event)).status_code == 200
        if problem is None:
            trusted = "UPDATE user_account SET email_trusted_at = now()"
            await execute_as_owner(scenario.logins, trusted)
        await scenario.process_reports()
        assert await scenario.email_problem() == problem
        age = utc_now() - (await scenario.delivery_row(key))["reported_at"]
        assert timedelta(0) <= age < timedelta(minutes=1)


async def test_a_refused_address_works_again_when_its_mail_is_reported_delivered(scenario) -> None:
    await scenario.execute_sql(
        "UPDATE user_account SET email_state = 'refused' WHERE email_key = 'anna@acme.test'"
    )

    async def state() -> str:
        [row] = await fetch_rows(
            scenario.logins, "SELECT email_state FROM user_account WHERE email_key = $1",
            scenario.anna.email,
        )  # fmt: skip
        return row["email_state"]

    key = await scenario.send_mail()
    assert await state() == "refused", "accepted is not delivered"

    await scenario.post_events(sendgrid_event(key))
    await scenario.process_reports()
    assert await state() == "ok"


async def test_a_report_affects_its_recipient_only(scenario, bartek, celina) -> None:
    await scenario.send_notice()
    to_anna = next(
        mail["personalizations"][0]["custom_args"]["prawko_delivery"]
        for mail in scenario.sendgrid.mails
        if mail["personalizations"][0]["to"][0]["email"] == scenario.anna.email
    )
    await scenario.post_events(sendgrid_event(to_anna, "spamreport"))
    await scenario.process_reports()

    assert await scenario.email_problem() == "spam"
    for other in (bartek, celina):
        assert (await other.get("/api/user")).json()["emailProblem"] is None


async def test_a_forged_or_old_call_stores_nothing(scenario) -> None:
    key = await scenario.send_mail()
    body, signed = scenario.sendgrid.sign([sendgrid_event(key, "bounce", type="bounce")])
    signature = "x-twilio-email-event-webhook-signature"
    twice = [*signed.items(), (signature, signed[signature])]
    unsigned = {"content-type": "application/json"}

    async def post(content: bytes, headers) -> tuple[int, str]:
        answer = await scenario.browser.post(
            "/api/webhooks/sendgrid", content=content, headers=headers
        )
        return answer.status_code, answer.json()["error"]

    responses = [
        await post(body, unsigned),
        await post(body, {**signed, signature: "AAAA"}),
        await post(body + b" ", signed),
        await post(body, twice),
    ]
    for options in ({"age": 26 * 3600}, {"age": -600}, {"key": generate_private_key(SECP256R1())}):
        answer = await scenario.post_events(sendgrid_event(key, "bounce", type="bounce"), **options)
        responses.append((answer.status_code, answer.json()["error"]))

    assert set(responses) == {(401, "invalid_signature")}
    assert await scenario.webhook_events() == []
    assert await scenario.process_reports() == 0
    assert await scenario.email_problem() is None


UNREADABLE = (
    b"", b"{}", b"[1", b"null",
    json.dumps([sendgrid_event("k", sg_event_id="x" * 401)]).encode(),
    json.dumps([sendgrid_event("k"), sendgrid_event("k\x00")]).encode(),
)  # fmt: skip


async def test_a_malformed_call_stores_nothing(new_browser, logins, sendgrid) -> None:
    for body in UNREADABLE:
        content, headers = sendgrid.sign(body)
        answer = await new_browser().post(
            "/api/webhooks/sendgrid", content=content, headers=headers
        )
        assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")
    assert await fetch_rows(logins, "SELECT * FROM webhook_event") == []


async def test_a_large_call_is_accepted_and_a_huge_one_is_not(
    new_browser, logins, sendgrid
) -> None:
    events = [sendgrid_event(f"key-{n}", reason="x" * 600) for n in range(800)]
    large_body, headers = sendgrid.sign(events)
    assert 600_000 < len(large_body) < 1024 * 1024
    accepted = await new_browser().post(
        "/api/webhooks/sendgrid", content=large_body, headers=headers
    )
    huge_body, headers = sendgrid.sign(events * 2)
    refused = await new_browser().post("/api/webhooks/sendgrid", content=huge_body, headers=headers)

    assert accepted.status_code == 200
    assert (refused.status_code, refused.json()["error"]) == (400, "bad_request")
    [rows] = await fetch_rows(logins, "SELECT count(*) AS n FROM webhook_event")
    assert rows["n"] == 800


async def test_providers_without_webhooks_are_not_found(new_browser) -> None:
    browser = new_browser()
    nothing = (await browser.get("/api/nothing")).content
    for provider in ("nobody", "recording", "smtp", "przelewy24"):
        post_answer = await browser.post(f"/api/webhooks/{provider}", json=[])
        get_answer = await browser.get(f"/api/webhooks/{provider}")
        assert post_answer.status_code == get_answer.status_code == 404
        assert post_answer.content == get_answer.content == nothing


async def test_a_report_of_an_unknown_message_changes_nothing(scenario) -> None:
    key = await scenario.send_mail()
    await scenario.post_events(sendgrid_event("notice:of:somebody:else", "bounce", type="bounce"))
    await scenario.process_reports()

    [event] = await scenario.webhook_events()
    assert event["outcome"] == "unknown"
    assert (await scenario.delivery_row(key))["report"] is None
    assert await scenario.email_problem() is None


@pytest.mark.parametrize("holder", ["another", None])
async def test_a_carrier_reports_on_its_own_messages_alone(scenario, holder) -> None:
    """Else a carrier that lies, or was left, keeps another one from sending a message."""
    key = await scenario.send_mail()
    await scenario.execute_sql(
        "UPDATE delivery SET state = 'pending', sent_at = NULL, carrier_ref = NULL,"
        " carrier = :holder WHERE key = :key",
        key=key, holder=holder,
    )  # fmt: skip
    for type_ in ("delivered", "bounce"):
        await scenario.post_events(sendgrid_event(key, type_, type="bounce"))
    await scenario.process_reports()

    row = await scenario.delivery_row(key)
    assert (row["state"], row["report"]) == ("pending", None)
    assert await scenario.email_problem() is None


async def test_a_report_replaces_a_lost_result_of_sending(scenario) -> None:
    key = await scenario.send_mail()
    await scenario.execute_sql(
        "UPDATE delivery SET state = 'pending', sent_at = NULL, carrier_ref = NULL,"
        " lease_until = now() - interval '1 minute', encrypted = 'x' WHERE key = :key",
        key=key,
    )
    await scenario.post_events(sendgrid_event(key))
    await scenario.process_reports()

    assert await scenario.deliver() == 0, "the carrier has it: it is not sent again"
    row = await scenario.delivery_row(key)
    assert (row["state"], row["encrypted"]) == ("sent", None)
    assert row["sent_at"] is not None


async def test_an_undelivered_sms_causes_one_notice_in_the_panel(scenario, verified_phone) -> None:
    await scenario.send_notice()
    [form] = scenario.smsapi.forms
    for _ in range(5):
        answer = await scenario.post_sms_report(("60B1", 405, form["idx"]))
        assert (answer.status_code, answer.text) == (200, "OK")
        assert answer.headers["content-type"].startswith("text/plain")
    await scenario.process_reports()

    [event] = await scenario.webhook_events()
    assert (event["event_id"], event["outcome"]) == (f"60B1:405:{form['idx']}", "applied")
    [row] = await fetch_rows(scenario.logins, "SELECT * FROM delivery WHERE channel_medium = 'sms'")
    assert (row["state"], row["report"], row["error"]) == ("sent", "failed", "status 405")
    assert await scenario.count_notifications("phone_refused") == 1
    assert await scenario.email_problem() is None


async def test_a_report_counts_for_its_own_sms_only(scenario, verified_phone) -> None:
    await scenario.send_notice()
    [form] = scenario.smsapi.forms
    await scenario.post_sms_report(("60B9", 405, form["idx"]))
    await scenario.post_sms_report(("60B1", 404, smsapi_index("somebody:elses")))
    await scenario.process_reports()
    [row] = await fetch_rows(scenario.logins, "SELECT * FROM delivery WHERE channel_medium = 'sms'")
    assert row["report"] is None
    assert {event["outcome"] for event in await scenario.webhook_events()} == {"unknown"}

    await scenario.post_sms_report(("60B1", 404, form["idx"]), ("60B1", 403, form["idx"]))
    await scenario.process_reports()
    [row] = await fetch_rows(scenario.logins, "SELECT * FROM delivery WHERE channel_medium = 'sms'")
    assert row["report"] == "delivered"


async def test_an_sms_report_without_the_key_is_rejected(scenario) -> None:
    for key in ("", "wrong", REPORTS_KEY[:-1]):
        answer = await scenario.post_sms_report(("60B1", 404, smsapi_index("k")), key=key)
        assert (answer.status_code, answer.json()["error"]) == (401, "invalid_signature")
    duplicated_key = f"key={REPORTS_KEY}&key={REPORTS_KEY}&MsgId=1&status=404&idx=a"
    for query, status in ((duplicated_key, 401), ("&".join(["a=1"] * 60), 400)):
        answer = await scenario.browser.get(f"/api/webhooks/smsapi?{query}")
        assert answer.status_code == status
    assert await scenario.webhook_events() == []


async def test_a_failing_event_blocks_no_other_and_is_given_up_in_the_end(scenario) -> None:
    failing, working = await scenario.send_mail(), await scenario.send_mail()
    await scenario.post_events(sendgrid_event(failing, "spamreport"), sendgrid_event(working))
    feedback = create_renderer_registry(scenario.worker).feedback

    async def fail(*_: object) -> None:
        raise ValueError

    feedback.on_report = fail
    assert await process_reports(scenario.worker, feedback) == 2

    by_id = {row["event_id"]: row for row in await scenario.webhook_events()}
    rescheduled, completed = by_id[f"spamreport-{failing}"], by_id[f"delivered-{working}"]
    assert completed["outcome"] == "applied"
    assert (rescheduled["outcome"], rescheduled["attempts"]) == (None, 1)
    assert rescheduled["next_try_at"] > utc_now()
    assert (await scenario.delivery_row(failing))["report"] is None, (
        "the transaction was rolled back"
    )

    await scenario.execute_sql(
        "UPDATE webhook_event SET attempts = :attempts, next_try_at = now()"
        " WHERE processed_at IS NULL",
        attempts=MAX_ATTEMPTS - 1,
    )
    await process_reports(scenario.worker, feedback)
    by_id = {row["event_id"]: row for row in await scenario.webhook_events()}
    assert by_id[f"spamreport-{failing}"]["outcome"] == "given_up"


async def test_concurrent_workers_process_each_event_once(scenario) -> None:
    keys = [await scenario.send_mail() for _ in range(4)]
    await scenario.post_events(*(sendgrid_event(key, "bounce", type="bounce") for key in keys))

    counts = await asyncio.gather(*(scenario.process_reports() for _ in range(3)))

    assert sum(counts) == len(keys)
    assert await scenario.count_notifications("email_refused") == 1


async def test_an_event_encrypted_with_a_lost_key_is_undecryptable(scenario) -> None:
    key = await scenario.send_mail()
    await scenario.post_events(sendgrid_event(key))
    scenario.worker = dataclasses.replace(scenario.worker, key_ring=KeyRing(b"another secret" * 3))
    await scenario.process_reports()

    [event] = await scenario.webhook_events()
    assert (event["outcome"], event["body"]) == ("undecryptable", None)


async def test_reports_are_processed_by_an_enqueued_and_by_a_periodic_job(
    scenario, enqueued_jobs
) -> None:
    from prawko.apps.worker.schedule import SCHEDULE  # noqa: PLC0415

    key = await scenario.send_mail()
    await scenario.post_events(sendgrid_event(key))

    assert ("process_delivery_reports", {}) in enqueued_jobs
    assert process_delivery_reports in {periodic.job for periodic in SCHEDULE}


async def test_a_high_loss_rate_opens_one_incident(scenario) -> None:
    keys = [await scenario.send_mail() for _ in range(6)]
    for key in keys[:4]:
        await scenario.post_events(
            sendgrid_event(key, "dropped", reason="Recipient List over Package Quota")
        )
    await scenario.process_reports()
    await watch_loss_rate(scenario.worker)
    assert await fetch_rows(scenario.logins, "SELECT * FROM incident") == [], "four may be chance"

    await scenario.post_events(
        sendgrid_event(keys[4], "dropped", reason="Recipient List over Package Quota")
    )
    await scenario.process_reports()
    for _ in range(2):
        await watch_loss_rate(scenario.worker)
    await scenario.deliver()
    mails = [mail for mail in scenario.sendgrid.mails if "5 z 5" in mail["content"][0]["value"]]
    assert [mail["personalizations"][0]["to"] for mail in mails] == [
        [{"email": "operator@prawko.test"}]
    ]
    assert await scenario.email_problem() is None, "no address is at fault"

    await scenario.execute_sql("UPDATE delivery SET reported_at = reported_at - interval '2 hours'")
    await watch_loss_rate(scenario.worker)
    [incident] = await fetch_rows(scenario.logins, "SELECT * FROM incident")
    assert (incident["kind"], incident["key"]) == ("messages_lost", "email")
    assert incident["closed_at"] is not None


async def test_a_blocked_notice_is_retried_once_without_a_notice_about_it(scenario, clock) -> None:
    key = await scenario.send_mail()
    blocked = sendgrid_event(
        key, "bounce", type="blocked", reason="550 5.7.1 anna@acme.test: listed"
    )
    for _ in range(5):
        await scenario.post_events(blocked)
        await scenario.process_reports()
    assert await scenario.deliver() == 0, "it is retried after an hour"

    clock.forward(hours=1, seconds=1)
    assert await scenario.deliver() == 1
    retry = scenario.sendgrid.delivery_keys[-1]
    assert retry == f"again:{(await scenario.delivery_row(key))['id']}"
    first, second = scenario.sendgrid.mails[-2:]
    assert first["content"] == second["content"]
    assert first["personalizations"][0]["to"] == second["personalizations"][0]["to"]

    await scenario.post_events(sendgrid_event(retry))
    await scenario.process_reports()
    assert await scenario.deliver() == 0
    assert await scenario.count_notifications("email_lost") == 0
    assert await scenario.email_problem() is None


async def test_a_second_block_causes_one_notice_a_day_and_no_suppression(scenario, clock) -> None:
    for day in (1, 2):
        keys = [await scenario.send_mail() for _ in range(3)]
        blocked = {"event": "bounce", "type": "blocked"}
        await scenario.post_events(*(sendgrid_event(key, **blocked) for key in keys))
        await scenario.process_reports()
        assert await scenario.count_notifications("email_lost") == day - 1, (
            "the retry may be delivered"
        )

        clock.forward(hours=1, seconds=1)
        assert await scenario.deliver() == len(keys)
        retries = scenario.sendgrid.delivery_keys[-3:]
        await scenario.post_events(*(sendgrid_event(key, **blocked) for key in retries))
        await scenario.process_reports()

        assert await scenario.count_notifications("email_lost") == day
        clock.forward(days=1)
        assert await scenario.deliver() == 0, "there is one retry only"
    assert await scenario.email_problem() is None
    assert await scenario.send_notice() == 1
    [loss_incident, _] = [
        row
        for row in (await scenario.anna.get("/api/notifications?pageSize=100")).json()
        if row["type"] == "email_lost"
    ]
    assert loss_incident["title"] == "E-mail od nas nie dotarł"
    assert "przeczytasz tu, w panelu" in loss_incident["content"]


async def test_a_mail_dropped_for_its_content_is_reported_and_not_retried(scenario, clock) -> None:
    key = await scenario.send_mail()
    await scenario.post_events(sendgrid_event(key, "dropped", reason="Spam Content"))
    await scenario.process_reports()

    assert await scenario.count_notifications("email_lost") == 1
    clock.forward(hours=2)
    assert await scenario.deliver() == 0


async def test_a_blocked_reset_link_is_reported_and_not_retried(scenario, clock) -> None:
    await scenario.browser.post("/api/request-password-reset", json={"email": scenario.anna.email})
    assert await scenario.deliver() == 1
    await scenario.post_events(
        sendgrid_event(scenario.sendgrid.delivery_keys[-1], "bounce", type="blocked")
    )
    await scenario.process_reports()

    assert await scenario.count_notifications("email_lost") == 1
    clock.forward(hours=2)
    assert await scenario.deliver() == 0


async def test_a_blocked_notice_is_not_retried_after_an_opt_out(scenario, clock, logins) -> None:
    key = await scenario.send_mail()
    await scenario.post_events(sendgrid_event(key, "bounce", type="blocked"))
    await scenario.process_reports()
    await execute_as_owner(logins, "UPDATE user_account SET email_notifications_enabled = false")

    clock.forward(hours=2)
    assert await scenario.deliver() == 0
    assert (await scenario.delivery_row(f"again:{(await scenario.delivery_row(key))['id']}"))[
        "state"
    ] == "failed"


async def test_a_mail_without_attempts_left_causes_a_notice(scenario) -> None:
    scenario.sendgrid.respond_with(503)
    await scenario.send_notice()
    await scenario.execute_sql(
        "UPDATE delivery SET attempts = :attempts, next_try_at = created_at"
        " WHERE state = 'pending'",
        attempts=MAX_ATTEMPTS - 1,
    )
    await scenario.deliver()

    assert await scenario.count_notifications("email_lost") == 1
    assert await scenario.email_problem() is None


async def test_messages_and_events_are_purged_after_a_month(scenario) -> None:
    old_key, recent_key = await scenario.send_mail(), await scenario.send_mail()
    await scenario.post_events(sendgrid_event(old_key), sendgrid_event(recent_key))
    await scenario.process_reports()
    await scenario.execute_sql(
        "UPDATE delivery SET created_at = :at WHERE key = :key",
        at=utc_now() - RETENTION - timedelta(minutes=1), key=old_key,
    )  # fmt: skip
    await scenario.execute_sql(
        "UPDATE webhook_event SET received_at = :at WHERE event_id = :id",
        at=utc_now() - RETENTION - timedelta(minutes=1), id=f"delivered-{old_key}",
    )  # fmt: skip
    await scenario.execute_sql(
        "INSERT INTO delivery (id, kind, channel_medium, key, next_try_at, created_at)"
        " VALUES (gen_random_uuid(), 'of tomorrow', 'email', 'waiting', now(), :at)",
        at=utc_now() - 2 * RETENTION,
    )

    await purge_messages(scenario.worker)

    keys = {row["key"] for row in await fetch_rows(scenario.logins, "SELECT key FROM delivery")}
    assert old_key not in keys
    assert {recent_key, "waiting"} <= keys
    assert [row["event_id"] for row in await scenario.webhook_events()] == [
        f"delivered-{recent_key}"
    ]
