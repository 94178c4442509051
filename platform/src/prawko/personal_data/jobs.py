"""The job that applies the retention rules. It may be interrupted and started again."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from uuid import UUID

from prawko.accounts.errors import LastOperatorError
from prawko.kit.clock import MAX_CLOCK_SKEW, utc_now
from prawko.kit.context import AppContext
from prawko.kit.observability import logs
from prawko.kit.work.jobs import job
from prawko.kit.work.leased_work import run_each, run_work
from prawko.personal_data.erasure import CompanyNotFoundError, erase_company
from prawko.personal_data.repository import RetentionRepository, load_cooperation_end
from prawko.personal_data.retention import (
    COMPANY_RULES,
    GLOBAL_RULES,
    UNVERIFIED_ACCOUNT_AGE,
    erasure_due_at,
    first_kept_check_day,
)
from prawko_tenants.ids import TenantId, UserId
from prawko_tenants.partitions import drop_months
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)

MAX_RUN_TIME = timedelta(seconds=20)
NIL_ID = UUID(int=0)


class RetentionSweep:
    """Visits the companies in the order of their ids, some per run, and starts over at the end.

    The position is kept in memory: a new process starts at the first company.
    """

    def __init__(self) -> None:
        self._last_tenant_id = NIL_ID

    async def step(self, context: AppContext) -> None:
        """Purge companies until MAX_RUN_TIME has passed or all have been visited."""
        deadline = utc_now() + MAX_RUN_TIME

        async def claim(room: int) -> Sequence[TenantId]:
            if utc_now() >= deadline:
                return ()
            async with context.database.system() as session:
                tenant_ids = await RetentionRepository(session).list_companies(
                    self._last_tenant_id, limit=room
                )
            self._last_tenant_id = tenant_ids[-1] if tenant_ids else NIL_ID
            return tenant_ids

        purge = partial(_purge_tenant, context)
        await run_work(context, claim=claim, handle=purge, on_error=_log_failure, limit=1)


@job(timeout=300)
async def apply_retention(context: AppContext) -> None:
    """Delete the rows, accounts and companies whose retention period is over."""
    system_now, now = utc_now(), context.clock.now()
    async with context.database.system() as session:
        retention = RetentionRepository(session)
        for rule in GLOBAL_RULES:
            deleted = await retention.purge_rows(rule, rule.cutoff(now, system_now))
            if deleted:
                log.info("rows_purged", table=rule.table, rows=deleted)
        await retention.delete_former_members()
    await _delete_unverified(context)
    await context.components.get(RetentionSweep).step(context)
    if context.must_stop():
        return
    # PostgreSQL refuses by its own clock to drop a year too early, because this machine's clock
    # may be ahead. A product clock that was set back keeps more.
    earliest = min(now, system_now) - MAX_CLOCK_SKEW
    async with context.database.system() as session:
        months = await drop_months(session, first_kept_check_day(earliest))
    if months:
        log.info("partitions_dropped", months=months)


async def _delete_unverified(context: AppContext) -> None:
    """Delete accounts that never verified their address, with the companies they created."""
    before = context.clock.now() - UNVERIFIED_ACCOUNT_AGE
    async with context.database.system() as session:
        accounts = await RetentionRepository(session).list_unverified(before)

    async def delete(user_id: UserId, tenant_id: TenantId | None) -> None:
        if tenant_id is None:
            async with context.database.system() as session:
                await RetentionRepository(session).delete_unverified(user_id, before)
            return
        async with context.database.tenant(tenant_id) as session:
            if await RetentionRepository(session).lock_unverified(tenant_id, before):
                await _erase_company(session)

    await run_each(context, accounts, delete, failure="account_not_deleted")


async def _log_failure(tenant_id: TenantId, error: Exception) -> bool:
    log.error("company_not_purged", tenant_id=str(tenant_id), exc_info=error)
    return True  # the others' data is still deleted


async def _purge_tenant(context: AppContext, tenant_id: TenantId) -> None:
    now = context.clock.now()
    async with context.database.tenant(tenant_id) as session:
        ended = await load_cooperation_end(session)
        if ended is not None and erasure_due_at(ended) <= now:
            await _erase_company(session)
            return
        retention = RetentionRepository(session)
        for rule in COMPANY_RULES:
            await retention.purge_rows(rule, rule.cutoff(now, utc_now()), tenant_id)
        await retention.purge_old_results(tenant_id, first_kept_check_day(now))


async def _erase_company(session: TenantSession) -> None:
    try:
        await erase_company(session)
    except CompanyNotFoundError:
        pass  # erased concurrently
    except LastOperatorError:
        log.warning("company_erasure_refused", tenant_id=str(session.tenant_id))
