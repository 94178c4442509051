"""The first check of a document, made by a job of `verifications`, the domain above."""

from typing import Any

import msgspec

from prawko.kit.context import AppContext, QueuedJob
from prawko_tenants.sessions import TenantSession


class FirstCheckHandler(msgspec.Struct, frozen=True):
    """The job that checks the new documents of a company; its argument is `tenant_id`."""

    job: QueuedJob[Any]


def request_first_check(context: AppContext, session: TenantSession) -> None:
    """Have the company's new documents checked at once, after the session's commit."""
    job = context.components.get(FirstCheckHandler).job
    context.enqueue_on_commit(session, job, tenant_id=session.tenant_id)
