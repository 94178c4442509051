"""Notices about the month before: checks, alarms, how soon the company acted, who may not drive."""

from datetime import date, datetime
from functools import partial

from sqlalchemy import and_, exists, func, or_, select
from sqlalchemy.dialects.postgresql import distinct_on

from prawko.billing.models import monitored_company
from prawko.drivers.models import Acknowledgement, Driver, EntryKind, MayDrive
from prawko.drivers.needed_categories import Validity
from prawko.kit.clock import warsaw_date, warsaw_midnight
from prawko.kit.context import AppContext
from prawko.kit.work.jobs import job
from prawko.kit.work.leased_work import run_each
from prawko.notifications.catalogue import CATALOGUE, NoticeKind
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.models import Notice
from prawko.notifications.payloads import MonthPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.verifications.models import Verification
from prawko.verifications.month_figures import (
    DriverTime,
    find_due_month,
    median_minutes,
    next_month,
    reaction_minutes,
)
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import TenantSession

_STATE_KINDS = [spec.kind for spec in CATALOGUE.values() if spec.is_of_present_state]
# Of a withheld licence, whose notices of earlier releases carry no answer, the kind is enough.
_IS_ALARM = or_(
    Notice.kind == NoticeKind.WITHHELD,
    and_(
        Notice.kind.in_(_STATE_KINDS), Notice.params["may_drive"].as_string() == MayDrive.NO.value
    ),
)


@job(timeout=600)
async def send_month_summaries(context: AppContext) -> None:
    """Notify each monitored company of the month before, once; the notice itself is the mark."""
    now = context.clock.now()
    month = find_due_month(now)
    if month is None:
        return
    async with context.database.planner() as planner:
        tenant_ids = await planner.scalars(
            select(monitored_company.c.tenant_id).where(monitored_company.c.monitored_until > now)
        )
        due = [(TenantId(one),) for one in tenant_ids]
    process = partial(_process_company, context, month, now)
    await run_each(context, due, process, failure="month_summary_failed")


async def _process_company(
    context: AppContext, month: date, now: datetime, tenant_id: TenantId
) -> None:
    key = f"{month:%Y-%m}"
    is_sent = exists().where(Notice.kind == NoticeKind.MONTH_SUMMARY, Notice.dedup_key == key)
    async with context.database.tenant(tenant_id) as session:
        if await session.scalar(select(is_sent)):
            return
        payload = await _load_month(session, month, now)
        if payload is None:
            return
        draft = NoticeDraft(kind=NoticeKind.MONTH_SUMMARY, dedup_key=key, payload=payload)
        policy = ChannelPolicy.from_settings(context.settings)
        await publish_notices(session, tenant_id, [draft], policy=policy, now=now)


async def _load_month(session: TenantSession, month: date, now: datetime) -> MonthPayload | None:
    """Return the figures; None without drivers, or of a month of which the checks are not whole."""
    start, end = warsaw_midnight(month), warsaw_midnight(next_month(month))
    # First, so that a company that is new this month has no checks counted every hour.
    if not await session.scalar(select(exists().where(Verification.verified_at < start))):
        return None
    in_month = (Verification.verified_at >= start, Verification.verified_at < end)
    checks = await session.scalar(select(func.count()).select_from(Verification).where(*in_month))
    rows = await session.execute(select(Driver.status, Driver.valid_until))
    answers = [Validity(*row).may_drive(warsaw_date(now)) for row in rows]
    if not checks or not answers:
        return None
    alarms = await session.execute(
        select(Notice.driver_id, Notice.created_at).where(
            Notice.created_at >= start, Notice.created_at < end,
            Notice.driver_id.is_not(None), _IS_ALARM,
        )
    )  # fmt: skip
    listed = [(driver_id, at) for driver_id, at in alarms if driver_id is not None]
    minutes = reaction_minutes(listed, await _list_acts(session, start))
    return MonthPayload(
        month=month,
        checks=checks,
        alarms=len(listed),
        acts=len(minutes),
        median_minutes=median_minutes(minutes),
        may_not_drive=answers.count(MayDrive.NO),
    )


async def _list_acts(session: TenantSession, start: datetime) -> list[DriverTime]:
    """Return the acknowledgements since then that were not withdrawn."""
    made = Acknowledgement
    last = (
        select(made.driver_id, made.created_at, made.kind)
        .where(made.created_at >= start)
        .ext(distinct_on(made.driver_id, made.since))
        .order_by(made.driver_id, made.since, made.entry.desc())
    )
    return [
        (driver_id, at)
        for driver_id, at, kind in await session.execute(last)
        if kind == EntryKind.ACKNOWLEDGED
    ]
