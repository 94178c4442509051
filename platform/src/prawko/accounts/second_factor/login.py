"""The second step of a sign-in: a code of the authenticator app, or a recovery code."""

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Actor, hash_token
from prawko.accounts.errors import InvalidSecondFactorError
from prawko.accounts.known_browsers import remember_browser
from prawko.accounts.login import NewSession, create_session
from prawko.accounts.login_sessions import LoginSessionRepository, SessionProof
from prawko.accounts.models import LoginSession
from prawko.accounts.repository import AccountRepository
from prawko.accounts.second_factor.mails import SecondFactorMail, enqueue_second_factor_mail
from prawko.accounts.second_factor.verification import (
    SecondFactorMethod,
    count_try,
    record_refusal,
    redeem_second_factor,
    reset_tries,
)
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.errors import AuthRequiredError
from prawko_tenants.sessions import TenantSession


class SecondFactorLogin:
    """Completes or abandons sign-ins that wait for their second factor."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def complete(self, token: str, code: str, client_info: ClientInfo) -> NewSession:
        """Open a session under a new token in place of the waiting one.

        Raises AuthRequiredError when no sign-in waits, InvalidSecondFactorError and
        TooManyRequestsError. Every attempt is counted before its code is compared.
        """
        async with self._context.database.system() as session:
            pending = await LoginSessionRepository(session).find_pending(
                hash_token(token), utc_now()
            )
            if pending is None:
                raise AuthRequiredError
        subject = await count_try(self._context, pending.user_id, client_info)
        async with self._context.database.tenant(pending.tenant_id) as session:
            new_session = await self._redeem(
                session, pending, SessionProof(token=token), code, client_info
            )
        if new_session is None:
            raise InvalidSecondFactorError(fields={"code": "errors.invalid_second_factor"})
        await reset_tries(self._context, subject)
        return new_session

    async def _redeem(
        self, session: TenantSession, pending: LoginSession, proof: SessionProof, code: str,
        client_info: ClientInfo,
    ) -> NewSession | None:  # fmt: skip
        user_id, now = pending.user_id, self._context.clock.now()
        actor = Actor(user_id=user_id, tenant_id=session.tenant_id)
        await AccountRepository(session).lock_user(user_id)
        method = await redeem_second_factor(session, self._context.key_ring, user_id, code)
        if method is None:
            await record_refusal(self._context, session, actor, client_info)
            return None
        if not await LoginSessionRepository(session).end_pending(pending.id, utc_now()):
            raise AuthRequiredError  # ended or completed meanwhile: the code stays unused
        if method is SecondFactorMethod.RECOVERY_CODE:
            await record_event(session, AuditEvent.RECOVERY_CODE_USED, actor, client_info, now)
            await enqueue_second_factor_mail(session, user_id, SecondFactorMail.CODE_USED)
        await record_event(session, AuditEvent.SIGNED_IN, actor, client_info, now)
        is_operator = await AccountRepository(session).is_operator(user_id)
        return await create_session(
            session, user_id, session.tenant_id, client_info,
            email_verified=True, second_factor_at=utc_now(), proof=proof if is_operator else None,
            known_browsers=await remember_browser(
                session, self._context.key_ring, client_info.known_browsers, user_id
            ),
        )  # fmt: skip

    async def abandon(self, token: str) -> None:
        """End a sign-in that waits for its second factor, if the token is of one."""
        async with self._context.database.system() as session:
            sessions = LoginSessionRepository(session)
            pending = await sessions.find_pending(hash_token(token), utc_now())
            if pending is not None:
                await sessions.end_pending(pending.id, utc_now())
