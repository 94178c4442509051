"""What people wrote to us."""

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from prawko.accounts.models import Membership
from prawko_tenants.base import Base, GlobalTable, TenantTable
from prawko_tenants.ids import ContactMessageId, UserId, new_id

_WAITS = text("passed_on_at IS NULL")


class SupportTicket(TenantTable, Base):
    """A customer's question. `said_…` is what the form said of the sender; the account decides.

    `passed_on_at` is when its mail to the operators was ordered; until then it waits.
    """

    __tablename__ = "support_ticket"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "user_id"],
            [Membership.tenant_id, Membership.user_id],
            ondelete="SET NULL (user_id)",
        ),
        Index("ix_support_ticket_waiting", "tenant_id", "id", postgresql_where=_WAITS),
    )

    user_id: Mapped[UserId | None]
    subject: Mapped[str]
    message: Mapped[str]
    said_email: Mapped[str] = mapped_column(default="", server_default="")
    said_company: Mapped[str] = mapped_column(default="", server_default="")
    created_at: Mapped[datetime]
    passed_on_at: Mapped[datetime | None]


class ContactMessage(GlobalTable, Base):
    """A visitor's message from the landing page. `email_key` is the address in lower case."""

    __tablename__ = "contact_message"
    __table_args__ = (
        Index("ix_contact_message_waiting", "id", postgresql_where=_WAITS),
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
    passed_on_at: Mapped[datetime | None]
