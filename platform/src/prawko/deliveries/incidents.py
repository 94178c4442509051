"""What the operators must know: one open incident of a kind and key, one mail about it.

A mail that has not left when its incident is over is dropped; one that comes back is a new
incident and mailed again.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base import logs
from prawko.deliveries.orders import Order
from prawko.deliveries.outbox import enqueue
from prawko.hooks.channels import Medium
from prawko_tenants.ids import new_id

log = logs.logger(__name__)

OPERATOR_MAIL = "operator"

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
    log.error("incident_opened", kind=kind, key=key, detail=detail)
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


async def mark_mailed(session: AsyncSession, incident_id: UUID, now: datetime) -> None:
    """Note that the operators have been told."""
    await session.execute(_MAILED, {"id": incident_id, "now": now})
