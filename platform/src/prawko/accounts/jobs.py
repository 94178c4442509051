"""Jobs that keep incidents open while limits of accounts are reached."""

from prawko import limits
from prawko.accounts.phone_verification import phone_codes_per_day
from prawko.kit.context import AppContext
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.service import set_incident
from prawko.kit.rate_limit import GLOBAL_SUBJECT, RateLimit
from prawko.kit.work.jobs import job


@job(timeout=30)
async def watch_mailbox_limit(context: AppContext) -> None:
    """Keep an operator incident open for a day after a mailbox had as many mails as it may."""
    per_day = context.throttle.max_tries(limits.MAILS_PER_MAILBOX)
    await sync_limit_incident(
        context, limits.FULL_MAILBOXES, kind="mailbox_full", detail=f"mailbox_day={per_day}"
    )


@job(timeout=30)
async def watch_phone_code_limit(context: AppContext) -> None:
    """Keep an operator incident open while no more codes are sent today."""
    limit = phone_codes_per_day(context)
    per_day = context.throttle.max_tries(limit)
    await sync_limit_incident(
        context, limit, kind="sms_codes_used_up", detail=f"SMS_CODES_PER_DAY={per_day}"
    )


async def sync_limit_incident(
    context: AppContext, limit: RateLimit, *, kind: str, detail: Detail | str
) -> None:
    """Open an operator incident while the global limit is used up, and close it after that."""
    used = await context.throttle.usage(limit, GLOBAL_SUBJECT)
    async with context.database.system() as session:
        await set_incident(
            session,
            kind=kind,
            key=GLOBAL_SUBJECT,
            is_active=used >= context.throttle.max_tries(limit),
            detail=detail,
            now=context.clock.now(),
        )
