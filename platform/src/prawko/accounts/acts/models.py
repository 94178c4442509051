"""The log of what operators did."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from prawko.accounts.models import UserAccount
from prawko_tenants.base import Base, GlobalTable
from prawko_tenants.ids import TenantId, UserId, new_id


class AdminActionType(StrEnum):
    """The acts of operators that are recorded. Stored permanently."""

    HISTORY_VIEWED = "history_viewed"
    USER_UPDATED = "user_updated"
    USER_DELETED = "user_deleted"
    IMPERSONATION_STARTED = "impersonation_started"
    IMPERSONATION_ENDED = "impersonation_ended"
    TRANSFER_BOOKED = "transfer_booked"
    STATEMENT_BOOKED = "statement_booked"
    DISCREPANCY_RESOLVED = "discrepancy_resolved"
    REFUND_REQUESTED = "refund_requested"
    COMPANY_SUSPENDED = "company_suspended"
    COMPANY_RESUMED = "company_resumed"
    COMPANY_EXTENDED = "company_extended"
    COMPANY_EXPORTED = "company_exported"
    COMPANY_ERASED = "company_erased"
    CHECK_PAUSED = "check_paused"
    CHECK_RESUMED = "check_resumed"
    CHECK_RETRIED = "check_retried"
    REVIEW_APPROVED = "review_approved"
    REVIEW_REJECTED = "review_rejected"
    DELIVERY_RESENT = "delivery_resent"
    TICKET_ANSWERED = "ticket_answered"
    TICKET_CLOSED = "ticket_closed"
    TICKET_REOPENED = "ticket_reopened"
    CONTACT_ANSWERED = "contact_answered"
    CONTACT_CLOSED = "contact_closed"
    CONTACT_REOPENED = "contact_reopened"
    INCIDENT_CLOSED = "incident_closed"
    # By the command line alone.
    CHECK_STARTED = "check_started"
    ANSWERS_REENCRYPTED = "answers_reencrypted"
    DELIVERIES_RETRIED = "deliveries_retried"
    INVOICES_EXPORTED = "invoices_exported"
    OPERATOR_MADE = "operator_made"
    OPERATOR_REMOVED = "operator_removed"
    SESSIONS_REVOKED = "sessions_revoked"
    SECOND_FACTOR_DISABLED = "second_factor_disabled"


class AdminAction(GlobalTable, Base):
    """One act of an operator. Append-only: a trigger numbers the rows and chains their hashes.

    A hash covers all columns but the ids of the two people, which become null when an account is
    erased; it has their digests instead. `tenant_id` has no foreign key: the log outlives the
    company. `details` hold ids and numbers only. A row without an `admin_digest` was written by a
    command that named no operator; `agent` has the command and the system user that ran it.
    """

    __tablename__ = "admin_action"
    __table_args__ = (
        Index(None, "admin_id"),
        Index(None, "target_user_id"),
        Index(None, "tenant_id"),
        Index(None, "created_at"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    sequence: Mapped[int] = mapped_column(BigInteger, unique=True)
    admin_id: Mapped[UserId | None] = mapped_column(
        ForeignKey(UserAccount.id, ondelete="SET NULL", name="fk_admin_action_admin")
    )
    target_user_id: Mapped[UserId | None] = mapped_column(
        ForeignKey(UserAccount.id, ondelete="SET NULL", name="fk_admin_action_target_user")
    )
    tenant_id: Mapped[TenantId | None]
    action_type: Mapped[str]
    reason: Mapped[str | None]
    details: Mapped[dict[str, Any] | None]
    ip: Mapped[str]
    agent: Mapped[str]
    created_at: Mapped[datetime]
    admin_digest: Mapped[bytes | None]
    target_digest: Mapped[bytes | None]
    previous_hash: Mapped[bytes]
    hash: Mapped[bytes]


class AdminActionCheck(GlobalTable, Base):
    """A verification of the chain (system time).

    `rows` were intact, the last of them with `head_hash`; `broken_at` is the first that was not.
    """

    __tablename__ = "admin_action_check"

    checked_at: Mapped[datetime] = mapped_column(primary_key=True)
    rows: Mapped[int] = mapped_column(BigInteger)
    head_hash: Mapped[bytes]
    broken_at: Mapped[int | None] = mapped_column(BigInteger)
