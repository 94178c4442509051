"""Jobs of the log of acts: its nightly verification, and the ends of impersonations."""

from datetime import datetime, time, timedelta

from prawko.accounts.acts.chain_repository import ActionChainRepository
from prawko.accounts.acts.chain_verification import verify_chain
from prawko.accounts.acts.impersonation_ends import record_impersonation_ends
from prawko.kit.clock import WARSAW, utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.service import set_incident
from prawko.kit.work.jobs import job

AUDIT_CHAIN_BROKEN = "audit_chain_broken"
VERIFICATION_TIME = time(3)  # in Warsaw; sooner when a night was missed


@job(timeout=600)
async def verify_action_chain(context: AppContext) -> None:
    """Verify the chain once a night; its incident lasts as long as it is broken."""
    now = utc_now()
    async with context.database.system() as session:
        chain = ActionChainRepository(session)
        last = await chain.find_last_check()
        if last is not None and last.checked_at >= last_verification_time(now):
            return
        report = await verify_chain(chain.stream_links(), await chain.find_known_head())
        await chain.add_check(report, now)
        await set_incident(
            session,
            kind=AUDIT_CHAIN_BROKEN,
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
