"""A phone is proved by the code of an SMS; nothing else is ever sent to one that is not."""

import asyncio
import dataclasses
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import msgspec
import pytest

from persons import Person, deliver
from prawko.accounts.throttle import Throttle
from prawko.base.jobs import Tools
from prawko.base.texts import Language
from prawko.deliveries.composing import Due, Message
from prawko.deliveries.sending import deliver_due
from prawko.hooks.channels import DeliveryError, Medium, Notice, Recipient
from prawko.notifications import addresses, phone
from prawko.notifications.announcing import NOTICE_MAIL, Announcement, announce
from prawko.notifications.fanout import Member, Rules, media_for
from prawko.notifications.kinds import DriverFacts, NoticeKind
from prawko.notifications.phone_limits import PhoneLimits, watch_phone_codes
from prawko.testing.fakes import RecordingChannel
from prawko.web.app import create_app
from prawko.worker.wiring import correspondence
from prawko_tenants.ids import TenantId, UserId
from stored import count, look

pytestmark = pytest.mark.anyio

PHONE, OTHER = "+48600100200", "+48600100201"
SEND, VERIFY = "/api/notifications/send-verification-sms", "/api/notifications/verify-sms"
SETTINGS = "/api/notifications/settings"
NIGHT = datetime(2026, 11, 21, 2, tzinfo=UTC)  # three o'clock in Warsaw


async def sends(person: Person, number: str = PHONE, **options: Any) -> httpx.Response:
    return await person.post(SEND, {"phoneNumber": number}, **options)


async def types(person: Person, code: str) -> httpx.Response:
    return await person.post(VERIFY, {"code": code})


async def newest_code(worker: Tools, phones: RecordingChannel, number: str = PHONE) -> str:
    await deliver(worker)
    code = phones.to(number)[-1].code
    assert code is not None
    return code


async def proves(
    person: Person, worker: Tools, phones: RecordingChannel, number: str = PHONE
) -> None:
    """Have a code sent, and type it."""
    assert (await sends(person, number)).status_code == 200
    answer = await types(person, await newest_code(worker, phones, number))
    assert answer.status_code == 200, answer.text


async def switches(person: Person, *, email: bool = True, sms: bool) -> httpx.Response:
    return await person.put(SETTINGS, {"emailEnabled": email, "smsEnabled": sms})


async def user(person: Person) -> tuple[str | None, bool, bool]:
    """Number, verified, SMS switched on."""
    found = (await person.get("/api/user")).json()
    return found["phoneNumber"], found["phoneVerified"], found["smsNotificationsEnabled"]


async def told(person: Person, worker: Tools, dedup: str = "1") -> None:
    """Announce a withheld licence to the person's company, as the daily check does."""
    tenant_id = TenantId(await person.tenant_id(worker))
    about = DriverFacts(
        first_name="Jan", last_name="Kowalski", license_number="AA123456",
        checked_at=worker.clock.now(), state="Zatrzymany",
    )  # fmt: skip
    news = Announcement(kind=NoticeKind.WITHHELD, dedup=dedup, facts=about)
    async with worker.database.batch() as session:
        await session.bind(tenant_id)
        await announce(
            session, tenant_id, [news], rules=Rules.of(worker.settings), now=worker.clock.now()
        )


async def execute(logins, sql: str, *args: object) -> None:
    connection = await asyncpg.connect(logins.owner)
    try:
        await connection.execute(sql, *args)
    finally:
        await connection.close()


def wrong(code: str) -> str:
    return "000000" if code != "000000" else "000001"


async def test_a_code_by_sms_proves_the_number(anna, worker, phones, mailbox) -> None:
    mails = len(mailbox.sent)

    answer = await sends(anna)

    assert (answer.status_code, answer.json()) == (
        200, {"ok": True, "message": "Kod wysłany", "resendAfter": 30},
    )  # fmt: skip
    assert await user(anna) == (PHONE, False, False)
    code = await newest_code(worker, phones)
    [sms] = phones.sent
    assert len(code) == 6
    assert code.isdigit()
    assert code in sms.notice.line
    assert (sms.recipient.phone, sms.recipient.email) == (PHONE, None)
    assert len(mailbox.sent) == mails

    answer = await types(anna, code)

    assert (answer.status_code, answer.json()) == (
        200, {"ok": True, "message": "Weryfikacja zakończona", "phoneNumber": PHONE},
    )  # fmt: skip
    assert await user(anna) == (PHONE, True, False)


