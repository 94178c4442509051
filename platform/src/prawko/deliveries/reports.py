"""Works on the carriers' reports: what became of a message, and what follows for its reader.

One event, one transaction. Of one message the worst word stands, so that the order in which
reports come, and how often, makes no difference. SQL of that one theme.
"""

import re
from datetime import datetime

import msgspec
from sqlalchemy import text

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.base.secrets import LostKeyError
from prawko.deliveries.backoff import wait_after
from prawko.deliveries.composing import Addresses, Due
from prawko.deliveries.inbox import Inbox, Outcome, Waiting
from prawko.hooks.channels import Medium, Report, ReportingChannel, ReportKind
from prawko_tenants.sessions import BatchSession

log = logs.logger(__name__)

MOST_ATTEMPTS = 20
LONGEST_REASON = 300
_PERSONAL = re.compile(r"\S+@\S+|\+?[0-9][0-9 -]{6,}[0-9]")

# A carrier that reports on a message has taken it, even if we never heard so at the time. The
# order of the words is that of ReportKind: the worse one stays.
_NOTE = text("""
    UPDATE delivery
       SET report = :report, reported_at = :at, error = coalesce(:reason, error),
           state = 'sent', sent_at = coalesce(sent_at, :now), sealed = NULL, lease_until = NULL
     WHERE key = :key AND channel_medium = :medium
       AND (carrier_ref IS NULL OR carrier_ref = coalesce(:carrier_ref, carrier_ref))
       AND coalesce(array_position(CAST(:words AS text[]), report), 0)
           < array_position(CAST(:words AS text[]), :report)
    RETURNING id, tenant_id, kind, user_id, notice_id, subject_id, key
""")
_KNOWN = text("""
    SELECT 1 FROM delivery
     WHERE key = :key AND channel_medium = :medium
       AND (carrier_ref IS NULL OR carrier_ref = coalesce(:carrier_ref, carrier_ref))
""")


def reporting(tools: Tools) -> dict[str, ReportingChannel]:
    """The channels whose carriers report, by name; chosen for sending or no longer."""
    return {
        name: channel
        for name, channel in tools.plugins.channels.items()
        if isinstance(channel, ReportingChannel)
    }


async def work_on_reports(tools: Tools, addresses: Addresses) -> int:
    """Work on what waits in the inbox; returns how many events were looked at."""
    media = {name: channel.medium for name, channel in reporting(tools).items()}
    worked_on = 0
    while media and not tools.stopping and await _work_on_next(tools, addresses, media):
        worked_on += 1
    return worked_on


async def _work_on_next(tools: Tools, addresses: Addresses, media: dict[str, Medium]) -> bool:
    event: Waiting | None = None
    try:
        async with tools.database.batch() as session:
            inbox = Inbox(session)
            event = await inbox.next(media, machine_now())
            if event is None:
                return False
            outcome = await _apply(session, tools, addresses, event, media[event.provider])
            await inbox.done(event, outcome, machine_now())
    except Exception as error:  # the edge of a job: one event must not hold up the others
        if event is None:
            raise
        await _put_off(tools, event, error)
    else:
        log.info("report_worked_on", provider=event.provider, outcome=outcome.value)
    return True


async def _apply(
    session: BatchSession, tools: Tools, addresses: Addresses, event: Waiting, medium: Medium
) -> Outcome:
    try:
        report = msgspec.json.decode(event.opened(tools.vault), type=Report)
    except LostKeyError:
        return Outcome.UNREADABLE
    due = await _note(session, report, medium, machine_now())
    if due is None:
        about = {"key": report.key, "medium": medium.value, "carrier_ref": report.carrier_ref}
        known = await session.scalar(_KNOWN, about)
        return Outcome.UNKNOWN if known is None else Outcome.REPEATED
    if due.tenant_id is not None:
        await session.bind(due.tenant_id)
    if report.kind is ReportKind.DELIVERED:
        await addresses.reached(session, due)
    else:
        log.warning("delivery_reported", delivery_id=str(due.id), report=report.kind.value)
        await addresses.reported(session, due, report, without_persons(report.reason))
    return Outcome.APPLIED


async def _note(session: BatchSession, report: Report, medium: Medium, now: datetime) -> Due | None:
    """Note the report beside its message; None when it says nothing new of any of ours."""
    rows = await session.execute(
        _NOTE,
        {
            "report": report.kind.value,
            "at": report.at,
            "reason": without_persons(report.reason) or None,
            "now": now,
            "key": report.key,
            "medium": medium.value,
            "carrier_ref": report.carrier_ref,
            "words": [kind.value for kind in ReportKind],
        },
    )
    noted = rows.mappings().one_or_none()
    return msgspec.convert({**noted, "medium": medium}, Due) if noted is not None else None


async def _put_off(tools: Tools, event: Waiting, error: Exception) -> None:
    attempts = event.attempts + 1
    log.error("report_put_off", provider=event.provider, attempts=attempts, exc_info=error)
    async with tools.database.system() as session:
        inbox = Inbox(session)
        if attempts >= MOST_ATTEMPTS:
            await inbox.done(event, Outcome.GIVEN_UP, machine_now())
        else:
            await inbox.put_off(event, machine_now() + wait_after(attempts))


def without_persons(reason: str) -> str:
    """A carrier's reason without addresses and numbers, which carriers like to repeat."""
    return _PERSONAL.sub("…", " ".join(reason.split()))[:LONGEST_REASON]
