"""JSON of tickets and contact messages."""

from datetime import datetime
from uuid import UUID

from prawko.console.schemas import Reason
from prawko.kit.http.schemas import RequestModel, ResponseModel


class SubmissionOut(ResponseModel):
    """A ticket or contact message in a list, without its text."""

    id: UUID
    created_at: datetime
    sender: str
    email: str | None
    company_id: UUID | None
    company_name: str
    subject: str
    drivers_count: int | None
    state: str
    answered_at: datetime | None
    closed_at: datetime | None


class SubmissionDetailOut(SubmissionOut):
    """A ticket or contact message with its text."""

    message: str


class AnswerIn(RequestModel):
    """An answer, which is mailed and not kept."""

    text: str
    reason: Reason | None = None
