"""Notices reach every member once, in the panel and by the channels they chose."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any

import asyncpg
import pytest
from sqlalchemy import event

from persons import Person, deliver
from prawko.base.jobs import Tools
from prawko.hooks.channels import DeliveryError, Medium
from prawko.notifications.announcing import Announcement, announce
from prawko.notifications.fanout import Rules
from prawko.notifications.kinds import CompanyFacts, DriverFacts, NoticeKind
from prawko_tenants.ids import TenantId
from stored import count, look

pytestmark = pytest.mark.anyio

AT = datetime(2026, 11, 21, 5, 5, tzinfo=UTC)
BOTH = Rules(media=frozenset(Medium), sms_from_hour=0)
KEYS = {"id", "type", "title", "content", "read", "createdAt"}


def of_driver(
    kind: NoticeKind = NoticeKind.WITHHELD, *, dedup: str = "1", last_name: str = "Kowalski"
) -> Announcement:
    return Announcement(
        kind=kind,
        dedup=dedup,
        facts=DriverFacts(
            first_name="Jan",
            last_name=last_name,
            license_number="AA123456",
            checked_at=AT,
            state="Zatrzymany",
            expires=date(2031, 2, 3),
        ),
    )


async def told(
    person: Person, worker: Tools, *what: Announcement, rules: Rules | None = None
) -> int:
    """Announce to the person's company, as the worker does."""
    tenant_id = TenantId(await person.tenant_id(worker))
    async with worker.database.batch() as session:
        await session.bind(tenant_id)
        return await announce(
            session,
            tenant_id,
            what,
            rules=rules or Rules.of(worker.settings),
            now=worker.clock.now(),
        )


