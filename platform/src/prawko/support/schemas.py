"""The JSON of support. `website` is a field that no person sees: who fills it in is a robot."""

from prawko.base.schemas import Incoming, Outgoing


class UserInfoIn(Incoming):
    """What the form says of the sender."""

    email: str | None = None
    company_name: str | None = None


class TicketIn(Incoming):
    """A customer's question; what may be missing is refused with a sentence of its own."""

    subject: str = ""
    message: str = ""
    user_info: UserInfoIn | None = None
    website: str = ""


class ContactMessageIn(Incoming):
    """A visitor's message; the number of drivers may come as typed."""

    name: str = ""
    email: str = ""
    company: str = ""
    drivers_count: int | str | None = None
    message: str = ""
    website: str = ""


class MessageSent(Outgoing):
    """Taken in, and the sentence that says so."""

    ok: bool
    message: str
