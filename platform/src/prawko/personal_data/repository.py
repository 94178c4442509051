"""Selects and deletes what is no longer kept, and finds companies for operators."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from prawko.accounts.email_address import normalise_email
from prawko.accounts.models import LoginSession, Membership, UserAccount, UserActivity
from prawko.billing.models import Subscription
from prawko.drivers.models import UNKNOWN, Driver
from prawko.kit.context import AppContext
from prawko.kit.database import count_changes
from prawko.personal_data.retention import RetentionRule
from prawko.verifications.models import RegisterAnswer, Verification
from prawko_tenants.ids import TenantId, UserId
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession

BATCH_SIZE = 200


class RetentionRepository:
    """Selects and deletes in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def purge_rows(
        self, rule: RetentionRule, before: datetime, tenant_id: TenantId | None = None
    ) -> int:
        """Apply a rule to a table, or to the bound company's rows; return the number deleted."""
        statement = delete(rule.model).where(rule.timestamp < before)
        if rule.is_kept is not None:
            statement = statement.where(~rule.is_kept)
        if tenant_id is not None:
            statement = statement.where(rule.model.tenant_id == tenant_id)
        return await count_changes(self._session, statement)

    async def purge_old_results(self, tenant_id: TenantId, before: date) -> None:
        """Delete old answers without a verification, and reset states from old verifications.

        An answer is deleted with its last verification, a state with its verification.
        """
        midnight = datetime(before.year, before.month, before.day, tzinfo=UTC)
        await count_changes(
            self._session,
            update(Driver)
            .where(Driver.tenant_id == tenant_id, Driver.verified_at < midnight)
            .values(
                status=UNKNOWN,
                latest=None,
                valid_until=None,
                verified_at=None,
                asked_at_system=None,
            ),
        )
        await count_changes(
            self._session,
            delete(RegisterAnswer).where(
                RegisterAnswer.tenant_id == tenant_id,
                RegisterAnswer.first_seen_at < midnight,
                ~exists().where(
                    Verification.tenant_id == RegisterAnswer.tenant_id,
                    Verification.driver_id == RegisterAnswer.driver_id,
                    Verification.answer_id == RegisterAnswer.id,
                ),
            ),
        )

    async def delete_former_members(self) -> None:
        """Delete accounts of no company, once their last event has left the audit log.

        Operators stay, as elsewhere.
        """
        is_former = and_(
            UserAccount.is_admin.is_(False),
            ~exists(Membership.user_id).where(Membership.user_id == UserAccount.id),
            # Not all columns: the worker reads no addresses of the log.
            ~exists(UserActivity.user_id).where(UserActivity.user_id == UserAccount.id),
        )
        # Locked first, so that an account that joins a company meanwhile is seen as such.
        found = select(UserAccount.id).where(is_former).limit(BATCH_SIZE)
        ids = (await self._session.scalars(found.with_for_update(skip_locked=True))).all()
        await self._session.execute(delete(UserAccount).where(UserAccount.id.in_(ids), is_former))

    async def list_companies(self, after: UUID, *, limit: int) -> Sequence[TenantId]:
        """Return up to `limit` companies, with ids above `after`."""
        statement = (
            select(Membership.tenant_id)
            .where(Membership.tenant_id > after)
            .group_by(Membership.tenant_id)
            .order_by(Membership.tenant_id)
            .limit(limit)
        )
        return (await self._session.scalars(statement)).all()

    async def list_unverified(self, before: datetime) -> list[tuple[UserId, TenantId | None]]:
        """Return unverified accounts, each with its company if no other person uses it."""
        colleague, colleague_account = aliased(Membership), aliased(UserAccount)
        is_used = (
            exists(colleague_account.id)  # not all columns: the worker reads no password
            .where(
                colleague.tenant_id == Membership.tenant_id,
                colleague_account.id == colleague.user_id,
                colleague_account.id != UserAccount.id,
                or_(colleague_account.email_verified, colleague_account.created_at >= before),
            )
            .correlate(Membership, UserAccount)
        )
        statement = (
            select(UserAccount.id, Membership.tenant_id, is_used.label("is_used"))
            .outerjoin(Membership, Membership.user_id == UserAccount.id)
            .where(_is_unverified(before))
            .order_by(UserAccount.id)
            .limit(BATCH_SIZE)
        )
        rows = await self._session.execute(statement)
        return [(row.id, None if row.is_used else row.tenant_id) for row in rows]

    async def delete_unverified(self, user_id: UserId, before: datetime) -> None:
        """Delete an account if it is still unverified and that old."""
        await self._session.execute(
            delete(UserAccount).where(UserAccount.id == user_id, _is_unverified(before))
        )

    async def lock_unverified(self, tenant_id: TenantId, before: datetime) -> bool:
        """Lock a company's members; False when one has verified or signed up again since."""
        statement = (
            select(_is_unverified(before))
            .select_from(UserAccount)
            .join(Membership, Membership.user_id == UserAccount.id)
            .where(Membership.tenant_id == tenant_id)
            .order_by(UserAccount.id)
            .with_for_update(of=UserAccount)
        )
        unverified = (await self._session.scalars(statement)).all()
        return bool(unverified) and all(unverified)


async def load_cooperation_end(session: TenantSession) -> datetime | None:
    """Return when the bound company's cooperation ended: its last subscription end or activity."""
    tenant_id = session.tenant_id

    def latest(column: Any, *where: ColumnElement[bool]) -> Any:
        return select(func.max(column)).where(*where).scalar_subquery()

    return await session.scalar(
        select(
            func.greatest(
                Tenant.created_at,
                latest(Subscription.end_date, Subscription.tenant_id == tenant_id),
                latest(LoginSession.last_seen_at, LoginSession.tenant_id == tenant_id),
                latest(
                    UserActivity.created_at,
                    UserActivity.tenant_id == tenant_id,
                    Membership.tenant_id == tenant_id,
                    Membership.user_id == UserActivity.user_id,
                ),
            )
        ).where(Tenant.id == tenant_id)
    )


async def find_companies_by_email(context: AppContext, email: str) -> Sequence[TenantId]:
    """Return the companies that the person with this address belongs to."""
    statement = (
        select(Membership.tenant_id)
        .join(UserAccount, UserAccount.id == Membership.user_id)
        .where(UserAccount.email_key == normalise_email(email.strip()))
        .order_by(Membership.tenant_id)
    )
    async with context.database.system() as session:
        return (await session.scalars(statement)).all()


async def find_company_name(context: AppContext, tenant_id: TenantId) -> str | None:
    """Return the company's name, which may be empty; None for an unknown company."""
    async with context.database.tenant(tenant_id) as session:
        return await session.scalar(select(Tenant.company_name).where(Tenant.id == tenant_id))


def _is_unverified(before: datetime) -> ColumnElement[bool]:
    return and_(
        UserAccount.email_verified.is_(False),
        UserAccount.is_admin.is_(False),
        UserAccount.created_at < before,
    )
