"""The job that tells operators what does not add up, and which provider fails us."""

from prawko.base.clock import machine_now
from prawko.base.jobs import Tools, job
from prawko.deliveries.incidents import close_incident, open_incident
from prawko.deliveries.jobs import deliver_pending
from prawko.payments.findings import tell
from prawko.payments.pauses import tell_of_pauses
from prawko.payments.repository import waiting
from prawko_tenants.sessions import SystemSession

PAYMENTS_WAITING = "payments_waiting"
PATIENCE = 8  # questions in vain: a little over an hour


@job(timeout=60)
async def tell_of_payments(tools: Tools) -> None:
    """Open the incidents of what was found since; one mail each. May run twice."""
    async with tools.database.system() as session:
        told = await tell(session, tools.clock.now(), machine_now())
        told += await tell_of_pauses(session, tools.plugins.payments, machine_now())
        told += await _tell_of_waiting(tools, session)
    if told:
        await tools.queue.put(deliver_pending)


async def _tell_of_waiting(tools: Tools, session: SystemSession) -> int:
    """One incident for each provider whose payments or calls wait in vain."""
    now, opened = machine_now(), 0
    in_vain = await waiting(session, tools.plugins.payments, PATIENCE)
    for provider in {*tools.plugins.payments, *in_vain}:
        about = {"kind": PAYMENTS_WAITING, "key": provider}
        if (count := in_vain.get(provider, 0)) == 0:
            await close_incident(session, **about, now=now)
            continue
        detail = f"{count} payments or calls wait"
        opened += await open_incident(session, **about, detail=detail, now=now)
    return opened
