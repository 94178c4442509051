"""Queries of incidents: at most one is open for a kind and key."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Text, cast, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.incidents.models import Incident
from prawko.outbox.models import Delivery
from prawko_tenants.ids import new_id

MAIL_KEY_PREFIX = "operator:"  # the outbox key of an incident's mail, before its id


class IncidentRepository:
    """Reads and writes incidents in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def open(self, kind: str, key: str, detail: str, now: datetime) -> UUID | None:
        """Insert an incident, or reopen a closed one with a new id; None when it is open."""
        statement = insert(Incident).values(
            id=new_id(), kind=kind, key=key, opened_at=now, detail=detail
        )
        new = statement.excluded
        reopened = {
            "id": new.id,
            "opened_at": new.opened_at,
            "detail": new.detail,
            "mailed_at": None,
            "closed_at": None,
        }
        incident_id: UUID | None = await self._session.scalar(
            statement.on_conflict_do_update(
                index_elements=[Incident.kind, Incident.key],
                set_=reopened,
                where=Incident.closed_at.is_not(None),
            ).returning(Incident.id)
        )
        return incident_id

    async def close(self, kind: str, key: str, now: datetime) -> bool:
        """Close an incident; False when it is not open."""
        closed_id = await self._session.scalar(
            update(Incident)
            .where(Incident.kind == kind, Incident.key == key, Incident.closed_at.is_(None))
            .values(closed_at=now)
            .returning(Incident.id)
        )
        return closed_id is not None

    async def mark_mailed(self, incident_id: UUID, now: datetime) -> None:
        """Record that the operators were mailed."""
        await self._session.execute(
            update(Incident).where(Incident.id == incident_id).values(mailed_at=now)
        )

    async def list_all(self, *, include_closed: bool) -> Sequence[Incident]:
        """Return open incidents, or all of them, oldest first."""
        statement = select(Incident).order_by(Incident.opened_at, Incident.id)
        if not include_closed:
            statement = statement.where(Incident.closed_at.is_(None))
        return (await self._session.scalars(statement)).all()

    async def list_open_by_id(self, ids: Collection[UUID]) -> Sequence[Incident]:
        """Return those of the incidents that are still open."""
        statement = select(Incident).where(Incident.id.in_(ids), Incident.closed_at.is_(None))
        return (await self._session.scalars(statement)).all()

    async def list_unsent(self, enqueued_before: datetime) -> Sequence[Incident]:
        """Return open incidents whose mail has not left since then, or was never enqueued."""
        mail_key = literal(MAIL_KEY_PREFIX).concat(cast(Incident.id, Text))
        statement = (
            select(Incident)
            .outerjoin(Delivery, Delivery.key == mail_key)
            .where(
                Incident.closed_at.is_(None),
                Incident.mailed_at.is_(None),
                or_(Delivery.id.is_(None), Delivery.created_at < enqueued_before),
            )
            .order_by(Incident.opened_at, Incident.id)
        )
        return (await self._session.scalars(statement)).all()
