"""Table of drivers and the outcomes a licence can have."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Text, UniqueConstraint, Uuid, column, table
from sqlalchemy.dialects.postgresql import ARRAY, JSON
from sqlalchemy.orm import Mapped, mapped_column

from prawko_tenants.base import Base, EnumText, TenantTable, enum_check, tenant_foreign_key
from prawko_tenants.ids import AcknowledgementId, DriverId, UserId, new_id

UNKNOWN = "unknown"  # the status before the first effective outcome


class Outcome(StrEnum):
    """Outcome of one verification; a driver's status is the latest effective one."""

    VALID = "valid"
    INVALID = "invalid"  # withheld or withdrawn
    ATTENTION = "attention"
    NOT_FOUND = "not_found"


class MayDrive(StrEnum):
    """Whether a driver may drive today (docs/rules.md R9c)."""

    NO = "no"
    CHECK = "check"  # a person has to find out
    YES = "yes"


class EntryKind(StrEnum):
    """The kinds of entries about an episode."""

    ACKNOWLEDGED = "acknowledged"  # the driver was taken off the road
    WITHDRAWN = "withdrawn"  # the acknowledgement before was a mistake


class Driver(TenantTable, Base):
    """A driver with the status of the licence and the latest verification.

    `document_version` is incremented when name or number changes; answers about an older version
    have no effect. `asked_at_system` is the system clock's time of the latest effective query.
    `latest` is the verification of the current document in the API's shape; it is json, not jsonb,
    so that its bytes are returned as written. `status` is what the register says of the document.
    `valid_until` is the last day on which it entitles (`entitled_until`): written with `latest`,
    date.min if a needed category is missing, and kept while it is over, so that the begin of the
    episode stays.
    `status_since` is the time of the check that brought the status, kept by a trigger; null before
    the first. `imported_at` is the time of the import that added the driver with others, which
    share it. Columns that every check updates are not indexed, so that the updates stay heap-only
    (HOT).
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
    needed_categories: Mapped[list[str]] = mapped_column(
        ARRAY(Text), default=list, server_default="{}"
    )
    valid_until: Mapped[date | None]
    status_since: Mapped[datetime | None]
    created_at: Mapped[datetime]
    imported_at: Mapped[datetime | None]
    created_by: Mapped[UserId | None]


class Acknowledgement(TenantTable, Base):
    """An entry of a company about an episode of a driver: rows are added, never changed.

    The episode is the time from `since` in which the driver has `status`. `entry` counts its
    entries from 1; the last one counts. The row stays when its author leaves the company.
    """

    __tablename__ = "acknowledgement"
    __table_args__ = (
        tenant_foreign_key("driver_id", "driver.id"),
        tenant_foreign_key("created_by", "membership.user_id", ondelete="SET NULL"),
        UniqueConstraint("tenant_id", "driver_id", "since", "entry"),
        enum_check("status", *(one for one in Outcome if one is not Outcome.VALID)),
        enum_check("kind", *EntryKind),
    )

    id: Mapped[AcknowledgementId] = mapped_column(primary_key=True, default=new_id, sort_order=-1)
    driver_id: Mapped[DriverId]
    status: Mapped[str]
    since: Mapped[datetime]
    entry: Mapped[int]
    kind: Mapped[EntryKind] = mapped_column(EnumText(EntryKind))
    note: Mapped[str]
    created_at: Mapped[datetime]
    created_by: Mapped[UserId | None]


# The view that decides which drivers are within a limit (docs/rules.md R6): `rank` counts a
# company's drivers from 1, the oldest first. Drivers with a rank up to the limit are checked.
ranked_driver = table(
    "ranked_driver", column("tenant_id", Uuid), column("id", Uuid), column("rank", BigInteger)
)
