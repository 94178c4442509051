"""Incidents: conditions that operators must know about, and closing them."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import select

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.console.list_query import FilterWord
from prawko.console.resource import (
    Act,
    AnyRow,
    Resource,
    condition_filter,
    create_router,
    ids_filter,
    value_filter,
)
from prawko.console.schemas import LocalizedText, ReasonIn, to_localized
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.errors import AppError, NotFoundError
from prawko.kit.http.schemas import ResponseModel
from prawko.kit.incidents.models import Incident
from prawko.kit.incidents.service import close_incident
from prawko_tenants.sessions import OperatorSession


class IncidentOut(ResponseModel):
    """A condition that operators must know about."""

    id: UUID
    kind: str
    key: str
    detail: LocalizedText
    opened_at: datetime
    closed_at: datetime | None
    mailed_at: datetime | None


class IncidentClosedError(AppError):
    """The incident is not open any more."""

    status = 409
    key = "incident_closed"


async def describe_incidents(
    _context: AppContext, _session: OperatorSession, rows: Sequence[AnyRow]
) -> list[IncidentOut]:
    """Return incidents with their details in both languages."""
    return [
        IncidentOut(
            id=row.id,
            kind=row.kind,
            key=row.key,
            detail=to_localized(row.facts, row.detail),
            opened_at=row.opened_at,
            closed_at=row.closed_at,
            mailed_at=row.mailed_at,
        )
        for row in rows
    ]


async def close_open_incident(acts: OperatorActs, incident_id: UUID, data: ReasonIn) -> None:
    """Close an incident; it is opened again while its condition lasts.

    Raises NotFoundError and IncidentClosedError.
    """
    async with acts.open_system() as session:
        incident = await session.get(Incident, incident_id, with_for_update=True)
        if incident is None:
            raise NotFoundError
        if incident.closed_at is not None:  # a later one of its kind and key may be open
            raise IncidentClosedError
        await close_incident(session, kind=incident.kind, key=incident.key, now=utc_now())
        await acts.record(
            AdminActionType.INCIDENT_CLOSED,
            reason=data.reason,
            requires_reason=False,
            incident=incident_id,
            kind=incident.kind,
        )


INCIDENTS = Resource(
    name="incidents",
    tag="System",
    list_id="listIncidents",
    read_id="getIncident",
    out=IncidentOut,
    statement=select(*Incident.__table__.c),
    describe=describe_incidents,
    id_column=Incident.id,
    columns={"openedAt": Incident.opened_at, "closedAt": Incident.closed_at},
    filters={
        "id": ids_filter(Incident.id),
        "kind": value_filter(Incident.kind, FilterWord),
        "open": condition_filter(Incident.closed_at.is_(None)),
    },
    acts=(Act("close", "closeIncident", close_open_incident, (IncidentClosedError,)),),
)
ROUTES = (create_router(INCIDENTS),)
