"""Text of anybody is normalised in linear time: one request must not stop the process."""

import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.accounts.email_address import parse_email
from prawko.billing.billing_details import BillingDetails, find_detail_errors
from prawko.drivers.errors import InvalidAcknowledgementError
from prawko.drivers.validation import FieldError, parse_name, parse_note
from prawko.kit.text.plain_text import MAX_MARKS, compose_text
from prawko.notifications.errors import InvalidRecipientError
from prawko.notifications.recipients import service as recipients
from prawko.support.schemas import ContactMessageIn, TicketIn
from prawko.support.validation import (
    InvalidContactMessageError,
    InvalidTicketError,
    parse_contact,
    parse_ticket,
)

# Marks of two classes in the wrong order: each of the second half moves before the whole first.
MARKS = "e" + "\u0301" * 20_000 + "\u0316" * 20_000
MAX_SECONDS = 1.0  # of the processor; quadratic time is three


def refuse_contact(text: str) -> None:
    with pytest.raises(InvalidContactMessageError):
        parse_contact(ContactMessageIn(name=text, company=text, message=text))


def refuse_ticket(text: str) -> None:
    with pytest.raises(InvalidTicketError):
        parse_ticket(TicketIn(subject=text, message=""))


def check_details(text: str) -> None:
    find_detail_errors(BillingDetails(company_name=text, street=text, city=text))


def refuse_name(text: str) -> None:
    with pytest.raises(FieldError):
        parse_name(text)


def refuse_note(text: str) -> None:
    with pytest.raises(InvalidAcknowledgementError):
        parse_note(text)


def refuse_recipient(text: str) -> None:
    with pytest.raises(InvalidRecipientError):
        recipients.parse_name(text)


def refuse_email(text: str) -> None:
    assert parse_email(text.replace("ż", "a")) is None


@pytest.mark.parametrize(
    "read",
    [compose_text, refuse_contact, refuse_ticket, refuse_name, check_details],
)
def test_no_text_takes_quadratic_time(read: Callable[[str], object]) -> None:
    began = time.process_time()
    read(MARKS)
    assert time.process_time() - began < MAX_SECONDS


@pytest.mark.parametrize(
    "read",
    [
        refuse_contact,
        refuse_ticket,
        refuse_name,
        refuse_note,
        refuse_recipient,
        refuse_email,
        check_details,
    ],
)
def test_a_text_as_long_as_a_body_is_refused_without_a_look_at_each_character(
    read: Callable[[str], object],
) -> None:
    def measure() -> float:
        began = time.process_time()
        for _ in range(10):
            read("ż" * 120_000)
        return time.process_time() - began

    assert min(measure() for _ in range(3)) < 0.1  # 0.2 and more otherwise


def test_of_many_marks_on_a_letter_the_first_are_kept() -> None:
    composed = compose_text(MARKS)
    assert composed[0] == "é"
    assert len(composed) == MAX_MARKS
    assert compose_text(f"{MARKS}{MARKS}") == composed * 2


@given(st.text(st.characters(exclude_categories=["Mn", "Mc", "Me", "Cs"])))
def test_text_without_marks_is_composed_as_unicode_says(text: str) -> None:
    assert compose_text(text) == unicodedata.normalize("NFC", text)
