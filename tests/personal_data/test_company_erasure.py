"""A company is erased at its owner's request: by nobody else, at once, and with a last mail."""

import pyotp
import pytest
from sqlalchemy import text

from prawko.kit.clock import utc_now
from prawko.personal_data import erasure_requests
from prawko.personal_data.erasure_requests import erase_requested_companies
from support.database import count_rows, execute_as_owner, fetch_rows
from support.people import PASSWORD, Person, deliver_outbox, make_impersonated

pytestmark = pytest.mark.anyio

COMPANY = "/api/company"
RIGHT = {"password": PASSWORD}


async def companies(logins) -> int:
    """The number of companies that somebody belongs to."""
    rows = await fetch_rows(
        logins, "SELECT FROM tenant WHERE id IN (SELECT tenant_id FROM membership)"
    )
    return len(rows)


async def test_the_owner_erases_the_company_with_its_people(
    anna, bartek, celina, worker, logins, mailbox, enqueued_jobs
) -> None:
    await anna.add_driver("AA123456")
    acme = await anna.tenant_id(worker)
    rival = await celina.add_driver("BB654321")

    answer = await anna.delete(COMPANY, RIGHT)

    assert (answer.status_code, answer.json()) == (200, {"ok": True})
    assert "prawko=" in answer.headers["set-cookie"]
    assert enqueued_jobs[-1] == (erase_requested_companies.name, {})
    for person in (anna, bartek):
        assert (await person.get("/api/user")).status_code == 401
    sent = len(mailbox.messages_to(anna.email))
    await erase_requested_companies(worker)

    assert await companies(logins) == 1
    assert await fetch_rows(logins, "SELECT FROM tenant WHERE id = $1", acme) == []
    assert await count_rows(logins, "user_account") == 1
    assert [driver["id"] for driver in await celina.list_drivers()] == [rival]
    await deliver_outbox(worker)
    mails = mailbox.messages_to(anna.email)[sent:]
    assert [mail.subject for mail in mails] == ["Konto firmy zostało usunięte"]
    assert len(mailbox.messages_to(bartek.email)) >= 1
    login = await anna.post("/api/login", {"email": anna.email, "password": PASSWORD})
    assert login.status_code == 401
    # Nothing names them any more, in the outbox either.
    left = await fetch_rows(logins, "SELECT tenant_id, user_id, encrypted FROM delivery")
    assert all(row["encrypted"] is None for row in left)
    await erase_requested_companies(worker)
    assert await companies(logins) == 1


async def test_a_mail_in_the_readers_language_waits_for_nothing(
    anna, worker, mailbox, logins
) -> None:
    await anna.put("/api/user/language", {"language": "en"})
    await anna.delete(COMPANY, RIGHT)
    await erase_requested_companies(worker)
    encrypted = await fetch_rows(logins, "SELECT encrypted FROM delivery WHERE tenant_id IS NULL")
    assert all(anna.email.encode() not in row["encrypted"] for row in encrypted)
    await deliver_outbox(worker)

    assert mailbox.messages_to(anna.email)[-1].subject == "The company's account has been deleted"


async def test_a_colleague_a_stranger_and_an_operator_in_her_name_are_refused(
    anna, bartek, celina, worker, logins
) -> None:
    acme = await anna.tenant_id(worker)
    refused = await bartek.delete(COMPANY, RIGHT)
    assert (refused.status_code, refused.json()["error"]) == (403, "role_forbidden")
    assert (await celina.delete(COMPANY, RIGHT)).status_code == 200  # her own
    await make_impersonated(logins.owner)
    impersonated = await anna.delete(COMPANY, RIGHT)
    assert (impersonated.status_code, impersonated.json()["error"]) == (403, "auth_forbidden")
    await erase_requested_companies(worker)

    rows = await fetch_rows(logins, "SELECT DISTINCT tenant_id AS id FROM membership")
    assert [row["id"] for row in rows] == [acme]


async def test_a_wrong_password_erases_nothing(anna, worker, logins) -> None:
    answer = await anna.delete(COMPANY, {"password": "Nie0moje"})
    assert (answer.status_code, answer.json()["error"]) == (400, "wrong_password")
    assert "password" in answer.json()["fields"]
    await erase_requested_companies(worker)

    assert await companies(logins) == 1
    assert (await anna.get("/api/user")).status_code == 200


