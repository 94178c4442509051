"""Reports problems with payments to the operators, as incidents."""

from collections import Counter

from prawko import limits
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.deliveries.delivery_reports import reporting_channels
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.provider_pauses import sync_pause_incidents
from prawko.kit.incidents.service import set_incident
from prawko.kit.webhooks.repository import WebhookEventRepository
from prawko.kit.work.jobs import job
from prawko.payments.discrepancies import open_discrepancy_incidents
from prawko.payments.repository import PaymentRepository
from prawko_tenants.sessions import SystemSession

ACCOUNT_REFUSED_INCIDENT = "payments_refused"
STUCK_PAYMENTS_INCIDENT = "payments_waiting"
REFUSED_WEBHOOKS_INCIDENT = "webhooks_refused"
STUCK_AFTER_ATTEMPTS = 8  # a little over an hour


@job(timeout=60)
async def report_payment_incidents(context: AppContext) -> None:
    """Open and close the incidents of discrepancies, providers, stuck payments and webhooks."""
    async with context.database.system() as session:
        await open_discrepancy_incidents(session, context.clock.now(), utc_now())
        await sync_pause_incidents(
            session, ACCOUNT_REFUSED_INCIDENT, context.plugins.payments, utc_now()
        )
        await _sync_stuck_incidents(context, session)
        await _sync_refused_webhooks(context, session)


async def _sync_stuck_incidents(context: AppContext, session: SystemSession) -> None:
    """Open or close one incident for each provider."""
    now, providers = utc_now(), context.plugins.payments
    counts = Counter(await PaymentRepository(session).count_stuck(providers, STUCK_AFTER_ATTEMPTS))
    counts.update(
        await WebhookEventRepository(session).count_stuck(providers, STUCK_AFTER_ATTEMPTS)
    )
    for provider in {*providers, *counts}:
        await set_incident(
            session,
            kind=STUCK_PAYMENTS_INCIDENT,
            key=provider,
            is_active=counts[provider] > 0,
            detail=Detail("payments_waiting", {"count": counts[provider]}),
            now=now,
        )


async def _sync_refused_webhooks(context: AppContext, session: SystemSession) -> None:
    """Open or close one incident for each payment provider and carrier that calls us."""
    for provider in {*context.plugins.payments, *reporting_channels(context)}:
        refused = await context.throttle.usage(limits.REFUSED_WEBHOOKS, provider)
        await set_incident(
            session,
            kind=REFUSED_WEBHOOKS_INCIDENT,
            key=provider,
            is_active=refused >= limits.REFUSED_WEBHOOKS.max_tries,
            detail=Detail("webhooks_refused", {"count": refused}),
            now=utc_now(),
        )
