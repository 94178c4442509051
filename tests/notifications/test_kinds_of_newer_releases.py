"""Notices and messages of a kind that this process does not know, while a newer one runs beside."""

import pytest

from prawko_testing.fakes import licence_answer, withheld_licence
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

NUMBER = "AA123456"
DUE_NOW = "UPDATE delivery SET next_try_at = now() WHERE notice_id IS NOT NULL"
WAIT_AGAIN = """
    UPDATE delivery SET state = 'pending', attempts = 0, sent_at = NULL, carrier_ref = NULL
     WHERE notice_id IS NOT NULL
"""
MESSAGES = "SELECT state, attempts, lease_until FROM delivery WHERE notice_id IS NOT NULL"


@pytest.fixture
async def alert(anna, worker, register, run_daily_check, mailbox, clock, fleet):
    """An alert about a withheld licence, whose mails wait."""
    register.answers[NUMBER] = licence_answer(NUMBER)
    await anna.add_driver(NUMBER)
    await run_daily_check()
    clock.forward(days=1)
    register.answers[NUMBER] = withheld_licence(NUMBER)
    await run_daily_check()
    await deliver_outbox(worker)
    await fleet.admin.execute(WAIT_AGAIN)
    mailbox.sent.clear()


@pytest.mark.usefixtures("alert")
@pytest.mark.parametrize(("table", "known"), [("notice", "withheld"), ("delivery", "notice")])
async def test_an_old_worker_leaves_a_message_to_a_newer_one(
    anna, worker, mailbox, fleet, table, known
) -> None:
    rename = f"UPDATE {table} SET kind = $1 WHERE kind = $2"
    await fleet.admin.execute(rename, "of_tomorrow", known)

    for _ in range(20):  # more often than a message is tried that fails
        assert await deliver_outbox(worker) == 0
        assert await deliver_outbox(worker) == 0, "it is not claimed again at once"
        assert [tuple(row) for row in await fleet.admin.fetch(MESSAGES)] == [("pending", 0, None)]
        await fleet.admin.execute(DUE_NOW)
    assert mailbox.messages_to(anna.email) == []

    await fleet.admin.execute(rename, known, "of_tomorrow")
    await deliver_outbox(worker)
    [mail] = mailbox.messages_to(anna.email)
    assert "Jan Kowalski" in mail.text


@pytest.mark.usefixtures("alert")
async def test_an_old_panel_shows_what_it_can(anna, worker, mailbox, fleet, new_browser) -> None:
    await deliver_outbox(worker)
    token = mailbox.messages_to(anna.email)[-1].link.partition("/ack#")[2]
    [driver] = await anna.list_drivers()
    history = f"/api/drivers/{driver['id']}/notices"
    [shown] = (await anna.get("/api/notifications")).json()
    assert len((await anna.get(history)).json()) == 1
    await fleet.admin.execute("UPDATE notice SET kind = 'of_tomorrow'")

    assert (await anna.get(history)).json() == []
    [stored] = (await anna.get("/api/notifications")).json()
    assert (stored["title"], stored["kind"]) == (shown["title"], None)
    read = await anna.post(f"/api/notifications/{stored['id']}/read")
    assert (read.status_code, read.json()["read"]) == (200, True)
    link = await new_browser().post("/api/acknowledgement-links/view", json={"token": token})
    assert (link.status_code, link.json()["error"]) == (503, "unavailable")
