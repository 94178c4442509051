"""Notices reach every member once, in the panel and by the chosen channels."""

import uuid
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from prawko.hooks.channels import DeliveryError, DeliveryReport, DeliveryReportKind, Medium
from prawko.kit.context import AppContext
from prawko.kit.outbox.rendering import DueMessage
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.delivery_feedback import RESEND_DELAY, ReaderDeliveryFeedback
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.payloads import CompanyPayload, DriverPayload, Expiry, ExpiryPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko_tenants.ids import TenantId
from support.database import count_rows, execute_as_owner, fetch_rows
from support.people import Person, deliver_outbox
from support.statements import record_statements

pytestmark = pytest.mark.anyio

AT = datetime(2026, 11, 21, 5, 5, tzinfo=UTC)
BOTH = ChannelPolicy(media=frozenset(Medium), sms_from_hour=0)
KEYS = {"id", "type", "title", "content", "read", "createdAt", "kind", "driverId"}


def driver_draft(
    kind: NoticeKind = NoticeKind.WITHHELD, *, dedup_key: str = "1", last_name: str = "Kowalski"
) -> NoticeDraft:
    return NoticeDraft(
        kind=kind,
        dedup_key=dedup_key,
        payload=DriverPayload(
            first_name="Jan",
            last_name=last_name,
            license_number="AA123456",
            checked_at=AT,
            state="Zatrzymany",
            expires=date(2031, 2, 3),
        ),
    )


async def publish_to_company(
    person: Person, worker: AppContext, *drafts: NoticeDraft, rules: ChannelPolicy | None = None
) -> int:
    """Publish a notice to the person's company, as the worker does."""
    tenant_id = TenantId(await person.tenant_id(worker))
    async with worker.database.batch() as session:
        await session.switch_tenant(tenant_id)
        return await publish_notices(
            session,
            tenant_id,
            drafts,
            policy=rules or ChannelPolicy.from_settings(worker.settings),
            now=worker.clock.now(),
        )


