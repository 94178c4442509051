"""The names of things: one type for each, so that a driver's id is never taken for a user's."""

from typing import NewType
from uuid import UUID

from uuid_utils.compat import uuid7

TenantId = NewType("TenantId", UUID)
UserId = NewType("UserId", UUID)
SessionId = NewType("SessionId", UUID)
SubscriptionId = NewType("SubscriptionId", UUID)
DriverId = NewType("DriverId", UUID)
AnswerId = NewType("AnswerId", UUID)
VerificationId = NewType("VerificationId", UUID)
CheckRunId = NewType("CheckRunId", UUID)
NoticeId = NewType("NoticeId", UUID)
NotificationId = NewType("NotificationId", UUID)
DeliveryId = NewType("DeliveryId", UUID)
TicketId = NewType("TicketId", UUID)
ContactMessageId = NewType("ContactMessageId", UUID)
InvoiceId = NewType("InvoiceId", UUID)

ID_TYPES = (
    TenantId,
    UserId,
    SessionId,
    SubscriptionId,
    DriverId,
    AnswerId,
    VerificationId,
    CheckRunId,
    NoticeId,
    NotificationId,
    DeliveryId,
    TicketId,
    ContactMessageId,
    InvoiceId,
)


def new_id() -> UUID:
    """Return a new UUIDv7: within one process, a later id always sorts after an earlier one.

    Rows of one company therefore lie in the order in which they came, and "the oldest
    drivers" can be read off the primary key.
    """
    return uuid7()
