"""Jobs of the log of acts: its nightly verification, and the ends of impersonations."""

from datetime import datetime, time, timedelta
from typing import Literal

from sqlalchemy import Uuid, case, cast, exists, func, or_, select, true
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from prawko.accounts.acts.chain_verification import ActChainRepository, verify_chain
from prawko.accounts.acts.models import AdminAction, AdminActionType
from prawko.accounts.audit_log import AuditEvent
from prawko.accounts.authentication import OPERATOR_LIMITS
from prawko.accounts.models import LoginSession, UserActivity
from prawko.kit.clock import WARSAW, utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.service import set_incident
from prawko.kit.work.jobs import job
from prawko_tenants.ids import SessionId
from prawko_tenants.sessions import SystemSession

ACT_CHAIN_BROKEN = "audit_chain_broken"  # as stored; of acts, not of the audit log
VERIFICATION_TIME = time(3)  # in Warsaw; sooner when a night was missed

# Longer than an outage of all workers; an impersonation lasts an hour at most.
SEARCH_PERIOD = timedelta(days=30)

LOCK_PATIENCE = "500ms"  # less than PostgreSQL waits before it looks for a deadlock

EndKind = Literal["left", "expired", "revoked"]


@job(timeout=600)
async def verify_action_chain(context: AppContext) -> None:
    """Verify the chain once a night; its incident lasts as long as it is broken."""
    now = utc_now()
    async with context.database.system() as session:
        chain = ActChainRepository(session)
        last = await chain.find_last_check()
        if last is not None and last.checked_at >= last_verification_time(now):
            return
        report = await verify_chain(chain.stream_links(), await chain.find_known_head())
        await chain.add_check(report, now)
        await set_incident(
            session,
            kind=ACT_CHAIN_BROKEN,
            key="admin_action",
            is_active=report.broken_at is not None,
            detail=Detail("chain_broken", {"number": report.broken_at or 0}),
            now=now,
        )


@job(timeout=60)
async def record_ended_impersonations(context: AppContext) -> None:
    """Record the impersonations that ended since the last run."""
    async with context.database.system() as session:
        await record_impersonation_ends(session, context.clock.now(), utc_now())


def last_verification_time(now: datetime) -> datetime:
    """Return when the chain was last due to be verified."""
    local = now.astimezone(WARSAW)
    due = datetime.combine(local.date(), VERIFICATION_TIME, WARSAW)
    return due if due <= local else due - timedelta(days=1)


async def record_impersonation_ends(
    session: SystemSession, now: datetime, system_now: datetime
) -> None:
    """Record the impersonations that ended. Needs the worker's login.

    The way back, the time limit, and everything that revokes or deletes a session or an account
    end an impersonation: its end is found from its recorded start, so that none is forgotten.

    The row of an end has the id of the impersonation's session: two workers record it once.
    Acts lock accounts before the log, and a row here locks them after it: rather than block acts,
    this gives up, and the next run records the ends. Raises DBAPIError then.
    """
    await session.execute(select(func.set_config("lock_timeout", LOCK_PATIENCE, true())))
    for start, session_id, kind in await _list_ended(session, now, system_now):
        ended = insert(AdminAction).values(
            id=session_id, admin_id=start.admin_id, target_user_id=start.target_user_id,
            tenant_id=start.tenant_id, action_type=AdminActionType.IMPERSONATION_ENDED,
            details={"how": kind, "impersonation": str(session_id)},
            ip="", agent="", created_at=now,
        )  # fmt: skip
        await session.execute(ended.on_conflict_do_nothing(index_elements=[AdminAction.id]))


async def _list_ended(
    session: SystemSession, now: datetime, system_now: datetime
) -> list[tuple[AdminAction, SessionId, EndKind]]:
    end = aliased(AdminAction)
    session_id = cast(AdminAction.details["impersonation"].astext, Uuid)
    has_left = exists(UserActivity.user_id).where(
        UserActivity.user_id == AdminAction.target_user_id,
        UserActivity.activity_type == AuditEvent.IMPERSONATION_ENDED,
        UserActivity.details["session"].astext == AdminAction.details["impersonation"].astext,
    )
    is_revoked = or_(LoginSession.id.is_(None), LoginSession.revoked_at.is_not(None))
    kind = case((has_left, "left"), (is_revoked, "revoked"), else_="expired")
    statement = (
        select(AdminAction, session_id, kind)
        .outerjoin(LoginSession, LoginSession.id == session_id)
        .where(
            AdminAction.action_type == AdminActionType.IMPERSONATION_STARTED,
            AdminAction.created_at > now - SEARCH_PERIOD,
            # The starts that the release before recorded name no session.
            AdminAction.details["impersonation"].astext.is_not(None),
            ~exists().where(end.id == session_id),
            or_(
                is_revoked,
                LoginSession.expires_at <= system_now,
                LoginSession.last_seen_at <= system_now - OPERATOR_LIMITS.idle_timeout,
            ),
        )
        .order_by(AdminAction.sequence)
    )
    rows = await session.execute(statement)
    return [(start, SessionId(id_), how) for start, id_, how in rows]