async def test_english_people_are_answered_in_english(anna, worker, phones) -> None:
    await anna.put("/api/user/language", {"language": "en"})

    assert (await sends(anna)).json()["message"] == "Code sent"
    code = await newest_code(worker, phones)
    assert phones.sent[-1].notice.line.startswith("Prawko: your code is ")
    refused = await types(anna, wrong(code))
    assert refused.json() == {"error": "invalid_phone_code", "message": "Invalid verification code"}
    assert (await types(anna, code)).json()["message"] == "Verification completed"


async def test_a_number_of_another_form_is_refused_at_its_field(anna, logins) -> None:
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
    assert await count(logins, "one_time_code WHERE kind = 'phone'") == 0


async def test_what_cannot_be_read_is_refused_all_the_same(anna) -> None:
    for body in ({"phoneNumber": 48600100200}, {"phoneNumber": PHONE, "verified": True}, []):
        answer = await anna.post(SEND, body)
        assert (answer.status_code, answer.json()["error"]) == (422, "invalid_phone")
    for body in ({"code": 123456}, {"code": "123456", "phoneNumber": PHONE}, "123456"):
        answer = await anna.post(VERIFY, body)
        assert (answer.status_code, answer.json()["error"]) == (422, "malformed_phone_code")


async def test_codes_are_judged_alike_however_they_fail(anna, worker, phones, clock) -> None:
    for typed, sentence in (
        ("", "Wprowadź kod weryfikacyjny"),
        ("12345", "Kod weryfikacyjny musi składać się z 6 cyfr"),
    ):
        refused = await types(anna, typed)
        assert refused.status_code == 422
        assert refused.json()["fields"] == {"code": sentence}
        assert refused.json()["message"] == sentence

    unasked = await types(anna, "123456")
    await sends(anna)
    first = await newest_code(worker, phones)
    mistaken = await types(anna, wrong(first))
    clock.forward(seconds=31)
    await sends(anna)
    second = await newest_code(worker, phones)
    older = await types(anna, first) if first != second else mistaken
    clock.forward(minutes=10, seconds=1)
    late = await types(anna, second)

    answers = {answer.content for answer in (unasked, mistaken, older, late)}
    assert {answer.status_code for answer in (unasked, mistaken, older, late)} == {400}
    assert len(answers) == 1
    assert unasked.json() == {
        "error": "invalid_phone_code", "message": "Błąd podczas weryfikacji kodu",
    }  # fmt: skip
    assert (await user(anna))[1] is False


async def test_a_code_is_typed_with_blanks_and_used_once(anna, worker, phones) -> None:
    await sends(anna)
    code = await newest_code(worker, phones)

    assert (await types(anna, f" {code[:3]} {code[3:]} ")).status_code == 200
    assert (await types(anna, code)).status_code == 400
    assert (await user(anna))[1] is True


async def test_the_fifth_wrong_try_wears_the_code_out(anna, worker, phones) -> None:
    await sends(anna)
    code = await newest_code(worker, phones)
    for _ in range(5):
        assert (await types(anna, wrong(code))).status_code == 400

    assert (await types(anna, code)).status_code == 400


async def test_the_fifth_try_still_counts_and_its_form_costs_none(anna, worker, phones) -> None:
    await sends(anna)
    code = await newest_code(worker, phones)
    for typed in [wrong(code)] * 4 + ["12345"] * 9:
        await types(anna, typed)

    assert (await types(anna, code)).status_code == 200


