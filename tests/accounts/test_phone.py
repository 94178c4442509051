"""Phones are verified by SMS codes; nothing else is sent to an unverified phone."""

import asyncio
import dataclasses
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import msgspec
import pytest

from prawko.accounts import phone_verification
from prawko.accounts.jobs import watch_phone_code_limit
from prawko.accounts.roles import Role
from prawko.apps.composition_root import create_renderer_registry
from prawko.hooks.channels import DeliveryError, Medium, Message, Recipient
from prawko.kit.context import AppContext
from prawko.kit.deliveries.senders import deliver_due
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage
from prawko.kit.text.i18n import Language
from prawko.notifications import delivery_feedback
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import ChannelPolicy, Member, media_for
from prawko.notifications.payloads import DriverPayload
from prawko.notifications.publisher import NOTICE_MAIL, NoticeDraft, publish_notices
from prawko_tenants.ids import TenantId, UserId
from prawko_testing.fakes import RecordingChannel
from support.database import age_tries, count_rows, execute_as_owner, fetch_rows
from support.people import Person, deliver_outbox, make_impersonated

pytestmark = pytest.mark.anyio

PHONE, OTHER = "+48600100200", "+48600100201"
SEND, VERIFY = "/api/notifications/send-verification-sms", "/api/notifications/verify-sms"
SETTINGS = "/api/notifications/settings"
NIGHT = datetime(2026, 11, 21, 2, tzinfo=UTC)  # three o'clock in Warsaw


async def request_code(person: Person, number: str = PHONE, **options: Any) -> httpx.Response:
    return await person.post(SEND, {"phoneNumber": number}, **options)


async def submit_code(person: Person, code: str) -> httpx.Response:
    return await person.post(VERIFY, {"code": code})


async def latest_code(worker: AppContext, phones: RecordingChannel, number: str = PHONE) -> str:
    await deliver_outbox(worker)
    code = phones.messages_to(number)[-1].code
    assert code is not None
    return code


async def verify_phone(
    person: Person, worker: AppContext, phones: RecordingChannel, number: str = PHONE
) -> None:
    """Request a code and submit it."""
    assert (await request_code(person, number)).status_code == 200
    answer = await submit_code(person, await latest_code(worker, phones, number))
    assert answer.status_code == 200, answer.text


async def change_settings(person: Person, *, email: bool = True, sms: bool) -> httpx.Response:
    return await person.put(SETTINGS, {"emailEnabled": email, "smsEnabled": sms})


async def fetch_phone_state(person: Person) -> tuple[str | None, bool, bool]:
    """Return the number, whether it is verified, and whether SMS are switched on."""
    user_json = (await person.get("/api/user")).json()
    return (
        user_json["phoneNumber"],
        user_json["phoneVerified"],
        user_json["smsNotificationsEnabled"],
    )


async def publish_withheld(person: Person, worker: AppContext, dedup_key: str = "1") -> None:
    """Publish a withheld licence to the person's company, as the daily check does."""
    tenant_id = TenantId(await person.tenant_id(worker))
    notice_payload = DriverPayload(
        first_name="Jan", last_name="Kowalski", license_number="AA123456",
        checked_at=worker.clock.now(), state="Zatrzymany",
    )  # fmt: skip
    draft = NoticeDraft(kind=NoticeKind.WITHHELD, dedup_key=dedup_key, payload=notice_payload)
    async with worker.database.batch() as session:
        await session.switch_tenant(tenant_id)
        await publish_notices(
            session,
            tenant_id,
            [draft],
            policy=ChannelPolicy.from_settings(worker.settings),
            now=worker.clock.now(),
        )


def wrong_code(code: str) -> str:
    return "000000" if code != "000000" else "000001"


