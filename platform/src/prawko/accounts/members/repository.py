"""The memberships of the bound company."""

from sqlalchemy import exists, func, select, true, update

from prawko.accounts.models import LoginSession, Membership, SecondFactor, UserAccount
from prawko.accounts.roles import Role
from prawko.accounts.schemas import MemberOut
from prawko.kit.errors import NotFoundError
from prawko_tenants.ids import UserId
from prawko_tenants.sessions import TenantSession


class MemberRepository:
    """Reads and writes memberships in the caller's transaction, bound to a company."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session
        self._is_ours = Membership.tenant_id == session.tenant_id

    async def lock_company(self) -> None:
        """Let other acts on the company's people wait until the transaction ends.

        It locks no row: a request of a member may hold the membership and wait for the company.
        """
        key = func.hashtextextended(f"people {self._session.tenant_id}", 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))

    async def list_all(self, user_id: UserId | None = None) -> list[MemberOut]:
        """Return the members, or one of them, in the order in which they joined."""
        last_seen = (
            select(func.max(LoginSession.last_seen_at))
            .where(
                LoginSession.tenant_id == Membership.tenant_id,
                LoginSession.user_id == Membership.user_id,
                LoginSession.impersonator_id.is_(None),
            )
            .scalar_subquery()
        )
        second_factor = exists().where(
            SecondFactor.user_id == Membership.user_id, SecondFactor.confirmed_at.is_not(None)
        )
        rows = await self._session.execute(
            select(UserAccount.id, UserAccount.email, Membership.role, last_seen, second_factor)
            .join(Membership, Membership.user_id == UserAccount.id)
            .where(self._is_ours, true() if user_id is None else Membership.user_id == user_id)
            .order_by(Membership.created_at, UserAccount.id)
        )
        return [
            MemberOut(
                id=member_id, email=email, name="", role=role, branch_ids=[], status="active",
                last_seen_at=last_seen_at, second_factor=has_factor,
            )
            for member_id, email, role, last_seen_at, has_factor in rows
        ]  # fmt: skip

    async def get_role(self, user_id: UserId) -> Role:
        """Return a member's role. Raises NotFoundError for any other person."""
        statement = select(Membership.role).where(self._is_ours, Membership.user_id == user_id)
        role = await self._session.scalar(statement)
        if role is None:
            raise NotFoundError
        return role

    async def has_other_owner(self, user_id: UserId) -> bool:
        """Return whether the company has an owner besides this person."""
        statement = select(Membership.user_id).where(
            self._is_ours, Membership.role == Role.OWNER, Membership.user_id != user_id
        )
        return await self._session.scalar(statement.limit(1)) is not None

    async def change_role(self, user_id: UserId, role: Role) -> None:
        await self._session.execute(
            update(Membership).where(self._is_ours, Membership.user_id == user_id).values(role=role)
        )

    async def remove(self, user_id: UserId) -> None:
        """Delete the membership with its sessions, browsers and notifications."""
        await self._session.execute(select(func.remove_member(user_id)))
