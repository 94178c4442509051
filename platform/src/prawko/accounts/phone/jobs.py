"""Jobs of phone verification."""

from prawko.accounts.phone.rate_limits import phone_codes_per_day
from prawko.accounts.rate_limits import sync_limit_incident
from prawko.base.context import AppContext
from prawko.base.jobs import job


@job(timeout=30)
async def watch_phone_code_limit(context: AppContext) -> None:
    """Keep an operator incident open while no more codes are sent today."""
    limit = phone_codes_per_day(context.settings)
    await sync_limit_incident(
        context, limit, kind="sms_codes_used_up", detail=f"SMS_CODES_PER_DAY={limit.max_tries}"
    )
