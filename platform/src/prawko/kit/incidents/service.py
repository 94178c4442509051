"""Opens, closes and logs incidents; the operators get a mail when one begins and when it ends.

A condition that returns within REOPENING_PERIOD is the same incident, so the end is mailed when
that period has passed: a condition that changes faster causes two mails in all. Because mail itself
may fail, an incident is also logged as critical, repeatedly while its mail cannot be sent, and
listed by `prawko incidents`.
"""

from datetime import datetime, timedelta

from prawko.hooks.channels import Medium
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.repository import MAIL_KEY_PREFIX, IncidentRepository
from prawko.kit.observability import logs
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.service import enqueue_messages
from prawko_tenants.sessions import TenantAwareSession

log = logs.get_logger(__name__)

OPERATOR_MAIL = "operator"
OPERATOR_END_MAIL = "operator_end"
END_MAIL_KEY_PREFIX = "operator-end:"
MAIL_DEADLINE = timedelta(minutes=10)
REOPENING_PERIOD = timedelta(minutes=10)


async def open_incident(
    session: TenantAwareSession,
    *,
    kind: str,
    key: str,
    detail: Detail | str,
    now: datetime,
    system_now: datetime | None = None,
) -> None:
    """Open an incident and enqueue its mail, unless it is open already or opens again.

    The mail's words are the text `mails.operator.kinds.<kind>`. `detail` must not contain
    personal data: it is mailed and logged; as a text it is figures, or a provider's words.
    `system_now` is for a caller whose clock is wrong.
    """
    incidents = IncidentRepository(session)
    if await incidents.reopen(kind, key, detail, now - REOPENING_PERIOD):
        log.critical("incident_reopened", kind=kind, key=key, detail=str(detail))
        return
    incident_id = await incidents.open(kind, key, detail, now)
    if incident_id is None:
        return
    log.critical("incident_opened", kind=kind, key=key, detail=str(detail))
    mail = OutboxMessage(
        kind=OPERATOR_MAIL,
        medium=Medium.EMAIL,
        key=f"{MAIL_KEY_PREFIX}{incident_id}",
        subject_id=incident_id,
    )
    await enqueue_messages(session, [mail], now=system_now)


async def close_incident(
    session: TenantAwareSession, *, kind: str, key: str, now: datetime
) -> None:
    """Close the open incident of a kind and key, if there is one."""
    if await IncidentRepository(session).close(kind, key, now):
        log.info("incident_closed", kind=kind, key=key)


async def report_ended_incidents(session: TenantAwareSession, now: datetime) -> None:
    """Enqueue the mails about incidents that have ended for good.

    Mark and mail are of one transaction: each end is mailed once.
    """
    ended = await IncidentRepository(session).mark_ends_reported(now - REOPENING_PERIOD, now)
    mails = [
        OutboxMessage(
            kind=OPERATOR_END_MAIL,
            medium=Medium.EMAIL,
            key=f"{END_MAIL_KEY_PREFIX}{incident_id}",
            subject_id=incident_id,
        )
        for incident_id in ended
    ]
    await enqueue_messages(session, mails)


async def set_incident(
    session: TenantAwareSession,
    *,
    kind: str,
    key: str,
    is_active: bool,
    detail: Detail | str,
    now: datetime,
) -> None:
    """Open the incident if it is active, else close it."""
    if is_active:
        await open_incident(session, kind=kind, key=key, detail=detail, now=now)
    else:
        await close_incident(session, kind=kind, key=key, now=now)
