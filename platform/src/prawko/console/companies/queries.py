"""Reads companies with their subscriptions, with a session of the operators."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import and_, case, func, lateral, or_, select, true
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.models import Membership, UserAccount
from prawko.billing.models import Subscription, SubscriptionStatus
from prawko.console.list_page import AnyRow, AnySelect, ListPage, fetch_page
from prawko.console.list_query import (
    FilterIds,
    ListDialect,
    ListQuery,
    SearchText,
    SortOrder,
)
from prawko.drivers.models import Driver
from prawko_tenants.models import Tenant

NO_SUBSCRIPTION = "none"


class CompanyStatus(StrEnum):
    """The effective status of a company's subscription."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    NONE = NO_SUBSCRIPTION


DIALECT = ListDialect(
    sortable=frozenset({"name", "createdAt", "driversCount", "driverLimit", "endDate"}),
    filters={"id": FilterIds, "q": SearchText, "status": CompanyStatus},
    default_sort=SortOrder("createdAt", is_descending=True),
)

_current = lateral(
    select(
        Subscription.status,
        Subscription.end_date,
        Subscription.driver_limit,
        Subscription.scheduled_limit,
        Subscription.scheduled_limit_at,
        Subscription.cancelled_at,
        Subscription.is_trial,
    )
    .where(Subscription.tenant_id == Tenant.id)
    .order_by(Subscription.id.desc())
    .limit(1)
).alias("current")
_owner = lateral(
    select(UserAccount.email, UserAccount.email_key)
    .join(Membership, Membership.user_id == UserAccount.id)
    .where(Membership.tenant_id == Tenant.id)
    .order_by(Membership.role.desc(), Membership.created_at)  # "owner" comes after "member"
    .limit(1)
).alias("owner")
_drivers_count = (
    select(func.count(Driver.id)).where(Driver.tenant_id == Tenant.id).scalar_subquery()
)


class CompanyQueries:
    """The list is three statements."""

    def __init__(self, session: AsyncSession, now: datetime) -> None:
        self._session = session
        is_over = and_(_current.c.status == SubscriptionStatus.ACTIVE, _current.c.end_date <= now)
        # As `Subscription.status_at` and `effective_limit` have it.
        self._status = case(
            (and_(is_over, _current.c.cancelled_at.is_not(None)), SubscriptionStatus.CANCELLED),
            (is_over, SubscriptionStatus.EXPIRED),
            else_=func.coalesce(_current.c.status, NO_SUBSCRIPTION),
        )
        self._limit = func.coalesce(
            case((_current.c.scheduled_limit_at <= now, _current.c.scheduled_limit)),
            _current.c.driver_limit,
            0,
        )

    async def list_companies(self, query: ListQuery) -> ListPage:
        """Return a page of companies."""
        statement = self._select_ids(query)
        filters = query.filters
        if status := filters.get("status"):
            statement = statement.where(self._status == status.value)
        if text := filters.get("q"):
            searched = (Tenant.company_name, Tenant.tax_id, _owner.c.email_key)
            statement = statement.where(
                or_(*(column.icontains(text.strip(), autoescape=True) for column in searched))
            )
        columns: dict[str, Any] = {
            "name": func.lower(Tenant.company_name),
            "createdAt": Tenant.created_at,
            "driversCount": _drivers_count,
            "driverLimit": self._limit,
            "endDate": _current.c.end_date,
        }
        page = await fetch_page(self._session, statement, query, columns, Tenant.id)
        ids = [row.id for row in page.rows]
        details = self._select_companies().where(Tenant.id.in_(ids))
        by_id = {row.id: row for row in await self._session.execute(details)}
        return ListPage([by_id[id_] for id_ in ids if id_ in by_id], page.total)

    async def get_company(self, company_id: UUID) -> AnyRow | None:
        """Return a company."""
        statement = self._select_companies().where(Tenant.id == company_id)
        return (await self._session.execute(statement)).one_or_none()

    def _select_ids(self, query: ListQuery) -> AnySelect:
        """Ids with what the filters and the order need: all companies are read for it."""
        statement: AnySelect = select(Tenant.id).select_from(Tenant)
        if "status" in query.filters or query.sort.field in {"driverLimit", "endDate"}:
            statement = statement.outerjoin(_current, true())
        if "q" in query.filters:
            statement = statement.outerjoin(_owner, true())
        return statement

    def _select_companies(self) -> AnySelect:
        return (
            select(
                Tenant.id,
                Tenant.company_name.label("name"),
                Tenant.tax_id,
                _owner.c.email,
                Tenant.created_at,
                self._status.label("status"),
                self._limit.label("driver_limit"),
                _drivers_count.label("drivers_count"),
                _current.c.end_date,
                func.coalesce(_current.c.is_trial, False).label("is_trial"),
                _current.c.cancelled_at.is_not(None).label("cancelled"),
                func.coalesce(_current.c.status == SubscriptionStatus.INACTIVE, False).label(
                    "suspended"
                ),
            )
            .select_from(Tenant)
            .outerjoin(_current, true())
            .outerjoin(_owner, true())
        )
