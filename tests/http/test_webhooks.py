"""Carriers report what became of a message: any order, any number of times, one end state."""

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

from carriers import (
    REPORT_KEY,
    REPORTS,
    FakeSendGrid,
    FakeSmsApi,
    event,
    smsapi_index,
    smsapi_query,
)
from persons import Person
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.base.secrets import Vault
from prawko.deliveries.backoff import MOST_ATTEMPTS as MOST_TRIES
from prawko.deliveries.jobs import read_reports
from prawko.deliveries.losses import watch_for_losses
from prawko.deliveries.reports import MOST_ATTEMPTS, work_on_reports
from prawko.deliveries.retention import KEPT, forget
from prawko.deliveries.sending import deliver_due
from prawko.hooks.channels import Medium
from prawko.notifications.announcing import Announcement, announce
from prawko.notifications.fanout import Rules
from prawko.notifications.kinds import DriverFacts, NoticeKind
from prawko.worker.wiring import correspondence
from prawko_tenants.ids import TenantId
from stored import look, write

pytestmark = pytest.mark.anyio

BOTH = Rules(media=frozenset(Medium), sms_from_hour=0)
BOUNCE = {"type": "bounce", "reason": "550 5.1.1 <Anna@ACME.test> +48 600 100 200 unknown user"}


@pytest.fixture
async def sendgrid() -> AsyncIterator[FakeSendGrid]:
    fake = FakeSendGrid()
    async with fake.listening():
        yield fake


@pytest.fixture
async def smsapi() -> AsyncIterator[FakeSmsApi]:
    fake = FakeSmsApi()
    async with fake.listening():
        yield fake


@pytest.fixture
def variables(variables, sendgrid, smsapi) -> dict[str, str]:
    """With accounts at both carriers."""
    return {
        **variables,
        "CHANNEL_SENDGRID_URL": sendgrid.url,
        "CHANNEL_SENDGRID_KEY": "SG.key",
        "CHANNEL_SENDGRID_SENDER": "Prawko <powiadomienia@prawko.test>",
        "CHANNEL_SENDGRID_REPORT_KEY": sendgrid.public_key,
        "CHANNEL_SMSAPI_URL": smsapi.url,
        "CHANNEL_SMSAPI_TOKEN": "token",
        "CHANNEL_SMSAPI_REPORTS": REPORTS,
    }


class Office:
    """Anna's company, whose messages go by SendGrid and SMSAPI, and the carriers' calls."""

    def __init__(self, anna: Person, worker: Tools, sendgrid, smsapi, browser, logins) -> None:
        chosen = msgspec.structs.replace(
            worker.settings, mail_channel="sendgrid", sms_channel="smsapi"
        )
        self.worker = dataclasses.replace(worker, settings=chosen)
        self.anna, self.browser, self.logins = anna, browser, logins
        self.sendgrid, self.smsapi = sendgrid, smsapi
        self._told = 0

    async def tells(self) -> int:
        """One more notice to Anna; returns how many messages left."""
        self._told += 1
        facts = DriverFacts(
            first_name="Jan", last_name="Kowalski", license_number="AA123456",
            checked_at=machine_now(), state="Zatrzymany",
        )  # fmt: skip
        news = Announcement(kind=NoticeKind.WITHHELD, dedup=str(self._told), facts=facts)
        tenant_id = TenantId(await self.anna.tenant_id(self.worker))
        async with self.worker.database.batch() as session:
            await session.bind(tenant_id)
            await announce(session, tenant_id, [news], rules=BOTH, now=self.worker.clock.now())
        return await self.sends()

    async def sends(self) -> int:
        return await deliver_due(self.worker, correspondence(self.worker))

    async def mails(self) -> str:
        """One more mail to Anna; its key."""
        await self.tells()
        return self.sendgrid.keys[-1]

    async def calls(self, *events: dict, **how):
        body, headers = self.sendgrid.signed(list(events), **how)
        return await self.browser.post("/api/webhooks/sendgrid", content=body, headers=headers)

    async def reports(self, *messages: tuple[str, int, str], **how):
        query = smsapi_query(*messages, **how)
        return await self.browser.get("/api/webhooks/smsapi", params=query)

    async def reads(self) -> int:
        return await work_on_reports(self.worker, correspondence(self.worker).addresses)

    async def inbox(self) -> list[dict]:
        return await look(self.logins, "SELECT * FROM webhook_event ORDER BY id")

    async def row(self, key: str) -> dict:
        [row] = await look(self.logins, "SELECT * FROM delivery WHERE key = $1", key)
        return row

    async def problem(self) -> str | None:
        return (await self.anna.get("/api/user")).json()["emailProblem"]

    async def trusts(self) -> None:
        answer = await self.anna.put(
            "/api/notifications/settings", {"emailEnabled": True, "smsEnabled": False}
        )
        assert answer.status_code == 200, answer.text

    async def told_of(self, kind: str) -> int:
        listed = (await self.anna.get("/api/notifications?pageSize=100")).json()
        return len([row for row in listed if row["type"] == kind])

    async def executes(self, sql: str, **values: object) -> None:
        async with self.worker.database.system() as session:
            await session.execute(text(sql), values)