async def listed(person: Person, **params: Any) -> list[dict[str, Any]]:
    answer = await person.get("/api/notifications", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_notice_is_listed_for_every_member_and_for_no_rival(
    anna, bartek, celina, worker
) -> None:
    assert await told(anna, worker, of_driver()) == 1

    for member in (anna, bartek):
        [notification] = await listed(member)
        assert set(notification) == KEYS
        assert notification["type"] == "driver_status"
        assert notification["title"] == "Zatrzymane uprawnienia: Jan Kowalski"
        assert "AA123456" in notification["content"]
        assert notification["read"] is False
    assert await listed(celina) == []


async def test_a_change_is_told_once_however_often_a_job_runs(
    anna, worker, mailbox, logins
) -> None:
    assert await told(anna, worker, of_driver()) == 1
    assert await told(anna, worker, of_driver(), of_driver()) == 0
    await deliver(worker)
    assert await told(anna, worker, of_driver()) == 0
    await deliver(worker)

    assert len(await listed(anna)) == 1
    [mail] = [notice for notice in mailbox.to(anna.email) if notice.code is None]
    assert mail.title == "Zatrzymane uprawnienia: Jan Kowalski"
    assert await count(logins, "notice") == 1


async def test_another_change_is_told_again(anna, worker) -> None:
    await told(anna, worker, of_driver(dedup="1"))
    await told(anna, worker, of_driver(NoticeKind.RESTORED, dedup="2"))
    await told(anna, worker, of_driver(dedup="3"))

    assert [row["title"].split(":")[0] for row in await listed(anna)] == [
        "Zatrzymane uprawnienia",
        "Przywrócone uprawnienia",
        "Zatrzymane uprawnienia",
    ]


async def test_many_drivers_cost_as_few_statements_as_one(anna, bartek, worker, logins) -> None:
    with statements_of(worker) as one:
        await told(anna, worker, of_driver(dedup="one"))
    with statements_of(worker) as many:
        announced = await told(anna, worker, *(of_driver(dedup=str(n)) for n in range(200)))

    assert announced == 200
    assert len(many) == len(one)
    assert sum("INSERT" in statement for statement in many) == 3
    assert await count(logins, "notification") == 2 * 201


async def test_each_member_reads_the_own_language(anna, bartek, worker, mailbox) -> None:
    await bartek.put("/api/user/language", {"language": "en"})

    await told(anna, worker, of_driver())
    await deliver(worker)

    assert (await listed(bartek))[0]["title"] == "Licence withheld: Jan Kowalski"
    assert mailbox.to(bartek.email)[-1].title == "Licence withheld: Jan Kowalski"
    assert mailbox.to(anna.email)[-1].title == "Zatrzymane uprawnienia: Jan Kowalski"


async def test_who_has_not_proved_the_address_is_told_nothing(anna, bartek, worker, logins) -> None:
    await set_account(logins, bartek, email_verified=False)

    await told(anna, worker, of_driver())

    assert [row["user_id"] for row in await look(logins, "SELECT user_id FROM delivery")].count(
        await user_id(logins, bartek)
    ) == 1, "the code of the sign-up alone"
    assert await count(logins, "notification") == 1


async def test_a_member_without_mail_still_finds_it_in_the_panel(
    anna, worker, mailbox, logins
) -> None:
    await set_account(logins, anna, email_notifications_enabled=False)
    before = len(mailbox.sent)

    await told(anna, worker, of_driver())
    await deliver(worker)

    assert len(mailbox.sent) == before
    assert len(await listed(anna)) == 1


async def test_mail_switched_off_before_it_left_does_not_leave(
    anna, worker, mailbox, logins
) -> None:
    await told(anna, worker, of_driver())
    await set_account(logins, anna, email_notifications_enabled=False)
    before = len(mailbox.sent)

    await deliver(worker)

    assert len(mailbox.sent) == before
    [row] = await look(logins, "SELECT state, error_kind FROM delivery WHERE kind = 'notice'")
    assert row == {"state": "failed", "error_kind": "unwanted"}


async def test_sms_go_to_verified_phones_that_want_them(anna, bartek, worker, logins) -> None:
    await set_account(
        logins, anna, phone_number="+48600100200", phone_verified=True,
        sms_notifications_enabled=True,
    )  # fmt: skip
    await set_account(logins, bartek, phone_number="+48600100201", sms_notifications_enabled=True)

    await told(anna, worker, of_driver(), of_driver(NoticeKind.CONFIRMED), rules=BOTH)

    rows = await look(logins, "SELECT user_id, channel_medium FROM delivery WHERE kind = 'notice'")
    anna_id, bartek_id = await user_id(logins, anna), await user_id(logins, bartek)
    assert sorted((row["user_id"], row["channel_medium"]) for row in rows) == sorted(
        [(anna_id, "email"), (anna_id, "sms"), (bartek_id, "email")]
    )


async def test_results_that_grow_old_are_told_to_the_company(anna, worker, mailbox) -> None:
    stale = Announcement(
        kind=NoticeKind.RESULTS_STALE, dedup="2026-11-21", facts=CompanyFacts(drivers=2, since=AT)
    )

    await told(anna, worker, stale)
    await deliver(worker)

    assert "2 kierowcy mają wyniki starsze niż 48 godzin" in mailbox.to(anna.email)[-1].text
    assert (await listed(anna))[0]["type"] == "results_stale"


async def test_newest_first_page_by_page(anna, worker, clock) -> None:
    for number in range(5):
        await told(anna, worker, of_driver(dedup=str(number), last_name=f"Nr {number}"))
        clock.forward(minutes=1)

    answer = await anna.get("/api/notifications", params={"page": 2, "pageSize": 2})

    assert [row["title"][-4:] for row in answer.json()] == ["Nr 2", "Nr 1"]
    assert answer.headers["Content-Range"] == "notifications 2-3/5"
    times = [row["createdAt"] for row in await listed(anna)]
    assert times == sorted(times, reverse=True)
    empty = await anna.get("/api/notifications", params={"page": 9, "pageSize": 2})
    assert (empty.json(), empty.headers["Content-Range"]) == ([], "notifications */5")


async def test_notices_of_one_batch_keep_their_order(anna, worker) -> None:
    names = [f"Nr {number}" for number in range(6)]
    await told(anna, worker, *(of_driver(dedup=name, last_name=name) for name in names))

    assert [row["title"][-4:] for row in await listed(anna)] == names[::-1]


async def test_a_notification_is_read_by_its_reader_alone(anna, bartek, worker) -> None:
    await told(anna, worker, of_driver())
    [mine] = await listed(anna)

    answer = await anna.post(f"/api/notifications/{mine['id']}/read")
    again = await anna.post(f"/api/notifications/{mine['id']}/read")

    assert answer.status_code == again.status_code == 200
    assert answer.json() == again.json() == {**mine, "read": True}
    assert (await listed(anna))[0]["read"] is True
    assert (await listed(bartek))[0]["read"] is False


async def test_a_foreign_notification_looks_like_none(anna, bartek, celina, worker) -> None:
    await told(anna, worker, of_driver())
    [annas] = await listed(anna)

    nowhere = await anna.post(f"/api/notifications/{uuid.uuid4()}/read")

    assert nowhere.status_code == 404
    for other in (bartek, celina):
        foreign = await other.post(f"/api/notifications/{annas['id']}/read")
        assert (foreign.status_code, foreign.content) == (404, nowhere.content)
    malformed = await anna.post("/api/notifications/1/read")
    assert (malformed.status_code, malformed.content) == (404, nowhere.content)
    assert (await listed(anna))[0]["read"] is False


async def test_all_are_read_at_once_and_nobody_elses(anna, bartek, celina, worker) -> None:
    await told(anna, worker, *(of_driver(dedup=str(number)) for number in range(3)))
    await told(celina, worker, of_driver())
    first = (await listed(anna))[0]
    await anna.post(f"/api/notifications/{first['id']}/read")

    answer = await anna.post("/api/notifications/read-all")
    again = await anna.post("/api/notifications/read-all")

    assert (answer.status_code, answer.json()) == (200, {"ok": True, "count": 2})
    assert again.json() == {"ok": True, "count": 0}
    assert {row["read"] for row in await listed(anna)} == {True}
    for other in (bartek, celina):
        assert {row["read"] for row in await listed(other)} == {False}


async def test_a_notification_is_removed_from_its_readers_list_alone(anna, bartek, worker) -> None:
    await told(anna, worker, of_driver(dedup="1"), of_driver(dedup="2"))
    newest, older = await listed(anna)

    answer = await anna.delete(f"/api/notifications/{newest['id']}")
    again = await anna.delete(f"/api/notifications/{newest['id']}")

    assert (answer.status_code, answer.json()) == (200, {"id": newest["id"]})
    assert again.status_code == 404
    assert await listed(anna) == [older]
    assert len(await listed(bartek)) == 2
    read = await anna.post(f"/api/notifications/{newest['id']}/read")
    assert read.content == again.content


async def test_what_was_removed_is_not_told_again(anna, worker) -> None:
    await told(anna, worker, of_driver())
    [one] = await listed(anna)
    await anna.delete(f"/api/notifications/{one['id']}")

    assert await told(anna, worker, of_driver()) == 0
    assert await listed(anna) == []


async def test_foreign_missing_and_malformed_ids_cannot_be_removed(
    anna, bartek, celina, worker
) -> None:
    await told(anna, worker, of_driver())
    [annas] = await listed(anna)

    nowhere = await anna.delete(f"/api/notifications/{uuid.uuid4()}")

    assert nowhere.json() == {"error": "not_found", "message": "Nie znaleziono."}
    for other in (bartek, celina):
        foreign = await other.delete(f"/api/notifications/{annas['id']}")
        assert (foreign.status_code, foreign.content) == (404, nowhere.content)
    for malformed in ("1", "read-all", "settings", "%00", "0" * 40):
        answer = await anna.delete(f"/api/notifications/{malformed}")
        assert answer.status_code in {404, 405}, malformed
        assert answer.content == nowhere.content, malformed
    assert await listed(anna) == [annas]


@pytest.mark.parametrize(
    "query", ["page=0", "page=-1", "page=x", "pageSize=0", "pageSize=101", "page=99999999999"]
)
async def test_a_page_that_cannot_be_is_refused(anna, query) -> None:
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
        {},
        {"emailEnabled": True},
        {"emailEnabled": "true", "smsEnabled": False},
        {"emailEnabled": None, "smsEnabled": False},
        {"emailEnabled": True, "smsEnabled": False, "phoneVerified": True},
        {"emailEnabled": True, "smsEnabled": False, "isAdmin": True},
        [],
        None,
    ],
)
async def test_settings_that_cannot_be_read_change_nothing(anna, body) -> None:
    answer = await anna.put("/api/notifications/settings", body)

    assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")
    assert (await anna.get("/api/user")).json()["phoneVerified"] is False


