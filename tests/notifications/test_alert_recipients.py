"""Members choose a company's alerts for themselves, and persons without an account get them."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest
from sqlalchemy import update

from prawko.hooks.channels import DeliveryError, DeliveryReport, DeliveryReportKind, Medium
from prawko.kit.clock import WARSAW, utc_now
from prawko.kit.context import AppContext
from prawko.kit.outbox.models import Delivery
from prawko.kit.outbox.rendering import to_due_message
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.delivery_feedback import ReaderDeliveryFeedback
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.links import INVITATION_LIFETIME, create_stop_token
from prawko.notifications.payloads import CompanyPayload, DriverPayload, PaymentPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.notifications.schemas import MAX_RECIPIENTS
from prawko_tenants.ids import RecipientId, TenantId
from prawko_tenants.models import Tenant
from prawko_testing.fakes import RecordingChannel
from support.database import execute_as_owner, fetch_rows
from support.orders import ACME_DETAILS
from support.people import Person, deliver_outbox

pytestmark = pytest.mark.anyio

URL = "/api/alert-recipients"
OWN = f"{URL}/own"
SETTINGS = "/api/notifications/settings"
LINKS = "/api/alert-links"
NIGHT_SHIFT = "nocna@acme.test"
ALL_GROUPS = ["status", "expiry", "billing"]
NOON = datetime(2026, 11, 23, 12, 0, tzinfo=WARSAW)
NIGHT = datetime(2026, 11, 24, 3, 0, tzinfo=WARSAW)
BOTH = ChannelPolicy(media=frozenset(Medium), sms_from_hour=6)


def withheld(key: str = "1") -> NoticeDraft:
    payload = DriverPayload(
        first_name="Jan", last_name="Kowalski", license_number="AA123456", checked_at=NOON,
        state="Zatrzymany",
    )  # fmt: skip
    return NoticeDraft(kind=NoticeKind.WITHHELD, dedup_key=key, payload=payload)


def payment_failed(key: str = "1") -> NoticeDraft:
    payload = PaymentPayload(gross=18_327, tried_at=NOON, ends_at=NOON + timedelta(days=1))
    return NoticeDraft(kind=NoticeKind.PAYMENT_FAILED, dedup_key=key, payload=payload)


async def publish(
    person: Person, worker: AppContext, *drafts: NoticeDraft, policy: ChannelPolicy = BOTH
) -> None:
    tenant_id = TenantId(await person.tenant_id(worker))
    async with worker.database.batch() as session:
        await session.switch_tenant(tenant_id)
        await publish_notices(session, tenant_id, drafts, policy=policy, now=worker.clock.now())


async def add(person: Person, email: str = NIGHT_SHIFT, **fields: Any) -> dict[str, Any]:
    answer = await person.post(URL, {"name": "Nocna zmiana", "email": email, **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()


def token_of(link: str) -> str:
    return link.partition("#token=")[2]


async def follow(browser: Any, action: str, token: str, status: int = 200) -> dict[str, Any]:
    answer = await browser.post(f"{LINKS}/{action}", json={"token": token})
    assert answer.status_code == status, answer.text
    return answer.json()


AddConfirmed = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
def visitor(new_browser):
    """The browser of a person without an account."""
    return new_browser()


@pytest.fixture
async def add_confirmed(anna, worker, mailbox, visitor) -> AddConfirmed:
    """Adds a person without an account, who agrees."""

    async def add_one(email: str = NIGHT_SHIFT, **fields: Any) -> dict[str, Any]:
        added = await add(anna, email, **fields)
        await deliver_outbox(worker)
        await follow(visitor, "confirm", token_of(mailbox.messages_to(email)[-1].link))
        return added

    return add_one


async def stop_url(mailbox: RecordingChannel, email: str = NIGHT_SHIFT) -> str:
    """The link under the newest mail about a driver."""
    text = mailbox.messages_to(email)[-1].text
    [line] = [line for line in text.splitlines() if "#token=" in line]
    return line


async def list_recipients(person: Person) -> list[dict[str, Any]]:
    return (await person.get(URL)).json()["recipients"]


async def list_waiting(logins, medium: str) -> list[datetime | None]:
    """When the waiting notices of a medium may leave."""
    rows = await fetch_rows(
        logins,
        "SELECT not_before FROM delivery WHERE kind = 'notice' AND channel_medium = $1",
        medium,
    )
    return [row["not_before"] for row in rows]


async def verify_phones(logins) -> None:
    await execute_as_owner(
        logins,
        "UPDATE user_account SET phone_number = '+48600100200', phone_verified = true,"
        " sms_notifications_enabled = true",
    )


# What a member chooses.


async def test_everybody_gets_everything_until_somebody_chooses(anna, bartek) -> None:
    body = (await anna.get(URL)).json()

    assert body["recipients"] == []
    assert body["maxRecipients"] == MAX_RECIPIENTS
    assert [member["email"] for member in body["members"]] == [anna.email, bartek.email]
    assert [member["isSelf"] for member in body["members"]] == [True, False]
    for member in body["members"]:
        assert member["groups"] == ALL_GROUPS
        assert (member["emailEnabled"], member["smsEnabled"]) == (True, False)
        assert member["smsHours"] is None


async def test_a_member_gets_the_chosen_groups_and_a_colleague_still_all(
    anna, bartek, worker, mailbox
) -> None:
    answer = await bartek.put(OWN, {"groups": ["billing", "billing"]})
    assert answer.status_code == 200, answer.text
    assert answer.json()["groups"] == ["billing"]

    await publish(anna, worker, withheld(), payment_failed())
    await deliver_outbox(worker)

    subjects = {
        person.email: [
            message.subject for message in mailbox.messages_to(person.email) if not message.code
        ]
        for person in (anna, bartek)
    }
    assert len(subjects[anna.email]) == 2
    assert [subject for subject in subjects[bartek.email] if "Zatrzymane" in subject] == []
    assert len(subjects[bartek.email]) == 1
    assert len((await bartek.get("/api/notifications")).json()) == 2  # the panel shows all


async def test_a_group_that_is_left_before_a_mail_leaves_stops_it(
    anna, bartek, worker, mailbox
) -> None:
    await publish(anna, worker, withheld())
    assert (await bartek.put(OWN, {"groups": ["expiry"]})).status_code == 200
    await deliver_outbox(worker)

    assert [one for one in mailbox.messages_to(bartek.email) if not one.code] == []
    assert len([one for one in mailbox.messages_to(anna.email) if not one.code]) == 1


@pytest.mark.parametrize(
    ("hours", "send_time"),
    [
        (None, NIGHT.replace(hour=6)),
        ({"start": 0, "end": 0}, None),
        ({"start": 22, "end": 6}, None),
        ({"start": 8, "end": 18}, NIGHT.replace(hour=8)),
    ],
)
async def test_a_members_sms_leave_in_the_chosen_hours(
    hours, send_time, anna, worker, clock, logins
) -> None:
    await verify_phones(logins)
    answer = await anna.put(OWN, {"smsHours": hours})
    assert answer.json()["smsHours"] == hours
    clock.set(NIGHT)

    await publish(anna, worker, withheld())

    assert await list_waiting(logins, "sms") == [send_time]
    assert await list_waiting(logins, "email") == [None]


async def test_a_test_alert_comes_at_once_whatever_the_hours(anna, clock, logins) -> None:
    await verify_phones(logins)
    await anna.put(OWN, {"smsHours": {"start": 8, "end": 18}})
    clock.set(NIGHT)

    await anna.post("/api/notifications/test")

    assert await list_waiting(logins, "sms") == [None]


@pytest.mark.parametrize("body", [{"groups": []}, {"groups": ["expiry"]}])
async def test_the_last_member_with_notices_of_withheld_licences_stays(body, anna, bartek) -> None:
    assert (await bartek.put(SETTINGS, {"emailEnabled": False})).status_code == 200

    refused = await anna.put(OWN, body)

    assert (refused.status_code, refused.json()["error"]) == (409, "last_alert_reader")
    assert "Co najmniej jedna osoba" in refused.json()["message"]
    [own, _] = (await anna.get(URL)).json()["members"]
    assert (own["groups"], own["emailEnabled"]) == (ALL_GROUPS, True)

    assert (await bartek.put(SETTINGS, {"emailEnabled": True})).status_code == 200
    assert (await anna.put(OWN, body)).status_code == 200


async def test_of_two_members_who_leave_at_once_one_stays(anna, bartek) -> None:
    for _ in range(5):
        answers = await asyncio.gather(
            anna.put(OWN, {"groups": ["billing"]}),
            bartek.put(OWN, {"groups": ["billing"]}),
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        for member in (anna, bartek):
            assert (await member.put(OWN, {"groups": ALL_GROUPS})).status_code == 200


async def test_a_colleague_whose_address_takes_no_mail_is_no_reader(anna, bartek, logins) -> None:
    await execute_as_owner(
        logins,
        "UPDATE user_account SET email_state = 'bounced' WHERE email_key = 'bartek@acme.test'",
    )

    assert (await anna.put(OWN, {"groups": []})).status_code == 409


async def test_a_person_without_an_account_does_not_stand_in_for_a_member(
    anna, add_confirmed
) -> None:
    await add_confirmed()

    assert (await anna.put(OWN, {"groups": []})).status_code == 409


async def test_the_last_member_may_switch_both_channels_off_and_still_choose(anna) -> None:
    off = {"emailEnabled": False, "smsEnabled": False}
    assert (await anna.put(SETTINGS, off)).status_code == 200

    assert (await anna.put(OWN, {"groups": ["billing"]})).status_code == 200


async def test_sms_need_a_verified_phone(anna) -> None:
    answer = await anna.put(SETTINGS, {"smsEnabled": True})

    assert (answer.status_code, answer.json()["error"]) == (422, "phone_unverified")


async def test_a_reported_address_stays_off_while_something_else_is_chosen(anna, logins) -> None:
    await verify_phones(logins)
    await execute_as_owner(logins, "UPDATE user_account SET email_state = 'bounced'")

    chosen = await anna.put(SETTINGS, {"smsEnabled": True})
    assert chosen.json()["emailProblem"] == "bounced"
    assert (await anna.put(SETTINGS, {"emailEnabled": True})).json()["emailProblem"] is None


async def test_a_colleagues_phone_is_not_shown(anna, bartek, logins) -> None:
    await verify_phones(logins)

    [own, other] = (await anna.get(URL)).json()["members"]

    assert (own["phoneNumber"], own["phoneVerified"]) == ("+48600100200", True)
    assert (other["phoneNumber"], other["phoneVerified"]) == (None, True)


@pytest.mark.parametrize(
    "body",
    [
        {"groups": ["withheld"]},
        {"groups": None},
        {"smsHours": {"start": 24, "end": 6}},
        {"smsHours": {"start": 6}},
        {"emailEnabled": False},
    ],
)
async def test_malformed_choices_change_nothing(body, anna) -> None:
    before = (await anna.get(URL)).json()

    assert (await anna.put(OWN, body)).status_code == 400
    assert (await anna.get(URL)).json() == before


# Persons without an account.


async def test_nothing_about_drivers_is_sent_before_the_person_agrees(
    anna, worker, mailbox, visitor
) -> None:
    added = await add(anna)
    assert (added["state"], added["groups"]) == ("waiting", ALL_GROUPS)
    await publish(anna, worker, withheld("1"))
    await deliver_outbox(worker)

    [invitation] = mailbox.messages_to(NIGHT_SHIFT)
    assert "anna@acme.test" in invitation.text
    assert "Kowalski" not in invitation.text
    seen = await follow(visitor, "view", token_of(invitation.link))
    assert (seen["state"], seen["kind"], seen["expired"]) == ("waiting", "invitation", False)
    assert seen["email"] == NIGHT_SHIFT

    agreed = await follow(visitor, "confirm", token_of(invitation.link))
    await publish(anna, worker, withheld("2"))
    await deliver_outbox(worker)

    assert agreed["state"] == "active"
    [_, alert] = mailbox.messages_to(NIGHT_SHIFT)
    assert alert.subject == "Zatrzymane uprawnienia: Jan Kowalski"
    assert alert.link is None  # the person could not sign in
    assert "/panel" not in alert.text + alert.html
    [recipient] = await list_recipients(anna)
    assert recipient["state"] == "active"


async def test_opening_a_link_changes_nothing(anna, worker, mailbox, visitor) -> None:
    await add(anna)
    await deliver_outbox(worker)
    token = token_of(mailbox.messages_to(NIGHT_SHIFT)[-1].link)
    before = await list_recipients(anna)

    for _ in range(3):
        await follow(visitor, "view", token)

    assert await list_recipients(anna) == before


@pytest.mark.parametrize(
    "name",
    [
        "http://evil.test/x",
        "hhttps:ttps:/http:/evil.test/x",
        "wwwww.w.evil.test",
        "evil.test/x",
        "evil\N{FULLWIDTH FULL STOP}test",
        "mailto:a@evil.test",
        "hxxp:\\\\evil.test",
    ],
)
async def test_the_invitation_names_the_company_and_no_link_of_its_choice(
    name, anna, worker, mailbox
) -> None:
    async with worker.database.tenant(TenantId(await anna.tenant_id(worker))) as session:
        company_name = f"Transport sp. z o.o. {name} {'a' * 120}"
        await session.execute(update(Tenant).values(company_name=company_name))
    await add(anna)
    await deliver_outbox(worker)

    [invitation] = mailbox.messages_to(NIGHT_SHIFT)

    assert invitation.subject.startswith("Transport sp. z o.o. ")
    text = invitation.text.replace(invitation.link, "")
    for link in (
        "http:",
        "https:",
        "//",
        "mailto:",
        "evil.test",
        "evil\N{FULLWIDTH FULL STOP}test",
    ):
        assert link not in text
        assert link not in invitation.subject
    assert "a" * 101 not in text


@pytest.mark.parametrize(
    ("address", "is_shown"),
    [
        ("anna.nowak+biuro@acme.test", True),
        ("www.evil.test/x?y=1@acme.test", False),
        ("www.evil.test@acme.test", False),
    ],
)
async def test_the_invitation_names_who_sent_it_unless_the_address_reads_as_a_link(
    address, is_shown, anna, worker, mailbox, logins
) -> None:
    await execute_as_owner(
        logins, "UPDATE user_account SET email = $1 WHERE email = $2", address, anna.email
    )
    details = {**ACME_DETAILS, "companyName": "Acme"}
    assert (await anna.put("/api/user/billing-details", details)).status_code == 200
    await add(anna)
    await deliver_outbox(worker)

    [invitation] = mailbox.messages_to(NIGHT_SHIFT)

    assert (address in invitation.text) is is_shown
    assert "Acme" in invitation.text


async def test_every_mail_has_a_link_that_stops_them_without_a_session(
    anna, bartek, worker, mailbox, add_confirmed, visitor, clock
) -> None:
    await add_confirmed()
    await publish(anna, worker, withheld("1"))
    await deliver_outbox(worker)
    url = await stop_url(mailbox)
    assert url.startswith("http")
    assert "/auth/alerts#token=" in url
    assert (await follow(visitor, "view", token_of(url)))["kind"] == "stop"

    stopped = await follow(visitor, "stop", token_of(url))
    clock.set(worker.clock.now() + timedelta(days=400))  # it never ends
    await follow(visitor, "stop", token_of(url))  # once more changes nothing
    await publish(anna, worker, withheld("2"))
    await deliver_outbox(worker)

    assert stopped["state"] == "stopped"
    assert len(mailbox.messages_to(NIGHT_SHIFT)) == 2
    [recipient] = await list_recipients(bartek)
    assert recipient["state"] == "stopped"
    for member in (anna, bartek):
        titles = [one.subject for one in mailbox.messages_to(member.email)]
        assert titles.count("Nie dostaje już alertów: Nocna zmiana") == 1
        kinds = [one["kind"] for one in (await member.get("/api/notifications")).json()]
        assert kinds.count("recipient_stopped") == 1


async def test_a_mail_that_waits_is_not_sent_to_who_has_stopped(
    anna, worker, mailbox, add_confirmed, visitor
) -> None:
    added = await add_confirmed()
    await publish(anna, worker, withheld())
    tenant_id = TenantId(await anna.tenant_id(worker))
    token = create_stop_token(worker.key_ring, tenant_id, RecipientId(UUID(added["id"])))
    await follow(visitor, "stop", token)
    await deliver_outbox(worker)

    assert len(mailbox.messages_to(NIGHT_SHIFT)) == 1


async def test_only_the_person_takes_a_stop_back(
    anna, worker, mailbox, add_confirmed, visitor
) -> None:
    added = await add_confirmed()
    await publish(anna, worker, withheld("1"))
    await deliver_outbox(worker)
    token = token_of(await stop_url(mailbox))
    await follow(visitor, "stop", token)

    again = await anna.post(f"{URL}/{added['id']}/invitation")
    switched = await anna.put(f"{URL}/{added['id']}", {"emailEnabled": True, "groups": ALL_GROUPS})
    assert (again.status_code, again.json()["error"]) == (409, "recipient_stopped")
    assert switched.json()["state"] == "stopped"
    assert (await follow(visitor, "confirm", token, 400))["error"] == "invalid_recipient_link"

    assert (await follow(visitor, "resume", token))["state"] == "active"
    await publish(anna, worker, withheld("2"))
    await deliver_outbox(worker)
    assert len(mailbox.messages_to(NIGHT_SHIFT)) == 3


async def test_an_invitation_is_refused_by_its_link_and_a_refusal_taken_back(
    anna, worker, mailbox, visitor
) -> None:
    await add(anna)
    await deliver_outbox(worker)
    token = token_of(mailbox.messages_to(NIGHT_SHIFT)[-1].link)

    assert (await follow(visitor, "stop", token))["state"] == "stopped"
    assert (await follow(visitor, "resume", token, 400))["error"] == "invalid_recipient_link"
    assert (await follow(visitor, "confirm", token))["state"] == "active"


async def test_an_invitation_ends_after_a_week_and_a_new_one_replaces_it(
    anna, worker, mailbox, visitor, clock
) -> None:
    added = await add(anna)
    await deliver_outbox(worker)
    first = token_of(mailbox.messages_to(NIGHT_SHIFT)[-1].link)
    clock.set(worker.clock.now() + INVITATION_LIFETIME)

    assert (await follow(visitor, "view", first))["expired"] is True
    await follow(visitor, "confirm", first, 400)
    assert (await anna.post(f"{URL}/{added['id']}/invitation")).status_code == 200
    await deliver_outbox(worker)
    second = token_of(mailbox.messages_to(NIGHT_SHIFT)[-1].link)

    await follow(visitor, "view", first, 400)
    assert (await follow(visitor, "confirm", second))["state"] == "active"
    refused = await anna.post(f"{URL}/{added['id']}/invitation")
    assert (refused.status_code, refused.json()["error"]) == (409, "recipient_confirmed")


async def test_a_false_link_is_refused_and_trying_them_is_limited(
    anna, worker, mailbox, add_confirmed, visitor
) -> None:
    added = await add_confirmed()
    other = TenantId(UUID("00000000-0000-7000-8000-000000000000"))
    recipient_id = RecipientId(UUID(added["id"]))
    tenant_id = TenantId(await anna.tenant_id(worker))
    genuine = create_stop_token(worker.key_ring, tenant_id, recipient_id)
    forged = [
        "",
        "x",
        "ą",
        "A" * 86,
        "A" * 5000,
        genuine[:-4] + "AAAA",
        create_stop_token(worker.key_ring, other, recipient_id),
        create_stop_token(worker.key_ring, tenant_id, RecipientId(other)),
    ]
    for token in forged:
        for action in ("view", "confirm", "stop"):
            refused = await follow(visitor, action, token, 400)
            assert refused["error"] == "invalid_recipient_link"

    answers = {
        (await visitor.post(f"{LINKS}/view", json={"token": "x"})).status_code for _ in range(30)
    }
    assert answers == {400, 429}
    assert (await follow(visitor, "view", genuine))["state"] == "active"  # the real one is not
    assert (await list_recipients(anna))[0]["state"] == "active"


async def test_a_recipient_gets_the_chosen_groups_in_the_own_language(
    anna, worker, mailbox, add_confirmed
) -> None:
    added = await add_confirmed(language="en", groups=["billing"])
    await publish(anna, worker, withheld(), payment_failed())
    await deliver_outbox(worker)
    [invitation, alert] = mailbox.messages_to(NIGHT_SHIFT)
    assert invitation.subject.endswith("would like to send you alerts about drivers")
    assert "payment" in alert.subject.lower()

    assert (await anna.put(f"{URL}/{added['id']}", {"emailEnabled": False})).status_code == 200
    await publish(anna, worker, payment_failed("2"))
    await deliver_outbox(worker)
    assert len(mailbox.messages_to(NIGHT_SHIFT)) == 2

    changes = {"emailEnabled": True, "language": "pl"}
    changed = (await anna.put(f"{URL}/{added['id']}", changes)).json()
    assert changed["language"] == "pl"
    await publish(anna, worker, payment_failed("3"))
    await deliver_outbox(worker)
    [_, _, alert] = mailbox.messages_to(NIGHT_SHIFT)
    assert "płatno" in alert.subject.lower()


async def test_the_first_check_of_an_import_is_one_mail(
    anna, worker, mailbox, add_confirmed, clock
) -> None:
    await add_confirmed()
    at = worker.clock.now()
    drafts = [
        NoticeDraft(
            kind=NoticeKind.WITHHELD, dedup_key=key, payload=withheld().payload, digest_at=at
        )
        for key in "123"
    ]
    await publish(anna, worker, *drafts)
    clock.set(at + timedelta(minutes=10))
    await deliver_outbox(worker)

    [_, digest] = mailbox.messages_to(NIGHT_SHIFT)
    assert digest.text.count("AA123456") == 3
    assert "#token=" in digest.text


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": " ", "email": NIGHT_SHIFT}, "name"),
        ({"name": "x" * 81, "email": NIGHT_SHIFT}, "name"),
        ({"name": "Ewa", "email": "nic"}, "email"),
        ({"name": "Ewa"}, "email"),
        ({"email": NIGHT_SHIFT}, "name"),
    ],
)
async def test_an_unfit_recipient_is_refused(body, field, anna) -> None:
    answer = await anna.post(URL, body)

    assert (answer.status_code, answer.json()["error"]) == (422, "invalid_recipient")
    assert list(answer.json()["fields"]) == [field]
    assert await list_recipients(anna) == []


async def test_an_address_is_added_once_and_a_members_never(anna, bartek, celina) -> None:
    await add(anna)
    for email in (NIGHT_SHIFT.upper(), bartek.email):
        answer = await bartek.post(URL, {"name": "Ewa", "email": email})
        assert (answer.status_code, answer.json()["error"]) == (409, "recipient_exists")

    await add(celina)  # another company may have the same person


async def test_a_company_has_at_most_twenty(anna, logins) -> None:
    await execute_as_owner(
        logins,
        f"""
        DO $$ BEGIN
        PERFORM set_config('app.tenant_id', (SELECT tenant_id::text FROM membership), true);
        INSERT INTO alert_recipient (tenant_id, id, name, email, email_key, invited_at, created_at)
        SELECT tenant_id, gen_random_uuid(), n::text, n::text, n::text, now(), now()
          FROM membership, generate_series(1, {MAX_RECIPIENTS - 1}) AS n;
        END $$""",
    )
    await add(anna)

    answer = await anna.post(URL, {"name": "Ewa", "email": "ewa@acme.test"})

    assert (answer.status_code, answer.json()["error"]) == (409, "recipient_limit_exceeded")
    assert "20" in answer.json()["message"]


async def test_a_fourth_repetition_on_one_day_is_refused(anna) -> None:
    added = await add(anna)

    answers = [(await anna.post(f"{URL}/{added['id']}/invitation")).status_code for _ in range(4)]

    assert answers == [200, 200, 200, 429]


async def test_removing_and_adding_a_person_again_is_a_repetition(anna, celina) -> None:
    answers = []
    for email in (NIGHT_SHIFT, "nocna+1@acme.test", NIGHT_SHIFT, NIGHT_SHIFT, NIGHT_SHIFT):
        answer = await anna.post(URL, {"name": "Nocna zmiana", "email": email})
        answers.append(answer.status_code)
        if answer.status_code == 201:
            assert (await anna.delete(f"{URL}/{answer.json()['id']}")).status_code == 200

    assert answers == [201, 201, 201, 201, 429]
    await add(celina)  # another company's invitations are its own


async def test_the_invitations_of_a_network_are_limited_whatever_its_companies(
    anna, celina, context
) -> None:
    context.max_tries["alert_invitation_address"] = 2
    await add(anna, "a@x.test")
    await add(celina, "b@x.test")

    assert (await celina.post(URL, {"name": "Ewa", "email": "c@x.test"})).status_code == 429


async def test_what_is_left_of_a_removed_recipient(
    anna, worker, mailbox, add_confirmed, visitor, logins
) -> None:
    added = await add_confirmed()
    await publish(anna, worker, withheld("1"))
    await deliver_outbox(worker)
    token = token_of(await stop_url(mailbox))
    await publish(anna, worker, withheld("2"))

    assert (await anna.delete(f"{URL}/{added['id']}")).json() == {"id": added["id"]}
    await deliver_outbox(worker)

    assert len(mailbox.messages_to(NIGHT_SHIFT)) == 2
    await follow(visitor, "view", token, 400)
    assert await fetch_rows(logins, "SELECT id FROM alert_recipient") == []
    assert (await anna.delete(f"{URL}/{added['id']}")).status_code == 404


async def test_colleagues_share_the_recipients_and_a_rival_has_none_of_them(
    anna, bartek, celina, worker, mailbox, add_confirmed
) -> None:
    added = await add_confirmed()
    path = f"{URL}/{added['id']}"

    assert await list_recipients(bartek) == await list_recipients(anna) != []
    assert (await bartek.put(path, {"name": "Dyspozytornia"})).status_code == 200
    assert (await celina.get(URL)).json()["recipients"] == []
    assert [one["email"] for one in (await celina.get(URL)).json()["members"]] == [celina.email]
    for answer in (
        await celina.put(path, {"name": "Obca"}),
        await celina.post(f"{path}/invitation"),
        await celina.delete(path),
    ):
        assert answer.status_code == 404
    await publish(celina, worker, withheld())
    await deliver_outbox(worker)

    assert len(mailbox.messages_to(NIGHT_SHIFT)) == 1  # the invitation
    assert (await list_recipients(anna))[0]["name"] == "Dyspozytornia"


async def test_what_members_do_is_in_the_audit_log_without_names(anna, logins) -> None:
    added = await add(anna)
    await anna.post(f"{URL}/{added['id']}/invitation")
    await anna.put(f"{URL}/{added['id']}", {"groups": ["status"]})
    await anna.delete(f"{URL}/{added['id']}")
    await anna.put(OWN, {"smsHours": {"start": 7, "end": 20}})

    rows = await fetch_rows(
        logins, "SELECT activity_type, details::text FROM user_activity ORDER BY id"
    )

    assert [row["activity_type"] for row in rows[-5:]] == [
        "recipient_added", "recipient_invited", "recipient_changed", "recipient_removed",
        "own_alerts_changed",
    ]  # fmt: skip
    assert all(added["id"] in row["details"] for row in rows[-5:-1])
    assert NIGHT_SHIFT not in str([dict(row) for row in rows])


# What carriers say of the address.


def make_report(kind: DeliveryReportKind, **changes: Any) -> DeliveryReport:
    return DeliveryReport(
        event_id="1", idempotency_key="1", kind=kind, occurred_at=utc_now(), **changes
    )


async def report(worker: AppContext, logins, delivery_report: DeliveryReport) -> None:
    """Hand a carrier's report about the newest mail to the feedback."""
    feedback = ReaderDeliveryFeedback(worker.settings, worker.clock)
    [row] = await fetch_rows(
        logins,
        "SELECT id, tenant_id FROM delivery WHERE user_id IS NULL AND kind <> 'operator'"
        " ORDER BY id DESC LIMIT 1",
    )
    async with worker.database.batch() as session:
        await session.switch_tenant(TenantId(row["tenant_id"]))
        due = to_due_message(await session.get_one(Delivery, row["id"]), worker.key_ring)
        await feedback.on_report(session, due, delivery_report, "")


