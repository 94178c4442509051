"""Submissions are stored first and forwarded to the operators by mail."""

import logging
from dataclasses import replace

import msgspec
import pytest

from prawko.kit.rate_limit import GLOBAL_SUBJECT, Throttle
from prawko.limits import CONTACT_TOTAL
from prawko.support.jobs import forward_to_operators, watch_contact_form
from support.database import age_tries, count_rows, execute_as_owner, fetch_rows
from support.people import deliver_outbox

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
def forward_and_deliver(worker, mailbox):
    """Return a function that runs the jobs and returns the operators' mails."""

    async def do():
        await forward_to_operators(worker)
        await deliver_outbox(worker)
        return mailbox.messages_to(OPERATOR)

    return do


@pytest.fixture
def settings_without_operator(worker):
    """A worker without OPERATOR_EMAIL."""
    return msgspec.structs.replace(worker.settings, operator_email="")


async def test_a_ticket_is_stored_and_mailed_once(
    anna, worker, logins, enqueued_jobs, forward_and_deliver
) -> None:
    answer = await anna.post("/api/help/ticket", TICKET)

    assert answer.status_code == 201
    assert answer.json() == {"ok": True, "message": "Wiadomość wysłana"}
    assert [name for name, _ in enqueued_jobs][-1] == forward_to_operators.name
    [stored] = await fetch_rows(logins, "SELECT * FROM support_ticket")
    assert stored["tenant_id"] == await anna.tenant_id(worker)
    assert (stored["subject"], stored["forwarded_at"]) == ("Faktura", None)
    [event] = await fetch_rows(
        logins, "SELECT details::text FROM user_activity WHERE activity_type = 'ticket_sent'"
    )
    assert str(stored["id"]) in event["details"]

    [mail] = await forward_and_deliver()
    assert mail.subject == "Prawko, zgłoszenie: Faktura"
    assert "E-mail konta: anna@acme.test\n" in mail.text
    assert "w formularzu" not in mail.text  # the form said the same
    assert "> proszę o fakturę.\n> E-mail konta: ktos@inny.test" in mail.text
    assert mail.link == "mailto:anna@acme.test?subject=Re%3A%20Faktura"
    assert len(await forward_and_deliver()) == 1


async def test_the_mail_has_the_accounts_data_and_differing_claims(
    anna, worker, forward_and_deliver
) -> None:
    claims = {"email": "szef@inny.test", "companyName": "Inna\nFirma"}
    await anna.post("/api/help/ticket", {**TICKET, "userInfo": claims})

    [mail] = await forward_and_deliver()
    assert "E-mail konta: anna@acme.test\n" in mail.text
    assert "E-mail podany w formularzu: szef@inny.test\n" in mail.text
    assert "Firma podana w formularzu: Inna Firma\n" in mail.text
    assert mail.link.startswith("mailto:anna@acme.test?")


async def test_a_contact_message_is_stored_and_mailed_once(
    new_browser, logins, enqueued_jobs, forward_and_deliver
) -> None:
    answer = await new_browser().post("/api/contact", json=CONTACT)

    assert answer.status_code == 201
    assert answer.json() == {
        "ok": True,
        "message": "Wiadomość została wysłana pomyślnie. Skontaktujemy się jak najszybciej.",
    }
    assert [name for name, _ in enqueued_jobs] == [forward_to_operators.name]
    [mail] = await forward_and_deliver()
    assert mail.subject == "Prawko, wiadomość ze strony: Ewa Żółć"
    assert "Liczba kierowców: 12\n" in mail.text
    assert "> Proszę o ofertę dla 12 kierowców." in mail.text
    assert mail.link == "mailto:Ewa@Nowak.test?subject=Re%3A%20Prawko"
    assert len(await forward_and_deliver()) == 1
    [stored] = await fetch_rows(
        logins, "SELECT email, email_key, forwarded_at FROM contact_message"
    )
    assert (stored["email"], stored["email_key"]) == ("Ewa@Nowak.test", "ewa@nowak.test")
    assert stored["forwarded_at"] is not None


async def test_the_answers_are_in_english_for_an_english_browser(anna, new_browser, logins) -> None:
    english = {"Accept-Language": "en"}
    contact = await new_browser().post("/api/contact", json=CONTACT, headers=english)
    refused = await new_browser().post(
        "/api/contact", json={**CONTACT, "driversCount": 0}, headers=english
    )
    await anna.put("/api/user/language", {"language": "en"})
    ticket = await anna.post("/api/help/ticket", TICKET)
    too_short = await anna.post("/api/help/ticket", {**TICKET, "subject": "", "message": "short"})

    assert contact.json()["message"].startswith("Your message has been sent successfully.")
    assert ticket.json()["message"] == "Message sent"
    assert refused.status_code == 422
    assert refused.json() == {
        "error": "invalid_contact_message",
        "message": "Enter the number of drivers, at least 1",
        "fields": {"driversCount": "Enter the number of drivers, at least 1"},
    }
    assert too_short.json()["fields"] == {
        "subject": "Subject is required",
        "message": "Message must be at least 10 characters",
    }
    assert (
        await count_rows(logins, "support_ticket")
        == await count_rows(logins, "contact_message")
        == 1
    )


async def test_a_malformed_body_is_refused_with_a_message(anna) -> None:
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


