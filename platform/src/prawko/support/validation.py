"""Validates and normalises the two forms (docs/rules.md P10, P11).

In single-line fields (`normalise_line`) no line break or control character is left, so that no
field can start a mail header or a log line. Lengths are in characters, without surrounding blanks.
"""

import re
import unicodedata
from collections.abc import Callable

import msgspec

from prawko.accounts.email_address import parse_email
from prawko.kit.errors import AppError
from prawko.kit.text.letters import normalise_line
from prawko.kit.text.plain_text import compose_text, is_far_too_long
from prawko.support.schemas import (
    MAX_MESSAGE_LENGTH,
    MAX_NAME_LENGTH,
    MAX_SUBJECT_LENGTH,
    MIN_TICKET_LENGTH,
    ContactMessageIn,
    TicketIn,
)

MAX_CLAIM_LENGTH = 300
MAX_RAW_CLAIM_LENGTH = 3000  # of more, the beginning is normalised
MAX_DRIVERS = 1_000_000

# Control, format and surrogate characters, line and paragraph separators.
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_LINE_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_NUMBER = re.compile(r"[0-9]{1,7}")


class InvalidTicketError(AppError):
    """A field of a ticket is missing or too long."""

    status = 422
    key = "invalid_ticket"


class InvalidContactMessageError(AppError):
    """A field of a contact message is missing, malformed or too long."""

    status = 422
    key = "invalid_contact_message"


class TicketDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A valid ticket."""

    subject: str
    message: str
    claimed_email: str
    claimed_company: str


class ContactDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A valid contact message."""

    name: str
    email: str
    company: str
    drivers_count: int
    message: str


def normalise_lines(text: str) -> str:
    """Return the text with line feeds between its lines and no control characters but tabs."""
    lines = _LINE_BREAK.split(compose_text(text))
    return "\n".join(_visible_characters(line).rstrip() for line in lines).strip()


def parse_ticket(form: TicketIn) -> TicketDraft:
    """Validate a ticket. Raises InvalidTicketError with a message for each invalid field.

    The form's claims about the sender are not validated, only truncated to MAX_CLAIM_LENGTH.
    """
    subject = _normalise(normalise_line, form.subject, MAX_SUBJECT_LENGTH)
    message = _normalise(normalise_lines, form.message, MAX_MESSAGE_LENGTH)
    issues = {
        "subject": _length_issue("ticket.subject", subject, max_length=MAX_SUBJECT_LENGTH),
        "message": _length_issue(
            "ticket.message", message, min_length=MIN_TICKET_LENGTH, max_length=MAX_MESSAGE_LENGTH
        ),
    }
    fields = {name: text for name, text in issues.items() if text is not None}
    if fields:
        raise InvalidTicketError(fields=fields)
    claimed = form.user_info
    return TicketDraft(
        subject=subject,
        message=message,
        claimed_email=_truncate_claim(claimed.email) if claimed else "",
        claimed_company=_truncate_claim(claimed.company_name) if claimed else "",
    )


def parse_contact(form: ContactMessageIn) -> ContactDraft:
    """Validate a visitor's message; every field is required.

    Raises InvalidContactMessageError with a message for each invalid field.
    """
    name = _normalise(normalise_line, form.name, MAX_NAME_LENGTH)
    company = _normalise(normalise_line, form.company, MAX_NAME_LENGTH)
    message = _normalise(normalise_lines, form.message, MAX_MESSAGE_LENGTH)
    email = parse_email(form.email)
    drivers_count = _parse_drivers_count(form.drivers_count)
    issues = {
        "name": _length_issue("contact.name", name, max_length=MAX_NAME_LENGTH),
        "email": None if email else "accounts.email.invalid",
        "company": _length_issue("contact.company", company, max_length=MAX_NAME_LENGTH),
        "driversCount": None if drivers_count else "support.contact.drivers_count.invalid",
        "message": _length_issue("contact.message", message, max_length=MAX_MESSAGE_LENGTH),
    }
    fields = {field: text for field, text in issues.items() if text is not None}
    if email is None or drivers_count is None or fields:
        raise InvalidContactMessageError(fields=fields)
    return ContactDraft(
        name=name, email=email, company=company, drivers_count=drivers_count, message=message
    )


def _visible_characters(line: str) -> str:
    return "".join(
        c for c in line if c == "\t" or unicodedata.category(c) not in _INVISIBLE_CATEGORIES
    )


def _normalise(normalise: Callable[[str], str], text: str, max_length: int) -> str:
    """Return the text normalised; a far too long text unchanged, because it is refused anyway."""
    return text if is_far_too_long(text, max_length) else normalise(text)


def _truncate_claim(text: str | None) -> str:
    return normalise_line((text or "")[:MAX_RAW_CLAIM_LENGTH])[:MAX_CLAIM_LENGTH]


def _length_issue(field: str, text: str, *, max_length: int, min_length: int = 1) -> str | None:
    if len(text) < min_length:
        return f"support.{field}.{'missing' if min_length == 1 else 'too_short'}"
    return f"support.{field}.too_long" if len(text) > max_length else None


def _parse_drivers_count(raw: int | str | None) -> int | None:
    if isinstance(raw, str):
        raw = int(raw.strip()) if _NUMBER.fullmatch(raw.strip()) else None
    return raw if raw is not None and 1 <= raw <= MAX_DRIVERS else None