async def test_a_code_by_sms_verifies_the_number(anna, worker, sms_inbox, mailbox) -> None:
    mails = len(mailbox.sent)

    answer = await request_code(anna)

    assert (answer.status_code, answer.json()) == (
        200, {"ok": True, "message": "Kod wysłany", "resendAfter": 30},
    )  # fmt: skip
    assert await fetch_phone_state(anna) == (PHONE, False, False)
    code = await latest_code(worker, sms_inbox)
    [sms] = sms_inbox.sent
    assert len(code) == 6
    assert code.isdigit()
    assert code in sms.message.sms_text
    assert (sms.recipient.phone, sms.recipient.email) == (PHONE, None)
    assert len(mailbox.sent) == mails

    answer = await submit_code(anna, code)

    assert (answer.status_code, answer.json()) == (
        200, {"ok": True, "message": "Weryfikacja zakończona", "phoneNumber": PHONE},
    )  # fmt: skip
    assert await fetch_phone_state(anna) == (PHONE, True, False)


async def test_code_and_answers_are_in_english_for_an_english_account(
    anna, worker, sms_inbox
) -> None:
    await anna.put("/api/user/language", {"language": "en"})

    assert (await request_code(anna)).json()["message"] == "Code sent"
    code = await latest_code(worker, sms_inbox)
    assert sms_inbox.sent[-1].message.sms_text.startswith("Prawko: your code is ")
    refused = await submit_code(anna, wrong_code(code))
    assert refused.json() == {"error": "invalid_phone_code", "message": "Invalid verification code"}
    assert (await submit_code(anna, code)).json()["message"] == "Verification completed"


async def test_a_malformed_number_is_refused_at_its_field(anna, logins) -> None:
    for body, sentence in (
        ({"phoneNumber": ""}, "Wprowadź numer telefonu"),
        ({}, "Wprowadź numer telefonu"),
        ({"phoneNumber": "600100200"}, "Numer telefonu musi być w formacie +48XXXXXXXXX"),
    ):
        answer = await anna.post(SEND, body)

        assert answer.status_code == 422
        assert answer.json() == {
            "error": "invalid_phone", "message": sentence, "fields": {"phoneNumber": sentence},
        }  # fmt: skip
    assert await count_rows(logins, "one_time_code WHERE kind = 'phone'") == 0


async def test_an_unreadable_body_is_refused_with_the_same_error(anna) -> None:
    for body in ({"phoneNumber": 48600100200}, {"phoneNumber": PHONE, "verified": True}, []):
        answer = await anna.post(SEND, body)
        assert (answer.status_code, answer.json()["error"]) == (422, "invalid_phone")
    for body in ({"code": 123456}, {"code": "123456", "phoneNumber": PHONE}, "123456"):
        answer = await anna.post(VERIFY, body)
        assert (answer.status_code, answer.json()["error"]) == (422, "malformed_phone_code")


async def test_every_invalid_code_gets_the_same_refusal(anna, worker, sms_inbox, clock) -> None:
    for raw, sentence in (
        ("", "Wprowadź kod weryfikacyjny"),
        ("12345", "Kod weryfikacyjny musi składać się z 6 cyfr"),
    ):
        refused = await submit_code(anna, raw)
        assert refused.status_code == 422
        assert refused.json()["fields"] == {"code": sentence}
        assert refused.json()["message"] == sentence

    without_request = await submit_code(anna, "123456")
    await request_code(anna)
    first = await latest_code(worker, sms_inbox)
    wrong = await submit_code(anna, wrong_code(first))
    clock.forward(seconds=31)
    await request_code(anna)
    second = await latest_code(worker, sms_inbox)
    superseded = await submit_code(anna, first) if first != second else wrong
    clock.forward(minutes=10, seconds=1)
    current = await submit_code(anna, second)

    answers = {answer.content for answer in (without_request, wrong, superseded, current)}
    assert {answer.status_code for answer in (without_request, wrong, superseded, current)} == {400}
    assert len(answers) == 1
    assert without_request.json() == {
        "error": "invalid_phone_code", "message": "Błąd podczas weryfikacji kodu",
    }  # fmt: skip
    assert (await fetch_phone_state(anna))[1] is False


