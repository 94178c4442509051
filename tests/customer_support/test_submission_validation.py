"""Forms are normalised, or refused with a message for each invalid field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.kit.text.i18n import Language, translate
from prawko.support.mails import quote_lines
from prawko.support.schemas import ContactMessageIn, TicketIn, UserInfoIn
from prawko.support.validation import (
    InvalidContactMessageError,
    InvalidTicketError,
    normalise_line,
    normalise_lines,
    parse_contact,
    parse_ticket,
)

CONTACT = {
    "name": "Ewa Żółć",
    "email": "ewa@nowak.test",
    "company": "Nowak i Wspólnicy",
    "drivers_count": 12,
    "message": "Proszę o ofertę.",
}


@pytest.mark.parametrize(
    ("raw", "normalised"),
    [
        ("  Pytanie  o\tfakturę ", "Pytanie o fakturę"),
        ("Temat\r\nBcc: all@prawko.test", "Temat Bcc: all@prawko.test"),
        ("a\x00b\u202ec\u2028d", "a bc d"),
        ("Zo\u0301łw", "Zółw"),
        ("\n\t ", ""),
    ],
)
def test_a_line_is_normalised(raw, normalised) -> None:
    assert normalise_line(raw) == normalised


@given(st.text())
def test_no_text_becomes_a_second_line(text) -> None:
    assert len(normalise_line(text).splitlines()) <= 1


@given(st.text())
def test_a_message_keeps_its_lines_and_loses_invisible_characters(text) -> None:
    normalised = normalise_lines(text)
    assert normalised.split("\n") == normalised.splitlines() or normalised == ""
    assert "\x00" not in normalised
    assert all(row.startswith(">") for row in quote_lines(normalised).split("\n"))


def test_a_ticket_is_parsed_with_the_claims_of_its_sender() -> None:
    claims = UserInfoIn(email=" anna@acme.test\n", company_name="A" * 400)
    ticket = parse_ticket(
        TicketIn(subject=" Faktura ", message="Dzień dobry,\r\n\r\nproszę.\x07", user_info=claims)
    )

    assert (ticket.subject, ticket.message) == ("Faktura", "Dzień dobry,\n\nproszę.")
    assert ticket.claimed_email == "anna@acme.test"
    assert ticket.claimed_company == "A" * 300


@pytest.mark.parametrize(
    ("subject", "message", "polish", "english"),
    [
        ("", "Jak dodać kierowcę?", "Temat jest wymagany", "Subject is required"),
        (" \n ", "Jak dodać kierowcę?", "Temat jest wymagany", "Subject is required"),
        (
            "Pytanie", "za krótka", "Wiadomość musi mieć co najmniej 10 znaków",
            "Message must be at least 10 characters",
        ),
        (
            "Pytanie", "  krótka \n\n  ", "Wiadomość musi mieć co najmniej 10 znaków",
            "Message must be at least 10 characters",
        ),
        (
            "P" * 201, "Jak dodać kierowcę?", "Temat może mieć najwyżej 200 znaków",
            "Subject must be at most 200 characters",
        ),
        (
            "Pytanie", "x" * 5001, "Wiadomość może mieć najwyżej 5000 znaków",
            "Message must be at most 5000 characters",
        ),
    ],
)  # fmt: skip
def test_an_invalid_ticket_is_refused(subject, message, polish, english) -> None:
    with pytest.raises(InvalidTicketError) as refused:
        parse_ticket(TicketIn(subject=subject, message=message))

    assert refused.value.message(Language.PL) == polish
    assert refused.value.message(Language.EN) == english
    assert list(refused.value.field_messages(Language.PL).values()) == [polish]


def test_the_shortest_and_longest_texts_are_valid() -> None:
    assert parse_ticket(TicketIn(subject="P" * 200, message="x" * 5000))
    assert parse_ticket(TicketIn(subject="P", message="x" * 10))
    assert parse_contact(ContactMessageIn(**{**CONTACT, "message": "?"})).message == "?"


@pytest.mark.parametrize("count", [1, "1", " 12 ", 1_000_000])
def test_the_number_of_drivers_may_be_a_string(count) -> None:
    contact = parse_contact(ContactMessageIn(**{**CONTACT, "drivers_count": count}))
    assert contact.drivers_count == int(count)


@pytest.mark.parametrize(
    ("field", "value", "invalid_field"),
    [
        ("name", " ", "name"),
        ("name", "x" * 201, "name"),
        ("email", "ewa", "email"),
        ("email", "ewa@nowak.test\nBcc: all@prawko.test", "email"),
        ("company", "", "company"),
        ("company", "x" * 201, "company"),
        ("drivers_count", 0, "driversCount"),
        ("drivers_count", -3, "driversCount"),
        ("drivers_count", None, "driversCount"),
        ("drivers_count", "dużo", "driversCount"),
        ("drivers_count", "١٢", "driversCount"),
        ("drivers_count", 1_000_001, "driversCount"),
        ("message", "\n", "message"),
        ("message", "x" * 5001, "message"),
    ],
)
def test_an_invalid_field_of_a_contact_message_is_named(field, value, invalid_field) -> None:
    with pytest.raises(InvalidContactMessageError) as refused:
        parse_contact(ContactMessageIn(**{**CONTACT, field: value}))

    assert list(refused.value.fields) == [invalid_field]
    for language in Language:
        assert refused.value.message(language)


def test_the_texts_of_the_form_are_used() -> None:
    assert translate("support.ticket.sent", Language.PL) == "Wiadomość wysłana"
    assert translate("support.contact.sent", Language.PL) == (
        "Wiadomość została wysłana pomyślnie. Skontaktujemy się jak najszybciej."
    )
    assert InvalidTicketError().message(Language.PL) == (
        "Nie udało się wysłać wiadomości. Spróbuj ponownie później."
    )
    assert InvalidContactMessageError().message(Language.PL) == (
        "Wystąpił błąd podczas wysyłania wiadomości"
    )
    for error in (InvalidTicketError(), InvalidContactMessageError()):
        assert error.message(Language.EN) == "Failed to send message. Please try again later."
