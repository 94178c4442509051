"""Renders the mails that forward tickets and contact messages to the operators, in Polish.

The channels send from our own address, so the text names the sender, with a link to reply.
Every line of the message is quoted, so that none of them can be taken for ours.
"""

from collections.abc import Mapping, Sequence
from urllib.parse import quote
from uuid import UUID

from prawko.accounts.email_address import normalise_email
from prawko.hooks.channels import Message, Recipient
from prawko.kit.context import AppContext
from prawko.kit.dates import format_instant
from prawko.kit.documents.email_template import render_email
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage
from prawko.kit.text.i18n import Language, translate
from prawko.kit.text.plain_text import to_single_line
from prawko.support.models import ContactMessage
from prawko.support.repository import ContactRepository, SentTicket, load_sent_tickets
from prawko_tenants.engine import Database
from prawko_tenants.ids import DeliveryId

TICKET_MAIL = "ticket"
CONTACT_MAIL = "contact"

_LANGUAGE = Language.PL


async def render_ticket_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails of tickets, company by company in one transaction."""
    sent = await load_tickets_of(context.database, due)
    brand = context.settings.brand
    return _address_to_operator(
        context, due, {one.ticket.id: render_ticket_mail(brand, one) for one in sent}
    )


async def load_tickets_of(database: Database, due: Sequence[DueMessage]) -> list[SentTicket]:
    """Return the tickets that messages are about."""
    return await load_sent_tickets(
        database,
        [
            (message.tenant_id, message.subject_id)
            for message in due
            if message.tenant_id is not None and message.subject_id is not None
        ],
    )


async def render_contact_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails of contact messages."""
    ids = [delivery.subject_id for delivery in due if delivery.subject_id is not None]
    async with context.database.system() as session:
        contacts = await ContactRepository(session).get_many(ContactMessage.id.in_(ids))
    brand = context.settings.brand
    return _address_to_operator(
        context, due, {contact.id: render_contact_mail(brand, contact) for contact in contacts}
    )


def render_ticket_mail(brand: str, sent: SentTicket) -> Message:
    """Render one ticket with its account's address and company, and claims that differ."""
    ticket, email, company = sent.ticket, sent.email, to_single_line(sent.company)
    none = translate("support.mail.none", _LANGUAGE)
    facts = [
        translate("support.mail.ticket.facts", _LANGUAGE, subject=ticket.subject,
            email=email or none, company=company or none,
            at=format_instant(ticket.created_at, _LANGUAGE), id=ticket.id),
    ]  # fmt: skip
    if ticket.claimed_email and not _same_address(ticket.claimed_email, email):
        facts.append(_render_claim("email", ticket.claimed_email))
    if ticket.claimed_company and ticket.claimed_company != company:
        facts.append(_render_claim("company", ticket.claimed_company))
    return _render_mail(
        brand,
        translate("support.mail.ticket.title", _LANGUAGE, brand=brand, subject=ticket.subject),
        ["\n".join(facts)],
        ticket.message,
        reply_to=email,
        subject=ticket.subject,
        probable_spam=ticket.probable_spam,
    )


def _render_claim(name: str, claim: str) -> str:
    return translate(f"support.mail.ticket.said_{name}", _LANGUAGE, said=claim)


def render_contact_mail(brand: str, contact: ContactMessage) -> Message:
    """Render one contact message."""
    facts = translate(
        "support.mail.contact.facts", _LANGUAGE, name=contact.name, email=contact.email,
        company=contact.company, drivers=contact.drivers_count,
        at=format_instant(contact.created_at, _LANGUAGE), id=contact.id,
    )  # fmt: skip
    title = translate("support.mail.contact.title", _LANGUAGE, brand=brand, name=contact.name)
    return _render_mail(
        brand, title, [facts], contact.message, reply_to=contact.email, subject=brand,
        probable_spam=contact.probable_spam,
    )  # fmt: skip


def _render_mail(
    brand: str, title: str, facts: list[str], message: str, *, reply_to: str | None, subject: str,
    probable_spam: bool,
) -> Message:  # fmt: skip
    if probable_spam:  # in front, where a rule of the mailbox finds it
        title = translate("support.mail.probable_spam", _LANGUAGE, title=title)
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