@pytest.mark.parametrize("kind", ["bounced", "dropped", "spam"])
async def test_a_reported_address_gets_no_mail_until_the_person_confirms_it(
    kind, anna, worker, mailbox, add_confirmed, visitor, logins
) -> None:
    added = await add_confirmed()
    await publish(anna, worker, withheld("1"))
    await deliver_outbox(worker)
    await report(worker, logins, make_report(DeliveryReportKind(kind)))
    await publish(anna, worker, withheld("2"))
    await deliver_outbox(worker)

    assert len(mailbox.messages_to(NIGHT_SHIFT)) == 2
    [recipient] = await list_recipients(anna)
    assert recipient["emailProblem"] == kind
    kinds = [one["kind"] for one in (await anna.get("/api/notifications")).json()]
    assert kinds.count("recipient_missed") == 1

    assert (await anna.post(f"{URL}/{added['id']}/invitation")).status_code == 200
    await deliver_outbox(worker)
    await follow(visitor, "confirm", token_of(mailbox.messages_to(NIGHT_SHIFT)[-1].link))
    assert (await list_recipients(anna))[0]["emailProblem"] is None
    old = make_report(DeliveryReportKind(kind))
    before = msgspec.structs.replace(old, occurred_at=utc_now() - timedelta(hours=1))
    await report(worker, logins, before)
    assert (await list_recipients(anna))[0]["emailProblem"] is None


