"""What people write to us is kept first, and reaches the operators by mail."""

import logging
from dataclasses import replace

import msgspec
import pytest

from persons import deliver
from prawko.support import limits
from prawko.support.jobs import pass_on_messages, watch_contact_form
from stored import count, look, write

pytestmark = pytest.mark.anyio

OPERATOR = "operator@prawko.test"
TICKET = {
    "subject": "Faktura",
    "message": "Dzień dobry,\n\nproszę o fakturę.\nE-mail konta: ktos@inny.test",
    "userInfo": {"email": "ANNA@acme.test", "companyName": ""},
}
CONTACT = {
    "name": "Ewa Żółć",
    "email": "Ewa@Nowak.test",
    "company": "Nowak",
    "driversCount": 12,
    "message": "Proszę o ofertę dla 12 kierowców.",
}


@pytest.fixture
def passes_on(worker, mailbox):
    """Does what the worker does, and returns the mails the operators have."""

    async def do():
        await pass_on_messages(worker)
        await deliver(worker)
        return mailbox.to(OPERATOR)

    return do


@pytest.fixture
def nobody_reads(worker):
    """A worker of an installation that has no address for its operators."""
    return msgspec.structs.replace(worker.settings, operator_email="")


async def test_a_ticket_is_kept_and_mailed_once(anna, worker, logins, rings, passes_on) -> None:
    answer = await anna.post("/api/help/ticket", TICKET)

    assert answer.status_code == 201
    assert answer.json() == {"ok": True, "message": "Wiadomość wysłana"}
    assert [name for name, _ in rings][-1] == pass_on_messages.name
    [kept] = await look(logins, "SELECT * FROM support_ticket")
    assert kept["tenant_id"] == await anna.tenant_id(worker)
    assert (kept["subject"], kept["passed_on_at"]) == ("Faktura", None)
    [noted] = await look(
        logins, "SELECT details::text FROM user_activity WHERE activity_type = 'ticket_sent'"
    )
    assert str(kept["id"]) in noted["details"]

    [mail] = await passes_on()
    assert mail.title == "Prawko, zgłoszenie: Faktura"
    assert "E-mail konta: anna@acme.test\n" in mail.text
    assert "w formularzu" not in mail.text  # the form said the same
    assert "> proszę o fakturę.\n> E-mail konta: ktos@inny.test" in mail.text
    assert mail.link == "mailto:anna@acme.test?subject=Re%3A%20Faktura"
    assert len(await passes_on()) == 1


async def test_the_account_decides_and_what_the_form_said_otherwise_is_told(
    anna, worker, passes_on
) -> None:
    said = {"email": "szef@inny.test", "companyName": "Inna\nFirma"}
    await anna.post("/api/help/ticket", {**TICKET, "userInfo": said})

    [mail] = await passes_on()
    assert "E-mail konta: anna@acme.test\n" in mail.text
    assert "E-mail podany w formularzu: szef@inny.test\n" in mail.text
    assert "Firma podana w formularzu: Inna Firma\n" in mail.text
    assert mail.link.startswith("mailto:anna@acme.test?")


async def test_a_visitors_message_is_kept_and_mailed_once(
    visitor, logins, rings, passes_on
) -> None:
    answer = await visitor().post("/api/contact", json=CONTACT)

    assert answer.status_code == 201
    assert answer.json() == {
        "ok": True,
        "message": "Wiadomość została wysłana pomyślnie. Skontaktujemy się jak najszybciej.",
    }
    assert [name for name, _ in rings] == [pass_on_messages.name]
    [mail] = await passes_on()
    assert mail.title == "Prawko, wiadomość ze strony: Ewa Żółć"
    assert "Liczba kierowców: 12\n" in mail.text
    assert "> Proszę o ofertę dla 12 kierowców." in mail.text
    assert mail.link == "mailto:Ewa@Nowak.test?subject=Re%3A%20Prawko"
    assert len(await passes_on()) == 1
    [kept] = await look(logins, "SELECT email, email_key, passed_on_at FROM contact_message")
    assert (kept["email"], kept["email_key"]) == ("Ewa@Nowak.test", "ewa@nowak.test")
    assert kept["passed_on_at"] is not None


async def test_the_answers_speak_english_to_who_does(anna, visitor, logins) -> None:
    english = {"Accept-Language": "en"}
    contact = await visitor().post("/api/contact", json=CONTACT, headers=english)
    refused = await visitor().post(
        "/api/contact", json={**CONTACT, "driversCount": 0}, headers=english
    )
    await anna.put("/api/user/language", {"language": "en"})
    ticket = await anna.post("/api/help/ticket", TICKET)
    short = await anna.post("/api/help/ticket", {**TICKET, "subject": "", "message": "short"})

    assert contact.json()["message"].startswith("Your message has been sent successfully.")
    assert ticket.json()["message"] == "Message sent"
    assert refused.status_code == 422
    assert refused.json() == {
        "error": "invalid_contact_message",
        "message": "Enter the number of drivers, at least 1",
        "fields": {"driversCount": "Enter the number of drivers, at least 1"},
    }
    assert short.json()["fields"] == {
        "subject": "Subject is required",
        "message": "Message must be at least 10 characters",
    }
    assert await count(logins, "support_ticket") == await count(logins, "contact_message") == 1


