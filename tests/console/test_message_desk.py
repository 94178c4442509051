"""Messages, tickets and contact messages in the console."""

import asyncio
from uuid import UUID, uuid4

import pytest

from prawko.hooks.channels import Medium
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.service import enqueue_messages
from prawko_tenants.ids import TenantId
from support.database import execute_as_owner, fetch_rows
from support.people import Person, deliver_outbox
from support.statements import record_statements

pytestmark = pytest.mark.anyio

DELIVERIES = "/api/admin/deliveries"
TICKETS, CONTACTS = "/api/admin/tickets", "/api/admin/contact-messages"
TICKET = {"subject": "Pytanie o fakturę", "message": "Gdzie znajdę fakturę za październik?"}
CONTACT = {
    "name": "Jan Kowalski", "email": "jan@example.com", "company": "Kowalski Trans",
    "driversCount": 12, "message": "Ile kosztuje 12 kierowców?",
}  # fmt: skip


async def list_actions(logins) -> list[tuple[str, str | None]]:
    rows = await fetch_rows(
        logins, "SELECT action_type, reason FROM admin_action ORDER BY sequence"
    )
    return [(row["action_type"], row["reason"]) for row in rows]


async def insert_delivery(worker, tenant_id: TenantId | None, kind: str = "notice") -> UUID:
    async with worker.database.system() as session:
        message = OutboxMessage(
            kind=kind, medium=Medium.EMAIL, key=str(uuid4()), tenant_id=tenant_id
        )
        await enqueue_messages(session, [message])
    return UUID(str(message.id))


async def set_delivery(worker, id_: UUID, values: str) -> None:
    async with worker.database.system() as session:
        connection = await session.connection()
        await connection.exec_driver_sql(f"UPDATE delivery SET {values} WHERE id = '{id_}'")


@pytest.fixture
async def tenant_id(anna, worker) -> TenantId:
    return TenantId(await anna.tenant_id(worker))


@pytest.fixture(autouse=True)
async def no_other_deliveries(worker, anna, olga, logins) -> None:
    """People who sign up get mails."""
    async with worker.database.system() as session:
        connection = await session.connection()
        await connection.exec_driver_sql("DELETE FROM delivery")


async def test_messages_have_states_and_reasons_but_no_addresses(olga, worker, tenant_id) -> None:
    waiting, failed, bounced, sent = [await insert_delivery(worker, tenant_id) for _ in range(4)]
    await set_delivery(worker, failed, "state = 'failed', error_kind = 'address_rejected'")
    await set_delivery(
        worker, bounced, "state = 'sent', report = 'bounced', reported_at = now(), sent_at = now()"
    )
    await set_delivery(worker, sent, "state = 'sent', sent_at = now()")

    rows = {UUID(row["id"]): row for row in (await olga.get(DELIVERIES)).json()}
    assert {id_: (row["state"], row["reason"], row["resendable"]) for id_, row in rows.items()} == {
        waiting: ("waiting", None, False),
        failed: ("failed", "address_rejected", True),
        bounced: ("undelivered", "bounced", True),
        sent: ("sent", None, False),
    }
    assert rows[waiting]["companyId"] == str(tenant_id)
    assert rows[sent]["nextAttemptAt"] is None
    assert not any("@" in str(row) for row in rows.values())
    for filters, count in (
        ('{"state":"undelivered"}', 1), ('{"state":"waiting","medium":"email"}', 1),
        ('{"medium":"sms"}', 0), (f'{{"companyId":"{tenant_id}"}}', 4),
        ('{"reason":"bounced"}', 1), (f'{{"companyId":"{uuid4()}"}}', 0), ('{"kind":"x"}', 0),
    ):  # fmt: skip
        answer = await olga.get(DELIVERIES, params={"filter": filters})
        assert len(answer.json()) == count, filters

    summary = (await olga.get(f"{DELIVERIES}/summary")).json()
    assert (summary["waiting"], summary["failed"], summary["undelivered"]) == (1, 1, 1)
    assert summary["oldestWaitingAt"] is not None
    assert summary["byMedium"][0] == {
        "medium": "email", "waiting": 1, "failed": 1, "undelivered": 1,
    }  # fmt: skip
    assert {(one["reason"], one["count"]) for one in summary["byReason"]} == {
        ("address_rejected", 1), ("bounced", 1),
    }  # fmt: skip


