"""The operator's own session, for the console's frame."""

from datetime import datetime
from typing import Literal

from litestar import Controller, get
from litestar.di import NamedDependency

from prawko.accounts.authentication import OPERATOR_LIMITS, Identity
from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.console.users.repository import UserRepository
from prawko.kit.clock import Clock
from prawko.kit.context import AppContext
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.schemas import ResponseModel
from prawko_tenants.engine import Database
from prawko_tenants.ids import UserId

SecondFactorState = Literal["done", "setup_required", "not_required"]


class OperatorSessionOut(ResponseModel):
    """The operator's session, and whether its second factor is still to be set up."""

    id: UserId
    user_id: UserId
    email: str
    second_factor: SecondFactorState
    expires_at: datetime


class OperatorSessionController(Controller):
    """Returns the operator who uses the console."""

    path = "/session"
    tags = ("Session",)

    @get(operation_id="getOperatorSession", responses=error_responses(*OPERATOR_ERRORS))
    async def get_session(
        self,
        identity: NamedDependency[Identity],
        database: NamedDependency[Database],
        clock: NamedDependency[Clock],
        context: NamedDependency[AppContext],
    ) -> OperatorSessionOut:
        async with database.operator() as session:
            users = UserRepository(session, clock.now())
            email, session_row = await users.find_session(identity.session_id)
        if session_row.second_factor_at:
            second_factor: SecondFactorState = "done"
        elif context.settings.require_operator_second_factor:
            second_factor = "setup_required"
        else:
            second_factor = "not_required"
        return OperatorSessionOut(
            id=identity.user_id,
            user_id=identity.user_id,
            email=email,
            second_factor=second_factor,
            expires_at=min(
                session_row.expires_at, session_row.created_at + OPERATOR_LIMITS.lifetime
            ),
        )
