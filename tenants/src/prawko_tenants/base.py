"""What every table stands on: names of constraints, types, and the three classes of table."""

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    Date,
    DateTime,
    ForeignKey,
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

NAMES = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(referred_table_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}


class Instant(TypeDecorator[datetime]):
    """A point in time, always aware and in UTC; a naive datetime is refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is not None and value.tzinfo is None:
            raise ValueError(f"a time without its zone: {value!r}")
        return value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC)


TYPES: dict[Any, TypeEngine[Any]] = {
    str: Text(),
    UUID: Uuid(),
    datetime: Instant(),
    date: Date(),
    dict[str, Any]: JSONB(),
    list[Any]: JSONB(),
}
TYPES.update(dict.fromkeys(ID_TYPES, Uuid()))


class Base(DeclarativeBase):
    """The parent of every table."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = TYPES


class TenantTable:
    """Rows that belong to one company: seen and written under its binding only.

    The company stands first in the primary key, and so in every index and foreign key: a key
    without it would let one company's row point at another's. `tenant_id` may be left out of
    a new object: the session fills in the company it is bound to.
    """

    tenant_id: Mapped[TenantId] = mapped_column(
        ForeignKey("tenant.id", ondelete="CASCADE"), primary_key=True, sort_order=-2
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id, sort_order=-1)


class OutlivingTable(TenantTable):
    """Rows of one company that stay when it is erased, because the law asks for them."""

    tenant_id: Mapped[TenantId] = mapped_column(primary_key=True, sort_order=-2)


class ControlTable:
    """Ids, times and states that steer the work: the worker sees all, the panel its company's."""


class GlobalTable:
    """Rows that no company owns: people, their sessions, what the whole installation does."""


def one_of(column: str, *words: str) -> CheckConstraint:
    """Allow only these words in a column."""
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)
