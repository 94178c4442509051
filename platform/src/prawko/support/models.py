"""Support tickets and contact messages."""

from datetime import datetime

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from prawko_tenants.base import Base, GlobalTable, TenantTable, tenant_foreign_key
from prawko_tenants.ids import ContactMessageId, UserId, new_id

_NOT_FORWARDED = text("forwarded_at IS NULL")


class SupportTicket(TenantTable, Base):
    """A customer's question. `claimed_…` are the form's unverified claims about the sender.

    `forwarded_at` is when its mail to the operators was added to the outbox; null before.
    `answered_at` is when an operator last answered it in the console. `probable_spam`: the form's
    hidden field was filled in.
    """

    __tablename__ = "support_ticket"
    __table_args__ = (
        tenant_foreign_key("user_id", "membership.user_id", ondelete="SET NULL"),
        Index(
            "ix_support_ticket_not_forwarded", "tenant_id", "id", postgresql_where=_NOT_FORWARDED
        ),
    )

    user_id: Mapped[UserId | None]
    subject: Mapped[str]
    message: Mapped[str]
    claimed_email: Mapped[str] = mapped_column(default="", server_default="")
    claimed_company: Mapped[str] = mapped_column(default="", server_default="")
    created_at: Mapped[datetime]
    forwarded_at: Mapped[datetime | None]
    probable_spam: Mapped[bool] = mapped_column(default=False, server_default="false")
    answered_at: Mapped[datetime | None]
    closed_at: Mapped[datetime | None]


class ContactMessage(GlobalTable, Base):
    """A visitor's message from the landing page. `email_key` is the address in lower case.

    `probable_spam` is as in a ticket.
    """

    __tablename__ = "contact_message"
    __table_args__ = (
        Index("ix_contact_message_not_forwarded", "id", postgresql_where=_NOT_FORWARDED),
        Index(None, "email_key"),
        Index(None, "created_at"),
    )

    id: Mapped[ContactMessageId] = mapped_column(primary_key=True, default=new_id)
    name: Mapped[str]
    email: Mapped[str]
    email_key: Mapped[str]
    company: Mapped[str]
    drivers_count: Mapped[int]
    message: Mapped[str]
    created_at: Mapped[datetime]
    forwarded_at: Mapped[datetime | None]
    probable_spam: Mapped[bool] = mapped_column(default=False, server_default="false")
    answered_at: Mapped[datetime | None]
    closed_at: Mapped[datetime | None]
