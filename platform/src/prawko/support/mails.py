"""Renders the mails that forward tickets and contact messages to the operators, in Polish.

The channels send from our own address, so the text names the sender, with a link to reply.
Every line of the message is quoted, so that none of them can be taken for ours.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from urllib.parse import quote
from uuid import UUID

from prawko.accounts.email_address import normalise_email
from prawko.base.context import AppContext
from prawko.base.dates import format_instant
from prawko.base.i18n import Language, translate
from prawko.base.plain_text import to_single_line
from prawko.hooks.channels import Message, Recipient
from prawko.mail.email_template import render_email
from prawko.outbox.rendering import DueMessage, RenderedMessage
from prawko.support.repository import StoredContact, StoredTicket, SupportRepository
from prawko_tenants.ids import DeliveryId, TenantId

TICKET_MAIL = "ticket"
CONTACT_MAIL = "contact"

_LANGUAGE = Language.PL


async def render_ticket_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails of tickets, company by company in one transaction."""
    by_company: dict[TenantId, list[UUID]] = defaultdict(list)
    for delivery in due:
        if delivery.tenant_id is not None and delivery.subject_id is not None:
            by_company[delivery.tenant_id].append(delivery.subject_id)
    tickets: list[StoredTicket] = []
    async with context.database.batch() as session:
        for tenant_id, ids in by_company.items():
            await session.switch_tenant(tenant_id)
            tickets += await SupportRepository(session).get_tickets(tenant_id, ids)
    brand = context.settings.brand
    return _address_to_operator(
        context, due, {ticket.id: render_ticket_mail(brand, ticket) for ticket in tickets}
    )


async def render_contact_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails of contact messages."""
    ids = [delivery.subject_id for delivery in due if delivery.subject_id is not None]
    async with context.database.system() as session:
        contacts = await SupportRepository(session).get_contacts(ids)
    brand = context.settings.brand
    return _address_to_operator(
        context, due, {contact.id: render_contact_mail(brand, contact) for contact in contacts}
    )


def render_ticket_mail(brand: str, ticket: StoredTicket) -> Message:
    """Render one ticket with its account's address and company, and claims that differ."""
    none = translate("support.mail.none", _LANGUAGE)
    facts = [
        translate("support.mail.ticket.facts", _LANGUAGE, subject=ticket.subject,
            email=ticket.email or none, company=to_single_line(ticket.company) or none,
            at=format_instant(ticket.created_at, _LANGUAGE), id=ticket.id),
    ]  # fmt: skip
    claims = [
        translate(f"support.mail.ticket.said_{name}", _LANGUAGE, said=claim)
        for name, claim, is_same in (
            ("email", ticket.claimed_email, _same_address(ticket.claimed_email, ticket.email)),
            (
                "company",
                ticket.claimed_company,
                ticket.claimed_company == to_single_line(ticket.company),
            ),
        )
        if claim and not is_same
    ]
    return _render_mail(
        brand,
        translate("support.mail.ticket.title", _LANGUAGE, brand=brand, subject=ticket.subject),
        ["\n".join((*facts, *claims))],
        ticket.message,
        reply_to=ticket.email,
        subject=ticket.subject,
    )


def render_contact_mail(brand: str, contact: StoredContact) -> Message:
    """Render one contact message."""
    facts = translate(
        "support.mail.contact.facts", _LANGUAGE, name=contact.name, email=contact.email,
        company=contact.company, drivers=contact.drivers_count,
        at=format_instant(contact.created_at, _LANGUAGE), id=contact.id,
    )  # fmt: skip
    title = translate("support.mail.contact.title", _LANGUAGE, brand=brand, name=contact.name)
    return _render_mail(
        brand, title, [facts], contact.message, reply_to=contact.email, subject=brand
    )


def _render_mail(
    brand: str, title: str, facts: list[str], message: str, *, reply_to: str | None, subject: str
) -> Message:
    link = None
    if reply_to is not None:
        link = f"mailto:{quote(reply_to, safe='@')}?subject={quote(f'Re: {subject}', safe='')}"
    return render_email(
        _LANGUAGE,
        brand,
        title,
        [*facts, quote_lines(message)],
        link=link,
        link_label=translate("support.mail.answer", _LANGUAGE),
    )


def quote_lines(message: str) -> str:
    """Return the message with `>` before each of its lines."""
    return "\n".join(f"> {line}".rstrip() for line in message.split("\n"))


def _same_address(claimed: str, account_email: str | None) -> bool:
    return account_email is not None and normalise_email(claimed) == normalise_email(account_email)


def _address_to_operator(
    context: AppContext, due: Sequence[DueMessage], messages: Mapping[UUID, Message]
) -> dict[DeliveryId, RenderedMessage]:
    if not context.settings.operator_email:
        return {}
    operator = Recipient(email=context.settings.operator_email, phone=None)
    return {
        delivery.id: RenderedMessage(messages[delivery.subject_id], operator)
        for delivery in due
        if delivery.subject_id is not None and delivery.subject_id in messages
    }