async def test_who_switches_mails_on_says_that_the_address_works(anna, logins) -> None:
    await set_account(logins, anna, email_state="bounced", email_state_reason="550 full")
    off = await anna.put(
        "/api/notifications/settings", {"emailEnabled": False, "smsEnabled": False}
    )
    on = await anna.put("/api/notifications/settings", {"emailEnabled": True, "smsEnabled": False})

    assert off.json()["emailProblem"] == "bounced"
    assert on.json()["emailProblem"] is None
    assert await email_state(logins, anna) == ("ok", None)
    [row] = await look(
        logins,
        "SELECT email_trusted_at IS NOT NULL AS trusted FROM user_account WHERE email_key = $1",
        anna.email,
    )
    assert row["trusted"], "reports of the time before count for nothing"


async def test_a_visitor_is_asked_to_sign_in(visitor) -> None:
    browser = visitor()

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
    await deliver(worker)  # the codes of the sign-ups
    mailbox.broken = DeliveryError("550 no such user", permanent=True)
    await told(anna, worker, of_driver(dedup="1"), of_driver(dedup="2"))
    await deliver(worker)

    for member in (anna, bartek):
        refused = [row for row in await listed(member) if row["type"] == "email_refused"]
        assert [row["title"] for row in refused] == ["Powiadomienia e-mail mogą nie docierać"]
        assert "włącz ponownie powiadomienia e-mail" in refused[0]["content"]
        assert await email_state(logins, member) == ("refused", "550 no such user")

    mailbox.broken = None
    await told(anna, worker, of_driver(dedup="3"))
    await deliver(worker)
    assert await email_state(logins, anna) == ("ok", None)
    assert mailbox.to(anna.email)[-1].title == "Zatrzymane uprawnienia: Jan Kowalski"


