"""The people of a company: who they are, what their role is, and how they leave.

Acts wait for each other by one lock a company, under which the caller's role is read again, so that
two owners cannot demote each other and an owner always stays.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity, ensure_session_active
from prawko.accounts.errors import LastOwnerError, RoleForbiddenError
from prawko.accounts.members.repository import MemberRepository
from prawko.accounts.roles import CompanyAct, Role, may_do
from prawko.accounts.schemas import MemberOut
from prawko.kit.context import AppContext
from prawko_tenants.ids import UserId
from prawko_tenants.sessions import TenantSession


class MemberService:
    """The people of the caller's company; each act is a transaction of its own.

    It cannot be the request's: that is committed only while the caller's role is as it was, and
    the act may have changed just that.
    """

    def __init__(self, context: AppContext, identity: Identity, client_info: ClientInfo) -> None:
        self._context = context
        self._identity = identity
        self._client_info = client_info

    async def change_role(self, member_id: UUID, role: Role) -> MemberOut:
        """Give a member another role; to hand over, an owner makes another one and changes itself.

        Raises NotFoundError, and LastOwnerError if no owner would remain.
        """
        async with self._open() as (session, members):
            user_id, before = UserId(member_id), await members.get_role(UserId(member_id))
            if role is not before:
                if before is Role.OWNER:
                    await _ensure_owner_remains(members, user_id)
                await members.change_role(user_id, role)
                await self._record(session, AuditEvent.MEMBER_CHANGED, person=user_id, role=role)
            [changed] = await members.list_all(user_id)
            return changed

    async def remove(self, member_id: UUID) -> UserId:
        """Remove a member, or let the caller leave, and return the id.

        Sessions, browsers, notifications and messages that wait go with the membership. Raises
        NotFoundError, LastOwnerError, and RoleForbiddenError for a colleague who may not.
        """
        user_id = UserId(member_id)
        is_leaving = user_id == self._identity.user_id
        async with self._open() as (session, members):
            role = await members.get_role(user_id)
            if not is_leaving and not may_do(self._identity.role, CompanyAct.PEOPLE):
                raise RoleForbiddenError(CompanyAct.PEOPLE)
            if role is Role.OWNER:
                await _ensure_owner_remains(members, user_id)
            event = AuditEvent.COMPANY_LEFT if is_leaving else AuditEvent.MEMBER_REMOVED
            await self._record(session, event, person=user_id)
            await members.remove(user_id)
        return user_id

    @asynccontextmanager
    async def _open(self) -> AsyncGenerator[tuple[TenantSession, MemberRepository]]:
        async with self._context.database.tenant(self._identity.tenant_id) as session:
            members = MemberRepository(session)
            await members.lock_company()
            await ensure_session_active(session, self._identity)
            yield session, members

    async def _record(
        self, session: TenantSession, event: AuditEvent, **details: UserId | str
    ) -> None:
        now = self._context.clock.now()
        await record_event(session, event, self._identity, self._client_info, now, **details)


async def _ensure_owner_remains(members: MemberRepository, leaving: UserId) -> None:
    if not await members.has_other_owner(leaving):
        raise LastOwnerError
