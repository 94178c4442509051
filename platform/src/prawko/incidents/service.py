"""Opens, closes and logs incidents; the operators get one mail for each.

The mail of an incident that was closed before it left is dropped; an incident that is opened
again is mailed again. Since mail itself may be what fails, an incident is also logged as
critical, repeatedly while its mail cannot leave, and listed by `prawko incidents`.
"""

from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base import logs
from prawko.hooks.channels import Medium
from prawko.incidents.repository import MAIL_KEY_PREFIX, IncidentRepository
from prawko.outbox.messages import OutboxMessage
from prawko.outbox.service import enqueue_messages

log = logs.get_logger(__name__)

OPERATOR_MAIL = "operator"
MAIL_DEADLINE = timedelta(minutes=10)


async def open_incident(
    session: AsyncSession, *, kind: str, key: str, detail: str, now: datetime
) -> bool:
    """Open an incident and enqueue its mail; False when it is open already.

    The mail's words are the text `mails.operator.kinds.<kind>`. `detail` must not contain
    personal data: it is mailed and logged.
    """
    incident_id = await IncidentRepository(session).open(kind, key, detail, now)
    if incident_id is None:
        return False
    log.critical("incident_opened", kind=kind, key=key, detail=detail)
    mail = OutboxMessage(
        kind=OPERATOR_MAIL,
        medium=Medium.EMAIL,
        key=f"{MAIL_KEY_PREFIX}{incident_id}",
        subject_id=incident_id,
    )
    await enqueue_messages(session, [mail])
    return True


async def close_incident(session: AsyncSession, *, kind: str, key: str, now: datetime) -> bool:
    """Close an incident; False when it is not open."""
    if not await IncidentRepository(session).close(kind, key, now):
        return False
    log.info("incident_closed", kind=kind, key=key)
    return True


async def set_incident(
    session: AsyncSession, *, kind: str, key: str, is_active: bool, detail: str, now: datetime
) -> bool:
    """Open the incident if it is active, else close it; True when it was opened."""
    if is_active:
        return await open_incident(session, kind=kind, key=key, detail=detail, now=now)
    await close_incident(session, kind=kind, key=key, now=now)
    return False


async def log_unsent(session: AsyncSession, now: datetime) -> None:
    """Log the open incidents whose mail has not left within MAIL_DEADLINE."""
    for one in await IncidentRepository(session).list_unsent(now - MAIL_DEADLINE):
        log.critical("incident_unsent", kind=one.kind, key=one.key, detail=one.detail)
