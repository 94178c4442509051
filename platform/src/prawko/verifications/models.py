"""Tables of register answers, verifications, the daily check and the rate limiter."""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKeyConstraint, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from prawko.drivers.models import Outcome
from prawko_tenants.base import (
    Base,
    ControlTable,
    GlobalTable,
    TenantTable,
    enum_check,
    tenant_foreign_key,
)
from prawko_tenants.ids import AnswerId, CheckRunId, DriverId, TenantId, VerificationId, new_id

_IS_OPEN = text("ended_at IS NULL")


class RegisterAnswer(TenantTable, Base):
    """A register answer, stored once per driver, document version and distinct content.

    Name and number are those that were queried. `hash` is the SHA-256 of the canonical JSON,
    `raw` that JSON encrypted with the key `key_id`; the other columns are the readable content.
    """

    __tablename__ = "register_answer"
    __table_args__ = (
        tenant_foreign_key("driver_id", "driver.id"),
        UniqueConstraint("tenant_id", "driver_id", "document_version", "hash"),
    )

    tenant_id: Mapped[TenantId] = mapped_column(primary_key=True, sort_order=-3)
    driver_id: Mapped[DriverId] = mapped_column(primary_key=True, sort_order=-2)
    document_version: Mapped[int]
    first_name: Mapped[str]
    last_name: Mapped[str]
    license_number: Mapped[str]
    hash: Mapped[bytes]
    key_id: Mapped[str]
    raw: Mapped[bytes]
    document_code: Mapped[str | None]
    document_status: Mapped[str | None]
    issuing_authority: Mapped[str | None]
    expiry_date: Mapped[date | None]
    categories: Mapped[list[Any]]
    reasons: Mapped[list[Any]]
    notes: Mapped[str | None]
    first_seen_at: Mapped[datetime]


class Verification(TenantTable, Base):
    """A check that got an answer, which it refers to. Partitioned by month."""

    __tablename__ = "verification"
    __table_args__ = (
        enum_check("outcome", *Outcome),
        tenant_foreign_key("driver_id", "driver.id"),
        ForeignKeyConstraint(
            ["tenant_id", "driver_id", "answer_id"],
            [RegisterAnswer.tenant_id, RegisterAnswer.driver_id, RegisterAnswer.id],
        ),
        {"postgresql_partition_by": "RANGE (verified_at)"},
    )

    tenant_id: Mapped[TenantId] = mapped_column(primary_key=True, sort_order=-4)
    driver_id: Mapped[DriverId] = mapped_column(primary_key=True, sort_order=-3)
    id: Mapped[VerificationId] = mapped_column(default=new_id, sort_order=-2)
    verified_at: Mapped[datetime] = mapped_column(primary_key=True, sort_order=-1)
    answer_id: Mapped[AnswerId | None]
    outcome: Mapped[str]


class CheckItem(ControlTable, Base):
    """One driver's check of one day; the primary key makes it unique. Partitioned by day.

    `fence` is incremented with every lease: a write with an older fence is discarded. No foreign
    keys: a driver may be deleted meanwhile (state `cancelled`). `counted_change` marks a
    suspicious change of a driver who had an outcome before: quarantined or effective, it counts
    towards the mass-change limit of the run.
    """

    __tablename__ = "check_item"
    __table_args__ = (
        enum_check("state", "due", "done", "quarantined", "cancelled"),
        enum_check("outcome", *Outcome),
        # A batch has the items of a company together, so that the session switches tenants less.
        Index(
            "ix_check_item_due",
            "day",
            "next_try_at",
            "tenant_id",
            postgresql_where=text("state = 'due'"),
        ),
        Index(
            "ix_check_item_unanswered",
            "day",
            "error_kind",
            postgresql_where=text("state = 'due' AND error_kind IS NOT NULL"),
        ),
        {"postgresql_partition_by": "LIST (day)"},
    )

    day: Mapped[date] = mapped_column(primary_key=True)
    tenant_id: Mapped[TenantId] = mapped_column(primary_key=True)
    driver_id: Mapped[DriverId] = mapped_column(primary_key=True)
    document_version: Mapped[int]
    state: Mapped[str] = mapped_column(default="due", server_default="due")
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    next_try_at: Mapped[datetime]
    lease_until: Mapped[datetime | None]
    fence: Mapped[int] = mapped_column(BigInteger, default=0, server_default=text("0"))
    asked_at_system: Mapped[datetime | None]
    error_kind: Mapped[str | None]
    not_found_since: Mapped[datetime | None]
    answer_id: Mapped[AnswerId | None]
    outcome: Mapped[str | None]
    done_at: Mapped[datetime | None]
    counted_change: Mapped[bool] = mapped_column(default=False, server_default="false")


class CheckRun(GlobalTable, Base):
    """The daily check of one day, of all companies: times, counts and review state.

    `state` is `running` until the run is finished, also while it is only open for first checks
    (no `started_at`). `planned` is the column's default, which no insert uses.
    `quarantined` changes of a decided review are to be applied or rejected by a worker.
    `retry_requested_at` is set until a worker has made the unanswered items due again.
    """

    __tablename__ = "check_run"
    __table_args__ = (
        enum_check("state", "planned", "running", "finished"),
        enum_check("review_state", "pending", "approved", "rejected"),
    )

    id: Mapped[CheckRunId] = mapped_column(primary_key=True, default=new_id)
    day: Mapped[date] = mapped_column(unique=True)
    planned_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    planned: Mapped[int] = mapped_column(default=0, server_default="0")
    done: Mapped[int] = mapped_column(default=0, server_default="0")
    valid: Mapped[int] = mapped_column(default=0, server_default="0")
    invalid: Mapped[int] = mapped_column(default=0, server_default="0")
    attention: Mapped[int] = mapped_column(default=0, server_default="0")
    not_found: Mapped[int] = mapped_column(default=0, server_default="0")
    quarantined: Mapped[int] = mapped_column(default=0, server_default="0")
    state: Mapped[str] = mapped_column(default="planned", server_default="planned")
    review_state: Mapped[str | None]
    retry_requested_at: Mapped[datetime | None]


class CheckPause(GlobalTable, Base):
    """A time in which an operator has paused the daily check; at most one is open."""

    __tablename__ = "check_pause"
    __table_args__ = (
        Index(
            "ix_check_pause_open",
            text("(ended_at IS NULL)"),
            unique=True,
            postgresql_where=_IS_OPEN,
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class RegisterLimiter(GlobalTable, Base):
    """Rate limiter and circuit breaker of a register, shared by all processes; system clock."""

    __tablename__ = "register_limiter"
    __table_args__ = (
        enum_check("lane", "run", "manual"),
        enum_check("breaker", "closed", "open", "half_open"),
    )

    register: Mapped[str] = mapped_column(primary_key=True)
    lane: Mapped[str] = mapped_column(primary_key=True)
    next_free_at: Mapped[datetime]
    paused_until: Mapped[datetime | None]
    pause_seconds: Mapped[float] = mapped_column(default=0, server_default=text("0"))
    breaker: Mapped[str] = mapped_column(default="closed", server_default="closed")
    failures: Mapped[int] = mapped_column(default=0, server_default="0")
    probe_at: Mapped[datetime | None]
    account_error: Mapped[str | None]
    refused: Mapped[dict[str, Any]] = mapped_column(default=dict, server_default=text("'{}'"))
    failed: Mapped[dict[str, Any]] = mapped_column(default=dict, server_default=text("'{}'"))
    updated_at: Mapped[datetime]