async def list_notifications(person: Person, **params: Any) -> list[dict[str, Any]]:
    answer = await person.get("/api/notifications", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_an_accountant_gets_nothing_about_drivers_and_loses_what_came_before(
    anna, bartek, accountant, worker, mailbox, logins
) -> None:
    of_company = NoticeDraft(kind=NoticeKind.EMAIL_REFUSED, dedup_key="1", payload=CompanyPayload())
    await deliver_outbox(worker)  # the codes of the sign-ups
    sent = len(mailbox.messages_to(accountant.email))

    await publish_to_company(anna, worker, driver_draft(), of_company)
    await deliver_outbox(worker)

    assert [one["kind"] for one in await list_notifications(accountant)] == ["email_refused"]
    assert len(mailbox.messages_to(accountant.email)) == sent
    seen = {one["kind"]: one["id"] for one in await list_notifications(bartek)}
    assert set(seen) == {"withheld", "email_refused"}
    await execute_as_owner(
        logins, "UPDATE membership SET role = 'accountant' WHERE role = 'manager'"
    )
    assert [one["kind"] for one in await list_notifications(bartek)] == ["email_refused"]
    assert (await bartek.post(f"/api/notifications/{seen['withheld']}/read")).status_code == 404


async def test_a_notice_is_listed_for_every_member_and_for_no_rival(
    anna, bartek, celina, worker
) -> None:
    assert await publish_to_company(anna, worker, driver_draft()) == 1

    for member in (anna, bartek):
        [notification] = await list_notifications(member)
        assert set(notification) == KEYS
        assert notification["type"] == "driver_status"
        assert notification["title"] == "Zatrzymane uprawnienia: Jan Kowalski"
        assert "AA123456" in notification["content"]
        assert notification["read"] is False
    assert await list_notifications(celina) == []


async def test_a_change_is_notified_once_however_often_a_job_runs(
    anna, worker, mailbox, logins
) -> None:
    assert await publish_to_company(anna, worker, driver_draft()) == 1
    assert await publish_to_company(anna, worker, driver_draft(), driver_draft()) == 0
    await deliver_outbox(worker)
    assert await publish_to_company(anna, worker, driver_draft()) == 0
    await deliver_outbox(worker)

    assert len(await list_notifications(anna)) == 1
    [mail] = [notice for notice in mailbox.messages_to(anna.email) if notice.code is None]
    assert mail.subject == "Zatrzymane uprawnienia: Jan Kowalski"
    assert await count_rows(logins, "notice") == 1


async def test_another_change_is_notified_again(anna, worker) -> None:
    await publish_to_company(anna, worker, driver_draft(dedup_key="1"))
    await publish_to_company(anna, worker, driver_draft(NoticeKind.RESTORED, dedup_key="2"))
    await publish_to_company(anna, worker, driver_draft(dedup_key="3"))

    assert [row["title"].split(":")[0] for row in await list_notifications(anna)] == [
        "Zatrzymane uprawnienia",
        "Przywrócone uprawnienia",
        "Zatrzymane uprawnienia",
    ]


async def test_many_drivers_need_as_few_statements_as_one(anna, bartek, worker, logins) -> None:
    with record_statements() as single_statements:
        await publish_to_company(anna, worker, driver_draft(dedup_key="one"))
    with record_statements() as many_statements:
        announced = await publish_to_company(
            anna, worker, *(driver_draft(dedup_key=str(n)) for n in range(200))
        )

    assert announced == 200
    assert len(many_statements) == len(single_statements)
    assert sum("INSERT" in statement for statement in many_statements) == 3
    assert await count_rows(logins, "notification") == 2 * 201


async def test_each_member_is_notified_in_the_own_language(anna, bartek, worker, mailbox) -> None:
    await bartek.put("/api/user/language", {"language": "en"})

    await publish_to_company(anna, worker, driver_draft())
    await deliver_outbox(worker)

    assert (await list_notifications(bartek))[0]["title"] == "Licence withheld: Jan Kowalski"
    assert mailbox.messages_to(bartek.email)[-1].subject == "Licence withheld: Jan Kowalski"
    assert mailbox.messages_to(anna.email)[-1].subject == "Zatrzymane uprawnienia: Jan Kowalski"


async def test_notifications_are_read_in_the_language_of_their_reader(anna, worker) -> None:
    await publish_to_company(anna, worker, driver_draft())
    assert (await list_notifications(anna))[0]["title"] == "Zatrzymane uprawnienia: Jan Kowalski"

    await anna.put("/api/user/language", {"language": "en"})

    (notification,) = await list_notifications(anna)
    assert notification["title"] == "Licence withheld: Jan Kowalski"
    assert "21.11.2026" in notification["content"]
    read = await anna.post(f"/api/notifications/{notification['id']}/read")
    assert read.json() == {**notification, "read": True}


async def test_a_member_with_an_unverified_address_is_not_notified(
    anna, bartek, worker, logins
) -> None:
    await update_account(logins, bartek, email_verified=False)

    await publish_to_company(anna, worker, driver_draft())

    assert [
        row["user_id"] for row in await fetch_rows(logins, "SELECT user_id FROM delivery")
    ].count(await fetch_user_id(logins, bartek)) == 1, "the code of the sign-up alone"
    assert await count_rows(logins, "notification") == 1


async def test_a_member_without_mail_still_sees_the_notice_in_the_panel(
    anna, worker, mailbox, logins
) -> None:
    await update_account(logins, anna, email_notifications_enabled=False)
    before = len(mailbox.sent)

    await publish_to_company(anna, worker, driver_draft())
    await deliver_outbox(worker)

    assert len(mailbox.sent) == before
    assert len(await list_notifications(anna)) == 1


async def test_a_mail_is_not_sent_when_mails_were_switched_off_before(
    anna, worker, mailbox, logins
) -> None:
    await publish_to_company(anna, worker, driver_draft())
    await update_account(logins, anna, email_notifications_enabled=False)
    before = len(mailbox.sent)

    await deliver_outbox(worker)

    assert len(mailbox.sent) == before
    [row] = await fetch_rows(logins, "SELECT state, error_kind FROM delivery WHERE kind = 'notice'")
    assert row == {"state": "failed", "error_kind": "obsolete"}


async def test_sms_are_enqueued_for_verified_phones_with_sms_switched_on(
    anna, bartek, worker, logins
) -> None:
    await update_account(
        logins, anna, phone_number="+48600100200", phone_verified=True,
        sms_notifications_enabled=True,
    )  # fmt: skip
    await update_account(
        logins, bartek, phone_number="+48600100201", sms_notifications_enabled=True
    )

    await publish_to_company(
        anna, worker, driver_draft(), driver_draft(NoticeKind.CONFIRMED), rules=BOTH
    )

    rows = await fetch_rows(
        logins, "SELECT user_id, channel_medium FROM delivery WHERE kind = 'notice'"
    )
    anna_id, bartek_id = await fetch_user_id(logins, anna), await fetch_user_id(logins, bartek)
    assert sorted((row["user_id"], row["channel_medium"]) for row in rows) == sorted(
        [(anna_id, "email"), (anna_id, "sms"), (bartek_id, "email")]
    )


async def test_the_company_is_notified_of_stale_results(anna, worker, mailbox) -> None:
    stale = NoticeDraft(
        kind=NoticeKind.RESULTS_STALE,
        dedup_key="2026-11-21",
        payload=CompanyPayload(drivers=2, since=AT),
    )

    await publish_to_company(anna, worker, stale)
    await deliver_outbox(worker)

    assert (
        "2 kierowcy mają wyniki starsze niż 48 godzin" in mailbox.messages_to(anna.email)[-1].text
    )
    assert (await list_notifications(anna))[0]["type"] == "results_stale"


async def test_notifications_are_listed_newest_first_in_pages(anna, worker, clock) -> None:
    for number in range(5):
        await publish_to_company(
            anna, worker, driver_draft(dedup_key=str(number), last_name=f"Nr {number}")
        )
        clock.forward(minutes=1)

    answer = await anna.get("/api/notifications", params={"page": 2, "pageSize": 2})

    assert [row["title"][-4:] for row in answer.json()] == ["Nr 2", "Nr 1"]
    assert answer.headers["Content-Range"] == "notifications 2-3/5"
    times = [row["createdAt"] for row in await list_notifications(anna)]
    assert times == sorted(times, reverse=True)
    past_end = await anna.get("/api/notifications", params={"page": 9, "pageSize": 2})
    assert (past_end.json(), past_end.headers["Content-Range"]) == ([], "notifications */5")


async def test_notices_of_one_batch_keep_their_order(anna, worker) -> None:
    names = [f"Nr {number}" for number in range(6)]
    await publish_to_company(
        anna, worker, *(driver_draft(dedup_key=name, last_name=name) for name in names)
    )

    assert [row["title"][-4:] for row in await list_notifications(anna)] == names[::-1]


async def test_a_notification_is_marked_as_read_for_its_member_only(anna, bartek, worker) -> None:
    await publish_to_company(anna, worker, driver_draft())
    [own] = await list_notifications(anna)

    answer = await anna.post(f"/api/notifications/{own['id']}/read")
    repeated = await anna.post(f"/api/notifications/{own['id']}/read")

    assert answer.status_code == repeated.status_code == 200
    assert answer.json() == repeated.json() == {**own, "read": True}
    assert (await list_notifications(anna))[0]["read"] is True
    assert (await list_notifications(bartek))[0]["read"] is False


async def test_a_foreign_notification_is_not_found(anna, bartek, celina, worker) -> None:
    await publish_to_company(anna, worker, driver_draft())
    [annas_notification] = await list_notifications(anna)

    unknown = await anna.post(f"/api/notifications/{uuid.uuid4()}/read")

    assert unknown.status_code == 404
    for person in (bartek, celina):
        foreign = await person.post(f"/api/notifications/{annas_notification['id']}/read")
        assert (foreign.status_code, foreign.content) == (404, unknown.content)
    malformed = await anna.post("/api/notifications/1/read")
    assert (malformed.status_code, malformed.content) == (404, unknown.content)
    assert (await list_notifications(anna))[0]["read"] is False


async def test_a_member_marks_only_the_members_own_notifications_as_read(
    anna, bartek, celina, worker
) -> None:
    await publish_to_company(
        anna, worker, *(driver_draft(dedup_key=str(number)) for number in range(3))
    )
    await publish_to_company(celina, worker, driver_draft())
    first = (await list_notifications(anna))[0]
    await anna.post(f"/api/notifications/{first['id']}/read")

    unread = await anna.get("/api/notifications?unread=true&pageSize=1")
    answer = await anna.post("/api/notifications/read-all")
    repeated = await anna.post("/api/notifications/read-all")

    assert unread.headers["Content-Range"] == "notifications 0-0/2"
    assert first["id"] not in unread.text
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "count": 2})
    assert repeated.json() == {"ok": True, "count": 0}
    assert {row["read"] for row in await list_notifications(anna)} == {True}
    for person in (bartek, celina):
        assert {row["read"] for row in await list_notifications(person)} == {False}


