"""What people type into the two forms, made fit to be kept and mailed (spec, section 5).

A line stays a line: breaks and controls in it become blanks, so that none can begin a header
of a mail or a line of a log. Lengths are counted in characters, after blanks around are gone.
"""

import re
import unicodedata

import msgspec

from prawko.accounts.addresses import parse_email
from prawko.support.errors import InvalidContactMessageError, InvalidTicketError
from prawko.support.schemas import (
    LEAST_TICKET,
    MOST_MESSAGE,
    MOST_NAME,
    MOST_SUBJECT,
    ContactMessageIn,
    TicketIn,
)

MOST_SAID = 300
MOST_DRIVERS = 1_000_000

# Controls, formats, surrogates, separators of lines: nothing of them is part of a word.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_NUMBER = re.compile(r"[0-9]{1,7}")


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """A question that can be kept."""

    subject: str
    message: str
    said_email: str
    said_company: str


class Contact(msgspec.Struct, frozen=True, kw_only=True):
    """A visitor's message that can be kept."""

    name: str
    email: str
    company: str
    drivers_count: int
    message: str


def one_line(text: str) -> str:
    """The text without breaks and controls, blanks around it, or doubled ones in it."""
    composed = unicodedata.normalize("NFC", text)
    seen = "".join(" " if unicodedata.category(c) in _UNSEEN else c for c in composed)
    return " ".join(seen.split())


def lines(text: str) -> str:
    """The text with its lines, and nothing else that cannot be seen but tabs."""
    broken = _BREAK.split(unicodedata.normalize("NFC", text))
    kept = ("".join(c for c in row if c == "\t" or unicodedata.category(c) not in _UNSEEN)
            for row in broken)  # fmt: skip
    return "\n".join(row.rstrip() for row in kept).strip()


def read_ticket(given: TicketIn) -> Ticket:
    """Read a ticket. Raises InvalidTicketError with a sentence for each field that is not fit.

    What the form says of the sender is kept as said, cut at 300 characters.
    """
    subject, message = one_line(given.subject), lines(given.message)
    faults = {
        "subject": _fault("ticket.subject", subject, most=MOST_SUBJECT),
        "message": _fault("ticket.message", message, least=LEAST_TICKET, most=MOST_MESSAGE),
    }
    fields = {name: text for name, text in faults.items() if text is not None}
    if fields:
        raise InvalidTicketError(fields=fields)
    said = given.user_info
    return Ticket(
        subject=subject,
        message=message,
        said_email=one_line(said.email or "")[:MOST_SAID] if said else "",
        said_company=one_line(said.company_name or "")[:MOST_SAID] if said else "",
    )


def read_contact(given: ContactMessageIn) -> Contact:
    """Read a visitor's message; every field is required.

    Raises InvalidContactMessageError with a sentence for each field that is not fit.
    """
    name, company = one_line(given.name), one_line(given.company)
    email, message = parse_email(given.email), lines(given.message)
    drivers_count = _drivers(given.drivers_count)
    faults = {
        "name": _fault("contact.name", name, most=MOST_NAME),
        "email": None if email else "accounts.email.invalid",
        "company": _fault("contact.company", company, most=MOST_NAME),
        "driversCount": None if drivers_count else "support.contact.drivers_count.invalid",
        "message": _fault("contact.message", message, most=MOST_MESSAGE),
    }
    fields = {field: text for field, text in faults.items() if text is not None}
    if email is None or drivers_count is None or fields:
        raise InvalidContactMessageError(fields=fields)
    return Contact(
        name=name, email=email, company=company, drivers_count=drivers_count, message=message
    )


def _fault(about: str, text: str, *, most: int, least: int = 1) -> str | None:
    if len(text) < least:
        return f"support.{about}.{'missing' if least == 1 else 'too_short'}"
    return f"support.{about}.too_long" if len(text) > most else None


def _drivers(given: int | str | None) -> int | None:
    if isinstance(given, str):
        given = int(given.strip()) if _NUMBER.fullmatch(given.strip()) else None
    return given if given is not None and 1 <= given <= MOST_DRIVERS else None