async def test_guessing_does_not_fill_the_log(anna, worker, phones, logins) -> None:
    await sends(anna)
    code = await newest_code(worker, phones)
    for _ in range(9):
        assert (await types(anna, wrong(code))).status_code == 400

    noted = "SELECT 1 FROM user_activity WHERE activity_type = 'phone_code_refused'"
    assert len(await look(logins, noted)) == 5


async def test_twenty_tries_at_once_are_five(anna, worker, phones, logins) -> None:
    await sends(anna)
    code = await newest_code(worker, phones)

    guesses = [f"{n:06d}" for n in range(20) if f"{n:06d}" != code]
    await asyncio.gather(*(types(anna, guess) for guess in guesses))

    assert (await types(anna, code)).status_code == 400


async def test_a_code_of_one_person_proves_nothing_for_another(anna, celina, monkeypatch) -> None:
    codes = iter(["111111", "222222"])
    monkeypatch.setattr(phone, "new_code", lambda: next(codes))
    await sends(anna)
    await sends(celina, OTHER)

    assert (await types(celina, "111111")).status_code == 400
    assert (await types(celina, "222222")).status_code == 200


async def test_a_code_proves_the_number_it_was_sent_to_alone(anna, worker, phones, logins) -> None:
    await sends(anna)
    code = await newest_code(worker, phones)
    await execute(logins, "UPDATE user_account SET phone_number = $1", OTHER)

    assert (await types(anna, code)).status_code == 400
    assert await user(anna) == (OTHER, False, False)


async def test_another_number_is_unverified_and_the_same_one_stays_verified(
    anna, worker, phones, clock
) -> None:
    await proves(anna, worker, phones)
    clock.forward(seconds=31)

    await sends(anna)
    assert await user(anna) == (PHONE, True, False)
    clock.forward(seconds=31)

    await sends(anna, OTHER)
    assert await user(anna) == (OTHER, False, False)
    await types(anna, await newest_code(worker, phones, OTHER))
    assert await user(anna) == (OTHER, True, False)


async def test_codes_are_stored_as_digests_and_travel_sealed(anna, logins, worker, phones) -> None:
    await sends(anna)
    [delivery] = await look(logins, "SELECT * FROM delivery WHERE kind = 'phone_code'")
    [stored] = await look(logins, "SELECT * FROM one_time_code WHERE kind = 'phone'")
    code = await newest_code(worker, phones)

    assert stored["bound_to"] == PHONE
    assert delivery["channel_medium"] == "sms"
    assert delivery["not_before"] is None
    for row in (delivery, stored):
        assert code not in str(row)
        assert code.encode() not in b"".join(v for v in row.values() if isinstance(v, bytes))
    assert PHONE not in str(delivery)
    [sent] = await look(logins, "SELECT * FROM delivery WHERE kind = 'phone_code'")
    assert (sent["state"], sent["sealed"]) == ("sent", None)


async def test_a_code_leaves_at_night_and_an_alert_waits_for_the_morning(
    anna, worker, phones, clock
) -> None:
    await proves(anna, worker, phones)
    await switches(anna, sms=True)
    clock.set(NIGHT)
    phones.sent.clear()

    await told(anna, worker)
    await sends(anna)
    await deliver(worker)
    assert [sent.notice.code is not None for sent in phones.sent] == [True]

    clock.set(NIGHT + timedelta(hours=3, minutes=1))
    await deliver(worker)
    assert "Jan Kowalski" in phones.sent[-1].notice.line


async def test_a_code_that_no_longer_counts_does_not_leave(
    anna, worker, phones, clock, logins
) -> None:
    await sends(anna)
    clock.forward(seconds=31)
    await sends(anna, OTHER)
    await deliver(worker)
    assert [sent.recipient.phone for sent in phones.sent] == [OTHER]

    clock.forward(seconds=31)
    await sends(anna)
    clock.forward(minutes=11)
    await deliver(worker)
    assert len(phones.sent) == 1
    rows = await look(logins, "SELECT state FROM delivery WHERE kind = 'phone_code' ORDER BY id")
    assert [row["state"] for row in rows] == ["failed", "sent", "failed"]


