"""The first check of a document: `verifications`, above, registers the job that makes it."""

from typing import Any

from prawko.base.context import AppContext, QueuedJob
from prawko_tenants.sessions import TenantSession


class _FirstCheck:
    """The registered job; a process without one leaves the check to the reconciler."""

    def __init__(self) -> None:
        self.job: QueuedJob[Any] | None = None


def register_first_check(context: AppContext, job: QueuedJob[Any]) -> None:
    """Set the job that checks the new documents of a company; its argument is `tenant_id`."""
    context.components.get(_FirstCheck).job = job


def request_first_check(context: AppContext, session: TenantSession) -> None:
    """Have the company's new documents checked at once, after the session's commit."""
    job = context.components.get(_FirstCheck).job
    if job is not None:
        context.enqueue_on_commit(session, job, tenant_id=session.tenant_id)
