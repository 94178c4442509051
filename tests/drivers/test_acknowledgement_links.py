"""Members acknowledge an alert by the link of its mail or SMS (docs/rules.md R9d)."""

import asyncio
import base64
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from prawko.kit.clock import WARSAW, warsaw_date
from prawko.notifications.links import create_acknowledgement_token, create_stop_token, parse_token
from prawko_tenants.ids import DeliveryId, RecipientId, TenantId
from prawko_testing.fakes import licence_answer, withheld_licence
from support.database import count_rows, execute_as_owner, fetch_rows
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

LINKS = "/api/acknowledgement-links"
NUMBER = "AA123456"
NOTE = "Kluczyki zdane"
LIFETIME = timedelta(hours=48)

Call = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
async def tokens(
    anna, bartek, worker, register, run_daily_check, mailbox, clock, request
) -> dict[str, str]:
    """The token of each member's mail about Jan, whose licence was withheld today, or `param`."""
    register.answers[NUMBER] = licence_answer(NUMBER)
    await anna.add_driver(NUMBER)
    await run_daily_check()
    tomorrow = warsaw_date(clock.now()) + timedelta(days=1)
    clock.set(datetime.combine(tomorrow, time(12), WARSAW).astimezone(UTC))
    register.answers[NUMBER] = getattr(request, "param", withheld_licence(NUMBER))
    await run_daily_check()
    await deliver_outbox(worker)
    mails = {one.email: mailbox.messages_to(one.email)[-1] for one in (anna, bartek)}
    assert all(mail.link.startswith("http") for mail in mails.values())
    return {email: mail.link.partition("/ack#")[2] for email, mail in mails.items()}


@pytest.fixture
def token(tokens, anna) -> str:
    return tokens[anna.email]


@pytest.fixture
def visitor(new_browser):
    return new_browser()


@pytest.fixture
def call(visitor) -> Call:
    """Calls the link as a visitor; returns the body."""

    async def call_link(action: str, token: str, status: int = 200, **body: str) -> dict[str, Any]:
        answer = await visitor.post(f"{LINKS}/{action}", json={"token": token, **body})
        assert answer.status_code == status, answer.text
        assert "set-cookie" not in answer.headers
        assert answer.headers["cache-control"] == "no-store"
        return answer.json()

    return call_link


async def test_a_mail_leads_to_the_act_in_the_members_name(
    token, anna, bartek, call, mailbox, logins
) -> None:
    mail = mailbox.messages_to(anna.email)[-1]
    assert mail.html.index("Potwierdź odsunięcie") < mail.html.index("Otwórz w panelu")
    shown = await call("view", token)
    [driver] = await anna.list_drivers()
    assert (shown["state"], shown["name"], shown["licenseNumber"]) == (
        "open",
        "Jan Kowalski",
        NUMBER,
    )
    assert (shown["since"], shown["language"]) == (driver["episode"]["since"], "pl")
    assert shown["mayDrive"] == "no"
    assert "„Zatrzymany”: Decyzja starosty. Prawo jazdy" in shown["alert"]

    done = await call("acknowledge", token, note=NOTE)

    for person, is_read in ((anna, True), (bartek, False)):
        [notification] = (await person.get("/api/notifications")).json()
        assert notification["read"] is is_read
    [driver] = await bartek.list_drivers()
    assert done == {
        **shown, "state": "acknowledged", "acknowledgement": driver["episode"]["acknowledgement"],
    }  # fmt: skip
    assert done["acknowledgement"]["createdBy"] == anna.email
    assert done["acknowledgement"]["note"] == NOTE
    [event] = await fetch_rows(
        logins,
        "SELECT u.email, a.details->>'by' AS by, a.details->>'driver' AS driver"
        " FROM user_activity a JOIN user_account u ON u.id = a.user_id"
        " WHERE activity_type = 'driver_acknowledged'",
    )
    assert dict(event) == {"email": anna.email, "by": "link", "driver": driver["id"]}


async def test_opening_the_link_changes_nothing(token, visitor, call, logins) -> None:
    for _ in range(2):
        assert (await call("view", token))["state"] == "open"
    for method in ("GET", "HEAD", "OPTIONS"):
        for path in ("/ack", f"{LINKS}/view", f"{LINKS}/acknowledge", f"{LINKS}/{token}"):
            answer = await visitor.request(method, path, params={"token": token})
            assert answer.status_code in {200, 404, 405}
            assert "set-cookie" not in answer.headers
    assert await count_rows(logins, "acknowledgement") == 0


async def test_the_link_opens_no_session(token, visitor, call) -> None:
    await call("acknowledge", token)
    for path in ("/api/user", "/api/drivers", "/api/notifications"):
        assert (await visitor.get(path)).status_code == 401


async def test_one_entry_is_made_however_often_and_by_whom(
    tokens, anna, bartek, call, logins
) -> None:
    both = [tokens[anna.email], tokens[bartek.email]]
    answers = await asyncio.gather(*(call("acknowledge", one, note=NOTE) for one in both * 3))

    assert {one["state"] for one in answers} == {"acknowledged"}
    assert len({one["acknowledgement"]["id"] for one in answers}) == 1
    assert await count_rows(logins, "acknowledgement") == 1
    rows = "SELECT 1 FROM user_activity WHERE activity_type = 'driver_acknowledged'"
    assert len(await fetch_rows(logins, rows)) == 1


