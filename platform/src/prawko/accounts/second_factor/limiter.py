"""Counts tries at a person's second factor, and mails the person when somebody keeps guessing."""

from datetime import timedelta

from prawko.accounts import rate_limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Actor
from prawko.accounts.known_browsers import find_known_browser
from prawko.accounts.repository import AccountRepository
from prawko.accounts.second_factor.mails import SecondFactorMail, enqueue_second_factor_mail
from prawko.accounts.second_factor.repository import SecondFactorRepository
from prawko.base.clock import warsaw_date
from prawko.base.context import AppContext
from prawko.base.rate_limit import Throttle
from prawko_tenants.ids import UserId
from prawko_tenants.sessions import TenantSession

REFUSALS_MAILED = 5  # in a row; whoever gets so far knows the password
REFUSAL_PERIOD = timedelta(days=1)


class SecondFactorLimiter:
    """Tries are counted alike wherever a code is typed, before it is compared."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._throttle = Throttle(context.database, context.key_ring)

    async def count(self, user_id: UserId, client_info: ClientInfo) -> str:
        """Count a try and return whom it was counted under. Raises TooManyRequestsError.

        Tries from a browser that the account knows are counted apart. The windows are of growing
        length, so that the pause grows with the tries.
        """
        async with self._context.database.system() as session:
            profile = await AccountRepository(session).get_profile(user_id)
        browser = find_known_browser(
            client_info.known_browsers, user_id, profile.browser_generation
        )
        subject = browser.subject if browser else str(user_id)
        for limit in rate_limits.SECOND_FACTOR_LIMITS:
            await self._throttle.hit(limit, subject)
        return subject

    async def reset(self, subject: str) -> None:
        """Forget the tries, after an accepted code."""
        for limit in rate_limits.SECOND_FACTOR_LIMITS:
            await self._throttle.reset(limit, subject)

    async def record_refusal(
        self, session: TenantSession, actor: Actor, client_info: ClientInfo
    ) -> None:
        """Record a refused code; after several in a row, mail the person, once a day.

        The caller holds the account's lock.
        """
        now = self._context.clock.now()
        await record_event(session, AuditEvent.SECOND_FACTOR_REFUSED, actor, client_info, now)
        refused = await SecondFactorRepository(session).count_refusals_in_a_row(
            actor.user_id, now - REFUSAL_PERIOD, REFUSALS_MAILED
        )
        if refused >= REFUSALS_MAILED:
            await enqueue_second_factor_mail(
                self._context, session, actor.user_id, SecondFactorMail.REFUSED,
                once_per=warsaw_date(now).isoformat(),
            )  # fmt: skip
