"""Checks the new documents of one company at once, while a run is in progress as well.

Their items are the run's own, so that none is queried twice. Only the slots come from the lane of
the manual checks, which a run does not use (docs/rules.md R12a).
"""

from datetime import date, timedelta

from prawko.kit.context import AppContext
from prawko.verifications.daily.repository import count_new_documents
from prawko.verifications.daily.worker import MAX_LEASE, CheckWorker, WorkerSlots
from prawko.verifications.register.rate_limiter import MANUAL
from prawko_tenants.ids import TenantId

# The rest of a long import is checked by the workers of the run.
MAX_FIRST_CHECK_TIME = timedelta(seconds=20)


class FirstCheckWorker(CheckWorker):
    """Checks the drivers of one company that have no outcome yet."""

    lane = MANUAL
    # In seconds; less than a manual check waits for a slot, so that manual checks always get slots.
    horizon = 1.0

    def __init__(self, context: AppContext, day: date, tenant_id: TenantId) -> None:
        super().__init__(context, day)
        self._new_documents_of = self._tenant_id = tenant_id

    async def _count_slots(self) -> int:
        now = self._context.clock.now()
        count = await count_new_documents(self._context.database, self._day, now, self._tenant_id)
        return min(count, MAX_LEASE)


class FirstCheckSlots(WorkerSlots):
    """Limits the first checks of this process, beside the workers of the run."""

    limit = 2