async def test_it_says_who_was_faster(tokens, anna, bartek, call) -> None:
    [driver] = await bartek.list_drivers()
    entry = {"since": driver["episode"]["since"], "note": NOTE}
    await bartek.post(f"/api/drivers/{driver['id']}/acknowledgements", entry)
    for action in ("view", "acknowledge"):
        shown = await call(action, tokens[anna.email])
        assert (shown["state"], shown["acknowledgement"]["createdBy"]) == (
            "acknowledged",
            bartek.email,
        )


def forge(token: str) -> list[str]:
    """False tokens: malformed ones, and genuine ones of which each part is changed in turn."""
    raw = bytearray(base64.urlsafe_b64decode(token + "=="))
    changed = [raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :] for at in (0, 15, 16, 31, 32, -1)]
    shortened = [raw[:32], raw[:33], raw[:-1], raw + b"\0"]
    made = [base64.urlsafe_b64encode(one).decode().rstrip("=") for one in changed + shortened]
    return [*made, "", "x", "ą" * 55, token * 2, token[:-1]]


async def test_false_tokens_are_refused_alike_and_read_nothing_of_a_company(
    token, call, context, monkeypatch, logins
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(context.database, "tenant", None)
        bodies = [await call("acknowledge", one, 400) for one in forge(token)]
    assert {one["error"] for one in bodies} == {"invalid_recipient_link"}
    assert len({one["message"] for one in bodies}) == 1
    assert await count_rows(logins, "acknowledgement") == 0


async def test_a_token_is_of_one_purpose_and_one_company(
    token, anna, celina, worker, call, logins
) -> None:
    link = parse_token(token)
    assert link is not None
    key_ring, rival = worker.key_ring, TenantId(await celina.tenant_id(worker))
    foreign = create_acknowledgement_token(key_ring, rival, DeliveryId(link.subject_id))
    stop = create_stop_token(key_ring, link.tenant_id, RecipientId(link.subject_id))
    for other in (foreign, stop, stop[: len(token)]):
        assert (await call("view", other, 400))["error"] == "invalid_recipient_link"
    for action in ("view", "confirm", "stop", "resume"):
        answer = await celina.post(f"/api/alert-links/{action}", {"token": token})
        assert answer.status_code == 400
    await call("acknowledge", foreign, 400)
    assert await count_rows(logins, "acknowledgement") == 0


_OF_ANNA = "WHERE user_id = (SELECT id FROM user_account WHERE email_key = :anna)"


@pytest.mark.parametrize(
    ("login", "statement"),
    [
        ("operator", f"SELECT remove_member(user_id) FROM membership {_OF_ANNA}"),
        ("worker", "DELETE FROM user_account WHERE email_key = :anna"),
        ("app", "UPDATE user_account SET email_verified = false WHERE email_key = :anna"),
        ("app", "UPDATE tenant SET erasure_requested_at = now() WHERE :anna <> ''"),
        ("app", "DELETE FROM driver WHERE :anna <> ''"),
        ("worker", "DELETE FROM tenant WHERE :anna <> ''"),
    ],
)
async def test_it_ends_with_the_membership_the_company_and_the_driver(
    login, statement, token, anna, call, context, worker, console, logins
) -> None:
    opened = {"app": context, "worker": worker, "operator": console}[login]
    async with opened.database.tenant(TenantId(await anna.tenant_id(worker))) as session:
        await session.execute(text(statement), {"anna": anna.email})
    for action in ("view", "acknowledge"):
        assert (await call(action, token, 400))["error"] == "invalid_recipient_link"
    assert await count_rows(logins, "acknowledgement") == 0


async def test_it_ends_with_the_role_that_may_acknowledge(token, call, logins) -> None:
    await execute_as_owner(logins, "UPDATE membership SET role = 'accountant'")
    for action in ("view", "acknowledge"):
        assert (await call(action, token, 400))["error"] == "invalid_recipient_link"
    await execute_as_owner(logins, "UPDATE membership SET role = 'dispatcher'")
    await call("acknowledge", token)


EXPIRED = licence_answer(NUMBER, expires=date(2026, 1, 31))


@pytest.mark.parametrize(
    ("tokens", "answers", "may_drive"),
    [
        (withheld_licence(NUMBER), [licence_answer(NUMBER)], "yes"),
        (withheld_licence(NUMBER), [licence_answer(NUMBER), withheld_licence(NUMBER)], "no"),
        (EXPIRED, [withheld_licence(NUMBER)], "no"),
        (withheld_licence(NUMBER), [licence_answer(NUMBER, "Utracony", code=None)], "check"),
    ],
    indirect=["tokens"],
)
async def test_it_ends_with_the_episode_and_says_whether_the_driver_may_drive_now(
    answers, may_drive, token, call, register, run_daily_check, clock, logins
) -> None:
    for answer in answers:  # each begins a new episode, or none
        clock.forward(hours=20)
        register.answers[NUMBER] = answer
        await run_daily_check()
    for action in ("view", "acknowledge"):
        ended = await call(action, token)
        assert (ended["state"], ended["since"], ended["mayDrive"]) == ("ended", None, may_drive)
        assert ended["name"] == "Jan Kowalski"
    assert await count_rows(logins, "acknowledgement") == 0


async def test_after_an_edit_it_shows_the_document_of_the_alert_and_asks_to_check(
    token, anna, call
) -> None:
    [driver] = await anna.list_drivers()
    edited = {"firstName": "Janina", "licenseNumber": "BB654321"}
    assert (await anna.put(f"/api/drivers/{driver['id']}", edited)).status_code == 200
    ended = await call("acknowledge", token)
    assert (ended["state"], ended["mayDrive"]) == ("ended", "check")
    assert (ended["name"], ended["licenseNumber"]) == ("Jan Kowalski", NUMBER)


async def test_it_ends_after_48_hours_and_shows_nothing_of_the_driver(
    token, call, clock, logins
) -> None:
    [notice] = await fetch_rows(logins, "SELECT created_at FROM notice WHERE kind = 'withheld'")
    clock.set(notice["created_at"] + LIFETIME - timedelta(minutes=1))
    assert (await call("view", token))["state"] == "open"
    clock.forward(minutes=1)
    for action in ("view", "acknowledge"):
        expired = await call(action, token)
        assert (expired.pop("state"), expired.pop("language")) == ("expired", "pl")
        assert not any(expired.values())
    assert await count_rows(logins, "acknowledgement") == 0


async def test_it_works_again_after_a_withdrawal(token, bartek, call, logins) -> None:
    done = await call("acknowledge", token)
    entry = done["acknowledgement"]["id"]
    await bartek.delete(f"/api/drivers/{done['driverId']}/acknowledgements/{entry}")
    assert (await call("view", token))["state"] == "open"
    assert (await call("acknowledge", token))["acknowledgement"]["id"] != entry


async def test_a_note_that_is_too_long_is_refused(token, call) -> None:
    refused = await call("acknowledge", token, 422, note="x" * 201)
    assert refused["error"] == "invalid_acknowledgement"
    assert (await call("view", token))["state"] == "open"


async def test_calls_are_limited_for_each_message_and_false_ones_for_each_network(
    tokens, anna, bartek, call, context
) -> None:
    context.max_tries["acknowledgement_link"] = 2
    for action in ("view", "acknowledge"):
        await call(action, tokens[anna.email])
    await call("acknowledge", tokens[anna.email], 429)
    await call("view", tokens[bartek.email])
    context.max_tries["alert_link"] = 1
    await call("view", "x", 400)
    await call("view", "x", 429)


async def test_another_site_cannot_press_the_button(token, visitor, logins) -> None:
    headers = {"origin": "https://evil.test", "sec-fetch-site": "cross-site"}
    body = {"token": token}
    answer = await visitor.post(f"{LINKS}/acknowledge", json=body, headers=headers)
    assert answer.status_code == 403
    form = await visitor.post(f"{LINKS}/acknowledge", data=body)
    assert form.status_code == 400
    assert await count_rows(logins, "acknowledgement") == 0


async def test_the_token_is_in_no_log(token, call, caplog, capfd) -> None:
    await call("acknowledge", token)
    await call("view", token[:-1], 400)
    captured = capfd.readouterr()
    assert token[:-1] not in captured.out + captured.err + caplog.text


async def test_a_mail_about_several_drivers_has_a_link_for_each_who_may_not_drive(
    anna, bartek, worker, register, run_daily_check, mailbox, clock, call
) -> None:
    for number in ("AA000001", "AA000002"):
        register.answers[number] = withheld_licence(number)
    register.answers["AA000003"] = None
    table = "Jan;Lis;AA000001\nEwa;Lis;AA000002\nIga;Lis;AA000003"
    body = {"text": table, "rows": [1, 2, 3]}
    assert (await anna.post("/api/drivers/import", body)).status_code == 201
    await run_daily_check()
    clock.forward(minutes=6)
    await deliver_outbox(worker)
    [mail] = [one for one in mailbox.messages_to(anna.email) if "/ack#" in one.text]

    assert mail.html.count("Potwierdź odsunięcie") == 2
    links = re.findall(r"Potwierdź odsunięcie: \S+/ack#(\S+)", mail.text)
    shown = [await call("view", one) for one in links]
    assert {one["licenseNumber"] for one in shown} == {"AA000001", "AA000002"}
    done = await call("acknowledge", links[0], note=NOTE)
    assert done["licenseNumber"] == shown[0]["licenseNumber"]
    assert done["acknowledgement"]["createdBy"] == anna.email
    assert (await call("view", links[1]))["state"] == "open"
    mixed = links[0][:-16] + links[1][-16:]
    await call("view", mixed, status=400)
    # The message alone names no driver.
    token = parse_token(links[0])
    whole = create_acknowledgement_token(
        worker.key_ring, token.tenant_id, DeliveryId(token.subject_id)
    )
    await call("view", whole, status=400)