async def test_a_body_that_does_not_fit_is_refused_with_a_sentence(anna) -> None:
    for path, body, key in (
        ("/api/help/ticket", {"subject": 1}, "invalid_ticket"),
        ("/api/help/ticket", {**TICKET, "tenantId": "x"}, "invalid_ticket"),
        ("/api/help/ticket", {}, "invalid_ticket"),
        ("/api/contact", {**CONTACT, "driversCount": 1.5}, "invalid_contact_message"),
        ("/api/contact", [], "invalid_contact_message"),
        ("/api/contact", {}, "invalid_contact_message"),
    ):
        answer = await anna.post(path, body)

        assert answer.status_code == 422, body
        assert answer.json()["error"] == key
        assert answer.json()["message"]


async def test_a_robot_is_told_the_same_and_nothing_is_kept(
    anna, visitor, logins, rings, passes_on
) -> None:
    filled = {"website": "https://spam.test"}
    ticket = await anna.post("/api/help/ticket", {**TICKET, **filled})
    contact = await visitor().post("/api/contact", json={**CONTACT, **filled})

    assert ticket.json() == {"ok": True, "message": "Wiadomość wysłana"}
    assert (ticket.status_code, contact.status_code) == (201, 201)
    assert contact.json()["message"].startswith("Wiadomość została wysłana pomyślnie.")
    assert await count(logins, "support_ticket") == await count(logins, "contact_message") == 0
    assert pass_on_messages.name not in [name for name, _ in rings]
    assert await passes_on() == []


async def test_line_breaks_add_no_header_and_no_line_of_a_log(
    anna, visitor, passes_on, capsys, caplog
) -> None:
    caplog.set_level(logging.DEBUG)
    nasty = "Zgubiony\r\nBcc: wszyscy@prawko.test\x00\u2028Temat"
    await anna.post("/api/help/ticket", {**TICKET, "subject": nasty})
    await visitor().post("/api/contact", json={**CONTACT, "name": nasty, "company": nasty})

    titles = [mail.title for mail in await passes_on()]
    assert len(titles) == 2
    for title in titles:
        assert title.endswith(": Zgubiony Bcc: wszyscy@prawko.test Temat")
    assert "Zgubiony" not in capsys.readouterr().out + caplog.text


async def test_without_an_operators_address_everything_waits_and_nothing_is_lost(
    anna, visitor, worker, mailbox, logins, nobody_reads, passes_on
) -> None:
    await anna.post("/api/help/ticket", TICKET)
    await visitor().post("/api/contact", json=CONTACT)
    alone = with_settings(worker, nobody_reads)
    await pass_on_messages(alone)
    await deliver(alone)

    assert mailbox.to(OPERATOR) == []
    for table in ("support_ticket", "contact_message"):
        assert (await look(logins, f"SELECT passed_on_at FROM {table}"))[0]["passed_on_at"] is None
    assert len(await passes_on()) == 2  # the day the address is set


def with_settings(tools, settings):
    """The same tools with other settings."""
    return replace(tools, settings=settings)


async def test_who_writes_too_often_waits(anna, bartek, visitor, logins) -> None:
    statuses = [(await anna.post("/api/help/ticket", TICKET)).status_code for _ in range(11)]
    assert statuses == [201] * 10 + [429]
    assert (await bartek.post("/api/help/ticket", TICKET)).status_code == 201

    browser = visitor()
    same = [(await browser.post("/api/contact", json=CONTACT)).status_code for _ in range(6)]
    others = [
        (await browser.post("/api/contact", json={**CONTACT, "email": f"a{n}@b.test"}))
        for n in range(15)
    ]
    assert same == [201] * 5 + [429]
    assert [answer.status_code for answer in others] == [201] * 14 + [429]
    assert 0 < int(others[-1].headers["Retry-After"]) <= 3600
    assert others[-1].json()["error"] == "too_many_requests"
    assert await count(logins, "support_ticket") == 11
    assert await count(logins, "contact_message") == 5 + 14


async def test_operators_learn_once_that_the_days_messages_are_used_up(
    visitor, worker, mailbox, logins, monkeypatch
) -> None:
    few = msgspec.structs.replace(limits.CONTACT_OF_EVERYBODY, tries=2)
    monkeypatch.setattr(limits, "CONTACT_OF_EVERYBODY", few)
    await watch_contact_form(worker)
    assert await count(logins, "incident") == 0

    for name, status in (("a", 201), ("b", 201), ("c", 429)):
        answer = await visitor().post(
            "/api/contact", json={**CONTACT, "email": f"{name}@nowak.test"}
        )
        assert answer.status_code == status
    for _ in range(3):
        await watch_contact_form(worker)
        await deliver(worker)

    [alert] = mailbox.to(OPERATOR)
    assert "contact_form_used_up" in alert.title
    assert "Dzienny limit wiadomości z formularza kontaktowego" in alert.text

    await write(
        logins, "UPDATE throttle SET window_started_at = window_started_at - '1 day'::interval"
    )
    await watch_contact_form(worker)
    [incident] = await look(logins, "SELECT closed_at FROM incident")
    assert incident["closed_at"] is not None
