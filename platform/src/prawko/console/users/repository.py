"""Reads people, their companies and subscriptions across all companies, for the console.

The number of statements does not depend on the number of rows.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    case,
    desc,
    func,
    lateral,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.acts.models import AdminAction
from prawko.accounts.models import LoginSession, Membership, UserAccount, UserActivity
from prawko.billing.models import Subscription, SubscriptionHistory, SubscriptionStatus
from prawko.console.list_query import ListQuery
from prawko.drivers.models import Driver
from prawko.verifications.models import RegisterAnswer, Verification
from prawko_tenants.ids import SessionId, TenantId, UserId
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import OperatorSession

MAX_HISTORY_ROWS = 200
RECENT = timedelta(days=31)  # so that a large company's partitions are not all read

_CURRENT_COLUMNS = (
    Subscription.status,
    Subscription.end_date,
    Subscription.driver_limit,
    Subscription.scheduled_limit,
    Subscription.scheduled_limit_at,
)


class UserSource(msgspec.Struct, frozen=True):
    """People joined with the company that they joined first and its newest subscription."""

    company: Any
    current: Any
    joins: tuple[Any, Any]

    def join(self, statement: Select[Any]) -> Select[Any]:
        """Add the joins to a statement on people."""
        on_company, on_current = self.joins
        statement = statement.select_from(UserAccount).outerjoin(self.company, on_company)
        return statement.outerjoin(self.current, on_current)

    def is_active(self, now: datetime) -> ColumnElement[bool]:
        """Whether the subscription is active, as `Subscription.status_at` has it."""
        current = self.current.c
        is_active = and_(current.status == SubscriptionStatus.ACTIVE, current.end_date > now)
        return func.coalesce(is_active, False)

    def driver_limit(self, now: datetime) -> ColumnElement[int]:
        """The limit, as `effective_limit` has it; 0 without a subscription."""
        current = self.current.c
        scheduled = case((current.scheduled_limit_at <= now, current.scheduled_limit))
        return func.coalesce(scheduled, current.driver_limit, 0)


def _look_up() -> UserSource:
    """Return the source for a few people: both are looked up for each."""
    company = lateral(
        select(Membership.tenant_id)
        .where(Membership.user_id == UserAccount.id)
        .order_by(Membership.created_at)
        .limit(1)
    ).alias("company")
    current = lateral(
        select(*_CURRENT_COLUMNS)
        .where(Subscription.tenant_id == company.c.tenant_id)
        .order_by(Subscription.id.desc())
        .limit(1)
    ).alias("current")
    return UserSource(company, current, (true(), true()))


def _join_all() -> UserSource:
    """Return the source for all people: each table is read once."""
    company = (
        select(Membership.user_id, Membership.tenant_id)
        .ext(distinct_on(Membership.user_id))
        .order_by(Membership.user_id, Membership.created_at)
        .subquery("company")
    )
    current = (
        select(Subscription.tenant_id, *_CURRENT_COLUMNS)
        .ext(distinct_on(Subscription.tenant_id))
        .order_by(Subscription.tenant_id.desc(), Subscription.id.desc())  # as the index has them
        .subquery("current")
    )
    joins = (company.c.user_id == UserAccount.id, current.c.tenant_id == company.c.tenant_id)
    return UserSource(company, current, joins)


_FEW, _ALL = _look_up(), _join_all()


class UserRow(msgspec.Struct, frozen=True, kw_only=True):
    """A person, with the company that they joined first."""

    id: UserId
    email: str
    created_at: datetime
    email_verified: bool
    is_admin: bool
    language: str
    tenant_id: TenantId | None
    company_name: str
    is_active: bool
    driver_limit: int
    drivers_count: int
    subscriptions: Sequence[Subscription]


class Figures(msgspec.Struct, frozen=True):
    """Figures of the whole service."""

    total_users: int
    new_users: int
    active_subscriptions: int
    actions: int


class UserRepository:
    """Reads in an operator's session; none of it is bound to a company."""

    def __init__(self, session: OperatorSession, now: datetime) -> None:
        self._session = session
        self._now = now

    async def load_figures(self, midnight: datetime) -> Figures:
        newest = (
            select(Subscription.status, Subscription.end_date)
            .ext(distinct_on(Subscription.tenant_id))
            .order_by(Subscription.tenant_id, Subscription.id.desc())
            .subquery()
        )
        is_active = and_(
            newest.c.status == SubscriptionStatus.ACTIVE, newest.c.end_date > self._now
        )
        counts = (
            select(func.count(UserAccount.id)),
            select(func.count(UserAccount.id)).where(UserAccount.created_at >= midnight),
            select(func.count()).select_from(newest).where(is_active),
            select(func.count(AdminAction.id)).where(AdminAction.created_at >= midnight),
        )
        row = (
            await self._session.execute(select(*(one.scalar_subquery() for one in counts)))
        ).one()
        return Figures(*row)

    async def list_users(self, query: ListQuery) -> tuple[list[UserRow], int]:
        """Return a page of the people that match, and how many do."""
        by_subscription = query.sort.field in {"driverLimit", "status"}
        by_subscription |= "status" in query.filters
        source = _ALL if by_subscription else _FEW
        where = self._criteria(source, query.filters)
        order = {
            "email": UserAccount.email_key,
            "createdAt": UserAccount.created_at,
            "driverLimit": source.driver_limit(self._now),
            "status": source.is_active(self._now),
        }[query.sort.field]
        sorting = (desc(order) if query.sort.is_descending else order, UserAccount.id)
        total = select(func.count(UserAccount.id))
        page = self._select_users(source).order_by(*sorting)
        if by_subscription:
            total = source.join(total)
            page = page.where(*where).limit(query.limit).offset(query.first)
        else:  # the page first, so that companies are looked up for its people alone
            ids = select(UserAccount.id).where(*where).order_by(*sorting)
            page = page.where(UserAccount.id.in_(ids.limit(query.limit).offset(query.first)))
        count = await self._session.scalar(total.where(*where))
        return await self._load_users(page), count or 0

    async def find_user(self, user_id: UUID) -> UserRow | None:
        found = await self._load_users(self._select_users(_FEW).where(UserAccount.id == user_id))
        return found[0] if found else None

    async def list_activity(self, user_id: UserId, activity_type: str | None) -> Sequence[Any]:
        """Return the newest events of a person, or those of one type."""
        statement = (
            select(UserActivity)
            .where(UserActivity.user_id == user_id)
            .order_by(UserActivity.created_at.desc(), UserActivity.id.desc())
            .limit(MAX_HISTORY_ROWS)
        )
        if activity_type:
            statement = statement.where(UserActivity.activity_type == activity_type)
        return (await self._session.scalars(statement)).all()

    async def list_subscription_changes(self, tenant_id: TenantId) -> Sequence[SubscriptionHistory]:
        statement = (
            select(SubscriptionHistory)
            .where(SubscriptionHistory.tenant_id == tenant_id)
            .order_by(SubscriptionHistory.changed_at.desc(), SubscriptionHistory.id.desc())
            .limit(MAX_HISTORY_ROWS)
        )
        return (await self._session.scalars(statement)).all()

    async def find_session(self, session_id: SessionId) -> tuple[str, LoginSession]:
        """Return the address of a session's person, and the session."""
        statement = (
            select(UserAccount.email, LoginSession)
            .join(LoginSession, LoginSession.user_id == UserAccount.id)
            .where(LoginSession.id == session_id)
        )
        email, row = (await self._session.execute(statement)).one()
        return email, row

    def _criteria(self, source: UserSource, filters: Any) -> list[ColumnElement[bool]]:
        criteria: list[ColumnElement[bool]] = []
        if "id" in filters:
            criteria.append(UserAccount.id.in_(filters["id"]))
        for name in ("q", "email"):
            if name in filters:
                text = filters[name].strip().lower()
                criteria.append(UserAccount.email_key.contains(text, autoescape=True))
        if "status" in filters:
            is_active = source.is_active(self._now)
            criteria.append(is_active if filters["status"] == "active" else ~is_active)
        return criteria

    def _select_users(self, source: UserSource) -> Select[Any]:
        # Column by column: the login may not read password hashes.
        return source.join(
            select(
                UserAccount.id,
                UserAccount.email,
                UserAccount.created_at,
                UserAccount.email_verified,
                UserAccount.is_admin,
                UserAccount.language,
                source.company.c.tenant_id,
                source.is_active(self._now).label("is_active"),
                source.driver_limit(self._now).label("driver_limit"),
            )
        )

    async def _load_users(self, statement: Select[Any]) -> list[UserRow]:
        """Return the people with what their companies have: three statements more."""
        rows = (await self._session.execute(statement)).all()
        companies = {row.tenant_id for row in rows if row.tenant_id is not None}
        names = await self._session.execute(
            select(Tenant.id, Tenant.company_name).where(Tenant.id.in_(companies))
        )
        name_of = {row.id: row.company_name for row in names}
        counts = await self._session.execute(
            select(Driver.tenant_id, func.count())
            .where(Driver.tenant_id.in_(companies))
            .group_by(Driver.tenant_id)
        )
        count_of = {row[0]: row[1] for row in counts}
        subscriptions = defaultdict(list)
        newest_first = (
            select(Subscription)
            .where(Subscription.tenant_id.in_(companies))
            .order_by(Subscription.id.desc())
        )
        for one in await self._session.scalars(newest_first):
            subscriptions[one.tenant_id].append(one)
        return [
            UserRow(
                **row._asdict(),
                company_name=name_of.get(row.tenant_id, ""),
                drivers_count=count_of.get(row.tenant_id, 0),
                subscriptions=subscriptions[row.tenant_id],
            )
            for row in rows
        ]


