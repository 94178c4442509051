"""Declarative base: naming convention, column types, and the classes of tables."""

from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    Date,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    MetaData,
    Text,
    TypeDecorator,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeEngine

from prawko_tenants.ids import ID_TYPES, TenantId, new_id

NAMING_CONVENTION = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(referred_table_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}

EnumT = TypeVar("EnumT", bound=StrEnum)


class EnumText(TypeDecorator[EnumT]):
    """`text` that is a member of a StrEnum. Raises ValueError for any other text."""

    impl = Text
    cache_ok = True

    def __init__(self, enum: type[EnumT]) -> None:
        super().__init__()
        self.enum = enum

    def process_result_value(self, value: str | None, dialect: Dialect) -> EnumT | None:  # noqa: ARG002
        return None if value is None else self.enum(value)


class UtcDateTime(TypeDecorator[datetime]):
    """`timestamptz` as an aware datetime in UTC. Raises ValueError for a naive one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is not None and value.tzinfo is None:
            raise ValueError(f"a datetime without a time zone: {value!r}")
        return value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC)


TYPE_MAP: dict[Any, TypeEngine[Any]] = {
    str: Text(),
    UUID: Uuid(),
    datetime: UtcDateTime(),
    date: Date(),
    dict[str, Any]: JSONB(),
    list[Any]: JSONB(),
}
TYPE_MAP.update(dict.fromkeys(ID_TYPES, Uuid()))


class Base(DeclarativeBase):
    """Declarative base of all tables."""

    metadata = MetaData(naming_convention=NAMING_CONVENTION)
    type_annotation_map = TYPE_MAP


class TenantTable:
    """Rows of one company, readable and writable in its own sessions only.

    `tenant_id` is the first column of the primary key, of every index and of every foreign key:
    a key without it would let one company's row reference another's. It may be left out of a
    new object; the session fills it in.
    """

    tenant_id: Mapped[TenantId] = mapped_column(
        ForeignKey("tenant.id", ondelete="CASCADE"), primary_key=True, sort_order=-2
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id, sort_order=-1)


class RetainedTable(TenantTable):
    """Rows of one company that the law requires to be kept after its erasure."""

    tenant_id: Mapped[TenantId] = mapped_column(primary_key=True, sort_order=-2)


class ControlTable:
    """Ids, times and states of background work.

    The worker's login sees all rows, the panel's login those of the session's company.
    """


class GlobalTable:
    """Rows without a company: accounts, login sessions, state of the whole installation."""


def enum_check(column: str, *values: str) -> CheckConstraint:
    """Return the constraint that allows only `values` in a text column."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def tenant_foreign_key(
    column: str, target: str, *, ondelete: str = "CASCADE"
) -> ForeignKeyConstraint:
    """Return the key of `tenant_id` and `column` on a row of the same company.

    `target` is `table.column`. "SET NULL" clears `column` alone: a row keeps its company.
    """
    table = target.partition(".")[0]
    action = f"{ondelete} ({column})" if ondelete == "SET NULL" else ondelete
    return ForeignKeyConstraint(
        ["tenant_id", column], [f"{table}.tenant_id", target], ondelete=action
    )
