"""Request models of support. `website` is a honeypot: only robots fill in the hidden field."""

from typing import Annotated

from msgspec import Meta

from prawko.accounts.schemas import EMAIL_META
from prawko.base.schemas import RequestModel

MAX_SUBJECT_LENGTH = 200
MAX_NAME_LENGTH = 200  # of a person or a company
MAX_MESSAGE_LENGTH = 5000
MIN_TICKET_LENGTH = 10

# Documented, but checked by `validation`, which has a message for each field.
_VISIBLE_PATTERN = r"\S"
SubjectText = Annotated[
    str,
    Meta(
        extra_json_schema={"extra": {"pattern": _VISIBLE_PATTERN, "max_length": MAX_SUBJECT_LENGTH}}
    ),
]
TicketText = Annotated[
    str,
    Meta(
        extra_json_schema={
            "extra": {
                "pattern": _VISIBLE_PATTERN,
                "min_length": MIN_TICKET_LENGTH,
                "max_length": MAX_MESSAGE_LENGTH,
            }
        }
    ),
]
NameText = Annotated[
    str,
    Meta(extra_json_schema={"extra": {"pattern": _VISIBLE_PATTERN, "max_length": MAX_NAME_LENGTH}}),
]
MessageText = Annotated[
    str,
    Meta(
        extra_json_schema={"extra": {"pattern": _VISIBLE_PATTERN, "max_length": MAX_MESSAGE_LENGTH}}
    ),
]


class UserInfoIn(RequestModel):
    """The sender as the form names it; unverified."""

    email: str | None = None
    company_name: str | None = None


class TicketIn(RequestModel):
    """A customer's question. Missing fields get their own message from `validation`."""

    subject: SubjectText = ""
    message: TicketText = ""
    user_info: UserInfoIn | None = None
    website: str = ""


class ContactMessageIn(RequestModel):
    """A visitor's message; the number of drivers may be a string."""

    name: NameText = ""
    email: Annotated[str, EMAIL_META] = ""
    company: NameText = ""
    drivers_count: int | str | None = None
    message: MessageText = ""
    website: str = ""
