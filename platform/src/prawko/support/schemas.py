"""Request models of support. `website` is a hidden field: who fills it in is probably a robot."""

from typing import Annotated

from prawko.accounts.schemas import EMAIL_META
from prawko.kit.http.schemas import RequestModel, openapi_constraints

MAX_SUBJECT_LENGTH = 200
MAX_NAME_LENGTH = 200  # of a person or a company
MAX_MESSAGE_LENGTH = 5000
MIN_TICKET_LENGTH = 10

_VISIBLE = r"\S"
SubjectText = Annotated[str, openapi_constraints(pattern=_VISIBLE, max_length=MAX_SUBJECT_LENGTH)]
TicketText = Annotated[
    str,
    openapi_constraints(
        pattern=_VISIBLE, min_length=MIN_TICKET_LENGTH, max_length=MAX_MESSAGE_LENGTH
    ),
]
NameText = Annotated[str, openapi_constraints(pattern=_VISIBLE, max_length=MAX_NAME_LENGTH)]
MessageText = Annotated[str, openapi_constraints(pattern=_VISIBLE, max_length=MAX_MESSAGE_LENGTH)]


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
