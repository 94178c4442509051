"""The job that tells operators what does not add up, and which provider refuses our account."""

from prawko.base.clock import machine_now
from prawko.base.jobs import Tools, job
from prawko.deliveries.jobs import deliver_pending
from prawko.payments.findings import tell
from prawko.payments.pauses import tell_of_pauses


@job(timeout=60)
async def tell_of_payments(tools: Tools) -> None:
    """Open the incidents of what was found since; one mail each. May run twice."""
    async with tools.database.system() as session:
        told = await tell(session, tools.clock.now(), machine_now())
        told += await tell_of_pauses(session, tools.plugins.payments, machine_now())
    if told:
        await tools.queue.put(deliver_pending)
