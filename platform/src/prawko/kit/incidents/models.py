"""Tables of incidents and of what stops calls of a provider, and the details of an incident."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from prawko.kit.text.i18n import Language, translate
from prawko_tenants.base import Base, GlobalTable, enum_check
from prawko_tenants.ids import new_id

StoredFacts = list[dict[str, Any]]


class Detail(msgspec.Struct, frozen=True, omit_defaults=True):
    """A text of `texts/<language>/details.toml` with its parameters, without personal data.

    `also` follows it, after a semicolon.
    """

    text: str
    params: Mapping[str, str | int] = {}
    also: "tuple[Detail, ...]" = ()

    def render(self, language: Language) -> str:
        """The sentence in a language. Raises KeyError for an unknown text."""
        own = translate(f"details.{self.text}", language, **self.params)
        return "; ".join([own, *(detail.render(language) for detail in self.also)])

    def __str__(self) -> str:
        """The sentence in English."""
        return self.render(Language.EN)


def to_facts(detail: Detail | str) -> StoredFacts | None:
    """A detail as it is stored; None for a text that is the same in every language."""
    if isinstance(detail, str):
        return None
    facts: StoredFacts = [msgspec.to_builtins(detail)]
    return facts


def from_facts(facts: StoredFacts) -> tuple[Detail, ...]:
    """The details that were stored."""
    return msgspec.convert(facts, tuple[Detail, ...])


def render_facts(facts: StoredFacts | None, plain: str, language: Language) -> str:
    """The stored facts in a language; the plain text of a row that has none."""
    if not facts:
        return plain
    return "; ".join(detail.render(language) for detail in from_facts(facts))


class Incident(GlobalTable, Base):
    """A condition that the operators must know about, mailed when it begins and when it ends.

    Of a kind and key one is open at most; those before are kept. `end_reported_at` is when the
    mail about the end was added to the outbox. Times are those of the code that opens and closes
    it. `detail` contains no personal data; `facts` is the same for every language, where it can be
    said in each.
    """

    __tablename__ = "incident"
    __table_args__ = (
        Index(
            "uq_incident_kind_key_open",
            "kind",
            "key",
            unique=True,
            postgresql_where=text("closed_at IS NULL"),
        ),
        Index(None, "kind", "key", "opened_at"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    kind: Mapped[str]
    key: Mapped[str]
    opened_at: Mapped[datetime]
    mailed_at: Mapped[datetime | None]
    closed_at: Mapped[datetime | None]
    end_reported_at: Mapped[datetime | None]
    detail: Mapped[str]
    facts: Mapped[StoredFacts | None] = mapped_column(JSONB(none_as_null=True))


class Heartbeat(GlobalTable, Base):
    """When a process or job was last seen to work, by PostgreSQL's clock."""

    __tablename__ = "heartbeat"
    __table_args__ = (enum_check("kind", "worker", "monitoring", "ping"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    started_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    release: Mapped[str]


class ProviderPause(GlobalTable, Base):
    """A provider that refused our account, paused until it has answered again.

    `provider` is the name of a channel or payment provider. Times are system time.
    """

    __tablename__ = "provider_pause"

    provider: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[datetime]
    paused_until: Mapped[datetime]
    reason: Mapped[str]
