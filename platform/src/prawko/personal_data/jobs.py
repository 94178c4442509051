"""The job that lets go of what may be kept no longer. It may be stopped and begun anew."""

from datetime import timedelta
from uuid import UUID

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools, job
from prawko.personal_data.erasure import LastOperatorError, NoSuchCompanyError, erase_company
from prawko.personal_data.repository import Retention, cooperation_ended
from prawko.personal_data.retention import (
    OF_A_COMPANY,
    OF_NOBODY,
    UNVERIFIED_ACCOUNTS,
    YOUNGEST_CONCERNED,
    checks_kept_from,
    erased_from,
)
from prawko_tenants.ids import TenantId
from prawko_tenants.partitions import drop_months
from prawko_tenants.sessions import TenantSession

log = logs.logger(__name__)

SHIFT = timedelta(seconds=20)
START = UUID(int=0)


class Walk:
    """Goes through the companies, a shift at a time, and begins again after the last.

    Where it stands is remembered by the process alone: a new one begins at the first.
    """

    def __init__(self) -> None:
        self._after = START

    async def go_on(self, tools: Tools) -> None:
        """Visit companies until the shift is over, or all have been."""
        home = machine_now() + SHIFT
        while not tools.stopping and machine_now() < home:
            async with tools.database.system() as session:
                some = await Retention(session).companies(
                    self._after, tools.clock.now() - YOUNGEST_CONCERNED
                )
            for tenant_id in some:
                await _visit(tools, tenant_id)
                self._after = tenant_id
            if not some:
                self._after = START
                return


_walk = Walk()


@job(timeout=300)
async def forget_what_is_due(tools: Tools) -> None:
    """Apply the rules of retention."""
    now = tools.clock.now()
    async with tools.database.system() as session:
        retention = Retention(session)
        for rule in OF_NOBODY:
            forgotten = await retention.forget(rule, rule.before(now, machine_now()))
            if forgotten:
                log.info("rows_forgotten", table=rule.table, rows=forgotten)
    await _forget_unverified(tools)
    await _walk.go_on(tools)
    # The database judges by the machine's clock. A product's clock that is moved back keeps more.
    async with tools.database.system() as session:
        months = await drop_months(session, checks_kept_from(min(now, machine_now())))
    if months:
        log.info("months_forgotten", months=months)


async def _forget_unverified(tools: Tools) -> None:
    """Delete accounts whose address was never proved, with the companies they founded."""
    before = tools.clock.now() - UNVERIFIED_ACCOUNTS
    async with tools.database.system() as session:
        found = await Retention(session).unverified(before)
    for user_id, tenant_id in found:
        if tenant_id is None:
            async with tools.database.system() as session:
                await Retention(session).leave(user_id, before)
        else:
            async with tools.database.tenant(tenant_id) as session:
                if await Retention(session).hold_unverified(tenant_id, before):
                    await _erase(session)


async def _visit(tools: Tools, tenant_id: TenantId) -> None:
    now = tools.clock.now()
    async with tools.database.tenant(tenant_id) as session:
        ended = await cooperation_ended(session)
        if ended is not None and erased_from(ended) <= now:
            await _erase(session)
            return
        retention = Retention(session)
        for rule in OF_A_COMPANY:
            await retention.forget_of(tenant_id, rule, rule.before(now, machine_now()))
        await retention.forget_old_states(tenant_id, checks_kept_from(now))


async def _erase(session: TenantSession) -> None:
    try:
        await erase_company(session)
    except NoSuchCompanyError:
        pass  # somebody else was here first
    except LastOperatorError:
        log.warning("last_operator_kept", tenant_id=str(session.tenant_id))
