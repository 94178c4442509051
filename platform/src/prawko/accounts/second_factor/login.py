"""The second step of a sign-in: a code of the authenticator app, or a recovery code."""

from prawko.accounts import rate_limits
from prawko.accounts.audit_log import AuditActor, AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import hash_token
from prawko.accounts.errors import InvalidSecondFactorError
from prawko.accounts.login import FAMILIAR_NETWORK_AGE, NewSession, create_session
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.models import LoginSession
from prawko.accounts.repository import AccountRepository
from prawko.accounts.second_factor.mails import SecondFactorMail, enqueue_second_factor_mail
from prawko.accounts.second_factor.verification import SecondFactorMethod, redeem_second_factor
from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.base.errors import AuthRequiredError
from prawko.base.rate_limit import Throttle
from prawko_tenants.sessions import TenantSession


class SecondFactorLogin:
    """Completes or abandons sign-ins that wait for their second factor."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._throttle = Throttle(context.database, context.key_ring)

    async def complete(self, token: str, code: str, client_info: ClientInfo) -> NewSession:
        """Open a session under a new token in place of the waiting one.

        Raises AuthRequiredError when no sign-in waits, InvalidSecondFactorError and
        TooManyRequestsError. Every attempt is counted before its code is compared; attempts from
        networks where the person has signed in lately are counted apart.
        """
        async with self._context.database.system() as session:
            pending = await LoginSessionRepository(session).find_pending(
                hash_token(token), utc_now()
            )
            if pending is None:
                raise AuthRequiredError
            profile = await AccountRepository(session).get_profile(pending.user_id)
            recent_ips = await LoginSessionRepository(session).recent_ips(
                profile.email_key, utc_now() - FAMILIAR_NETWORK_AGE
            )
        network = rate_limits.client_network(client_info.ip)
        is_familiar = network in map(rate_limits.client_network, recent_ips)
        subject = f"{pending.user_id} {network}" if is_familiar else str(pending.user_id)
        await self._throttle.hit(rate_limits.SECOND_FACTOR_CODES, subject)
        async with self._context.database.tenant(pending.tenant_id) as session:
            new_session = await self._redeem(session, pending, code, client_info)
        if new_session is None:
            raise InvalidSecondFactorError(fields={"code": "errors.invalid_second_factor"})
        await self._throttle.reset(rate_limits.SECOND_FACTOR_CODES, subject)
        return new_session

    async def _redeem(
        self, session: TenantSession, pending: LoginSession, code: str, client_info: ClientInfo
    ) -> NewSession | None:
        user_id, now = pending.user_id, self._context.clock.now()
        actor = AuditActor(user_id, session.tenant_id)
        await AccountRepository(session).lock_user(user_id)
        method = await redeem_second_factor(session, self._context.key_ring, user_id, code)
        if method is None:
            await record_event(session, AuditEvent.SECOND_FACTOR_REFUSED, actor, client_info, now)
            return None
        if not await LoginSessionRepository(session).end_pending(pending.id, utc_now()):
            raise AuthRequiredError  # ended or completed meanwhile: the code stays unused
        if method is SecondFactorMethod.RECOVERY_CODE:
            await record_event(session, AuditEvent.RECOVERY_CODE_USED, actor, client_info, now)
            await enqueue_second_factor_mail(
                self._context, session, user_id, SecondFactorMail.CODE_USED
            )
        await record_event(session, AuditEvent.SIGNED_IN, actor, client_info, now)
        return await create_session(
            session, user_id, session.tenant_id, client_info,
            email_verified=True, second_factor_at=utc_now(),
        )  # fmt: skip

    async def abandon(self, token: str) -> None:
        """End a sign-in that waits for its second factor, if the token is of one."""
        async with self._context.database.system() as session:
            sessions = LoginSessionRepository(session)
            pending = await sessions.find_pending(hash_token(token), utc_now())
            if pending is not None:
                await sessions.end_pending(pending.id, utc_now())