async def test_half_a_minute_lies_between_two_codes(anna, clock, logins) -> None:
    assert (await sends(anna)).status_code == 200

    again = await sends(anna)
    assert again.status_code == 429
    assert again.json()["error"] == "too_many_requests"
    assert 0 < int(again.headers["Retry-After"]) <= 30
    clock.forward(seconds=29)
    assert 0 < int((await sends(anna, OTHER)).headers["Retry-After"]) <= 2
    assert (await user(anna))[0] == PHONE, "what is refused changes nothing"

    clock.forward(seconds=2)
    assert (await sends(anna)).status_code == 200
    clock.forward(days=-3)
    assert (await sends(anna)).status_code == 200, "the demo's clock was set back"


async def test_ten_requests_at_once_send_one_code(anna, worker, phones, logins) -> None:
    answers = await asyncio.gather(*(sends(anna) for _ in range(10)))

    assert sorted(answer.status_code for answer in answers) == [200] + [429] * 9
    await deliver(worker)
    assert len(phones.sent) == 1
    assert await count(logins, "one_time_code WHERE kind = 'phone' AND used_at IS NULL") == 1


async def test_a_person_gets_five_codes_an_hour(anna, clock, phones, worker) -> None:
    statuses = []
    for n in range(6):
        statuses.append((await sends(anna, f"+4860010020{n}")).status_code)
        clock.forward(seconds=31)

    assert statuses == [200] * 5 + [429]
    refused = await sends(anna)
    assert 1800 < int(refused.headers["Retry-After"]) <= 3600
    assert refused.json()["message"] == "Zbyt wiele prób. Spróbuj ponownie za chwilę."


@pytest.fixture
def narrow(tools, visitor_of):
    """A panel with other limits, and a person's session in front of it."""

    def make(person: Person, **limits: Any) -> Person:
        browser = visitor_of(create_app(with_limits(tools, **limits)))
        browser.cookies.update(person.browser.cookies)
        return Person(person.email, browser)

    return make


def with_limits(tools: Tools, **limits: Any) -> Tools:
    settings = msgspec.structs.replace(tools.settings, **limits)
    return dataclasses.replace(tools, settings=settings)


@pytest.mark.parametrize(
    ("limit", "numbers"),
    [
        ("sms_codes_per_number", (PHONE, PHONE)),
        ("sms_codes_per_address", (PHONE, OTHER)),
        ("sms_codes_per_day", (PHONE, OTHER)),
    ],
)
async def test_many_persons_share_the_other_limits(anna, celina, narrow, limit, numbers) -> None:
    anna, celina = (narrow(person, **{limit: 1}) for person in (anna, celina))

    assert (await sends(anna, numbers[0])).status_code == 200
    refused = await sends(celina, numbers[1])

    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 3000
    assert (await user(celina))[0] is None, "what is refused changes nothing"


async def test_who_is_refused_uses_up_nothing_of_the_others(anna, celina, narrow, logins) -> None:
    annas = narrow(anna, sms_codes_per_number=1, sms_codes_per_day=2)
    assert (await sends(annas)).status_code == 200
    celinas = narrow(celina, sms_codes_per_number=1, sms_codes_per_day=2)
    for _ in range(4):
        assert (await sends(celinas)).status_code == 429

    assert (await sends(celinas, OTHER)).status_code == 200


async def test_operators_are_mailed_once_when_the_days_codes_are_used_up(
    anna, narrow, worker, mailbox, logins
) -> None:
    worker = with_limits(worker, sms_codes_per_day=1)
    await watch_phone_codes(worker)
    assert await count(logins, "incident") == 0

    await sends(narrow(anna, sms_codes_per_day=1))
    for _ in range(3):
        await watch_phone_codes(worker)
        await deliver(worker)

    [alert] = mailbox.to(worker.settings.operator_email)
    assert "sms_codes_used_up" in alert.title
    assert "Dzienny limit kodów SMS został wyczerpany" in alert.text
    assert "SMS_CODES_PER_DAY=1" in alert.text
    assert PHONE not in alert.text

    older = "UPDATE throttle SET window_started_at = window_started_at - $1::interval"
    await execute(logins, older, timedelta(days=1))
    await watch_phone_codes(worker)
    [incident] = await look(logins, "SELECT closed_at FROM incident")
    assert incident["closed_at"] is not None


