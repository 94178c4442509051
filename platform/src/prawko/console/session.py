"""The operator's own session, and one in a person's name: an impersonation (docs/rules.md R21)."""

from datetime import datetime
from typing import Literal

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from sqlalchemy import select

from prawko.accounts.acts.operator_acts import OperatorActs, ReasonRequiredError
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import OPERATOR_LIMITS, SIGNED_IN_AT, Actor, Identity
from prawko.accounts.cookies import session_cookie
from prawko.accounts.impersonation import start_impersonation
from prawko.accounts.models import LoginSession, UserAccount
from prawko.console.resource import operator_responses, parse_record_id
from prawko.console.schemas import ReasonIn
from prawko.console.users import USERS, lock_account
from prawko.kit.context import AppContext
from prawko.kit.errors import AppError, NotFoundError
from prawko.kit.http.schemas import ResponseModel
from prawko_tenants.ids import UserId

SecondFactorState = Literal["done", "setup_required", "not_required"]


class OperatorSessionOut(ResponseModel):
    """The operator's session, and whether its second factor is still to be set up."""

    id: UserId
    user_id: UserId
    email: str
    second_factor: SecondFactorState
    expires_at: datetime


@get(
    "/session", operation_id="getOperatorSession", responses=operator_responses(), tags=["Session"]
)
async def get_session(
    identity: NamedDependency[Identity], context: NamedDependency[AppContext]
) -> OperatorSessionOut:
    """The session of the operator who uses the console."""
    statement = (
        select(UserAccount.email, LoginSession, SIGNED_IN_AT)
        .join(LoginSession, LoginSession.user_id == UserAccount.id)
        .where(LoginSession.id == identity.session_id)
    )
    async with context.database.operator() as session:
        email, login, signed_in_at = (await session.execute(statement)).one()
    second_factor: SecondFactorState = "not_required"
    if login.second_factor_at:
        second_factor = "done"
    elif context.settings.require_operator_second_factor:
        second_factor = "setup_required"
    return OperatorSessionOut(
        id=identity.user_id,
        user_id=identity.user_id,
        email=email,
        second_factor=second_factor,
        expires_at=min(login.expires_at, signed_in_at + OPERATOR_LIMITS.lifetime),
    )


class ImpersonatedUserOut(ResponseModel):
    """The person in whose name the browser now is, and for how long."""

    id: UserId
    email: str
    seconds_left: int


class ImpersonationRefusedError(AppError):
    """The person is an operator, the caller, or belongs to no company (docs/rules.md R21)."""

    status = 409
    key = "impersonation_refused"


@post(
    "/impersonate/{user_id:str}",
    operation_id="impersonateUser",
    status_code=200,
    responses=operator_responses(NotFoundError, ImpersonationRefusedError, ReasonRequiredError),
    tags=["Users"],
    summary="Impersonate",
)
async def impersonate_user(
    user_id: FromPath[str],
    context: NamedDependency[AppContext],
    acts: NamedDependency[OperatorActs],
    client: NamedDependency[ClientInfo],
    data: JSONBody[ReasonIn | None] = None,
) -> Response[ImpersonatedUserOut]:
    """Replace the operator's session by one in a person's name, who is no operator."""
    user = await USERS.read(context, parse_record_id(user_id))
    if user.company_id is None:
        raise ImpersonationRefusedError
    async with acts.open_system(person=user.id) as session:
        locked = await lock_account(session, user.id)
        if locked is None:
            raise NotFoundError
        if locked.is_admin or user.id == acts.identity.user_id:
            raise ImpersonationRefusedError
        person = Actor(user_id=user.id, tenant_id=user.company_id)
        reason = data.reason if data else None
        started = await start_impersonation(session, acts, person, client, reason)
    seconds_left = int(started.lifetime.total_seconds())
    return Response(
        ImpersonatedUserOut(id=user.id, email=user.email, seconds_left=seconds_left),
        cookies=[session_cookie(context.settings, started.token, started.lifetime)],
    )


ROUTES = (get_session, impersonate_user)
