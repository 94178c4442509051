"""Reports problems with payments to the operators, as incidents."""

from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.base.jobs import job
from prawko.deliveries.jobs import deliver_pending
from prawko.incidents.provider_pauses import sync_pause_incidents
from prawko.incidents.service import set_incident
from prawko.payments.discrepancies import open_discrepancy_incidents
from prawko.payments.repository import count_stuck
from prawko_tenants.sessions import SystemSession

ACCOUNT_REFUSED_INCIDENT = "payments_refused"
STUCK_PAYMENTS_INCIDENT = "payments_waiting"
STUCK_AFTER_ATTEMPTS = 8  # a little over an hour


@job(timeout=60)
async def report_payment_incidents(context: AppContext) -> None:
    """Open and close the incidents of discrepancies, paused providers and stuck payments."""
    async with context.database.system() as session:
        opened = await open_discrepancy_incidents(session, context.clock.now(), utc_now())
        opened += await sync_pause_incidents(
            session, ACCOUNT_REFUSED_INCIDENT, context.plugins.payments, utc_now()
        )
        opened += await _sync_stuck_incidents(context, session)
        if opened:
            context.enqueue_on_commit(session, deliver_pending)


async def _sync_stuck_incidents(context: AppContext, session: SystemSession) -> int:
    """Open or close one incident for each provider; returns how many were opened."""
    now, opened = utc_now(), 0
    counts = await count_stuck(session, context.plugins.payments, STUCK_AFTER_ATTEMPTS)
    for provider in {*context.plugins.payments, *counts}:
        count = counts.get(provider, 0)
        opened += await set_incident(
            session,
            kind=STUCK_PAYMENTS_INCIDENT,
            key=provider,
            is_active=count > 0,
            detail=f"{count} payments or webhook events are waiting",
            now=now,
        )
    return opened
