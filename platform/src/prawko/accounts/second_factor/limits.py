"""Counts tries at a person's second factor, and mails the person about repeated wrong ones."""

from datetime import timedelta

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Actor
from prawko.accounts.known_browsers import find_known_browser
from prawko.accounts.repository import AccountRepository
from prawko.accounts.second_factor.mails import SecondFactorMail, enqueue_second_factor_mail
from prawko.accounts.second_factor.repository import SecondFactorRepository
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko_tenants.ids import UserId
from prawko_tenants.sessions import TenantSession

REFUSALS_MAILED = 5  # in a row; a person who gets so far knows the password
REFUSAL_PERIOD = timedelta(days=1)


async def count_try(context: AppContext, user_id: UserId, client_info: ClientInfo) -> str:
    """Count a try before its code is compared; return the subject that it was counted under.

    Tries are counted alike wherever a code is typed, and those from a browser that the account
    knows apart. The windows are of growing length, so that the pause grows with the tries. Raises
    TooManyRequestsError.
    """
    async with context.database.system() as session:
        profile = await AccountRepository(session).get_profile(user_id)
    browser = find_known_browser(client_info.known_browsers, user_id, profile.browser_generation)
    subject = browser.subject if browser else str(user_id)
    for limit in limits.SECOND_FACTOR:
        await context.throttle.hit(limit, subject)
    return subject


async def reset_tries(context: AppContext, subject: str) -> None:
    """Delete the counts, after an accepted code."""
    for limit in limits.SECOND_FACTOR:
        await context.throttle.reset(limit, subject)


async def record_refusal(
    context: AppContext, session: TenantSession, actor: Actor,
    client_info: ClientInfo,
) -> None:  # fmt: skip
    """Record a refused code; after several in a row, mail the person, once a day.

    The caller holds the account's lock.
    """
    now = context.clock.now()
    await record_event(session, AuditEvent.SECOND_FACTOR_REFUSED, actor, client_info, now)
    refused = await SecondFactorRepository(session).count_refusals_in_a_row(
        actor.user_id, now - REFUSAL_PERIOD, REFUSALS_MAILED
    )
    if refused >= REFUSALS_MAILED:
        await enqueue_second_factor_mail(
            session, actor.user_id, SecondFactorMail.REFUSED,
            once_per=warsaw_date(now).isoformat(),
        )  # fmt: skip