async def test_without_a_channel_for_sms_no_code_is_made(anna, narrow, logins) -> None:
    answer = await sends(narrow(anna, sms_channel=""))

    assert (answer.status_code, answer.json()) == (
        503,
        {
            "error": "sms_unavailable",
            "message": "Błąd podczas wysyłania kodu weryfikacyjnego",
        },
    )
    assert answer.headers["Retry-After"] == "300"
    assert await count(logins, "one_time_code WHERE kind = 'phone'") == 0


async def test_a_refused_number_is_told_in_the_panel(anna, worker, phones) -> None:
    phones.broken = DeliveryError("no such number", permanent=True)
    await sends(anna)
    await deliver(worker)

    listed = (await anna.get("/api/notifications")).json()
    assert [row["type"] for row in listed] == ["phone_refused"]
    assert listed[0]["title"] == "SMS nie został doręczony"
    assert "numer jest błędny albo telefon był długo wyłączony" in listed[0]["content"]


async def test_sms_are_switched_on_for_a_verified_phone_alone(anna, worker, phones, clock) -> None:
    refused = await switches(anna, sms=True)
    assert refused.status_code == 422
    assert refused.json() == {
        "error": "phone_unverified",
        "message": "Najpierw zweryfikuj numer telefonu.",
        "fields": {"smsEnabled": "Najpierw zweryfikuj numer telefonu."},
    }

    await proves(anna, worker, phones)
    chosen = await switches(anna, sms=True, email=False)
    assert (chosen.status_code, chosen.json()) == (
        200,
        {
            "emailEnabled": False, "smsEnabled": True, "phoneNumber": PHONE,
            "phoneVerified": True, "emailProblem": None,
        },
    )  # fmt: skip
    clock.forward(seconds=31)
    await sends(anna, OTHER)
    assert (await switches(anna, sms=True)).status_code == 422
    assert (await switches(anna, sms=False)).json()["phoneVerified"] is False


async def test_an_alert_reaches_a_verified_phone_that_wants_it(anna, worker, phones) -> None:
    await proves(anna, worker, phones)
    phones.sent.clear()
    await told(anna, worker, "before")
    await deliver(worker)
    assert phones.sent == [], "SMS are off until they are switched on"

    await switches(anna, sms=True)
    await at_noon(worker)
    await told(anna, worker, "after")
    await deliver(worker)

    [sms] = phones.sent
    assert sms.recipient.phone == PHONE
    assert "Jan Kowalski" in sms.notice.line


async def at_noon(worker: Tools) -> None:
    """When nothing waits for the morning."""
    worker.clock.set(datetime(2026, 11, 21, 11, tzinfo=UTC))


async def test_an_alert_ordered_before_the_number_changed_does_not_leave(
    anna, worker, phones, logins
) -> None:
    await at_noon(worker)
    await proves(anna, worker, phones)
    await switches(anna, sms=True)
    phones.sent.clear()
    worker.clock.forward(seconds=31)

    await told(anna, worker)
    await sends(anna, OTHER)
    await deliver(worker)

    assert [sent.notice.code is not None for sent in phones.sent] == [True]
    [row] = await look(
        logins,
        "SELECT state, error_kind FROM delivery WHERE kind = 'notice' AND channel_medium = 'sms'",
    )
    assert row == {"state": "failed", "error_kind": "unwanted"}


UNVERIFIED = """
    UPDATE user_account
       SET phone_number = '+48600100200', phone_verified = false, sms_notifications_enabled = true
     WHERE email_key = 'anna@acme.test'
"""


async def test_no_sms_is_ordered_for_an_unverified_phone_whatever_the_row_says(
    anna, worker, phones, logins
) -> None:
    await at_noon(worker)
    await execute(logins, UNVERIFIED)

    await told(anna, worker)
    await deliver(worker)

    assert phones.sent == []
    assert await count(logins, "delivery WHERE channel_medium = 'sms'") == 0