async def test_a_code_is_typed_with_blanks_and_used_once(anna, worker, sms_inbox) -> None:
    await request_code(anna)
    code = await latest_code(worker, sms_inbox)

    assert (await submit_code(anna, f" {code[:3]} {code[3:]} ")).status_code == 200
    assert (await submit_code(anna, code)).status_code == 400
    assert (await fetch_phone_state(anna))[1] is True


async def test_a_phone_code_is_invalid_after_five_wrong_attempts(anna, worker, sms_inbox) -> None:
    await request_code(anna)
    code = await latest_code(worker, sms_inbox)
    for _ in range(5):
        assert (await submit_code(anna, wrong_code(code))).status_code == 400

    assert (await submit_code(anna, code)).status_code == 400


async def test_the_fifth_attempt_is_allowed_and_a_malformed_code_is_no_attempt(
    anna, worker, sms_inbox
) -> None:
    await request_code(anna)
    code = await latest_code(worker, sms_inbox)
    for raw in [wrong_code(code)] * 4 + ["12345"] * 9:
        await submit_code(anna, raw)

    assert (await submit_code(anna, code)).status_code == 200


async def test_guessed_phone_codes_are_recorded_only_up_to_the_limit(
    anna, worker, sms_inbox, logins
) -> None:
    await request_code(anna)
    code = await latest_code(worker, sms_inbox)
    for _ in range(9):
        assert (await submit_code(anna, wrong_code(code))).status_code == 400

    select_refusals = "SELECT 1 FROM user_activity WHERE activity_type = 'phone_code_refused'"
    assert len(await fetch_rows(logins, select_refusals)) == 5


async def test_of_twenty_concurrent_attempts_five_count(anna, worker, sms_inbox, logins) -> None:
    await request_code(anna)
    code = await latest_code(worker, sms_inbox)

    guesses = [f"{n:06d}" for n in range(20) if f"{n:06d}" != code]
    await asyncio.gather(*(submit_code(anna, guess) for guess in guesses))

    assert (await submit_code(anna, code)).status_code == 400


async def test_a_phone_code_verifies_only_its_own_user(anna, celina, monkeypatch) -> None:
    codes = iter(["111111", "222222"])
    monkeypatch.setattr(phone_verification, "new_phone_code", lambda: next(codes))
    await request_code(anna)
    await request_code(celina, OTHER)

    assert (await submit_code(celina, "111111")).status_code == 400
    assert (await submit_code(celina, "222222")).status_code == 200


async def test_a_code_verifies_only_the_number_it_was_sent_to(
    anna, worker, sms_inbox, logins
) -> None:
    await request_code(anna)
    code = await latest_code(worker, sms_inbox)
    await execute_as_owner(logins, "UPDATE user_account SET phone_number = $1", OTHER)

    assert (await submit_code(anna, code)).status_code == 400
    assert await fetch_phone_state(anna) == (OTHER, False, False)


async def test_another_number_is_unverified_and_the_same_one_stays_verified(
    anna, worker, sms_inbox, clock
) -> None:
    await verify_phone(anna, worker, sms_inbox)
    clock.forward(seconds=31)

    await request_code(anna)
    assert await fetch_phone_state(anna) == (PHONE, True, False)
    clock.forward(seconds=31)

    await request_code(anna, OTHER)
    assert await fetch_phone_state(anna) == (OTHER, False, False)
    await submit_code(anna, await latest_code(worker, sms_inbox, OTHER))
    assert await fetch_phone_state(anna) == (OTHER, True, False)


async def test_codes_are_stored_as_digests_and_encrypted_in_the_outbox(
    anna, logins, worker, sms_inbox
) -> None:
    await request_code(anna)
    [delivery] = await fetch_rows(logins, "SELECT * FROM delivery WHERE kind = 'phone_code'")
    [stored] = await fetch_rows(logins, "SELECT * FROM one_time_code WHERE kind = 'phone'")
    code = await latest_code(worker, sms_inbox)

    assert stored["bound_to"] == PHONE
    assert delivery["channel_medium"] == "sms"
    assert delivery["not_before"] is None
    for row in (delivery, stored):
        assert code not in str(row)
        assert code.encode() not in b"".join(
            value for value in row.values() if isinstance(value, bytes)
        )
    assert PHONE not in str(delivery)
    [sent] = await fetch_rows(logins, "SELECT * FROM delivery WHERE kind = 'phone_code'")
    assert (sent["state"], sent["encrypted"]) == ("sent", None)


