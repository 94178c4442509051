"""What the operators must know: one open incident of a kind and key, one mail about it.

A mail that has not left when its incident is over is dropped; one that comes back is a new
incident and mailed again. What breaks may be the mail itself: an incident stands in the log as
critical, again and again while nobody could be mailed, and `prawko incidents` lists it.
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Result, text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base import logs
from prawko.deliveries.orders import Order
from prawko.deliveries.outbox import enqueue
from prawko.hooks.channels import Medium
from prawko_tenants.ids import new_id

log = logs.logger(__name__)

OPERATOR_MAIL = "operator"
MAILED_WITHIN = timedelta(minutes=10)

_OPEN = text("""
    INSERT INTO incident AS i (id, kind, key, opened_at, detail)
    VALUES (:id, :kind, :key, :now, :detail)
    ON CONFLICT (kind, key) DO UPDATE
       SET id = excluded.id, opened_at = excluded.opened_at, detail = excluded.detail,
           mailed_at = NULL, closed_at = NULL
     WHERE i.closed_at IS NOT NULL
    RETURNING id
""")
_CLOSE = text("""
    UPDATE incident SET closed_at = :now WHERE kind = :kind AND key = :key AND closed_at IS NULL
    RETURNING id
""")
_MAILED = text("UPDATE incident SET mailed_at = :now WHERE id = :id")
_ALL = text("""
    SELECT kind, key, opened_at, mailed_at, closed_at, detail FROM incident
     WHERE closed_at IS NULL OR :closed_too ORDER BY opened_at, id
""")
_UNTOLD = text("""
    SELECT i.kind, i.key, i.opened_at, i.mailed_at, i.closed_at, i.detail
      FROM incident i LEFT JOIN delivery d ON d.key = 'operator:' || i.id
     WHERE i.closed_at IS NULL AND i.mailed_at IS NULL
       AND coalesce(d.created_at, '-infinity') < :before
     ORDER BY i.opened_at, i.id
""")


class KnownIncident(msgspec.Struct, frozen=True, kw_only=True):
    """An incident as it stands; times are the opener's."""

    kind: str
    key: str
    opened_at: datetime
    mailed_at: datetime | None
    closed_at: datetime | None
    detail: str


async def open_incident(
    session: AsyncSession, *, kind: str, key: str, detail: str, now: datetime
) -> bool:
    """Open an incident and order its mail; False when it is open already.

    The mail's words stand in the texts under `mails.operator.<kind>`. `detail` names no
    person: it stands in the mail and in the log.
    """
    incident_id: UUID | None = await session.scalar(
        _OPEN, {"id": new_id(), "kind": kind, "key": key, "now": now, "detail": detail}
    )
    if incident_id is None:
        return False
    log.critical("incident_opened", kind=kind, key=key, detail=detail)
    mail = Order(
        kind=OPERATOR_MAIL,
        medium=Medium.EMAIL,
        key=f"operator:{incident_id}",
        subject_id=incident_id,
    )
    await enqueue(session, [mail])
    return True


async def close_incident(session: AsyncSession, *, kind: str, key: str, now: datetime) -> bool:
    """Note that it is over; False when it was not open."""
    closed = await session.scalar(_CLOSE, {"kind": kind, "key": key, "now": now})
    if closed is None:
        return False
    log.info("incident_closed", kind=kind, key=key)
    return True


async def keep_incident(
    session: AsyncSession, *, kind: str, key: str, wrong: bool, detail: str, now: datetime
) -> bool:
    """Open it while something is wrong, and close it when nothing is; True when it was opened."""
    if wrong:
        return await open_incident(session, kind=kind, key=key, detail=detail, now=now)
    await close_incident(session, kind=kind, key=key, now=now)
    return False


async def mark_mailed(session: AsyncSession, incident_id: UUID, now: datetime) -> None:
    """Note that the operators have been told."""
    await session.execute(_MAILED, {"id": incident_id, "now": now})


async def all_incidents(session: AsyncSession, *, closed_too: bool) -> list[KnownIncident]:
    """Those that last, oldest first; or those that are over, too."""
    return _known(await session.execute(_ALL, {"closed_too": closed_too}))


async def say_untold(session: AsyncSession, machine_now: datetime) -> list[KnownIncident]:
    """Write into the log what lasts and could be mailed to nobody; returns it."""
    untold = _known(await session.execute(_UNTOLD, {"before": machine_now - MAILED_WITHIN}))
    for one in untold:
        log.critical("incident_untold", kind=one.kind, key=one.key, detail=one.detail)
    return untold


def _known(rows: Result[Any]) -> list[KnownIncident]:
    return [msgspec.convert(dict(row), KnownIncident) for row in rows.mappings()]