@pytest.fixture
async def office(anna, worker, sendgrid, smsapi, visitor, logins) -> Office:
    # Carriers report in whole seconds: the address was proved before this one.
    await write(logins, "UPDATE user_account SET email_trusted_at = now() - interval '1 minute'")
    return Office(anna, worker, sendgrid, smsapi, visitor(), logins)


@pytest.fixture
async def phone(office, logins) -> None:
    """Anna has proved her phone and wants SMS."""
    import asyncpg  # noqa: PLC0415

    connection = await asyncpg.connect(logins.owner)
    await connection.execute(
        "UPDATE user_account SET phone_number = '+48600100200', phone_verified = true,"
        " sms_notifications_enabled = true WHERE email_key = 'anna@acme.test'"
    )
    await connection.close()


async def test_an_event_is_kept_sealed_before_it_is_worked_on_and_emptied_after(office) -> None:
    key = await office.mails()
    answers = [await office.calls(event(key)) for _ in range(5)]

    assert {(answer.status_code, answer.text) for answer in answers} == {(200, '{"ok":true}')}
    [kept] = await office.inbox()
    assert (kept["provider"], kept["event_id"]) == ("sendgrid", f"delivered-{key}")
    assert key.encode() not in kept["body"]
    assert (kept["worked_at"], (await office.row(key))["report"]) == (None, None)

    assert await office.reads() == 1
    assert await office.reads() == 0
    [worked] = await office.inbox()
    assert (worked["outcome"], worked["body"]) == ("applied", None)
    assert worked["worked_at"] is not None
    row = await office.row(key)
    assert (row["state"], row["report"]) == ("sent", "delivered")
    assert row["reported_at"] is not None
    assert await office.problem() is None


async def test_whatever_the_order_there_is_one_end_state(office, logins) -> None:
    happened = [("delivered", {}), ("bounce", BOUNCE), ("dropped", {"reason": "Bounced Address"})]
    ends = set()
    # Carriers tell whole seconds; the owner's word falls between them.
    later = int((machine_now() + timedelta(minutes=1)).timestamp())
    for number, order in enumerate(permutations(happened)):
        key = await office.mails()
        for what, more in order:
            for _ in range(5):
                assert (
                    await office.calls(event(key, what, timestamp=later, **more))
                ).status_code == 200
            await office.reads()
        row = await office.row(key)
        ends.add((row["state"], row["report"], row["error"], await office.problem()))
        assert await office.told_of("email_refused") == number + 1, "told once, however often"
        await office.trusts()

    assert ends == {("sent", "bounced", "550 5.1.1 … … unknown user", "bounced")}
    assert len(await office.inbox()) == 18
    outcomes = {row["outcome"] for row in await office.inbox()}
    assert outcomes == {"applied", "repeated"}


AT_FAULT = (
    ("bounce", {"type": "bounce"}, "bounced", "bounced"),
    ("bounce", {"type": "blocked"}, "failed", None),
    ("dropped", {"reason": "Unsubscribed Address"}, "dropped", "dropped"),
    ("dropped", {"reason": "Spam Content"}, "failed", None),
    ("spamreport", {}, "spam", "spam"),
)


async def test_an_address_at_fault_is_switched_off_and_shown(office) -> None:
    later = int((machine_now() + timedelta(minutes=1)).timestamp())
    told = 0
    for what, more, report, problem in AT_FAULT:
        key = await office.mails()
        await office.calls(event(key, what, timestamp=later, **more))
        await office.reads()

        told += 0 if problem is None else 1
        assert (await office.row(key))["report"] == report
        assert await office.problem() == problem
        assert await office.told_of("email_refused") == told
        assert await office.tells() == (1 if problem is None else 0)
        await office.trusts()