async def test_a_code_is_sent_at_night_and_an_alert_in_the_morning(
    anna, worker, sms_inbox, clock
) -> None:
    await verify_phone(anna, worker, sms_inbox)
    await change_settings(anna, sms=True)
    clock.set(NIGHT)
    sms_inbox.sent.clear()

    await publish_withheld(anna, worker)
    await request_code(anna)
    await deliver_outbox(worker)
    assert [sent.message.code is not None for sent in sms_inbox.sent] == [True]

    clock.set(NIGHT + timedelta(hours=3, minutes=1))
    await deliver_outbox(worker)
    assert "Jan Kowalski" in sms_inbox.sent[-1].message.sms_text


async def test_an_invalid_code_is_not_sent(anna, worker, sms_inbox, clock, logins) -> None:
    await request_code(anna)
    clock.forward(seconds=31)
    await request_code(anna, OTHER)
    await deliver_outbox(worker)
    assert [sent.recipient.phone for sent in sms_inbox.sent] == [OTHER]

    clock.forward(seconds=31)
    await request_code(anna)
    clock.forward(minutes=11)
    await deliver_outbox(worker)
    assert len(sms_inbox.sent) == 1
    rows = await fetch_rows(
        logins, "SELECT state FROM delivery WHERE kind = 'phone_code' ORDER BY id"
    )
    assert [row["state"] for row in rows] == ["failed", "sent", "failed"]


async def test_codes_are_thirty_seconds_apart(anna, clock, logins) -> None:
    assert (await request_code(anna)).status_code == 200

    repeated = await request_code(anna)
    assert repeated.status_code == 429
    assert repeated.json()["error"] == "too_many_requests"
    assert 0 < int(repeated.headers["Retry-After"]) <= 30
    clock.forward(seconds=29)
    assert 0 < int((await request_code(anna, OTHER)).headers["Retry-After"]) <= 2
    assert (await fetch_phone_state(anna))[0] == PHONE, "what is refused changes nothing"

    clock.forward(seconds=2)
    assert (await request_code(anna)).status_code == 200
    clock.forward(days=-3)
    assert (await request_code(anna)).status_code == 200, "the demo's clock was set back"


async def test_ten_concurrent_requests_send_one_code(anna, worker, sms_inbox, logins) -> None:
    answers = await asyncio.gather(*(request_code(anna) for _ in range(10)))

    assert sorted(answer.status_code for answer in answers) == [200] + [429] * 9
    await deliver_outbox(worker)
    assert len(sms_inbox.sent) == 1
    assert await count_rows(logins, "one_time_code WHERE kind = 'phone' AND used_at IS NULL") == 1


async def test_a_person_gets_five_codes_an_hour(anna, clock, sms_inbox, worker) -> None:
    statuses = []
    for attempt in range(6):
        statuses.append((await request_code(anna, f"+4860010020{attempt}")).status_code)
        clock.forward(seconds=31)

    assert statuses == [200] * 5 + [429]
    refused = await request_code(anna)
    assert 1800 < int(refused.headers["Retry-After"]) <= 3600
    assert refused.json()["message"] == "Zbyt wiele prób. Spróbuj ponownie za chwilę."


@pytest.fixture
def person_with_limits(context, browser_for_app):
    """Return a person's session on a panel with other limits."""

    def make(person: Person, **limits: int) -> Person:
        browser = browser_for_app(context, max_tries=limits)
        browser.cookies.update(person.browser.cookies)
        return Person(person.email, browser)

    return make


