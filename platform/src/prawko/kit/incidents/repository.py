"""Queries of incidents: at most one is open for a kind and key."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Text, cast, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.kit.incidents.models import Detail, Incident, to_facts
from prawko.kit.outbox.models import Delivery
from prawko_tenants.ids import new_id

MAIL_KEY_PREFIX = "operator:"  # the outbox key of the mail about a beginning, before the id


class IncidentRepository:
    """Reads and writes incidents in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def open(self, kind: str, key: str, detail: Detail | str, now: datetime) -> UUID | None:
        """Insert an incident and return its id; None when one is open."""
        statement = insert(Incident).values(
            id=new_id(), kind=kind, key=key, opened_at=now, detail=str(detail),
            facts=to_facts(detail),
        )  # fmt: skip
        return await self._session.scalar(
            statement.on_conflict_do_nothing(
                index_elements=[Incident.kind, Incident.key],
                index_where=Incident.closed_at.is_(None),
            ).returning(Incident.id)
        )

    async def reopen(
        self, kind: str, key: str, detail: Detail | str, closed_after: datetime
    ) -> bool:
        """Reopen the last incident if it was closed after `closed_after`, its end not reported."""
        last = (
            select(Incident.id)
            .where(Incident.kind == kind, Incident.key == key)
            .order_by(Incident.opened_at.desc(), Incident.id.desc())
            .limit(1)
        )
        reopened_id = await self._session.scalar(
            update(Incident)
            .where(
                Incident.id == last.scalar_subquery(),
                Incident.closed_at > closed_after,
                Incident.end_reported_at.is_(None),
            )
            .values(closed_at=None, detail=str(detail), facts=to_facts(detail))
            .returning(Incident.id)
        )
        return reopened_id is not None

    async def close(self, kind: str, key: str, now: datetime) -> bool:
        """Close an incident; False when it is not open."""
        closed_id = await self._session.scalar(
            update(Incident)
            .where(Incident.kind == kind, Incident.key == key, Incident.closed_at.is_(None))
            .values(closed_at=now)
            .returning(Incident.id)
        )
        return closed_id is not None

    async def supersede(self, kind: str, key: str, now: datetime, *, about: str = "") -> None:
        """Close an incident whose end is not reported, because another one goes on with it.

        `about` is what its detail begins with.
        """
        is_about = Incident.detail.startswith(about, autoescape=True)
        await self._session.execute(
            update(Incident)
            .where(
                Incident.kind == kind, Incident.key == key, Incident.closed_at.is_(None), is_about
            )
            .values(closed_at=now, end_reported_at=now)
        )

    async def mark_ends_reported(self, closed_before: datetime, now: datetime) -> Sequence[UUID]:
        """Mark the ends that are to be reported now, and return the incidents' ids."""
        marked = (
            update(Incident)
            .where(Incident.closed_at <= closed_before, Incident.end_reported_at.is_(None))
            .values(end_reported_at=now)
            .returning(Incident.id)
        )
        return (await self._session.scalars(marked)).all()

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

    async def list_by_id(self, ids: Collection[UUID]) -> Sequence[Incident]:
        """Return these incidents, open or closed."""
        statement = select(Incident).where(Incident.id.in_(ids))
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
