"""Jobs of accounts."""

from prawko.accounts.rate_limits import FULL_MAILBOXES, AccountLimits, sync_limit_incident
from prawko.base.context import AppContext
from prawko.base.jobs import job


@job(timeout=30)
async def watch_mailbox_limit(context: AppContext) -> None:
    """Keep an operator incident open for a day after a mailbox had as many mails as it may."""
    limit = AccountLimits(context.settings).mails_per_mailbox
    await sync_limit_incident(
        context, FULL_MAILBOXES, kind="mailbox_full", detail=f"MAILS_PER_MAILBOX={limit.max_tries}"
    )
