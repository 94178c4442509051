"""The drivers of a company."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSON
from sqlalchemy.orm import Mapped, mapped_column

from prawko.accounts.models import Membership
from prawko_tenants.base import Base, TenantTable, one_of
from prawko_tenants.ids import UserId


class Driver(TenantTable, Base):
    """A driver and the state of the licence, with the latest verification ready to be read.

    `document_no` rises by one whenever name or number changes: an answer to an older number
    counts no more. `asked_at` is when the latest question that counted was asked, by the
    machine's clock. `latest` is the verification of the present document as the panel shows
    it; it is json, not jsonb, so that its bytes are handed on as they were written. What
    changes with every check stands in no index, so that a check rewrites no index (HOT).
    """

    __tablename__ = "driver"
    __table_args__ = (
        one_of("status", "unknown", "valid", "invalid", "attention", "not_found"),
        ForeignKeyConstraint(
            ["tenant_id", "created_by"],
            [Membership.tenant_id, Membership.user_id],
            ondelete="SET NULL (created_by)",
        ),
        UniqueConstraint("tenant_id", "license_number"),
        {"postgresql_with": {"fillfactor": "70"}},
    )

    first_name: Mapped[str]
    last_name: Mapped[str]
    license_number: Mapped[str]
    sort_key: Mapped[str] = mapped_column(Text(collation="C"))
    status: Mapped[str] = mapped_column(default="unknown", server_default="unknown")
    document_no: Mapped[int] = mapped_column(default=1, server_default="1")
    asked_at: Mapped[datetime | None]
    verified_at: Mapped[datetime | None]
    latest: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime]
    created_by: Mapped[UserId | None]
