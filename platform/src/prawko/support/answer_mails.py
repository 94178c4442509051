"""Answers to tickets and contact messages: mailed through the outbox, then not kept.

The text is a secret of its message, so it is stored encrypted until it is sent. The mail is in the
sender's language and quotes the question.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec

from prawko.hooks.channels import Medium, Message, Recipient
from prawko.kit.context import AppContext
from prawko.kit.crypto import KeyRing
from prawko.kit.dates import format_instant
from prawko.kit.documents.email_template import render_email
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.settings import Settings
from prawko.kit.text.i18n import Language, translate
from prawko.kit.text.plain_text import to_single_line
from prawko.support.mails import load_tickets_of, quote_lines
from prawko.support.models import ContactMessage, SupportTicket
from prawko.support.repository import ContactRepository
from prawko.support.schemas import MAX_MESSAGE_LENGTH
from prawko.support.validation import normalise_lines
from prawko_tenants.ids import DeliveryId, new_id
from prawko_tenants.sessions import TenantAwareSession

TICKET_ANSWER_MAIL = "ticket_answer"
CONTACT_ANSWER_MAIL = "contact_answer"


def parse_answer(text: str) -> str | None:
    """Return the lines of an answer, normalised; None if it is empty or too long."""
    lines = normalise_lines(text)
    return lines if 0 < len(lines) <= MAX_MESSAGE_LENGTH else None


async def enqueue_answer(
    session: TenantAwareSession,
    submission: SupportTicket | ContactMessage,
    text: str,
    key_ring: KeyRing,
) -> None:
    """Enqueue the mail with an answer."""
    subject_id = UUID(str(submission.id))
    key = f"answer:{new_id()}"
    if isinstance(submission, SupportTicket):
        message = OutboxMessage(
            kind=TICKET_ANSWER_MAIL,
            medium=Medium.EMAIL,
            key=key,
            tenant_id=submission.tenant_id,
            user_id=submission.user_id,
            subject_id=subject_id,
        )
    else:
        message = OutboxMessage(
            kind=CONTACT_ANSWER_MAIL, medium=Medium.EMAIL, key=key, subject_id=subject_id
        )
    await enqueue_messages(session, [message.with_secret(text, key_ring)])


class _Question(msgspec.Struct, frozen=True):
    """A question, and the address that the answer goes to."""

    email: str
    language: Language
    subject: str
    message: str
    sent: str


async def render_ticket_answers(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render answers to tickets; none to a deleted account."""
    sent = await load_tickets_of(context.database, due)
    questions = {
        one.ticket.id: _Question(
            one.email,
            one.language or Language.PL,
            one.ticket.subject,
            one.ticket.message,
            format_instant(one.ticket.created_at, one.language or Language.PL),
        )
        for one in sent
        if one.email is not None
    }
    return _render_all(context, due, questions)


async def render_contact_answers(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render answers to contact messages, in Polish: visitors have no account with a language."""
    ids = [message.subject_id for message in due if message.subject_id is not None]
    async with context.database.system() as session:
        contacts = await ContactRepository(session).get_many(ContactMessage.id.in_(ids))
    language = Language.PL
    subject = translate("support.answer.contact_subject", language)
    questions = {
        UUID(str(contact.id)): _Question(
            contact.email,
            language,
            subject,
            contact.message,
            format_instant(contact.created_at, language),
        )
        for contact in contacts
    }
    return _render_all(context, due, questions)


def _render_all(
    context: AppContext, due: Sequence[DueMessage], questions: Mapping[UUID, _Question]
) -> dict[DeliveryId, RenderedMessage]:
    return {
        message.id: RenderedMessage(
            _render_answer(context.settings, question, message.secret),
            Recipient(email=question.email, phone=None),
        )
        for message in due
        if message.subject_id is not None
        and message.secret is not None
        and (question := questions.get(message.subject_id)) is not None
    }


def _render_answer(settings: Settings, question: _Question, text: str) -> Message:
    language, brand = question.language, settings.brand
    return render_email(
        language,
        brand,
        translate(
            "support.answer.title",
            language,
            brand=brand,
            subject=to_single_line(question.subject),
        ),
        [
            text,
            translate("support.answer.quoted", language, at=question.sent)
            + "\n"
            + quote_lines(question.message),
        ],
        contact=settings.operator_contact_email,
    )