async def list_company_verifications(
    session: AsyncSession, now: datetime
) -> list[tuple[Verification, RegisterAnswer]]:
    """Return the newest verifications of the bound company, with their answers."""
    newest = select(Verification).order_by(Verification.verified_at.desc()).limit(MAX_HISTORY_ROWS)
    verifications = (
        await session.scalars(newest.where(Verification.verified_at > now - RECENT))
    ).all()
    if len(verifications) < MAX_HISTORY_ROWS:  # few in a month: there are not many in all
        verifications = (await session.scalars(newest)).all()
    answers = await session.scalars(
        select(RegisterAnswer).where(
            RegisterAnswer.driver_id.in_({one.driver_id for one in verifications}),
            RegisterAnswer.id.in_({one.answer_id for one in verifications}),
        )
    )
    by_id = {answer.id: answer for answer in answers}
    return [(one, by_id[one.answer_id]) for one in verifications if one.answer_id in by_id]


async def lock_user_row(session: AsyncSession, user_id: UUID) -> Row[UserId, bool] | None:
    """Lock an account until the transaction ends; return its `id` and `is_admin`."""
    statement = (
        select(UserAccount.id, UserAccount.is_admin)
        .where(UserAccount.id == user_id)
        .with_for_update(key_share=True)
    )
    return (await session.execute(statement)).one_or_none()