async def test_a_notice_outlives_a_night_of_a_broken_carrier(anna, worker, mailbox, logins) -> None:
    mailbox.broken = DeliveryError("421 try later")
    await told(anna, worker, of_driver())
    await deliver(worker)
    assert len(await listed(anna)) == 1, "the panel waits for no carrier"

    mailbox.broken = None
    await execute(
        logins.worker,
        "UPDATE delivery SET next_try_at = next_try_at - $1::interval WHERE state = 'pending'",
        timedelta(hours=1),
    )
    await deliver(worker)
    assert "21.11.2026, 06:05" in mailbox.to(anna.email)[-1].text


@contextmanager
def statements_of(tools: Tools) -> Iterator[list[str]]:
    """The statements that leave through the tools' sessions."""
    seen: list[str] = []
    engine = tools.database._engine.sync_engine

    def note(connection, cursor, statement, parameters, context, many) -> None:
        seen.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield seen
    event.remove(engine, "before_cursor_execute", note)


async def execute(url: str, sql: str, *args: object) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(sql, *args)
    finally:
        await connection.close()


async def set_account(logins, person: Person, **columns: object) -> None:
    names = ", ".join(f"{name} = ${n}" for n, name in enumerate(columns, start=2))
    await execute(
        logins.owner, f"UPDATE user_account SET {names} WHERE email_key = $1", person.email,
        *columns.values(),
    )  # fmt: skip


async def user_id(logins, person: Person) -> uuid.UUID:
    [row] = await look(logins, "SELECT id FROM user_account WHERE email_key = $1", person.email)
    return row["id"]


async def email_state(logins, person: Person) -> tuple[str, str | None]:
    [row] = await look(
        logins,
        "SELECT email_state, email_state_reason FROM user_account WHERE email_key = $1",
        person.email,
    )
    return row["email_state"], row["email_state_reason"]