async def test_an_address_that_is_switched_off_gets_what_its_owner_asks_for(office) -> None:
    key = await office.mails()
    await office.calls(event(key, "bounce", type="bounce"))
    await office.reads()
    mails = len(office.sendgrid.mails)

    assert await office.tells() == 0, "notices wait in the panel"
    asked = await office.browser.post(
        "/api/request-password-reset", json={"email": office.anna.email}
    )
    assert asked.status_code == 200
    assert await office.sends() == 1
    assert len(office.sendgrid.mails) == mails + 1
    reset = office.sendgrid.keys[-1]
    await office.calls(event(reset))
    await office.reads()
    assert await office.problem() == "bounced", "its owner's word is waited for"


async def test_the_owners_word_outweighs_older_reports_and_yields_to_newer_ones(office) -> None:
    first, before, after = [await office.mails() for _ in range(3)]
    await office.calls(event(first, "spamreport"))
    await office.reads()
    assert await office.problem() == "spam"
    await office.trusts()
    assert await office.problem() is None
    earlier = int((machine_now() - timedelta(hours=1)).timestamp())
    later = int((machine_now() + timedelta(minutes=1)).timestamp())

    await office.calls(event(before, "bounce", type="bounce", timestamp=earlier))
    await office.reads()
    assert (await office.row(before))["report"] == "bounced"
    assert await office.problem() is None
    assert await office.tells() == 1

    await office.calls(event(after, "bounce", type="bounce", timestamp=later))
    await office.reads()
    assert await office.problem() == "bounced"


async def test_a_refused_address_works_again_when_its_mail_is_reported_delivered(office) -> None:
    await office.executes(
        "UPDATE user_account SET email_state = 'refused' WHERE email_key = 'anna@acme.test'"
    )

    async def state() -> str:
        [row] = await look(
            office.logins, "SELECT email_state FROM user_account WHERE email_key = $1",
            office.anna.email,
        )  # fmt: skip
        return row["email_state"]

    key = await office.mails()
    assert await state() == "refused", "taken by the carrier is not yet arrived"

    await office.calls(event(key))
    await office.reads()
    assert await state() == "ok"


async def test_a_report_is_its_readers_business_alone(office, bartek, celina) -> None:
    await office.tells()
    to_anna = next(
        mail["personalizations"][0]["custom_args"]["prawko_delivery"]
        for mail in office.sendgrid.mails
        if mail["personalizations"][0]["to"][0]["email"] == office.anna.email
    )
    await office.calls(event(to_anna, "spamreport"))
    await office.reads()

    assert await office.problem() == "spam"
    for other in (bartek, celina):
        assert (await other.get("/api/user")).json()["emailProblem"] is None


async def test_nothing_of_a_forged_or_old_call_is_kept(office) -> None:
    key = await office.mails()
    body, signed = office.sendgrid.signed([event(key, "bounce", type="bounce")])
    signature = "x-twilio-email-event-webhook-signature"
    twice = [*signed.items(), (signature, signed[signature])]
    unsigned = {"content-type": "application/json"}

    async def post(content: bytes, headers) -> tuple[int, str]:
        answer = await office.browser.post(
            "/api/webhooks/sendgrid", content=content, headers=headers
        )
        return answer.status_code, answer.json()["error"]

    refused = [
        await post(body, unsigned),
        await post(body, {**signed, signature: "AAAA"}),
        await post(body + b" ", signed),
        await post(body, twice),
    ]
    for how in ({"age": 26 * 3600}, {"age": -600}, {"key": generate_private_key(SECP256R1())}):
        answer = await office.calls(event(key, "bounce", type="bounce"), **how)
        refused.append((answer.status_code, answer.json()["error"]))

    assert set(refused) == {(401, "invalid_signature")}
    assert await office.inbox() == []
    assert await office.reads() == 0
    assert await office.problem() is None


UNREADABLE = (
    b"", b"{}", b"[1", b"null",
    json.dumps([event("k", sg_event_id="x" * 401)]).encode(),
    json.dumps([event("k"), event("k\x00")]).encode(),
)  # fmt: skip