@pytest.mark.parametrize(
    ("limit", "numbers"),
    [
        ("phone_code_number", (PHONE, PHONE)),
        ("phone_code_address", (PHONE, OTHER)),
        ("phone_code_day", (PHONE, OTHER)),
    ],
)
async def test_limits_per_number_network_and_day_are_shared_by_all_persons(
    anna, celina, person_with_limits, limit, numbers
) -> None:
    anna, celina = (person_with_limits(person, **{limit: 1}) for person in (anna, celina))

    assert (await request_code(anna, numbers[0])).status_code == 200
    refused = await request_code(celina, numbers[1])

    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 3000
    assert (await fetch_phone_state(celina))[0] is None, "what is refused changes nothing"


async def test_a_refusal_by_one_limit_uses_up_no_other(
    anna, celina, person_with_limits, logins
) -> None:
    limited_anna = person_with_limits(anna, phone_code_number=1, phone_code_day=2)
    assert (await request_code(limited_anna)).status_code == 200
    celinas = person_with_limits(celina, phone_code_number=1, phone_code_day=2)
    for _ in range(4):
        assert (await request_code(celinas)).status_code == 429

    assert (await request_code(celinas, OTHER)).status_code == 200


async def test_operators_are_mailed_once_when_the_days_codes_are_used_up(
    anna, person_with_limits, worker, mailbox, logins
) -> None:
    worker = dataclasses.replace(worker, max_tries={"phone_code_day": 1})
    await watch_phone_code_limit(worker)
    assert await count_rows(logins, "incident") == 0

    await request_code(person_with_limits(anna, phone_code_day=1))
    for _ in range(3):
        await watch_phone_code_limit(worker)
        await deliver_outbox(worker)

    [alert] = mailbox.messages_to(worker.settings.operator_email)
    assert "sms_codes_used_up" in alert.subject
    assert "Dzienny limit kodów SMS został wyczerpany" in alert.text
    assert "SMS_CODES_PER_DAY=1" in alert.text
    assert PHONE not in alert.text

    await age_tries(logins, days=1)
    await watch_phone_code_limit(worker)
    [incident] = await fetch_rows(logins, "SELECT closed_at FROM incident")
    assert incident["closed_at"] is not None


async def test_without_an_sms_channel_no_code_is_created(
    anna, context, browser_for_app, logins
) -> None:
    settings = msgspec.structs.replace(context.settings, sms_channel="")
    browser = browser_for_app(context, settings=settings)
    browser.cookies.update(anna.browser.cookies)
    answer = await request_code(Person(anna.email, browser))

    assert (answer.status_code, answer.json()) == (
        503,
        {"error": "sms_unavailable", "message": "Błąd podczas wysyłania kodu weryfikacyjnego"},
    )
    assert answer.headers["Retry-After"] == "300"
    assert await count_rows(logins, "one_time_code WHERE kind = 'phone'") == 0


async def test_a_refused_number_is_notified_in_the_panel(anna, worker, sms_inbox) -> None:
    sms_inbox.failure = DeliveryError("no such number", permanent=True)
    await request_code(anna)
    await deliver_outbox(worker)

    notifications = (await anna.get("/api/notifications")).json()
    assert [row["type"] for row in notifications] == ["phone_refused"]
    assert notifications[0]["title"] == "SMS nie został doręczony"
    assert "numer jest błędny albo telefon był długo wyłączony" in notifications[0]["content"]


async def test_sms_can_be_switched_on_only_for_a_verified_phone(
    anna, worker, sms_inbox, clock
) -> None:
    refused = await change_settings(anna, sms=True)
    assert refused.status_code == 422
    assert refused.json() == {
        "error": "phone_unverified",
        "message": "Najpierw zweryfikuj numer telefonu.",
        "fields": {"smsEnabled": "Najpierw zweryfikuj numer telefonu."},
    }

    await verify_phone(anna, worker, sms_inbox)
    changed = await change_settings(anna, sms=True, email=False)
    assert (changed.status_code, changed.json()) == (
        200,
        {
            "emailEnabled": False, "smsEnabled": True, "phoneNumber": PHONE,
            "phoneVerified": True, "emailProblem": None,
        },
    )  # fmt: skip
    clock.forward(seconds=31)
    await request_code(anna, OTHER)
    kept = await change_settings(anna, sms=True)
    assert (kept.status_code, kept.json()["smsEnabled"]) == (200, True)
    assert (await change_settings(anna, sms=False)).json()["phoneVerified"] is False
    assert (await change_settings(anna, sms=True)).status_code == 422


