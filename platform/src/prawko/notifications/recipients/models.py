"""Persons without an account who get a company's alerts by mail."""

from datetime import datetime

from sqlalchemy import Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from prawko.accounts.models import ALERT_GROUPS, ALERT_GROUPS_DEFAULT
from prawko.kit.text.i18n import Language
from prawko_tenants.base import Base, EnumText, TenantTable, enum_check, tenant_foreign_key
from prawko_tenants.ids import RecipientId, UserId, new_id


class AlertRecipient(TenantTable, Base):
    """A person without an account whom a member of the company added.

    Nothing about drivers is sent before `confirmed_at`, when the person agreed by the link of the
    invitation, nor after `stopped_at`, when the person refused or stopped them by the link of a
    mail; only that person takes this back. `invited_at` is when the newest invitation was made:
    its link is the one that is valid. `email_state` is what carriers reported of the address,
    unless that was before `email_trusted_at` (system time).
    """

    __tablename__ = "alert_recipient"
    __table_args__ = (
        enum_check("language", *Language),
        enum_check("email_state", "ok", "bounced", "dropped", "spam"),
        tenant_foreign_key("created_by", "membership.user_id", ondelete="SET NULL"),
        UniqueConstraint("tenant_id", "email_key"),
    )

    id: Mapped[RecipientId] = mapped_column(primary_key=True, default=new_id, sort_order=-1)
    name: Mapped[str]
    email: Mapped[str]
    email_key: Mapped[str]
    language: Mapped[Language] = mapped_column(EnumText(Language), server_default="pl")
    email_enabled: Mapped[bool] = mapped_column(default=True, server_default="true")
    alert_groups: Mapped[list[str]] = mapped_column(
        ARRAY(Text), default=lambda: [*ALERT_GROUPS], server_default=ALERT_GROUPS_DEFAULT
    )
    email_state: Mapped[str] = mapped_column(default="ok", server_default="ok")
    email_trusted_at: Mapped[datetime | None]
    invited_at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None]
    stopped_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    created_by: Mapped[UserId | None]
