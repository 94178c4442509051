"""The JSON of support. `website` is a field that no person sees: who fills it in is a robot."""

from typing import Annotated

from msgspec import Meta

from prawko.accounts.schemas import AN_ADDRESS
from prawko.base.schemas import Incoming, Outgoing

MOST_SUBJECT = 200
MOST_NAME = 200  # of a person or a company
MOST_MESSAGE = 5000
LEAST_TICKET = 10

# Told to the client, not enforced by the decoder: `reading` has a sentence for each field.
_SEEN = r"\S"
SubjectText = Annotated[
    str, Meta(extra_json_schema={"extra": {"pattern": _SEEN, "max_length": MOST_SUBJECT}})
]
TicketText = Annotated[
    str,
    Meta(
        extra_json_schema={
            "extra": {"pattern": _SEEN, "min_length": LEAST_TICKET, "max_length": MOST_MESSAGE}
        }
    ),
]


NameText = Annotated[
    str, Meta(extra_json_schema={"extra": {"pattern": _SEEN, "max_length": MOST_NAME}})
]
MessageText = Annotated[
    str, Meta(extra_json_schema={"extra": {"pattern": _SEEN, "max_length": MOST_MESSAGE}})
]


class UserInfoIn(Incoming):
    """What the form says of the sender."""

    email: str | None = None
    company_name: str | None = None


class TicketIn(Incoming):
    """A customer's question; what may be missing is refused with a sentence of its own."""

    subject: SubjectText = ""
    message: TicketText = ""
    user_info: UserInfoIn | None = None
    website: str = ""


class ContactMessageIn(Incoming):
    """A visitor's message; the number of drivers may come as typed."""

    name: NameText = ""
    email: Annotated[str, AN_ADDRESS] = ""
    company: NameText = ""
    drivers_count: int | str | None = None
    message: MessageText = ""
    website: str = ""


class MessageSent(Outgoing):
    """Taken in, and the sentence that says so."""

    ok: bool
    message: str
