"""What the register answered, what it meant, and the work of asking it every day."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKeyConstraint, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from prawko.drivers.models import Driver
from prawko_tenants.base import Base, ControlTable, GlobalTable, TenantTable, one_of
from prawko_tenants.ids import AnswerId, CheckRunId, DriverId, TenantId, VerificationId, new_id

OUTCOMES = ("valid", "invalid", "attention", "not_found")


class RegisterAnswer(TenantTable, Base):
    """One answer of the register, stored once per driver and distinct content.

    What was asked stands beside it. `hash` is the SHA-256 of the canonical JSON, `raw` that
    JSON encrypted with the key named in `key_id`; the other columns are what people read.
    """

    __tablename__ = "register_answer"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "driver_id"], [Driver.tenant_id, Driver.id], ondelete="CASCADE"
        ),
        UniqueConstraint("tenant_id", "driver_id", "document_no", "hash"),
    )

    tenant_id: Mapped[TenantId] = mapped_column(primary_key=True, sort_order=-3)
    driver_id: Mapped[DriverId] = mapped_column(primary_key=True, sort_order=-2)
    document_no: Mapped[int]
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
    """One check that got an answer: a narrow row that points to it, in monthly partitions."""

    __tablename__ = "verification"
    __table_args__ = (
        one_of("outcome", *OUTCOMES),
        ForeignKeyConstraint(
            ["tenant_id", "driver_id"], [Driver.tenant_id, Driver.id], ondelete="CASCADE"
        ),
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
    """One driver to be checked on one day; the key is what makes it once. Daily partitions.

    `fence` rises with every lease: who writes with an older one has lost it. No foreign keys:
    a driver may go while it is being checked ('gone'). `turned` marks a suspicious turn that
    took effect, which the rule about mass changes goes on counting.
    """

    __tablename__ = "check_item"
    __table_args__ = (
        one_of("state", "due", "done", "held", "gone"),
        one_of("outcome", *OUTCOMES),
        # A lease takes a company's drivers together: fewer turns from company to company.
        Index(
            "ix_check_item_due",
            "day",
            "next_try_at",
            "tenant_id",
            postgresql_where=text("state = 'due'"),
        ),
        {"postgresql_partition_by": "LIST (day)"},
    )

    day: Mapped[date] = mapped_column(primary_key=True)
    tenant_id: Mapped[TenantId] = mapped_column(primary_key=True)
    driver_id: Mapped[DriverId] = mapped_column(primary_key=True)
    document_no: Mapped[int]
    state: Mapped[str] = mapped_column(default="due", server_default="due")
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    next_try_at: Mapped[datetime]
    lease_until: Mapped[datetime | None]
    fence: Mapped[int] = mapped_column(BigInteger, default=0, server_default=text("0"))
    asked_at: Mapped[datetime | None]
    error_kind: Mapped[str | None]
    not_found_since: Mapped[datetime | None]
    answer_id: Mapped[AnswerId | None]
    outcome: Mapped[str | None]
    done_at: Mapped[datetime | None]
    turned: Mapped[bool] = mapped_column(default=False, server_default="false")


class CheckRun(GlobalTable, Base):
    """The check of one day, of all companies together: times and counts."""

    __tablename__ = "check_run"
    __table_args__ = (
        one_of("state", "planned", "running", "finished"),
        one_of("held_state", "held", "released", "dropped"),
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
    held: Mapped[int] = mapped_column(default=0, server_default="0")
    state: Mapped[str] = mapped_column(default="planned", server_default="planned")
    held_state: Mapped[str | None]


class RegisterPace(GlobalTable, Base):
    """How fast the register may be asked just now, shared by all processes; machine clock."""

    __tablename__ = "register_pace"
    __table_args__ = (
        one_of("lane", "run", "manual"),
        one_of("breaker", "closed", "open", "half_open"),
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
    updated_at: Mapped[datetime]
