"""Writes the mails that tell the operators what people wrote. They have no account: Polish.

The channels send from our own address, so who is to be answered stands in the text, with a
link that begins the answer. What was written is quoted line by line: nothing in it can pass
for a line of ours.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from urllib.parse import quote
from uuid import UUID

from prawko.accounts.addresses import email_key
from prawko.base.jobs import Tools
from prawko.base.texts import Language, say
from prawko.deliveries.composing import Due, Message
from prawko.deliveries.dates import instant
from prawko.deliveries.letter import letter, one_line
from prawko.hooks.channels import Notice, Recipient
from prawko.support.repository import KeptContact, KeptTicket, SupportRepository
from prawko_tenants.ids import DeliveryId, TenantId

TICKET_MAIL = "ticket"
CONTACT_MAIL = "contact"

_LANGUAGE = Language.PL


async def compose_tickets(tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
    """Write the mails of tickets, company by company in one transaction."""
    by_company: dict[TenantId, list[UUID]] = defaultdict(list)
    for one in due:
        if one.tenant_id is not None and one.subject_id is not None:
            by_company[one.tenant_id].append(one.subject_id)
    kept: dict[UUID, KeptTicket] = {}
    async with tools.database.batch() as session:
        for tenant_id, ids in by_company.items():
            await session.bind(tenant_id)
            found = await SupportRepository(session).tickets(tenant_id, ids)
            kept |= {ticket.id: ticket for ticket in found}
    brand = tools.settings.brand
    return _addressed(tools, due, {id_: ticket_mail(brand, ticket) for id_, ticket in kept.items()})


async def compose_contacts(tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
    """Write the mails of visitors' messages."""
    ids = [one.subject_id for one in due if one.subject_id is not None]
    async with tools.database.system() as session:
        kept = await SupportRepository(session).contacts(ids)
    brand = tools.settings.brand
    return _addressed(tools, due, {one.id: contact_mail(brand, one) for one in kept})


def ticket_mail(brand: str, ticket: KeptTicket) -> Notice:
    """The words for one ticket. The account decides; what the form said otherwise is added."""
    none = say("support.mail.none", _LANGUAGE)
    facts = [
        say("support.mail.ticket.facts", _LANGUAGE, subject=ticket.subject,
            email=ticket.email or none, company=one_line(ticket.company) or none,
            at=instant(ticket.created_at, _LANGUAGE), id=ticket.id),
    ]  # fmt: skip
    said = [
        say(f"support.mail.ticket.said_{what}", _LANGUAGE, said=told)
        for what, told, same in (
            ("email", ticket.said_email, _same_address(ticket.said_email, ticket.email)),
            ("company", ticket.said_company, ticket.said_company == one_line(ticket.company)),
        )
        if told and not same
    ]
    return _mail(
        brand,
        say("support.mail.ticket.title", _LANGUAGE, brand=brand, subject=ticket.subject),
        ["\n".join((*facts, *said))],
        ticket.message,
        answer_to=ticket.email,
        about=ticket.subject,
    )


def contact_mail(brand: str, contact: KeptContact) -> Notice:
    """The words for one visitor's message."""
    facts = say(
        "support.mail.contact.facts", _LANGUAGE, name=contact.name, email=contact.email,
        company=contact.company, drivers=contact.drivers_count,
        at=instant(contact.created_at, _LANGUAGE), id=contact.id,
    )  # fmt: skip
    title = say("support.mail.contact.title", _LANGUAGE, brand=brand, name=contact.name)
    return _mail(brand, title, [facts], contact.message, answer_to=contact.email, about=brand)


def _mail(
    brand: str, title: str, facts: list[str], message: str, *, answer_to: str | None, about: str
) -> Notice:
    link = None
    if answer_to is not None:
        link = f"mailto:{quote(answer_to, safe='@')}?subject={quote(f'Re: {about}', safe='')}"
    return letter(
        _LANGUAGE,
        brand,
        title,
        [*facts, quoted(message)],
        link=link,
        link_label=say("support.mail.answer", _LANGUAGE),
    )


def quoted(message: str) -> str:
    """The message with a mark before each of its lines."""
    return "\n".join(f"> {row}".rstrip() for row in message.split("\n"))


def _same_address(said: str, known: str | None) -> bool:
    return known is not None and email_key(said) == email_key(known)


def _addressed(
    tools: Tools, due: Sequence[Due], mails: Mapping[UUID, Notice]
) -> dict[DeliveryId, Message]:
    if not tools.settings.operator_email:
        return {}
    operator = Recipient(email=tools.settings.operator_email, phone=None)
    return {
        one.id: Message(mails[one.subject_id], operator)
        for one in due
        if one.subject_id is not None and one.subject_id in mails
    }