async def test_sms_return_when_a_changed_number_is_verified(anna, worker, sms_inbox, clock) -> None:
    await set_noon(worker)
    await verify_phone(anna, worker, sms_inbox)
    await change_settings(anna, sms=True)
    clock.forward(seconds=31)
    await request_code(anna, OTHER)
    await change_settings(anna, sms=True, email=False)
    await deliver_outbox(worker)  # the code
    sent = len(sms_inbox.sent)
    await publish_withheld(anna, worker, "meanwhile")
    await deliver_outbox(worker)
    assert len(sms_inbox.sent) == sent

    clock.forward(seconds=31)
    await verify_phone(anna, worker, sms_inbox, OTHER)
    sms_inbox.sent.clear()
    await publish_withheld(anna, worker, "after")
    await deliver_outbox(worker)
    assert [sms.recipient.phone for sms in sms_inbox.sent] == [OTHER]


async def test_an_alert_is_sent_to_a_verified_phone_with_sms_switched_on(
    anna, worker, sms_inbox
) -> None:
    await verify_phone(anna, worker, sms_inbox)
    sms_inbox.sent.clear()
    await publish_withheld(anna, worker, "before")
    await deliver_outbox(worker)
    assert sms_inbox.sent == [], "SMS are off until they are switched on"

    await change_settings(anna, sms=True)
    await set_noon(worker)
    await publish_withheld(anna, worker, "after")
    await deliver_outbox(worker)

    [sms] = sms_inbox.sent
    assert sms.recipient.phone == PHONE
    assert "Jan Kowalski" in sms.message.sms_text


async def set_noon(worker: AppContext) -> None:
    """Set the clock to noon, when SMS are not delayed."""
    worker.clock.set(datetime(2026, 11, 21, 11, tzinfo=UTC))


async def choose_sms(person: Person, worker: AppContext, sms_inbox: RecordingChannel) -> None:
    """Verify the phone and switch SMS on, at noon; the inbox is empty afterwards."""
    await set_noon(worker)
    await verify_phone(person, worker, sms_inbox)
    await change_settings(person, sms=True)
    sms_inbox.sent.clear()


async def test_an_alert_enqueued_before_the_number_changed_is_not_sent(
    anna, worker, sms_inbox, logins
) -> None:
    await choose_sms(anna, worker, sms_inbox)
    worker.clock.forward(seconds=31)

    await publish_withheld(anna, worker)
    await request_code(anna, OTHER)
    await deliver_outbox(worker)

    assert [sent.message.code is not None for sent in sms_inbox.sent] == [True]
    assert await fetch_rows(logins, ALERT_SMS) == [OBSOLETE]


ALERT_SMS = (
    "SELECT state, error_kind FROM delivery WHERE kind = 'notice' AND channel_medium = 'sms'"
)
OBSOLETE = {"state": "failed", "error_kind": "obsolete"}
UNVERIFIED = """
    UPDATE user_account
       SET phone_number = '+48600100200', phone_verified = false, sms_notifications_enabled = true
     WHERE email_key = 'anna@acme.test'
"""


async def test_no_sms_is_enqueued_for_an_unverified_phone(anna, worker, sms_inbox, logins) -> None:
    await set_noon(worker)
    await execute_as_owner(logins, UNVERIFIED)

    await publish_withheld(anna, worker)
    await deliver_outbox(worker)

    assert sms_inbox.sent == []
    assert await count_rows(logins, "delivery WHERE channel_medium = 'sms'") == 0


async def test_no_enqueued_sms_is_rendered_for_an_unverified_phone(
    anna, worker, sms_inbox, logins
) -> None:
    await choose_sms(anna, worker, sms_inbox)

    await publish_withheld(anna, worker)
    await execute_as_owner(logins, UNVERIFIED)
    await deliver_outbox(worker)

    assert sms_inbox.sent == []


