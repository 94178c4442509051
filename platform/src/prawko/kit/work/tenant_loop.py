"""The loop of a periodic job over the companies that have something due."""

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar
from uuid import UUID

from structlog.stdlib import BoundLogger

from prawko.kit.context import AppContext
from prawko_tenants.ids import TenantId

DueId = TypeVar("DueId", bound=UUID)


async def process_due(
    context: AppContext,
    due: Iterable[tuple[TenantId, DueId]],
    process: Callable[[TenantId, DueId], Awaitable[object]],
    *,
    log: BoundLogger,
    failure: str,
    id_name: str,
) -> None:
    """Process each company's row in turn.

    Stops at a shutdown. One company's failure must not stop the others: it is logged as the
    event `failure`, with the row's id as `id_name`.
    """
    for tenant_id, due_id in due:
        if context.must_stop():
            break
        try:
            await process(tenant_id, due_id)
        except Exception:
            log.exception(failure, tenant_id=tenant_id, **{id_name: due_id})