async def test_a_notification_is_removed_from_its_members_list_only(anna, bartek, worker) -> None:
    await publish_to_company(anna, worker, driver_draft(dedup_key="1"), driver_draft(dedup_key="2"))
    newest, older = await list_notifications(anna)

    answer = await anna.delete(f"/api/notifications/{newest['id']}")
    repeated = await anna.delete(f"/api/notifications/{newest['id']}")

    assert (answer.status_code, answer.json()) == (200, {"id": newest["id"]})
    assert repeated.status_code == 404
    assert await list_notifications(anna) == [older]
    assert len(await list_notifications(bartek)) == 2
    read = await anna.post(f"/api/notifications/{newest['id']}/read")
    assert read.content == repeated.content


async def test_a_removed_notification_does_not_come_back(anna, worker) -> None:
    await publish_to_company(anna, worker, driver_draft())
    [notification] = await list_notifications(anna)
    await anna.delete(f"/api/notifications/{notification['id']}")

    assert await publish_to_company(anna, worker, driver_draft()) == 0
    assert await list_notifications(anna) == []


async def test_foreign_missing_and_malformed_ids_cannot_be_removed(
    anna, bartek, celina, worker
) -> None:
    await publish_to_company(anna, worker, driver_draft())
    [annas_notification] = await list_notifications(anna)

    unknown = await anna.delete(f"/api/notifications/{uuid.uuid4()}")

    assert unknown.json() == {"error": "not_found", "message": "Nie znaleziono."}
    for person in (bartek, celina):
        foreign = await person.delete(f"/api/notifications/{annas_notification['id']}")
        assert (foreign.status_code, foreign.content) == (404, unknown.content)
    for malformed in ("1", "read-all", "settings", "%00", "0" * 40):
        answer = await anna.delete(f"/api/notifications/{malformed}")
        assert answer.status_code in {404, 405}, malformed
        assert answer.content == unknown.content, malformed
    assert await list_notifications(anna) == [annas_notification]


