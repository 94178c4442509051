"""HTTP calls about the people of the caller's company."""

from uuid import UUID

from litestar import Controller, Response, delete, get, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from prawko import limits
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.cookies import session_cookie
from prawko.accounts.errors import LastOwnerError, RoleForbiddenError
from prawko.accounts.guards import (
    OWN_RIGHT_ERRORS,
    OWN_SESSION_ERRORS,
    RIGHT_ERRORS,
    forbids_impersonation,
    requires_right,
    requires_verified_email,
)
from prawko.accounts.members.repository import MemberRepository
from prawko.accounts.members.service import MemberService
from prawko.accounts.roles import ACT, CompanyAct
from prawko.accounts.schemas import MemberIn, MemberOut, RemovedMemberOut
from prawko.kit.context import AppContext
from prawko.kit.errors import BadRequestError, NotFoundError, TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.limits import USER_LIMIT
from prawko_tenants.sessions import TenantSession


def provide_member_service(
    context: NamedDependency[AppContext],
    identity: NamedDependency[Identity],
    client: NamedDependency[ClientInfo],
) -> MemberService:
    """Return the service of the company's people, for the caller."""
    return MemberService(context, identity, client)


class MemberController(Controller):
    """Lists the company's people, changes their roles and removes them."""

    path = "/api/members"
    tags = ("Team",)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "members": Provide(provide_member_service, sync_to_thread=False)
    }

    @get(
        operation_id="listMembers",
        opt={ACT: CompanyAct.PEOPLE},
        guards=[requires_right],
        responses=error_responses(*RIGHT_ERRORS),
    )
    async def list_members(self, session: NamedDependency[TenantSession]) -> list[MemberOut]:
        return await MemberRepository(session).list_all()

    @put(
        "/{member_id:uuid}",
        operation_id="changeMember",
        summary="Give a person another role; an owner may make another one, to hand over",
        opt={ACT: CompanyAct.PEOPLE, USER_LIMIT: limits.ACCOUNT_CHANGES},
        guards=[requires_right, forbids_impersonation],
        responses=error_responses(
            *OWN_RIGHT_ERRORS, BadRequestError, NotFoundError, LastOwnerError, TooManyRequestsError
        ),
    )
    async def change_member(
        self,
        member_id: FromPath[UUID],
        data: JSONBody[MemberIn],
        members: NamedDependency[MemberService],
    ) -> MemberOut:
        return await members.change_role(member_id, data.role)

    @delete(
        "/{member_id:uuid}",
        operation_id="removeMember",
        summary="Remove a person from the company; each person may leave, by their own id",
        guards=[requires_verified_email, forbids_impersonation],
        status_code=200,
        responses=error_responses(
            *OWN_SESSION_ERRORS, RoleForbiddenError, NotFoundError, LastOwnerError
        ),
    )
    async def remove_member(
        self,
        member_id: FromPath[UUID],
        members: NamedDependency[MemberService],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
    ) -> Response[RemovedMemberOut]:
        removed = await members.remove(member_id)
        is_own = removed == identity.user_id
        cookies = [session_cookie(context.settings, None)] if is_own else []
        return Response(RemovedMemberOut(id=removed), cookies=cookies)