async def test_none_that_was_ordered_is_written(anna, worker, phones, logins) -> None:
    await at_noon(worker)
    await proves(anna, worker, phones)
    await switches(anna, sms=True)
    phones.sent.clear()

    await told(anna, worker)
    await execute(logins, UNVERIFIED)
    await deliver(worker)

    assert phones.sent == []


async def test_none_that_was_written_is_handed_over(anna, worker, phones, logins) -> None:
    await at_noon(worker)
    await proves(anna, worker, phones)
    await switches(anna, sms=True)
    phones.sent.clear()
    await told(anna, worker)
    await execute(logins, UNVERIFIED)
    careless = correspondence(worker)
    careless.composers[NOTICE_MAIL] = to_anybody

    await deliver_due(worker, careless)

    assert phones.sent == []
    [row] = await look(
        logins,
        "SELECT state, error_kind FROM delivery WHERE kind = 'notice' AND channel_medium = 'sms'",
    )
    assert row == {"state": "failed", "error_kind": "unwanted"}


async def to_anybody(tools: Tools, due: Sequence[Due]) -> dict[Any, Message]:
    """A composer that does not look whose phone it is."""
    notice = Notice(title="Tytuł", text="x", html="x", line="x")
    return {one.id: Message(notice, Recipient(email=None, phone=PHONE)) for one in due}


async def test_a_number_that_changed_after_the_sms_was_written_gets_none(
    anna, worker, phones, logins, monkeypatch
) -> None:
    await at_noon(worker)
    await proves(anna, worker, phones)
    await switches(anna, sms=True)
    phones.sent.clear()
    await told(anna, worker)
    written = addresses.MemberAddresses.allows

    async def later(self, session, due, recipient) -> bool:
        if due.medium is Medium.SMS:
            await execute(logins, "UPDATE user_account SET phone_number = $1", OTHER)
        return await written(self, session, due, recipient)

    monkeypatch.setattr(addresses.MemberAddresses, "allows", later)
    await deliver(worker)

    assert phones.sent == []


def test_an_unverified_phone_is_no_medium() -> None:
    member = Member(
        user_id=UserId(uuid.uuid4()), language=Language.PL, email_verified=True, email_on=True,
        phone_verified=False, sms_on=True,
    )  # fmt: skip
    rules = Rules(media=frozenset(Medium), sms_from_hour=0)
    assert media_for(NoticeKind.WITHHELD, member, rules) == [Medium.EMAIL]


async def test_the_log_of_activities_tells_of_phones_and_settings(
    anna, worker, phones, logins
) -> None:
    assert (await sends(anna)).status_code == 200
    code = await newest_code(worker, phones)
    assert (await types(anna, wrong(code))).status_code == 400
    assert (await types(anna, code)).status_code == 200
    await switches(anna, sms=True)
    await switches(anna, sms=True)  # changes nothing

    rows = await look(
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


async def test_an_operator_in_somebodys_name_proves_no_phone(anna, logins) -> None:
    await execute(logins, "UPDATE login_session SET impersonator_id = user_id")

    for answer in (await sends(anna), await types(anna, "123456")):
        assert (answer.status_code, answer.json()["error"]) == (403, "auth_forbidden")


async def test_a_session_that_ended_meanwhile_proves_nothing(anna, worker, phones, logins) -> None:
    await sends(anna)
    code = await newest_code(worker, phones)
    await execute(logins, "UPDATE login_session SET revoked_at = now()")

    assert (await types(anna, code)).status_code == 401
    [row] = await look(logins, "SELECT phone_verified FROM user_account")
    assert row["phone_verified"] is False


async def test_the_table_of_the_documentation_says_how_many_codes_there_are(tools) -> None:
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    limits = PhoneLimits(tools.settings, Throttle(tools.database, tools.vault))
    for limit in (limits._person, limits._number, limits._address, limits._everybody):
        minutes = int(limit.window.total_seconds() // 60)
        assert f"| `{limit.what}` | {limit.tries} in {minutes} minutes |" in page
