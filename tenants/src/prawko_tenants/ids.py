"""A type for the id of each entity, so that a type checker finds mixed-up ids."""

from typing import NewType
from uuid import UUID

from uuid_utils.compat import uuid7

TenantId = NewType("TenantId", UUID)
UserId = NewType("UserId", UUID)
SessionId = NewType("SessionId", UUID)
SubscriptionId = NewType("SubscriptionId", UUID)
DriverId = NewType("DriverId", UUID)
AcknowledgementId = NewType("AcknowledgementId", UUID)
AnswerId = NewType("AnswerId", UUID)
VerificationId = NewType("VerificationId", UUID)
CheckRunId = NewType("CheckRunId", UUID)
NoticeId = NewType("NoticeId", UUID)
BundleId = NewType("BundleId", UUID)
NotificationId = NewType("NotificationId", UUID)
PushBrowserId = NewType("PushBrowserId", UUID)
RecipientId = NewType("RecipientId", UUID)
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
    AcknowledgementId,
    AnswerId,
    VerificationId,
    CheckRunId,
    NoticeId,
    BundleId,
    NotificationId,
    PushBrowserId,
    RecipientId,
    DeliveryId,
    TicketId,
    ContactMessageId,
    InvoiceId,
)


def new_id() -> UUID:
    """Return a UUIDv7. Within one process, a later id sorts after every earlier one.

    The primary key therefore orders a company's rows by creation.
    """
    return uuid7()