@pytest.mark.parametrize(
    "query", ["page=0", "page=-1", "page=x", "pageSize=0", "pageSize=101", "page=99999999999"]
)
async def test_an_invalid_page_is_refused(anna, query) -> None:
    answer = await anna.get(f"/api/notifications?{query}")

    assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")


async def test_channels_are_switched_one_by_one(anna, bartek) -> None:
    def settings(email: bool) -> dict[str, Any]:
        return {
            "emailEnabled": email, "smsEnabled": False, "phoneNumber": None,
            "phoneVerified": False, "emailProblem": None,
        }  # fmt: skip

    for email in (False, False, True):
        answer = await anna.put(
            "/api/notifications/settings", {"emailEnabled": email, "smsEnabled": False}
        )
        assert (answer.status_code, answer.json()) == (200, settings(email))
        user = (await anna.get("/api/user")).json()
        assert user["emailNotificationsEnabled"] is email
    assert (await bartek.get("/api/user")).json()["emailNotificationsEnabled"] is True


@pytest.mark.parametrize(
    "body",
    [
        {"emailEnabled": "true", "smsEnabled": False},
        {"emailEnabled": None, "smsEnabled": False},
        {"emailEnabled": True, "smsEnabled": False, "phoneVerified": True},
        {"emailEnabled": True, "smsEnabled": False, "isAdmin": True},
        [],
        None,
    ],
)
async def test_malformed_settings_change_nothing(anna, body) -> None:
    answer = await anna.put("/api/notifications/settings", body)

    assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")
    assert (await anna.get("/api/user")).json()["phoneVerified"] is False


async def test_switching_mails_on_clears_a_reported_address(anna, logins) -> None:
    await update_account(logins, anna, email_state="bounced", email_state_reason="550 full")
    switched_off = await anna.put(
        "/api/notifications/settings", {"emailEnabled": False, "smsEnabled": False}
    )
    switched_on = await anna.put(
        "/api/notifications/settings", {"emailEnabled": True, "smsEnabled": False}
    )

    assert switched_off.json()["emailProblem"] == "bounced"
    assert switched_on.json()["emailProblem"] is None
    assert await fetch_email_state(logins, anna) == ("ok", None)
    [row] = await fetch_rows(
        logins,
        "SELECT email_trusted_at IS NOT NULL AS trusted FROM user_account WHERE email_key = $1",
        anna.email,
    )
    assert row["trusted"], "reports of the time before count for nothing"


async def test_a_visitor_is_refused_everywhere(new_browser) -> None:
    browser = new_browser()

    for answer in (
        await browser.get("/api/notifications"),
        await browser.post(f"/api/notifications/{uuid.uuid4()}/read"),
        await browser.post("/api/notifications/read-all"),
        await browser.delete(f"/api/notifications/{uuid.uuid4()}"),
        await browser.put("/api/notifications/settings", json={}),
        await browser.post("/api/notifications/send-verification-sms", json={}),
        await browser.post("/api/notifications/verify-sms", json={}),
    ):
        assert answer.status_code == 401
        assert answer.json()["error"] == "auth_required"