async def test_a_message_that_did_not_arrive_is_sent_again(olga, worker, tenant_id, logins) -> None:
    waiting, failed, secret, ours = (
        await insert_delivery(worker, tenant_id),
        await insert_delivery(worker, tenant_id),
        await insert_delivery(worker, tenant_id, "email_code"),
        await insert_delivery(worker, None, "operator"),
    )
    for id_ in (failed, secret, ours):
        await set_delivery(worker, id_, "state = 'failed', error_kind = 'timeout', attempts = 9")

    without_reason = await olga.post(f"{DELIVERIES}/{failed}/resend", {})
    assert (without_reason.status_code, without_reason.json()["error"]) == (422, "reason_required")
    resent = await olga.post(f"{DELIVERIES}/{failed}/resend", {"reason": "klient prosił"})
    assert resent.status_code == 200, resent.text
    assert (resent.json()["state"], resent.json()["attempts"], resent.json()["reason"]) == (
        "waiting", 0, None,
    )  # fmt: skip
    for id_ in (waiting, failed, secret, ours):
        refused = await olga.post(f"{DELIVERIES}/{id_}/resend", {"reason": "jeszcze raz"})
        assert (refused.status_code, refused.json()["error"]) == (409, "delivery_not_resendable")
    missing = await olga.post(f"{DELIVERIES}/{uuid4()}/resend", {"reason": "x"})
    assert missing.status_code == 404
    assert await list_actions(logins) == [("delivery_resent", "klient prosił")]


