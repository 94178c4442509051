"""The operator's own session, for the console's frame."""

from datetime import datetime
from typing import Literal

from litestar import get
from litestar.di import NamedDependency
from sqlalchemy import select

from prawko.accounts.authentication import OPERATOR_LIMITS, Identity
from prawko.accounts.models import LoginSession, UserAccount
from prawko.console.resource import operator_responses
from prawko.kit.context import AppContext
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
        select(UserAccount.email, LoginSession)
        .join(LoginSession, LoginSession.user_id == UserAccount.id)
        .where(LoginSession.id == identity.session_id)
    )
    async with context.database.operator() as session:
        email, login = (await session.execute(statement)).one()
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
        expires_at=min(login.expires_at, login.created_at + OPERATOR_LIMITS.lifetime),
    )


ROUTES = (get_session,)
