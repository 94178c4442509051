"""Answers to tickets and contact messages: mailed through the outbox, then not kept.

The text is a secret of its message, so it is stored encrypted until it is sent.
"""

from uuid import UUID

from prawko.hooks.channels import Medium
from prawko.kit.crypto import KeyRing
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.service import enqueue_messages
from prawko.support.models import ContactMessage, SupportTicket
from prawko.support.schemas import MAX_MESSAGE_LENGTH
from prawko.support.validation import normalise_lines
from prawko_tenants.ids import new_id
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
