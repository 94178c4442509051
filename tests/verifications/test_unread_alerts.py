"""Operators are notified of a company whose alerts about withheld licences reach no member."""

import pytest

from prawko.verifications.unread_alerts import watch_unread_alerts
from prawko_testing.fakes import withheld_licence
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

NUMBER = "AA123456"
OPERATOR = "operator@prawko.test"
BOUNCED = "UPDATE user_account SET email_state = 'bounced' WHERE email_key = $1"


@pytest.fixture
def open_incidents(worker, fleet):
    """Watch twice, and return the keys of the open incidents."""

    async def watch():
        for _ in range(2):
            await watch_unread_alerts(worker)
        rows = await fleet.admin.fetch(
            "SELECT key FROM incident WHERE kind = 'alerts_unread' AND closed_at IS NULL"
        )
        return [row["key"] for row in rows]

    return watch


@pytest.fixture
async def withheld(anna, celina, register, run_check):
    """A driver of each company whose licence is withheld."""
    register.answers[NUMBER] = withheld_licence(NUMBER)
    for person in (anna, celina):
        await person.add_driver(NUMBER)
    await run_check()


async def test_a_company_whose_only_reader_bounces_is_an_incident_until_somebody_is_reached(
    anna, withheld, worker, fleet, mailbox, open_incidents
) -> None:
    assert await open_incidents() == []
    await fleet.admin.execute(BOUNCED, anna.email)

    assert await open_incidents() == [str(await anna.tenant_id(worker))]
    await deliver_outbox(worker)
    [mail] = mailbox.messages_to(OPERATOR)
    assert "alerts_unread" in mail.subject
    assert anna.email not in mail.text

    await anna.put("/api/notifications/settings", {"emailEnabled": True, "smsEnabled": False})
    assert await open_incidents() == []


async def test_a_colleague_or_a_person_without_an_account_is_reached(
    anna, bartek, withheld, fleet, open_incidents
) -> None:
    await fleet.admin.execute(BOUNCED, anna.email)
    assert await open_incidents() == []
    await fleet.admin.execute(BOUNCED, bartek.email)
    assert len(await open_incidents()) == 1

    added = await anna.post("/api/alert-recipients", {"name": "Noc", "email": "noc@acme.test"})
    assert added.status_code == 201
    assert len(await open_incidents()) == 1, "nobody has agreed"
    await fleet.admin.execute("UPDATE alert_recipient SET confirmed_at = now()")
    assert await open_incidents() == []


async def test_neither_a_choice_nor_a_company_without_withheld_licences_is_an_incident(
    anna, withheld, fleet, open_incidents
) -> None:
    off = {"emailEnabled": False, "smsEnabled": False}
    assert (await anna.put("/api/notifications/settings", off)).status_code == 200
    assert await open_incidents() == []
    await anna.put("/api/notifications/settings", off | {"emailEnabled": True})
    await fleet.admin.execute(BOUNCED, anna.email)
    await fleet.admin.execute("UPDATE driver SET status = 'valid'")
    assert await open_incidents() == []
