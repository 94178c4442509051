"""Answers to tickets and contact messages: mailed through the outbox, then not kept.

The text is a secret of its message, so it is stored encrypted until it is sent.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base.crypto import KeyRing
from prawko.hooks.channels import Medium
from prawko.outbox.messages import OutboxMessage
from prawko.outbox.service import enqueue_messages
from prawko.support.errors import InvalidAnswerError, SubmissionClosedError, SubmissionOpenError
from prawko.support.models import ContactMessage, SupportTicket
from prawko.support.schemas import MAX_MESSAGE_LENGTH
from prawko.support.validation import normalise_lines
from prawko_tenants.ids import TenantId, new_id

TICKET_ANSWER_MAIL = "ticket_answer"
CONTACT_ANSWER_MAIL = "contact_answer"

Submission = SupportTicket | ContactMessage


def parse_answer(text: str) -> str:
    """Return the lines of an answer, normalised. Raises InvalidAnswerError."""
    lines = normalise_lines(text)
    if not 0 < len(lines) <= MAX_MESSAGE_LENGTH:
        raise InvalidAnswerError
    return lines


async def enqueue_answer(
    session: AsyncSession, submission: Submission, text: str, key_ring: KeyRing, now: datetime
) -> None:
    """Enqueue the mail with an answer; the caller enqueues `deliver_pending` after its commit.

    Raises SubmissionClosedError.
    """
    if submission.closed_at is not None:
        raise SubmissionClosedError
    submission.answered_at = now
    is_ticket = isinstance(submission, SupportTicket)
    message = OutboxMessage(
        kind=TICKET_ANSWER_MAIL if is_ticket else CONTACT_ANSWER_MAIL,
        medium=Medium.EMAIL,
        key=f"answer:{new_id()}",
        tenant_id=_tenant_of(submission),
        user_id=submission.user_id if isinstance(submission, SupportTicket) else None,
        subject_id=UUID(str(submission.id)),
    )
    await enqueue_messages(session, [message.with_secret(text, key_ring)])


def close_submission(submission: Submission, now: datetime) -> None:
    """Close a ticket or contact message. Raises SubmissionClosedError."""
    if submission.closed_at is not None:
        raise SubmissionClosedError
    submission.closed_at = now


def reopen_submission(submission: Submission) -> None:
    """Open a closed ticket or contact message again. Raises SubmissionOpenError."""
    if submission.closed_at is None:
        raise SubmissionOpenError
    submission.closed_at = submission.answered_at = None


def _tenant_of(submission: Submission) -> TenantId | None:
    return submission.tenant_id if isinstance(submission, SupportTicket) else None
