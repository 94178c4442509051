"""Tables of incidents, heartbeats and paused providers."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from prawko.kit.incidents.details import StoredFacts
from prawko_tenants.base import Base, GlobalTable, enum_check
from prawko_tenants.ids import new_id


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