async def test_a_refused_mail_is_reported_to_the_company_and_the_next_one_tried(
    anna, worker, mailbox, add_confirmed, logins
) -> None:
    await add_confirmed()
    await execute_as_owner(logins, "UPDATE user_account SET email_notifications_enabled = false")
    mailbox.failure = DeliveryError("no such mailbox", permanent=True)
    await publish(anna, worker, withheld("1"))
    await deliver_outbox(worker)
    mailbox.failure = None
    await publish(anna, worker, withheld("2"))
    await deliver_outbox(worker)

    assert len(mailbox.messages_to(NIGHT_SHIFT)) == 2
    kinds = [one["kind"] for one in (await anna.get("/api/notifications")).json()]
    assert kinds.count("recipient_missed") == 1


async def test_a_mail_that_is_lost_for_a_passing_reason_is_sent_once_more(
    anna, worker, mailbox, add_confirmed, clock, logins
) -> None:
    await add_confirmed()
    await publish(anna, worker, withheld("1"))
    await deliver_outbox(worker)
    await report(worker, logins, make_report(DeliveryReportKind.FAILED, transient=True))
    clock.set(worker.clock.now() + timedelta(hours=2))
    await deliver_outbox(worker)

    first, second = mailbox.messages_to(NIGHT_SHIFT)[1:]
    assert first.subject == second.subject

    await report(worker, logins, make_report(DeliveryReportKind.FAILED, transient=True))
    kinds = [one["kind"] for one in (await anna.get("/api/notifications")).json()]
    assert kinds.count("recipient_missed") == 1


async def test_a_notice_about_the_company_reaches_recipients_of_the_status(
    anna, worker, mailbox, add_confirmed
) -> None:
    await add_confirmed(groups=["status"])
    stopped = NoticeDraft(
        kind=NoticeKind.CHECKING_STOPPED, dedup_key="1", payload=CompanyPayload(drivers=3)
    )
    await publish(anna, worker, stopped)
    await deliver_outbox(worker)

    assert len(mailbox.messages_to(NIGHT_SHIFT)) == 2