async def test_no_rendered_sms_is_sent_to_an_unverified_phone(
    anna, worker, sms_inbox, logins
) -> None:
    await choose_sms(anna, worker, sms_inbox)
    await publish_withheld(anna, worker)
    await execute_as_owner(logins, UNVERIFIED)
    unchecked_registry = create_renderer_registry(worker)
    unchecked_registry.renderers[NOTICE_MAIL] = render_unchecked

    await deliver_due(worker, unchecked_registry)

    assert sms_inbox.sent == []
    assert await fetch_rows(logins, ALERT_SMS) == [OBSOLETE]


async def render_unchecked(
    context: AppContext, due: Sequence[DueMessage]
) -> dict[Any, RenderedMessage]:
    """Render messages without checking the phone."""
    notice = Message(subject="Tytuł", text="x", html="x", sms_text="x")
    return {
        message.id: RenderedMessage(notice, Recipient(email=None, phone=PHONE)) for message in due
    }


async def test_no_sms_is_sent_to_a_number_that_changed_after_rendering(
    anna, worker, sms_inbox, logins, monkeypatch
) -> None:
    await choose_sms(anna, worker, sms_inbox)
    await publish_withheld(anna, worker)
    written = delivery_feedback.ReaderDeliveryFeedback.is_allowed

    async def allow_after_change(self, session, due, recipient) -> bool:
        if due.medium is Medium.SMS:
            await execute_as_owner(logins, "UPDATE user_account SET phone_number = $1", OTHER)
        return await written(self, session, due, recipient)

    monkeypatch.setattr(delivery_feedback.ReaderDeliveryFeedback, "is_allowed", allow_after_change)
    await deliver_outbox(worker)

    assert sms_inbox.sent == []


def test_an_unverified_phone_gets_no_sms() -> None:
    member = Member(
        user_id=UserId(uuid.uuid4()), role=Role.OWNER, language=Language.PL, email_verified=True,
        email_on=True, phone_verified=False, sms_on=True,
    )  # fmt: skip
    rules = ChannelPolicy(media=frozenset(Medium), sms_from_hour=0)
    assert media_for(NoticeKind.WITHHELD, member, rules) == [Medium.EMAIL]


async def test_phone_and_settings_events_are_recorded(anna, worker, sms_inbox, logins) -> None:
    assert (await request_code(anna)).status_code == 200
    code = await latest_code(worker, sms_inbox)
    assert (await submit_code(anna, wrong_code(code))).status_code == 400
    assert (await submit_code(anna, code)).status_code == 200
    await change_settings(anna, sms=True)
    await change_settings(anna, sms=True)  # changes nothing

    rows = await fetch_rows(
        logins,
        "SELECT activity_type, details, ip, agent, tenant_id IS NOT NULL AS company"
        " FROM user_activity WHERE activity_type ~ 'phone|settings' ORDER BY created_at, id",
    )
    assert [row["activity_type"] for row in rows] == [
        "phone_code_sent", "phone_code_refused", "phone_verified", "settings_changed",
    ]  # fmt: skip
    assert all(row["ip"] == "127.0.0.1" and row["company"] for row in rows)
    assert msgspec.json.decode(rows[-1]["details"]) == {"email": True, "sms": True}
    assert PHONE not in str(rows)


async def test_an_impersonating_operator_cannot_verify_a_phone(anna, logins) -> None:
    await make_impersonated(logins.owner)

    for answer in (await request_code(anna), await submit_code(anna, "123456")):
        assert (answer.status_code, answer.json()["error"]) == (403, "auth_forbidden")


async def test_a_session_revoked_meanwhile_verifies_no_phone(
    anna, worker, sms_inbox, logins
) -> None:
    await request_code(anna)
    code = await latest_code(worker, sms_inbox)
    await execute_as_owner(logins, "UPDATE login_session SET revoked_at = now()")

    assert (await submit_code(anna, code)).status_code == 401
    [row] = await fetch_rows(logins, "SELECT phone_verified FROM user_account")
    assert row["phone_verified"] is False