async def switch_on_second_factor(person: Person) -> str:
    started = await person.post("/api/user/second-factor", RIGHT)
    secret = started.json()["secret"]
    code = pyotp.TOTP(secret).at(utc_now())
    confirmed = await person.post("/api/user/second-factor/confirm", {"code": code})
    return confirmed.json()["recoveryCodes"][0]


async def test_with_a_second_factor_a_code_is_needed(anna, worker, logins) -> None:
    recovery_code = await switch_on_second_factor(anna)
    for body in (RIGHT, {**RIGHT, "code": "000000"}):
        answer = await anna.delete(COMPANY, body)
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_second_factor")
    await erase_requested_companies(worker)
    assert await companies(logins) == 1

    answer = await anna.delete(COMPANY, {**RIGHT, "code": recovery_code})
    assert answer.status_code == 200
    await erase_requested_companies(worker)
    assert await companies(logins) == 0


async def test_the_last_operator_stays(anna, worker, logins) -> None:
    await execute_as_owner(logins, "UPDATE user_account SET is_admin = true")
    answer = await anna.delete(COMPANY, RIGHT)

    assert (answer.status_code, answer.json()["error"]) == (409, "last_operator")
    await erase_requested_companies(worker)
    assert await companies(logins) == 1


async def test_the_request_is_in_the_audit_log_until_the_company_is_erased(
    anna, worker, logins
) -> None:
    await anna.delete(COMPANY, RIGHT)
    kinds = "SELECT activity_type AS kind FROM user_activity WHERE activity_type LIKE 'erasure%'"
    assert await fetch_rows(logins, kinds) == [{"kind": "erasure_requested"}]
    await erase_requested_companies(worker)
    assert await fetch_rows(logins, kinds) == []


async def test_a_request_survives_a_worker_that_was_away(anna, celina, worker, logins) -> None:
    """The request is a row: nothing is lost with the queue."""
    await anna.delete(COMPANY, RIGHT)
    assert await companies(logins) == 2
    await erase_requested_companies(worker)
    assert await companies(logins) == 1
    assert (await celina.get("/api/user")).status_code == 200


async def test_a_company_that_cannot_be_erased_keeps_no_other(
    anna, celina, worker, logins, monkeypatch
) -> None:
    erase, failed = erasure_requests.erase_company_rows, []

    async def fail_for_the_first(session):
        if not failed:
            failed.append(session.tenant_id)
        if session.tenant_id in failed:
            raise RuntimeError("a bug")
        return await erase(session)

    monkeypatch.setattr(erasure_requests, "erase_company_rows", fail_for_the_first)
    for owner in (anna, celina):
        await owner.delete(COMPANY, RIGHT)
    await erase_requested_companies(worker)

    left = await fetch_rows(logins, "SELECT id FROM tenant WHERE erasure_requested_at IS NOT NULL")
    assert [row["id"] for row in left] == failed
    open_kinds = "SELECT kind, detail FROM incident WHERE closed_at IS NULL"
    [incident] = await fetch_rows(logins, open_kinds)
    assert (incident["kind"], incident["detail"]) == (
        "erasure_stuck", f"{failed[0]}: RuntimeError",
    )  # fmt: skip

    monkeypatch.undo()
    await erase_requested_companies(worker)
    assert (await companies(logins), await fetch_rows(logins, open_kinds)) == (0, [])


async def test_an_erasure_that_another_transaction_was_in_the_way_of_is_repeated(
    anna, worker, logins, monkeypatch
) -> None:
    erase, tries = erasure_requests.erase_company_rows, []

    async def wait_in_vain_at_first(session):
        tries.append(session.tenant_id)
        if len(tries) == 1:
            await session.execute(text("DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$"))
        return await erase(session)

    monkeypatch.setattr(erasure_requests, "erase_company_rows", wait_in_vain_at_first)
    await anna.delete(COMPANY, RIGHT)
    await erase_requested_companies(worker)

    assert await companies(logins) == 0
    assert len(tries) == 2
