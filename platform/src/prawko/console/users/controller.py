"""The operators' calls about people (docs/rules.md P18)."""

from datetime import datetime, time
from typing import Annotated

from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody, QueryParameter

from prawko.accounts.acts.action_log import ActionLog, ReasonRequiredError
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.cookies import session_cookie
from prawko.accounts.errors import LastOperatorError
from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.console.errors import (
    ImpersonationRefusedError,
    InvalidListQueryError,
    InvalidUserChangeError,
)
from prawko.console.list_query import (
    FilterIds,
    FilterWord,
    ListDialect,
    ListParameters,
    SearchText,
    SortOrder,
    parse_record_id,
)
from prawko.console.schemas import ReasonIn
from prawko.console.users.repository import UserRepository
from prawko.console.users.schemas import (
    ConsoleUserOut,
    DeletedUserOut,
    ImpersonatedUserOut,
    StatsOut,
    StatusBadge,
    UserChangeIn,
    UserHistoryOut,
)
from prawko.console.users.service import UserService, to_user_out
from prawko.kit.clock import WARSAW, Clock, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.kit.http.error_responses import error_responses
from prawko_tenants.engine import Database
from prawko_tenants.ids import UserId

USERS = ListDialect(
    sortable=frozenset({"email", "createdAt", "driverLimit", "status"}),
    filters={"id": FilterIds, "q": SearchText, "email": SearchText, "status": StatusBadge},
    default_sort=SortOrder("createdAt", is_descending=True),
)

ActivityType = Annotated[FilterWord | None, QueryParameter(name="activityType")]


def provide_user_service(
    context: NamedDependency[AppContext], actions: NamedDependency[ActionLog]
) -> UserService:
    """Return the service of the operator's acts on people."""
    return UserService(context, actions)


class UserController(Controller):
    """Figures, people, their histories, and what operators do about them."""

    tags = ("Users",)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "users": Provide(provide_user_service, sync_to_thread=False)
    }

    @get("/stats", operation_id="getStats", responses=error_responses(*OPERATOR_ERRORS))
    async def get_stats(
        self, database: NamedDependency[Database], clock: NamedDependency[Clock]
    ) -> StatsOut:
        now = clock.now()
        midnight = datetime.combine(warsaw_date(now), time(), WARSAW)
        async with database.operator() as session:
            figures = await UserRepository(session, now).load_figures(midnight)
        return StatsOut(
            total_users=figures.total_users,
            new_users_today=figures.new_users,
            active_subscriptions=figures.active_subscriptions,
            actions_today=figures.actions,
        )

    @get(
        "/users",
        operation_id="listUsers",
        responses=error_responses(*OPERATOR_ERRORS, InvalidListQueryError),
    )
    async def list_users(
        self,
        list_parameters: NamedDependency[ListParameters],
        database: NamedDependency[Database],
        clock: NamedDependency[Clock],
    ) -> Response[list[ConsoleUserOut]]:
        query, now = USERS.parse(list_parameters), clock.now()
        async with database.operator() as session:
            users, total = await UserRepository(session, now).list_users(query)
        return Response(
            [to_user_out(user, now) for user in users],
            headers={"Content-Range": query.content_range("users", len(users), total)},
        )

    @get(
        "/users/{user_id:str}",
        operation_id="findUser",
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError),
    )
    async def find_user(
        self,
        user_id: FromPath[str],
        users: NamedDependency[UserService],
        clock: NamedDependency[Clock],
    ) -> ConsoleUserOut:
        return to_user_out(await users.find_user(parse_record_id(user_id)), clock.now())

    @get(
        "/users/{user_id:str}/history",
        operation_id="getUserHistory",
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError),
    )
    async def get_history(
        self,
        user_id: FromPath[str],
        users: NamedDependency[UserService],
        activity_type: ActivityType = None,
    ) -> UserHistoryOut:
        return await users.load_history(parse_record_id(user_id), activity_type)

    @put(
        "/users/{user_id:str}",
        operation_id="changeUser",
        opt={"malformed": InvalidUserChangeError},
        responses=error_responses(
            *OPERATOR_ERRORS, NotFoundError, InvalidUserChangeError, ReasonRequiredError
        ),
    )
    async def change_user(
        self,
        user_id: FromPath[str],
        data: JSONBody[UserChangeIn],
        users: NamedDependency[UserService],
        clock: NamedDependency[Clock],
    ) -> ConsoleUserOut:
        changed = await users.change_user(parse_record_id(user_id), data)
        return to_user_out(changed, clock.now())

    @delete(
        "/users/{user_id:str}",
        operation_id="deleteUser",
        status_code=200,
        responses=error_responses(
            *OPERATOR_ERRORS, NotFoundError, LastOperatorError, ReasonRequiredError
        ),
    )
    async def delete_user(
        self,
        user_id: FromPath[str],
        users: NamedDependency[UserService],
        data: JSONBody[ReasonIn | None] = None,
    ) -> DeletedUserOut:
        record_id = parse_record_id(user_id)
        await users.delete_user(record_id, data.reason if data else None)
        return DeletedUserOut(id=UserId(record_id))

    @post(
        "/impersonate/{user_id:str}",
        operation_id="impersonateUser",
        status_code=200,
        responses=error_responses(
            *OPERATOR_ERRORS, NotFoundError, ImpersonationRefusedError, ReasonRequiredError
        ),
    )
    async def impersonate(
        self,
        user_id: FromPath[str],
        users: NamedDependency[UserService],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
        data: JSONBody[ReasonIn | None] = None,
    ) -> Response[ImpersonatedUserOut]:
        user, started = await users.impersonate(
            parse_record_id(user_id), data.reason if data else None, client
        )
        return Response(
            ImpersonatedUserOut(
                id=user.id,
                email=user.email,
                seconds_left=int(started.lifetime.total_seconds()),
            ),
            cookies=[session_cookie(context.settings, started.token, started.lifetime)],
        )
