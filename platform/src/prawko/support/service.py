"""Takes in what people write to us. It is kept first; its mail is ordered by a job."""

from prawko.accounts.activity import Act, Origin, note
from prawko.accounts.addresses import email_key
from prawko.accounts.identity import Identity
from prawko.accounts.limits import network
from prawko.accounts.throttle import Throttle
from prawko.base.jobs import Tools
from prawko.support import limits
from prawko.support.reading import read_contact, read_ticket
from prawko.support.repository import SupportRepository
from prawko.support.schemas import ContactMessageIn, TicketIn
from prawko_tenants.sessions import SystemSession, TenantSession


class Support:
    """Takes tickets and messages; says whether they were kept.

    What a robot sends, which fills in the hidden field, is not, and the robot is told the same.
    """

    def __init__(self, tools: Tools) -> None:
        self._throttle = Throttle(tools.database, tools.vault)
        self._clock = tools.clock

    async def take_ticket(
        self, session: TenantSession, identity: Identity, origin: Origin, given: TicketIn
    ) -> bool:
        """Keep a customer's ticket. Raises InvalidTicketError and TooManyRequestsError."""
        ticket = read_ticket(given)
        await self._throttle.count(limits.TICKETS_OF_A_PERSON, str(identity.user_id))
        await self._throttle.count(limits.TICKETS_OF_A_COMPANY, str(identity.tenant_id))
        if given.website:
            return False
        now = self._clock.now()
        ticket_id = await SupportRepository(session).add_ticket(
            identity.tenant_id, identity.user_id, ticket, now
        )
        await note(session, Act.TICKET_SENT, identity, origin, now, ticket=ticket_id)
        return True

    async def take_contact(
        self, session: SystemSession, origin: Origin, given: ContactMessageIn
    ) -> bool:
        """Keep a visitor's message. Raises InvalidContactMessageError and TooManyRequestsError."""
        contact = read_contact(given)
        await self._throttle.count(limits.CONTACT_FROM_AN_ADDRESS, network(origin.ip))
        if given.website:  # what a robot sends uses up nobody else's turn
            return False
        await self._throttle.count(limits.CONTACT_FOR_AN_EMAIL, email_key(contact.email))
        await self._throttle.count(limits.CONTACT_OF_EVERYBODY, limits.EVERYBODY)
        await SupportRepository(session).add_contact(contact, self._clock.now())
        return True
