"""What people type is made fit to be kept, or refused with a sentence for each field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.base.texts import Language, say
from prawko.support.errors import InvalidContactMessageError, InvalidTicketError
from prawko.support.mails import quoted
from prawko.support.reading import lines, one_line, read_contact, read_ticket
from prawko.support.schemas import ContactMessageIn, TicketIn, UserInfoIn

CONTACT = {
    "name": "Ewa Żółć",
    "email": "ewa@nowak.test",
    "company": "Nowak i Wspólnicy",
    "drivers_count": 12,
    "message": "Proszę o ofertę.",
}


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Pytanie  o\tfakturę ", "Pytanie o fakturę"),
        ("Temat\r\nBcc: all@prawko.test", "Temat Bcc: all@prawko.test"),
        ("a\x00b\u202ec\u2028d", "a b c d"),
        ("Zo\u0301łw", "Zółw"),
        ("\n\t ", ""),
    ],
)
def test_a_line_stays_a_line(typed, kept) -> None:
    assert one_line(typed) == kept


@given(st.text())
def test_no_text_makes_a_second_line(text) -> None:
    assert len(one_line(text).splitlines()) <= 1


@given(st.text())
def test_a_message_keeps_its_lines_and_nothing_unseen(text) -> None:
    kept = lines(text)
    assert kept.split("\n") == kept.splitlines() or kept == ""
    assert "\x00" not in kept
    assert all(row.startswith(">") for row in quoted(kept).split("\n"))


def test_a_ticket_is_kept_as_written_and_what_the_form_says_of_its_sender_too() -> None:
    said = UserInfoIn(email=" anna@acme.test\n", company_name="A" * 400)
    ticket = read_ticket(
        TicketIn(subject=" Faktura ", message="Dzień dobry,\r\n\r\nproszę.\x07", user_info=said)
    )

    assert (ticket.subject, ticket.message) == ("Faktura", "Dzień dobry,\n\nproszę.")
    assert ticket.said_email == "anna@acme.test"
    assert ticket.said_company == "A" * 300


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
def test_a_ticket_that_is_not_fit_is_refused(subject, message, polish, english) -> None:
    with pytest.raises(InvalidTicketError) as refused:
        read_ticket(TicketIn(subject=subject, message=message))

    assert refused.value.message(Language.PL) == polish
    assert refused.value.message(Language.EN) == english
    assert list(refused.value.field_messages(Language.PL).values()) == [polish]


def test_the_longest_and_the_shortest_are_fit() -> None:
    assert read_ticket(TicketIn(subject="P" * 200, message="x" * 5000))
    assert read_ticket(TicketIn(subject="P", message="x" * 10))
    assert read_contact(ContactMessageIn(**{**CONTACT, "message": "?"})).message == "?"


@pytest.mark.parametrize("count", [1, "1", " 12 ", 1_000_000])
def test_the_number_of_drivers_may_come_as_typed(count) -> None:
    contact = read_contact(ContactMessageIn(**{**CONTACT, "drivers_count": count}))
    assert contact.drivers_count == int(count)


@pytest.mark.parametrize(
    ("field", "value", "told"),
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
def test_a_visitors_field_that_is_not_fit_is_named(field, value, told) -> None:
    with pytest.raises(InvalidContactMessageError) as refused:
        read_contact(ContactMessageIn(**{**CONTACT, field: value}))

    assert list(refused.value.fields) == [told]
    for language in Language:
        assert refused.value.message(language)


def test_the_words_of_the_specification_are_said() -> None:
    assert say("support.ticket.sent", Language.PL) == "Wiadomość wysłana"
    assert say("support.contact.sent", Language.PL) == (
        "Wiadomość została wysłana pomyślnie. Skontaktujemy się jak najszybciej."
    )
    assert InvalidTicketError().message(Language.PL) == (
        "Nie udało się wysłać wiadomości. Spróbuj ponownie później."
    )
    assert InvalidContactMessageError().message(Language.PL) == (
        "Wystąpił błąd podczas wysyłania wiadomości"
    )
    for refusal in (InvalidTicketError(), InvalidContactMessageError()):
        assert refusal.message(Language.EN) == "Failed to send message. Please try again later."
