"""Table of drivers and the outcomes a licence can have."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Text, UniqueConstraint, Uuid, column, table
from sqlalchemy.dialects.postgresql import JSON
from sqlalchemy.orm import Mapped, mapped_column

from prawko_tenants.base import Base, TenantTable, enum_check, tenant_foreign_key
from prawko_tenants.ids import UserId

UNKNOWN = "unknown"  # the status before the first effective outcome


class Outcome(StrEnum):
    """Outcome of one verification; a driver's status is the latest effective one."""

    VALID = "valid"
    INVALID = "invalid"  # withheld or withdrawn
    ATTENTION = "attention"
    NOT_FOUND = "not_found"


class Driver(TenantTable, Base):
    """A driver with the status of the licence and the latest verification.

    `document_version` is incremented when name or number changes; answers about an older version
    have no effect. `asked_at_system` is the system clock's time of the latest effective query.
    `latest` is the verification of the current document in the API's shape; it is json, not jsonb,
    so that its bytes are returned as written. Columns that every check updates are not indexed,
    so that the updates stay heap-only (HOT).
    """

    __tablename__ = "driver"
    __table_args__ = (
        enum_check("status", UNKNOWN, *Outcome),
        tenant_foreign_key("created_by", "membership.user_id", ondelete="SET NULL"),
        UniqueConstraint("tenant_id", "license_number"),
        {"postgresql_with": {"fillfactor": "70"}},
    )

    first_name: Mapped[str]
    last_name: Mapped[str]
    license_number: Mapped[str]
    sort_key: Mapped[str] = mapped_column(Text(collation="C"))
    status: Mapped[str] = mapped_column(default=UNKNOWN, server_default=UNKNOWN)
    document_version: Mapped[int] = mapped_column(default=1, server_default="1")
    asked_at_system: Mapped[datetime | None]
    verified_at: Mapped[datetime | None]
    latest: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime]
    created_by: Mapped[UserId | None]


# The view of which drivers are within a limit: `rank` counts a company's drivers from 1, the oldest
# first (docs/rules.md R6). Those with a rank up to the limit are checked.
ranked_driver = table(
    "ranked_driver", column("tenant_id", Uuid), column("id", Uuid), column("rank", BigInteger)
)
