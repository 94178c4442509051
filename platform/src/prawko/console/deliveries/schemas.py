"""JSON of deliveries."""

from datetime import datetime
from uuid import UUID

from prawko.kit.http.schemas import ResponseModel


class DeliveryOut(ResponseModel):
    """A mail or SMS. `reason` is a word: why it failed or waits, or what a report said."""

    id: UUID
    company_id: UUID | None
    company_name: str
    medium: str
    kind: str
    state: str
    attempts: int
    created_at: datetime
    next_attempt_at: datetime | None
    sent_at: datetime | None
    reason: str | None
    carrier: str | None
    resendable: bool


class MediumCountsOut(ResponseModel):
    """Numbers of messages of one medium."""

    medium: str
    waiting: int
    failed: int
    undelivered: int


class ReasonCountOut(ResponseModel):
    """How many messages of a medium wait, failed or were not delivered for one reason."""

    medium: str
    reason: str
    count: int


class DeliverySummaryOut(ResponseModel):
    """Messages that wait, and those of the last week that did not arrive."""

    waiting: int
    failed: int
    undelivered: int
    oldest_waiting_at: datetime | None
    by_medium: list[MediumCountsOut]
    by_reason: list[ReasonCountOut]