async def test_nothing_of_a_call_that_cannot_be_read_is_kept(visitor, logins, sendgrid) -> None:
    for body in UNREADABLE:
        content, headers = sendgrid.signed(body)
        answer = await visitor().post("/api/webhooks/sendgrid", content=content, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")
    assert await look(logins, "SELECT * FROM webhook_event") == []


async def test_a_large_call_is_taken_and_a_huge_one_is_not(visitor, logins, sendgrid) -> None:
    many = [event(f"key-{n}", reason="x" * 600) for n in range(800)]
    large, headers = sendgrid.signed(many)
    assert 600_000 < len(large) < 1024 * 1024
    taken = await visitor().post("/api/webhooks/sendgrid", content=large, headers=headers)
    huge, headers = sendgrid.signed(many * 2)
    refused = await visitor().post("/api/webhooks/sendgrid", content=huge, headers=headers)

    assert taken.status_code == 200
    assert (refused.status_code, refused.json()["error"]) == (400, "bad_request")
    [rows] = await look(logins, "SELECT count(*) AS n FROM webhook_event")
    assert rows["n"] == 800


async def test_who_does_not_report_is_not_there(visitor) -> None:
    browser = visitor()
    nothing = (await browser.get("/api/nothing")).content
    for provider in ("nobody", "recording", "smtp", "przelewy24"):
        posted = await browser.post(f"/api/webhooks/{provider}", json=[])
        got = await browser.get(f"/api/webhooks/{provider}")
        assert posted.status_code == got.status_code == 404
        assert posted.content == got.content == nothing


async def test_a_report_of_an_unknown_message_changes_nothing(office) -> None:
    key = await office.mails()
    await office.calls(event("notice:of:somebody:else", "bounce", type="bounce"))
    await office.reads()

    [kept] = await office.inbox()
    assert kept["outcome"] == "unknown"
    assert (await office.row(key))["report"] is None
    assert await office.problem() is None


async def test_a_report_makes_up_for_a_mark_that_was_lost(office) -> None:
    key = await office.mails()
    await office.executes(
        "UPDATE delivery SET state = 'pending', sent_at = NULL, carrier_ref = NULL,"
        " lease_until = now() - interval '1 minute', sealed = 'x' WHERE key = :key",
        key=key,
    )
    await office.calls(event(key))
    await office.reads()

    assert await office.sends() == 0, "the carrier has it: it does not leave again"
    row = await office.row(key)
    assert (row["state"], row["sealed"]) == ("sent", None)
    assert row["sent_at"] is not None


async def test_an_sms_that_did_not_arrive_is_told_once_in_the_panel(office, phone) -> None:
    await office.tells()
    [form] = office.smsapi.forms
    for _ in range(5):
        answer = await office.reports(("60B1", 405, form["idx"]))
        assert (answer.status_code, answer.text) == (200, "OK")
        assert answer.headers["content-type"].startswith("text/plain")
    await office.reads()

    [kept] = await office.inbox()
    assert (kept["event_id"], kept["outcome"]) == (f"60B1:405:{form['idx']}", "applied")
    [row] = await look(office.logins, "SELECT * FROM delivery WHERE channel_medium = 'sms'")
    assert (row["state"], row["report"], row["error"]) == ("sent", "failed", "status 405")
    assert await office.told_of("phone_refused") == 1
    assert await office.problem() is None


async def test_an_sms_is_believed_delivered_only_under_its_own_id(office, phone) -> None:
    await office.tells()
    [form] = office.smsapi.forms
    await office.reports(("60B9", 405, form["idx"]))
    await office.reports(("60B1", 404, smsapi_index("somebody:elses")))
    await office.reads()
    [row] = await look(office.logins, "SELECT * FROM delivery WHERE channel_medium = 'sms'")
    assert row["report"] is None
    assert {kept["outcome"] for kept in await office.inbox()} == {"unknown"}

    await office.reports(("60B1", 404, form["idx"]), ("60B1", 403, form["idx"]))
    await office.reads()
    [row] = await look(office.logins, "SELECT * FROM delivery WHERE channel_medium = 'sms'")
    assert row["report"] == "delivered"


async def test_without_the_key_an_sms_report_is_nobodys(office) -> None:
    for key in ("", "wrong", REPORT_KEY[:-1]):
        answer = await office.reports(("60B1", 404, smsapi_index("k")), key=key)
        assert (answer.status_code, answer.json()["error"]) == (401, "invalid_signature")
    twice = f"key={REPORT_KEY}&key={REPORT_KEY}&MsgId=1&status=404&idx=a"
    for query, status in ((twice, 401), ("&".join(["a=1"] * 60), 400)):
        answer = await office.browser.get(f"/api/webhooks/smsapi?{query}")
        assert answer.status_code == status
    assert await office.inbox() == []


async def test_an_event_that_breaks_holds_up_no_other_and_is_given_up_in_the_end(office) -> None:
    broken, well = await office.mails(), await office.mails()
    await office.calls(event(broken, "spamreport"), event(well))
    addresses = correspondence(office.worker).addresses

    async def fail(*_: object) -> None:
        raise ValueError

    addresses.reported = fail
    assert await work_on_reports(office.worker, addresses) == 2

    by_id = {row["event_id"]: row for row in await office.inbox()}
    put_off, done = by_id[f"spamreport-{broken}"], by_id[f"delivered-{well}"]
    assert done["outcome"] == "applied"
    assert (put_off["outcome"], put_off["attempts"]) == (None, 1)
    assert put_off["next_try_at"] > machine_now()
    assert (await office.row(broken))["report"] is None, "nothing half done"

    await office.executes(
        "UPDATE webhook_event SET attempts = :most, next_try_at = now() WHERE worked_at IS NULL",
        most=MOST_ATTEMPTS - 1,
    )
    await work_on_reports(office.worker, addresses)
    by_id = {row["event_id"]: row for row in await office.inbox()}
    assert by_id[f"spamreport-{broken}"]["outcome"] == "given_up"


async def test_two_workers_at_once_work_on_each_event_once(office) -> None:
    keys = [await office.mails() for _ in range(4)]
    await office.calls(*(event(key, "bounce", type="bounce") for key in keys))

    counts = await asyncio.gather(*(office.reads() for _ in range(3)))

    assert sum(counts) == len(keys)
    assert await office.told_of("email_refused") == 1


async def test_what_was_sealed_with_a_lost_key_is_put_aside(office) -> None:
    key = await office.mails()
    await office.calls(event(key))
    office.worker = dataclasses.replace(office.worker, vault=Vault(b"another secret" * 3))
    await office.reads()

    [kept] = await office.inbox()
    assert (kept["outcome"], kept["body"]) == ("unreadable", None)


async def test_a_lost_ring_is_made_up_for_by_the_timetable(office, rings) -> None:
    from prawko.worker.timetable import TIMETABLE  # noqa: PLC0415

    key = await office.mails()
    await office.calls(event(key))

    assert ("prawko.deliveries.jobs.read_reports", {}) in rings
    assert read_reports in {periodic.job for periodic in TIMETABLE}


async def test_operators_learn_once_that_what_was_taken_does_not_arrive(office) -> None:
    keys = [await office.mails() for _ in range(6)]
    for key in keys[:4]:
        await office.calls(event(key, "dropped", reason="Recipient List over Package Quota"))
    await office.reads()
    assert await watch_for_losses(office.worker.database) is False, "four may be bad luck"

    await office.calls(event(keys[4], "dropped", reason="Recipient List over Package Quota"))
    await office.reads()
    assert await watch_for_losses(office.worker.database) is True
    assert await watch_for_losses(office.worker.database) is False
    await office.sends()
    told = [mail for mail in office.sendgrid.mails if "5 of 5" in mail["content"][0]["value"]]
    assert [mail["personalizations"][0]["to"] for mail in told] == [
        [{"email": "operator@prawko.test"}]
    ]
    assert await office.problem() is None, "it is nobody's address"

    await office.executes("UPDATE delivery SET reported_at = reported_at - interval '2 hours'")
    await watch_for_losses(office.worker.database)
    [incident] = await look(office.logins, "SELECT * FROM incident")
    assert (incident["kind"], incident["key"]) == ("messages_lost", "email")
    assert incident["closed_at"] is not None


async def test_a_notice_that_was_blocked_leaves_once_more_and_is_not_told(office, clock) -> None:
    key = await office.mails()
    blocked = event(key, "bounce", type="blocked", reason="550 5.7.1 anna@acme.test: listed")
    for _ in range(5):
        await office.calls(blocked)
        await office.reads()
    assert await office.sends() == 0, "what was in its way has an hour to pass"

    clock.forward(hours=1, seconds=1)
    assert await office.sends() == 1
    again = office.sendgrid.keys[-1]
    assert again == f"again:{(await office.row(key))['id']}"
    first, second = office.sendgrid.mails[-2:]
    assert first["content"] == second["content"]
    assert first["personalizations"][0]["to"] == second["personalizations"][0]["to"]

    await office.calls(event(again))
    await office.reads()
    assert await office.sends() == 0
    assert await office.told_of("email_lost") == 0
    assert await office.problem() is None


async def test_what_is_blocked_again_is_told_once_a_day_and_switches_nothing_off(
    office, clock
) -> None:
    for day in (1, 2):
        keys = [await office.mails() for _ in range(3)]
        blocked = {"happened": "bounce", "type": "blocked"}
        await office.calls(*(event(key, **blocked) for key in keys))
        await office.reads()
        assert await office.told_of("email_lost") == day - 1, "it may get through yet"

        clock.forward(hours=1, seconds=1)
        assert await office.sends() == len(keys)
        again = office.sendgrid.keys[-3:]
        await office.calls(*(event(key, **blocked) for key in again))
        await office.reads()

        assert await office.told_of("email_lost") == day
        clock.forward(days=1)
        assert await office.sends() == 0, "there is no third time"
    assert await office.problem() is None
    assert await office.tells() == 1
    [lost, _] = [
        row
        for row in (await office.anna.get("/api/notifications?pageSize=100")).json()
        if row["type"] == "email_lost"
    ]
    assert lost["title"] == "E-mail od nas nie dotarł"
    assert "przeczytasz tu, w panelu" in lost["content"]


async def test_what_was_dropped_for_what_it_said_is_told_and_not_sent_again(office, clock) -> None:
    key = await office.mails()
    await office.calls(event(key, "dropped", reason="Spam Content"))
    await office.reads()

    assert await office.told_of("email_lost") == 1
    clock.forward(hours=2)
    assert await office.sends() == 0


async def test_a_link_that_was_blocked_is_told_and_not_sent_again(office, clock) -> None:
    await office.browser.post("/api/request-password-reset", json={"email": office.anna.email})
    assert await office.sends() == 1
    await office.calls(event(office.sendgrid.keys[-1], "bounce", type="blocked"))
    await office.reads()

    assert await office.told_of("email_lost") == 1
    clock.forward(hours=2)
    assert await office.sends() == 0


async def test_a_blocked_notice_is_not_sent_again_to_who_wants_no_mail_any_more(
    office, clock
) -> None:
    key = await office.mails()
    await office.calls(event(key, "bounce", type="blocked"))
    await office.reads()
    off = {"emailEnabled": False, "smsEnabled": False}
    assert (await office.anna.put("/api/notifications/settings", off)).status_code == 200

    clock.forward(hours=2)
    assert await office.sends() == 0
    assert (await office.row(f"again:{(await office.row(key))['id']}"))["state"] == "failed"


async def test_a_mail_we_gave_up_is_told_in_the_panel(office) -> None:
    office.sendgrid.says(503)
    await office.tells()
    await office.executes(
        "UPDATE delivery SET attempts = :most, next_try_at = created_at WHERE state = 'pending'",
        most=MOST_TRIES - 1,
    )
    await office.sends()

    assert await office.told_of("email_lost") == 1
    assert await office.problem() is None


async def test_messages_and_events_are_forgotten_after_a_month(office) -> None:
    old, young = await office.mails(), await office.mails()
    await office.calls(event(old), event(young))
    await office.reads()
    await office.executes(
        "UPDATE delivery SET created_at = :at WHERE key = :key",
        at=machine_now() - KEPT - timedelta(minutes=1), key=old,
    )  # fmt: skip
    await office.executes(
        "UPDATE webhook_event SET received_at = :at WHERE event_id = :id",
        at=machine_now() - KEPT - timedelta(minutes=1), id=f"delivered-{old}",
    )  # fmt: skip
    await office.executes(
        "INSERT INTO delivery (id, kind, channel_medium, key, next_try_at, created_at)"
        " VALUES (gen_random_uuid(), 'of tomorrow', 'email', 'waiting', now(), :at)",
        at=machine_now() - 2 * KEPT,
    )

    assert await forget(office.worker.database) == 2
    assert await forget(office.worker.database) == 0

    keys = {row["key"] for row in await look(office.logins, "SELECT key FROM delivery")}
    assert old not in keys
    assert {young, "waiting"} <= keys
    assert [row["event_id"] for row in await office.inbox()] == [f"delivered-{young}"]