async def test_a_form_with_the_hidden_field_filled_in_is_kept_and_marked(
    anna, olga, new_browser, forward_and_deliver
) -> None:
    filled = {"website": "https://acme.test"}
    ticket = await anna.post("/api/help/ticket", {**TICKET, **filled})
    contact = await new_browser().post("/api/contact", json={**CONTACT, **filled})

    assert ticket.json() == {"ok": True, "message": "Wiadomość wysłana"}
    assert (ticket.status_code, contact.status_code) == (201, 201)
    assert contact.json()["message"].startswith("Wiadomość została wysłana pomyślnie.")
    for resource, text in (("tickets", TICKET), ("contact-messages", CONTACT)):
        for value, count in (("true", 1), ("false", 0)):
            answer = await olga.get(
                f"/api/admin/{resource}", params={"filter": f'{{"probableSpam":{value}}}'}
            )
            assert [row["probableSpam"] for row in answer.json()] == [True] * count
        [row] = (await olga.get(f"/api/admin/{resource}")).json()
        stored = (await olga.get(f"/api/admin/{resource}/{row['id']}")).json()
        assert stored["message"] == text["message"]
    assert sorted(mail.subject for mail in await forward_and_deliver()) == [
        "[prawdopodobny spam] Prawko, wiadomość ze strony: Ewa Żółć",
        "[prawdopodobny spam] Prawko, zgłoszenie: Faktura",
    ]


async def test_marked_messages_take_no_place_of_others(new_browser, context) -> None:
    context.max_tries["contact_probable_spam"] = 1
    statuses = [
        (
            await new_browser().post(
                "/api/contact", json={**CONTACT, "email": f"a{n}@b.test", "website": website}
            )
        ).status_code
        for n, website in enumerate(("x", "x", ""))
    ]
    assert statuses == [201, 429, 201]


async def test_line_breaks_add_no_header_and_no_line_of_a_log(
    anna, new_browser, forward_and_deliver, capsys, caplog
) -> None:
    caplog.set_level(logging.DEBUG)
    injected = "Zgubiony\r\nBcc: wszyscy@prawko.test\x00\u2028Temat"
    await anna.post("/api/help/ticket", {**TICKET, "subject": injected})
    await new_browser().post(
        "/api/contact", json={**CONTACT, "name": injected, "company": injected}
    )

    titles = [mail.subject for mail in await forward_and_deliver()]
    assert len(titles) == 2
    for title in titles:
        assert title.endswith(": Zgubiony Bcc: wszyscy@prawko.test Temat")
    assert "Zgubiony" not in capsys.readouterr().out + caplog.text


async def test_without_an_operator_address_submissions_wait_and_are_mailed_later(
    anna, new_browser, worker, mailbox, logins, settings_without_operator, forward_and_deliver
) -> None:
    await anna.post("/api/help/ticket", TICKET)
    await new_browser().post("/api/contact", json=CONTACT)
    without_operator = with_settings(worker, settings_without_operator)
    await forward_to_operators(without_operator)
    await deliver_outbox(without_operator)

    assert mailbox.messages_to(OPERATOR) == []
    for table in ("support_ticket", "contact_message"):
        assert (await fetch_rows(logins, f"SELECT forwarded_at FROM {table}"))[0][
            "forwarded_at"
        ] is None
    assert len(await forward_and_deliver()) == 2  # the day the address is set


def with_settings(context, settings):
    """Return the same context with other settings."""
    return replace(context, settings=settings)


async def test_submissions_are_limited(anna, bartek, new_browser, logins) -> None:
    statuses = [(await anna.post("/api/help/ticket", TICKET)).status_code for _ in range(11)]
    assert statuses == [201] * 10 + [429]
    assert (await bartek.post("/api/help/ticket", TICKET)).status_code == 201

    browser = new_browser()
    same_network = [
        (await browser.post("/api/contact", json=CONTACT)).status_code for _ in range(6)
    ]
    other_networks = [
        (await browser.post("/api/contact", json={**CONTACT, "email": f"a{n}@b.test"}))
        for n in range(15)
    ]
    assert same_network == [201] * 5 + [429]
    assert [answer.status_code for answer in other_networks] == [201] * 14 + [429]
    assert 0 < int(other_networks[-1].headers["Retry-After"]) <= 3600
    assert other_networks[-1].json()["error"] == "too_many_requests"
    assert await count_rows(logins, "support_ticket") == 11
    assert await count_rows(logins, "contact_message") == 5 + 14


async def test_operators_are_mailed_once_when_the_days_messages_are_used_up(
    new_browser, context, worker, mailbox, logins
) -> None:
    await Throttle(context.database, context.key_ring).hit(CONTACT_TOTAL, GLOBAL_SUBJECT)
    almost_all = CONTACT_TOTAL.max_tries - 2
    await execute_as_owner(
        logins, "UPDATE throttle SET tries = array_fill(tries[1], ARRAY[$1::integer])", almost_all
    )
    await watch_contact_form(worker)
    assert await count_rows(logins, "incident") == 0

    for name, status in (("a", 201), ("b", 201), ("c", 429)):
        answer = await new_browser().post(
            "/api/contact", json={**CONTACT, "email": f"{name}@nowak.test"}
        )
        assert answer.status_code == status
    for _ in range(3):
        await watch_contact_form(worker)
        await deliver_outbox(worker)

    [alert] = mailbox.messages_to(OPERATOR)
    assert "contact_form_used_up" in alert.subject
    assert "Dzienny limit wiadomości z formularza kontaktowego" in alert.text

    await age_tries(logins, days=1)
    await watch_contact_form(worker)
    [incident] = await fetch_rows(logins, "SELECT closed_at FROM incident")
    assert incident["closed_at"] is not None
