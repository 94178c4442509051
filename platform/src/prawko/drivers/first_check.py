"""The first check of a document: how many of them a company may have, and the request for one.

Each is a query of the register that no other limit covers. A company that repeatedly added and
removed drivers, or changed their numbers, would otherwise use the whole rate, and could try names.
A job of `verifications`, the domain above, makes the check.
"""

from typing import Any

import msgspec

from prawko import limits
from prawko.kit.context import AppContext, QueuedJob
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import TenantSession


async def count_documents(
    context: AppContext, tenant_id: TenantId, driver_limit: int, number: int = 1
) -> None:
    """Count the drivers that a company adds, imports or edits, by what it may have.

    Called before the caller's session has taken a connection. More than the company may have
    count as that many: they are refused for another reason. Raises TooManyRequestsError.
    """
    limit = limits.new_documents(driver_limit)
    await context.throttle.hit(limit, str(tenant_id), number=min(number, driver_limit))


class FirstCheckHandler(msgspec.Struct, frozen=True):
    """The job that checks the new documents of a company; its argument is `tenant_id`."""

    job: QueuedJob[Any]


def request_first_check(context: AppContext, session: TenantSession) -> None:
    """Have the company's new documents checked at once, after the session's commit."""
    job = context.components.get(FirstCheckHandler).job
    context.enqueue_on_commit(session, job, tenant_id=session.tenant_id)
