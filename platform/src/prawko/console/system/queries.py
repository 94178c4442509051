"""Reads incidents, acts, pauses and the series of charts, with a session of the operators."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Date, case, cast, func, select, union_all
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from prawko.accounts.acts.models import AdminAction, AdminActionType
from prawko.accounts.email_address import normalise_email
from prawko.accounts.models import UserAccount
from prawko.billing.models import Subscription, SubscriptionHistory, SubscriptionStatus
from prawko.console.list_page import AnyRow, ListPage, fetch_page
from prawko.console.list_query import (
    FilterIds,
    FilterWord,
    ListDialect,
    ListQuery,
    SearchText,
    SortOrder,
)
from prawko.kit.incidents.models import Incident, ProviderPause
from prawko.payments.models import Payment
from prawko.payments.state_machine import PaymentRecordState
from prawko.verifications.models import CheckRun, RegisterLimiter
from prawko_tenants.models import Tenant

CHART_DAYS = 90
CHART_MONTHS = 12
_WARSAW = "Europe/Warsaw"
_INCIDENT_COLUMNS: dict[str, Any] = {
    "openedAt": Incident.opened_at,
    "closedAt": Incident.closed_at,
}
INCIDENTS = ListDialect(
    sortable=frozenset(_INCIDENT_COLUMNS),
    filters={"id": FilterIds, "kind": FilterWord, "open": bool},
    default_sort=SortOrder("openedAt", is_descending=True),
)
_ACTION_COLUMNS: dict[str, Any] = {
    "createdAt": AdminAction.sequence,
    "sequence": AdminAction.sequence,
}
ACTIONS = ListDialect(
    sortable=frozenset(_ACTION_COLUMNS),
    filters={
        "id": FilterIds,
        "q": SearchText,
        "actionType": AdminActionType,
        "companyId": UUID,
        "adminId": UUID,
    },
    default_sort=SortOrder("createdAt", is_descending=True),
)


class SystemQueries:
    """The lists are two statements each; all others are one."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_incidents(self, query: ListQuery) -> ListPage:
        """Return a page of incidents."""
        statement = select(*Incident.__table__.c)
        filters = query.filters
        if kind := filters.get("kind"):
            statement = statement.where(Incident.kind == kind)
        if filters.get("open") is not None:
            is_open = Incident.closed_at.is_(None)
            statement = statement.where(is_open if filters["open"] else ~is_open)
        return await fetch_page(self._session, statement, query, _INCIDENT_COLUMNS, Incident.id)

    async def get_incident(self, incident_id: UUID) -> Incident | None:
        """Return an incident."""
        return await self._session.scalar(select(Incident).where(Incident.id == incident_id))

    async def list_actions(self, query: ListQuery) -> ListPage:
        """Return a page of operators' acts."""
        admin, target = aliased(UserAccount), aliased(UserAccount)
        statement = (
            select(
                AdminAction.id,
                AdminAction.sequence,
                AdminAction.created_at,
                admin.email.label("admin_email"),
                # A browser has an address, a command has none.
                case((AdminAction.ip == "", func.nullif(AdminAction.agent, ""))).label("command"),
                target.email.label("target_email"),
                AdminAction.tenant_id.label("company_id"),
                Tenant.company_name,
                AdminAction.action_type,
                AdminAction.reason,
                AdminAction.details,
            )
            .outerjoin(admin, admin.id == AdminAction.admin_id)
            .outerjoin(target, target.id == AdminAction.target_user_id)
            .outerjoin(Tenant, Tenant.id == AdminAction.tenant_id)
        )
        filters = query.filters
        if action := filters.get("actionType"):
            statement = statement.where(AdminAction.action_type == action)
        if company := filters.get("companyId"):
            statement = statement.where(AdminAction.tenant_id == company)
        if admin_id := filters.get("adminId"):
            statement = statement.where(AdminAction.admin_id == admin_id)
        if text := filters.get("q"):
            key = normalise_email(text.strip())
            matches = [one.email_key.contains(key, autoescape=True) for one in (admin, target)]
            statement = statement.where(matches[0] | matches[1])
        return await fetch_page(self._session, statement, query, _ACTION_COLUMNS, AdminAction.id)

    async def list_pauses(self) -> dict[str, ProviderPause]:
        """Return the pauses of channels and payment providers by name."""
        pauses = await self._session.scalars(select(ProviderPause))
        return {pause.provider: pause for pause in pauses}

    async def list_limiters(self) -> Sequence[RegisterLimiter]:
        """Return the rate limiters of the registers."""
        return (await self._session.scalars(select(RegisterLimiter))).all()

    async def count_sign_ups(self, since: datetime) -> Sequence[AnyRow]:
        """Return new accounts by day."""
        day = _warsaw_day(UserAccount.created_at)
        statement = (
            select(day.label("day"), func.count().label("number"))
            .where(UserAccount.created_at >= since)
            .group_by(day)
        )
        return (await self._session.execute(statement)).all()

    async def count_active_changes(self) -> Sequence[AnyRow]:
        """Return by how many the running subscriptions changed on each day of all time."""
        runs = Subscription.status != SubscriptionStatus.INACTIVE
        starts, ends = _warsaw_day(Subscription.start_date), _warsaw_day(Subscription.end_date)
        statement = union_all(
            select(starts.label("day"), func.count().label("number")).where(runs).group_by(starts),
            select(ends.label("day"), (-func.count()).label("number")).where(runs).group_by(ends),
        )
        return (await self._session.execute(statement)).all()

    async def sum_revenue(self, since: datetime) -> Sequence[AnyRow]:
        """Return what was paid, less what was refunded, by month, in grosze of PLN."""
        month = _warsaw_month(Payment.finished_at)
        statement = (
            select(
                month.label("month"),
                func.sum(Payment.grosze - Payment.refunded_grosze).label("grosze"),
            )
            .where(
                Payment.state == PaymentRecordState.PAID,
                Payment.currency == "PLN",
                Payment.finished_at >= since,
            )
            .group_by(month)
        )
        return (await self._session.execute(statement)).all()

    async def count_churn(self, since: datetime) -> Sequence[AnyRow]:
        """Return subscriptions that became active, and that stopped being it, by month."""
        month = _warsaw_month(SubscriptionHistory.changed_at)
        is_active = SubscriptionHistory.new_status == SubscriptionStatus.ACTIVE
        was_active = func.coalesce(
            SubscriptionHistory.old_status == SubscriptionStatus.ACTIVE, False
        )
        statement = (
            select(
                month.label("month"),
                func.count().filter(is_active, ~was_active).label("started"),
                func.count().filter(~is_active, was_active).label("ended"),
            )
            .where(SubscriptionHistory.changed_at >= since)
            .group_by(month)
        )
        return (await self._session.execute(statement)).all()

    async def list_outcomes(self, since: date) -> Sequence[AnyRow]:
        """Return the outcomes of runs by day."""
        unresolved = func.greatest(0, CheckRun.planned - CheckRun.done)
        statement = (
            select(
                CheckRun.day,
                CheckRun.valid,
                CheckRun.invalid,
                CheckRun.attention,
                CheckRun.not_found,
                unresolved.label("unresolved"),
            )
            .where(CheckRun.day >= since)
            .order_by(CheckRun.day)
        )
        return (await self._session.execute(statement)).all()


def _warsaw_day(column: Any) -> Any:
    return cast(func.timezone(_WARSAW, column), Date)


def _warsaw_month(column: Any) -> Any:
    return cast(func.date_trunc("month", func.timezone(_WARSAW, column)), Date)
