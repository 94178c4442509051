"""HTTP calls about the caller's sessions, and the way back from an impersonation."""

from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity, ensure_session_active
from prawko.accounts.cookies import known_browser_cookie, session_cookie
from prawko.accounts.guards import (
    OWN_SESSION_ERRORS,
    forbids_impersonation,
    requires_login,
    requires_verified_email,
)
from prawko.accounts.impersonation import end_impersonation
from prawko.accounts.known_browsers import find_known_browser, remember_browser
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.repository import AccountRepository
from prawko.accounts.schemas import RevokedOthersOut, RevokedOut, SessionOut
from prawko.kit.clock import Clock, utc_now
from prawko.kit.context import AppContext
from prawko.kit.errors import AuthForbiddenError, AuthRequiredError, NotFoundError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.schemas import OkOut
from prawko_tenants.engine import Database


class SessionController(Controller):
    """Lists and revokes the caller's sessions."""

    path = "/api/sessions"
    tags = ("Account",)
    guards = (requires_verified_email, forbids_impersonation)

    @get(operation_id="listSessions", responses=error_responses(*OWN_SESSION_ERRORS))
    async def list_sessions(
        self, identity: NamedDependency[Identity], database: NamedDependency[Database]
    ) -> list[SessionOut]:
        async with database.system() as session:
            active = await LoginSessionRepository(session).list_active(
                identity.user_id, utc_now(), is_operator=identity.is_admin
            )
        return [
            SessionOut(
                id=one.login.id,
                current=one.login.id == identity.session_id,
                created_at=one.login.created_at,
                last_seen_at=one.login.last_seen_at,
                ip="" if one.is_operators else one.login.ip or "",
                agent="" if one.is_operators else one.login.agent or "",
                operator=one.is_operators,
                in_name_of=one.impersonated_email,
            )
            for one in active
        ]

    # These two do not write in the request's own transaction: it is committed only while the
    # caller's session is active, and the first may have revoked just that session.
    @delete(
        "/{session_id:uuid}",
        operation_id="revokeSession",
        status_code=200,
        responses=error_responses(*OWN_SESSION_ERRORS, NotFoundError),
    )
    async def revoke_session(
        self,
        session_id: FromPath[UUID],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        clock: NamedDependency[Clock],
        client: NamedDependency[ClientInfo],
    ) -> Response[RevokedOut]:
        async with context.database.system() as session:
            await AccountRepository(session).lock_user(identity.user_id)
            await ensure_session_active(session, identity)
            if not await LoginSessionRepository(session).revoke_listed(
                identity.user_id, session_id, utc_now()
            ):
                raise NotFoundError
            await record_event(
                session,
                AuditEvent.SESSIONS_REVOKED,
                identity,
                client,
                clock.now(),
                session=session_id,
            )
        is_own = session_id == identity.session_id
        cookies = [session_cookie(context.settings, None)] if is_own else []
        return Response(RevokedOut(id=session_id), cookies=cookies)

    @post(
        "/revoke-others",
        operation_id="revokeOtherSessions",
        status_code=200,
        responses=error_responses(*OWN_SESSION_ERRORS),
    )
    async def revoke_other_sessions(
        self,
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        clock: NamedDependency[Clock],
        client: NamedDependency[ClientInfo],
    ) -> Response[RevokedOthersOut]:
        cookies = []
        async with context.database.system() as session:
            await AccountRepository(session).lock_user(identity.user_id)
            await ensure_session_active(session, identity)
            profile = await AccountRepository(session).get(identity.user_id)
            is_known = find_known_browser(
                client.known_browsers, identity.user_id, profile.browser_generation
            )
            count = await LoginSessionRepository(session).revoke_all(
                identity.user_id, utc_now(), kept_id=identity.session_id
            )
            if count:
                await record_event(
                    session, AuditEvent.SESSIONS_REVOKED, identity, client, clock.now(), count=count
                )
            if is_known:
                known_browsers = await remember_browser(
                    session, context.key_ring, client.known_browsers, identity.user_id
                )
                cookies = [known_browser_cookie(context.settings, known_browsers)]
        return Response(RevokedOthersOut(ok=True, count=count), cookies=cookies)


class ImpersonationController(Controller):
    """Gives the browser back to the operator."""

    path = "/api/impersonation"
    tags = ("Account",)

    @post(
        "/leave",
        operation_id="leaveImpersonation",
        status_code=200,
        guards=[requires_login],
        responses=error_responses(AuthRequiredError, AuthForbiddenError),
    )
    async def leave(
        self,
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
        clock: NamedDependency[Clock],
    ) -> Response[OkOut]:
        signed_in = await end_impersonation(context.database, identity, client, clock.now())
        token = signed_in.token if signed_in else None
        return Response(OkOut(ok=True), cookies=[session_cookie(context.settings, token)])
