"""Accounts, memberships, sessions, codes and the audit log, and a company's legal acceptances.

Only acceptances belong to a company.
"""

from datetime import date, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from prawko.accounts.legal_documents import LegalDocument
from prawko.accounts.roles import Role
from prawko.kit.text.i18n import Language
from prawko_tenants.base import (
    Base,
    EnumText,
    GlobalTable,
    TenantTable,
    enum_check,
    tenant_foreign_key,
)
from prawko_tenants.ids import SessionId, TenantId, UserId, new_id
from prawko_tenants.models import Tenant

# The groups that `prawko.notifications.catalogue` sorts notices into: everybody gets all of them.
ALERT_GROUPS = ("status", "expiry", "billing")
ALERT_GROUPS_DEFAULT = f"{{{','.join(ALERT_GROUPS)}}}"


class CodeKind(StrEnum):
    """The purpose of a one-time code, as stored."""

    EMAIL = "email"
    PHONE = "phone"
    RESET = "reset"


class UserAccount(GlobalTable, Base):
    """A person who can sign in. `email_key` is the address in lower case, unique.

    `email_state` is what carriers reported of the address. `email_trusted_at` is when its owner
    last confirmed it (system time): older reports are ignored. A browser's cookie of an
    earlier `browser_generation` is known no longer. `planned_drivers` is the number that was chosen
    before the sign-up, from which an order starts.
    """

    __tablename__ = "user_account"
    __table_args__ = (
        enum_check("language", *Language),
        enum_check("email_state", "ok", "refused", "bounced", "dropped", "spam"),
        Index(None, "created_at"),
    )

    id: Mapped[UserId] = mapped_column(primary_key=True, default=new_id)
    email: Mapped[str]
    email_key: Mapped[str] = mapped_column(unique=True)
    # Loaded only by name, because the worker's login, which loads accounts, has no right to it.
    password_hash: Mapped[str] = mapped_column(deferred=True, deferred_raiseload=True)
    is_admin: Mapped[bool] = mapped_column(server_default="false")  # the panel may not write it
    email_verified: Mapped[bool] = mapped_column(default=False, server_default="false")
    language: Mapped[Language] = mapped_column(EnumText(Language), server_default="pl")
    phone_number: Mapped[str | None]
    phone_verified: Mapped[bool] = mapped_column(default=False, server_default="false")
    email_notifications_enabled: Mapped[bool] = mapped_column(default=True, server_default="true")
    sms_notifications_enabled: Mapped[bool] = mapped_column(default=False, server_default="false")
    email_state: Mapped[str] = mapped_column(default="ok", server_default="ok")
    email_state_reason: Mapped[str | None]
    email_trusted_at: Mapped[datetime | None]
    browser_generation: Mapped[int] = mapped_column(server_default="0")
    list_page_size: Mapped[int] = mapped_column(server_default="10")
    list_dense_rows: Mapped[bool] = mapped_column(server_default="false")
    planned_drivers: Mapped[int | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class OperatorPassword(GlobalTable, Base):
    """The digest of an operator's password hash, which no login can read: functions compare it."""

    __tablename__ = "operator_password"

    user_id: Mapped[UserId] = mapped_column(
        ForeignKey(UserAccount.id, ondelete="CASCADE"), primary_key=True
    )
    digest: Mapped[str]


class Membership(GlobalTable, Base):
    """A person's role in a company, and which of its alerts the person gets.

    `member` is of the release before 0055, whose tests write it: no row has it.
    `alert_groups` are groups of notices. SMS are sent from `sms_from_hour` on and before
    `sms_until_hour` (Warsaw), at any hour if the two are equal, and not at night if they are null.
    `monthly_summary`: the person gets the mail about the month before.
    """

    __tablename__ = "membership"
    __table_args__ = (enum_check("role", *Role, "member"), Index(None, "user_id"))

    tenant_id: Mapped[TenantId] = mapped_column(
        ForeignKey(Tenant.id, ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[UserId] = mapped_column(
        ForeignKey(UserAccount.id, ondelete="CASCADE"), primary_key=True
    )
    role: Mapped[Role] = mapped_column(EnumText(Role))
    created_at: Mapped[datetime]
    alert_groups: Mapped[list[str]] = mapped_column(
        ARRAY(Text), default=lambda: [*ALERT_GROUPS], server_default=ALERT_GROUPS_DEFAULT
    )
    sms_from_hour: Mapped[int | None]
    sms_until_hour: Mapped[int | None]
    monthly_summary: Mapped[bool] = mapped_column(server_default="true")


class LegalAcceptance(TenantTable, Base):
    """A person's acceptance of a version of a legal document, for a company. Never changed.

    It outlives the membership, without the person: it is evidence of the company's contract.
    """

    __tablename__ = "legal_acceptance"
    __table_args__ = (
        tenant_foreign_key("user_id", "membership.user_id", ondelete="SET NULL"),
        enum_check("document", *LegalDocument),
    )

    user_id: Mapped[UserId | None]
    document: Mapped[LegalDocument] = mapped_column(EnumText(LegalDocument))
    version: Mapped[date]
    accepted_at: Mapped[datetime]
    ip: Mapped[str]


class LoginSession(GlobalTable, Base):
    """A session of a browser. The cookie's token is stored hashed; times are system time.

    With `impersonator_id` it is that operator's, in the person's name (docs/rules.md R21).
    While `second_factor_pending`, only the password was right and the session gives no access.
    `signed_in_at` is null unless the session began without a sign-in, in place of another one of an
    operator: an operator's 12 hours count from the sign-in.
    """

    __tablename__ = "login_session"
    __table_args__ = (
        tenant_foreign_key("user_id", "membership.user_id"),
        UniqueConstraint("tenant_id", "id"),
        Index(None, "user_id"),
        Index(None, "tenant_id", "user_id"),
        Index(None, "expires_at"),
        Index(None, "impersonator_id", postgresql_where=text("impersonator_id IS NOT NULL")),
        CheckConstraint(
            "impersonator_id IS NULL OR (impersonator_id <> user_id"
            " AND expires_at <= created_at + interval '60 minutes')",
            name="impersonation",
        ),
    )

    id: Mapped[SessionId] = mapped_column(primary_key=True, default=new_id)
    token_hash: Mapped[bytes] = mapped_column(unique=True)
    user_id: Mapped[UserId] = mapped_column(ForeignKey(UserAccount.id, ondelete="CASCADE"))
    tenant_id: Mapped[TenantId]
    created_at: Mapped[datetime]
    last_seen_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    ip: Mapped[str | None]
    agent: Mapped[str | None]
    impersonator_id: Mapped[UserId | None] = mapped_column(
        ForeignKey(UserAccount.id, ondelete="CASCADE", name="fk_login_session_impersonator")
    )
    second_factor_pending: Mapped[bool] = mapped_column(default=False, server_default="false")
    second_factor_at: Mapped[datetime | None]
    signed_in_at: Mapped[datetime | None]


class SecondFactor(GlobalTable, Base):
    """The secret of a person's authenticator app, encrypted. Times are system time.

    It counts once it is confirmed. `last_step` is the time step of the last code that was
    accepted: no code of that step or an earlier one is accepted again.
    """

    __tablename__ = "second_factor"

    user_id: Mapped[UserId] = mapped_column(
        ForeignKey(UserAccount.id, ondelete="CASCADE"), primary_key=True
    )
    secret: Mapped[bytes]
    created_at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None]
    last_step: Mapped[int | None] = mapped_column(BigInteger)


class RecoveryCode(GlobalTable, Base):
    """A code that replaces the authenticator app once; stored as a keyed digest."""

    __tablename__ = "recovery_code"
    __table_args__ = (UniqueConstraint("user_id", "code_hash"),)

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UserId] = mapped_column(ForeignKey(SecondFactor.user_id, ondelete="CASCADE"))
    code_hash: Mapped[bytes]
    used_at: Mapped[datetime | None]


class OneTimeCode(GlobalTable, Base):
    """A code or link that verifies an address, a phone or a password reset; stored hashed."""

    __tablename__ = "one_time_code"
    __table_args__ = (enum_check("kind", *CodeKind), Index(None, "user_id", "kind", "created_at"))

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UserId] = mapped_column(ForeignKey(UserAccount.id, ondelete="CASCADE"))
    kind: Mapped[CodeKind] = mapped_column(EnumText(CodeKind))
    code_hash: Mapped[bytes]
    bound_to: Mapped[str | None]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    tries: Mapped[int] = mapped_column(default=0, server_default="0")
    used_at: Mapped[datetime | None]


class UserActivity(GlobalTable, Base):
    """An event of the audit log. `tenant_id` has no foreign key: the log outlives the company."""

    __tablename__ = "user_activity"
    __table_args__ = (Index(None, "user_id", "created_at"), Index(None, "created_at"))

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UserId] = mapped_column(ForeignKey(UserAccount.id, ondelete="CASCADE"))
    tenant_id: Mapped[TenantId | None]
    activity_type: Mapped[str]
    details: Mapped[dict[str, Any] | None]
    ip: Mapped[str | None]
    agent: Mapped[str | None]
    created_at: Mapped[datetime]