async def test_a_refused_mailbox_is_shown_to_its_owner_until_it_works_again(
    anna, bartek, worker, mailbox, logins
) -> None:
    await deliver_outbox(worker)  # the codes of the sign-ups
    mailbox.failure = DeliveryError("550 no such user", permanent=True)
    await publish_to_company(anna, worker, driver_draft(dedup_key="1"), driver_draft(dedup_key="2"))
    await deliver_outbox(worker)

    for member in (anna, bartek):
        refused = [
            row for row in await list_notifications(member) if row["type"] == "email_refused"
        ]
        assert [row["title"] for row in refused] == ["Powiadomienia e-mail mogą nie docierać"]
        assert "włącz ponownie powiadomienia e-mail" in refused[0]["content"]
        assert await fetch_email_state(logins, member) == ("refused", "550 no such user")

    mailbox.failure = None
    await publish_to_company(anna, worker, driver_draft(dedup_key="3"))
    await deliver_outbox(worker)
    assert await fetch_email_state(logins, anna) == ("ok", None)
    assert mailbox.messages_to(anna.email)[-1].subject == "Zatrzymane uprawnienia: Jan Kowalski"


async def test_a_bundled_mail_that_is_resent_lists_the_same_drivers(
    anna, worker, mailbox, logins, clock
) -> None:
    names = ("Kowalski", "Nowak")
    drafts = [
        NoticeDraft(
            kind=NoticeKind.EXPIRING,
            dedup_key=name,
            payload=ExpiryPayload(
                first_name="Jan", last_name=name, license_number="AA123456", checked_at=AT,
                day=AT.date(), expiries=(Expiry(AT.date() + timedelta(days=60), "", 60),),
            ),
        )
        for name in names
    ]  # fmt: skip
    await publish_to_company(anna, worker, *drafts)
    await deliver_outbox(worker)
    [row] = await fetch_rows(logins, "SELECT * FROM delivery WHERE kind = 'notice'")
    [notice] = await fetch_rows(logins, "SELECT DISTINCT bundle_id FROM notice")
    bundle_id = notice["bundle_id"]
    assert (row["bundle_id"], row["notice_id"], row["subject_id"]) == (bundle_id, None, None)

    sent = DueMessage(medium=Medium.EMAIL, **{name: row[name] for name in (
        "id", "kind", "tenant_id", "user_id", "notice_id", "subject_id", "bundle_id", "key",
    )})  # fmt: skip
    blocked = DeliveryReport(
        event_id="1", idempotency_key=sent.key, kind=DeliveryReportKind.FAILED,
        occurred_at=clock.now(), transient=True,
    )  # fmt: skip
    async with worker.database.batch() as session:
        await session.switch_tenant(sent.tenant_id)
        feedback = ReaderDeliveryFeedback(worker.settings, clock)
        await feedback.on_report(session, sent, blocked, "")
    await publish_to_company(anna, worker, driver_draft())  # another notice, not of the bundle
    clock.forward(seconds=RESEND_DELAY.total_seconds())
    assert await deliver_outbox(worker) == 2

    first, *_, resent = [mail for mail in mailbox.messages_to(anna.email) if "Nowak" in mail.text]
    assert resent is not first
    assert resent.text == first.text
    assert all(name in resent.text for name in names)


async def test_a_notice_is_sent_after_a_night_of_carrier_outage(
    anna, worker, mailbox, logins
) -> None:
    mailbox.failure = DeliveryError("421 try later")
    await publish_to_company(anna, worker, driver_draft())
    await deliver_outbox(worker)
    assert len(await list_notifications(anna)) == 1, "the panel waits for no carrier"

    mailbox.failure = None
    async with worker.database.system() as session:
        await session.execute(
            text(
                "UPDATE delivery SET next_try_at = next_try_at - interval '1h'"
                " WHERE state = 'pending'"
            )
        )
    await deliver_outbox(worker)
    assert "21.11.2026, 06:05" in mailbox.messages_to(anna.email)[-1].text


async def update_account(logins, person: Person, **columns: object) -> None:
    names = ", ".join(f"{name} = ${n}" for n, name in enumerate(columns, start=2))
    update = f"UPDATE user_account SET {names} WHERE email_key = $1"
    await execute_as_owner(logins, update, person.email, *columns.values())


async def fetch_user_id(logins, person: Person) -> uuid.UUID:
    [row] = await fetch_rows(
        logins, "SELECT id FROM user_account WHERE email_key = $1", person.email
    )
    return row["id"]


async def fetch_email_state(logins, person: Person) -> tuple[str, str | None]:
    [row] = await fetch_rows(
        logins,
        "SELECT email_state, email_state_reason FROM user_account WHERE email_key = $1",
        person.email,
    )
    return row["email_state"], row["email_state_reason"]
