"""The calls about the person's signed-in browsers."""

from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from prawko.accounts.activity import Act, Origin, note
from prawko.accounts.cookies import session_cookie
from prawko.accounts.guards import in_person, verified_email
from prawko.accounts.identity import Identity, refuse_revoked
from prawko.accounts.open_sessions import OpenSessions
from prawko.accounts.repository import AccountRepository
from prawko.accounts.schemas import RevokedOthersOut, RevokedOut, SessionOut
from prawko.base.clock import Clock, machine_now
from prawko.base.errors import (
    AuthForbiddenError,
    AuthRequiredError,
    EmailUnverifiedError,
    NotFoundError,
)
from prawko.base.jobs import Tools
from prawko.base.refusals import refusals
from prawko_tenants.engine import Database


class SessionController(Controller):
    """Where the caller is signed in, and ending it there."""

    path = "/api/sessions"
    tags = ("Account",)
    guards = (verified_email, in_person)

    @get(
        operation_id="listSessions",
        responses=refusals(AuthRequiredError, EmailUnverifiedError, AuthForbiddenError),
    )
    async def index(
        self, identity: NamedDependency[Identity], database: NamedDependency[Database]
    ) -> list[SessionOut]:
        async with database.system() as session:
            found = await OpenSessions(session, identity.user_id).all(machine_now())
        return [
            SessionOut(
                id=one.id,
                current=one.id == identity.session_id,
                created_at=one.created_at,
                last_seen_at=one.last_seen_at,
                ip=one.ip,
                agent=one.agent,
            )
            for one in found
        ]

    # These two do not write in the request's own transaction: it ends with asking whether the
    # caller's session still stands, which the first may have ended itself.
    @delete(
        "/{session_id:uuid}",
        operation_id="revokeSession",
        status_code=200,
        responses=refusals(
            AuthRequiredError, EmailUnverifiedError, AuthForbiddenError, NotFoundError
        ),
    )
    async def revoke(
        self,
        session_id: FromPath[UUID],
        identity: NamedDependency[Identity],
        tools: NamedDependency[Tools],
        clock: NamedDependency[Clock],
        origin: NamedDependency[Origin],
    ) -> Response[RevokedOut]:
        async with tools.database.system() as session:
            await AccountRepository(session).hold_user(identity.user_id)
            await refuse_revoked(session, identity)
            if not await OpenSessions(session, identity.user_id).revoke(session_id, machine_now()):
                raise NotFoundError
            await note(
                session, Act.SESSIONS_REVOKED, identity, origin, clock.now(), session=session_id
            )
        own = session_id == identity.session_id
        cookies = [session_cookie(tools.settings, None)] if own else []
        return Response(RevokedOut(id=session_id), cookies=cookies)

    @post(
        "/revoke-others",
        operation_id="revokeOtherSessions",
        status_code=200,
        responses=refusals(AuthRequiredError, EmailUnverifiedError, AuthForbiddenError),
    )
    async def revoke_others(
        self,
        identity: NamedDependency[Identity],
        database: NamedDependency[Database],
        clock: NamedDependency[Clock],
        origin: NamedDependency[Origin],
    ) -> RevokedOthersOut:
        async with database.system() as session:
            await AccountRepository(session).hold_user(identity.user_id)
            await refuse_revoked(session, identity)
            sessions = OpenSessions(session, identity.user_id)
            count = await sessions.revoke_others(identity.session_id, machine_now())
            await note(session, Act.SESSIONS_REVOKED, identity, origin, clock.now(), count=count)
        return RevokedOthersOut(ok=True, count=count)