async def test_concurrent_resends_send_a_message_once(olga, worker, tenant_id, logins) -> None:
    failed = await insert_delivery(worker, tenant_id)
    await set_delivery(worker, failed, "state = 'failed', error_kind = 'timeout'")
    answers = await asyncio.gather(
        *(olga.post(f"{DELIVERIES}/{failed}/resend", {"reason": "x"}) for _ in range(4))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert await list_actions(logins) == [("delivery_resent", "x")]


async def test_a_ticket_is_answered_by_mail_closed_and_opened_again(
    olga, anna, worker, logins, mailbox
) -> None:
    assert (await anna.post("/api/help/ticket", TICKET)).status_code == 201
    with record_statements() as statements:
        [listed] = (await olga.get(TICKETS)).json()
    assert not [one for one in statements if "support_ticket.message" in one]
    assert (listed["subject"], listed["email"], listed["state"]) == (
        TICKET["subject"], anna.email, "open",
    )  # fmt: skip
    assert "message" not in listed
    path = f"{TICKETS}/{listed['id']}"
    assert (await olga.get(path)).json()["message"] == TICKET["message"]

    answered = await olga.post(f"{path}/answer", {"text": "W panelu, w zakładce Faktury."})
    assert answered.status_code == 200, answered.text
    assert answered.json()["state"] == "answered"
    await deliver_outbox(worker)
    [mail] = [one for one in mailbox.messages_to(anna.email) if "odpowiedź" in one.subject]
    assert "W panelu, w zakładce Faktury." in mail.text
    assert f"> {TICKET['message']}" in mail.text
    rows = await fetch_rows(logins, "SELECT encrypted FROM delivery WHERE kind = 'ticket_answer'")
    assert [row["encrypted"] for row in rows] == [None], "the text is not kept"

    assert (await olga.post(f"{path}/close", {})).json()["state"] == "closed"
    for act, key in (("close", "submission_closed"), ("answer", "submission_closed")):
        refused = await olga.post(f"{path}/{act}", {"text": "x"} if act == "answer" else {})
        assert (refused.status_code, refused.json()["error"]) == (409, key)
    assert (await olga.post(f"{path}/reopen", {})).json()["state"] == "open"
    refused = await olga.post(f"{path}/reopen", {})
    assert (refused.status_code, refused.json()["error"]) == (409, "submission_open")
    for text in ("", " \n ", "x" * 5001):
        refused = await olga.post(f"{path}/answer", {"text": text})
        assert (refused.status_code, refused.json()["error"]) == (422, "invalid_answer")
    assert [action for action, _ in await list_actions(logins)] == [
        "ticket_answered", "ticket_closed", "ticket_reopened",
    ]  # fmt: skip


async def test_an_answer_goes_in_the_language_of_the_account(
    olga, anna, worker, logins, mailbox
) -> None:
    await execute_as_owner(logins, "UPDATE user_account SET language = 'en'")
    await anna.post("/api/help/ticket", TICKET)
    [ticket] = (await olga.get(TICKETS)).json()
    await olga.post(f"{TICKETS}/{ticket['id']}/answer", {"text": "Under Invoices."})
    await deliver_outbox(worker)
    assert [one for one in mailbox.messages_to(anna.email) if "answer:" in one.subject]


async def test_a_visitor_is_answered_who_belongs_to_no_company(
    olga, new_browser, worker, logins, mailbox
) -> None:
    visitor = Person("", new_browser())
    assert (await visitor.post("/api/contact", CONTACT)).status_code == 201
    [listed] = (await olga.get(CONTACTS)).json()
    assert (listed["sender"], listed["email"], listed["driversCount"], listed["state"]) == (
        CONTACT["name"], CONTACT["email"], 12, "open",
    )  # fmt: skip
    path = f"{CONTACTS}/{listed['id']}"
    assert (await olga.get(path)).json()["message"] == CONTACT["message"]
    answered = await olga.post(f"{path}/answer", {"text": "Zajrzyj do cennika."})
    assert answered.status_code == 200, answered.text
    await deliver_outbox(worker)
    [mail] = mailbox.messages_to(CONTACT["email"])
    assert "Zajrzyj do cennika." in mail.text
    for act in ("close", "reopen", "close"):
        assert (await olga.post(f"{path}/{act}", {})).status_code == 200
    for filters, count in (('{"state":"closed"}', 1), ('{"state":"open"}', 0), ('{"q":"KOWAL"}', 1),
                           ('{"q":"%"}', 0)):  # fmt: skip
        answer = await olga.get(CONTACTS, params={"filter": filters})
        assert len(answer.json()) == count, filters
    assert [action for action, _ in await list_actions(logins)] == [
        "contact_answered", "contact_closed", "contact_reopened", "contact_closed",
    ]  # fmt: skip


async def test_a_ticket_of_a_deleted_account_has_no_recipient_for_an_answer(
    olga, anna, worker, tenant_id, logins
) -> None:
    await anna.post("/api/help/ticket", TICKET)
    await execute_as_owner(logins, "DELETE FROM membership WHERE tenant_id = $1", tenant_id)
    [ticket] = (await olga.get(TICKETS)).json()
    refused = await olga.post(f"{TICKETS}/{ticket['id']}/answer", {"text": "Do kogo?"})
    assert (refused.status_code, refused.json()["error"]) == (409, "sender_unknown")
    assert (await olga.post(f"{TICKETS}/{ticket['id']}/close", {})).status_code == 200


async def test_lists_take_a_constant_number_of_statements(olga, anna, worker, tenant_id) -> None:
    counts = []
    for _ in range(3):
        for _ in range(4):
            await insert_delivery(worker, tenant_id)
        with record_statements() as statements:
            for path in (DELIVERIES, f"{DELIVERIES}/summary", TICKETS, CONTACTS):
                assert (await olga.get(path)).status_code == 200
        counts.append(len(statements))
    assert max(counts) - min(counts) <= 1, counts  # the count of a full page


async def test_who_is_no_operator_learns_nothing(
    anna, celina, new_browser, worker, tenant_id, logins
) -> None:
    id_ = await insert_delivery(worker, tenant_id)
    await anna.post("/api/help/ticket", TICKET)
    [row] = await fetch_rows(logins, "SELECT id FROM support_ticket")
    visitor = Person("", new_browser())
    for person, status in ((visitor, 401), (anna, 403), (celina, 403)):
        for path in (DELIVERIES, f"{DELIVERIES}/summary", f"{DELIVERIES}/{id_}", TICKETS,
                     f"{TICKETS}/{row['id']}", CONTACTS):  # fmt: skip
            assert (await person.get(path)).status_code == status, path
        for path in (f"{DELIVERIES}/{id_}/resend", f"{TICKETS}/{row['id']}/answer",
                     f"{TICKETS}/{row['id']}/close", f"{TICKETS}/{row['id']}/reopen"):  # fmt: skip
            assert (await person.post(path, {"reason": "x"})).status_code == status, path
    assert await list_actions(logins) == []
