"""Figures of the whole service: those of the dashboard, and the series of its charts."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import accumulate
from typing import Any

import msgspec
from litestar import get
from litestar.di import NamedDependency
from sqlalchemy import Date, and_, bindparam, cast, func, select, union_all
from sqlalchemy.dialects.postgresql import distinct_on

from prawko.accounts.acts.models import AdminAction
from prawko.accounts.models import UserAccount
from prawko.billing.models import Subscription, SubscriptionHistory, SubscriptionStatus
from prawko.console.resource import NOW, AnyRow, operator_responses
from prawko.kit.clock import WARSAW, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.http.schemas import ResponseModel
from prawko.payments.models import Payment
from prawko.payments.state_machine import PaymentRecordState
from prawko.verifications.models import CheckRun
from prawko_tenants.base import UtcDateTime

CHART_DAYS = 90
CHART_MONTHS = 12
_WARSAW = "Europe/Warsaw"
_SINCE = bindparam("since", type_=UtcDateTime())


class StatsOut(ResponseModel):
    """The console's figures; a day is the calendar day in Warsaw.

    `activeSubscriptions` counts companies, `actionsToday` what operators did.
    """

    total_users: int
    new_users_today: int
    active_subscriptions: int
    actions_today: int


class DayCountOut(ResponseModel):
    """A number on a Warsaw day."""

    day: date
    count: int


class RevenueOut(ResponseModel):
    """The amount paid and not refunded in a month, which is named by its first day."""

    month: date
    grosze: int


class ChurnOut(ResponseModel):
    """Subscriptions that started and ended in a month, named by its first day."""

    month: date
    started: int
    ended: int


class OutcomesOut(ResponseModel):
    """The outcomes of a day's run."""

    day: date
    valid: int
    invalid: int
    attention: int
    not_found: int
    unresolved: int


class ChartsOut(ResponseModel):
    """The series of all charts: 90 days and 12 months."""

    sign_ups: list[DayCountOut]
    active: list[DayCountOut]
    revenue: list[RevenueOut]
    churn: list[ChurnOut]
    outcomes: list[OutcomesOut]


def _warsaw_day(column: Any) -> Any:
    return cast(func.timezone(_WARSAW, column), Date)


def _warsaw_month(column: Any) -> Any:
    return cast(func.date_trunc("month", func.timezone(_WARSAW, column)), Date)


_newest = (
    select(Subscription.status, Subscription.end_date)
    .ext(distinct_on(Subscription.tenant_id))
    .order_by(Subscription.tenant_id, Subscription.id.desc())
    .subquery()
)
_is_active = and_(_newest.c.status == SubscriptionStatus.ACTIVE, _newest.c.end_date > NOW)
STATS = select(
    select(func.count(UserAccount.id)).scalar_subquery().label("total_users"),
    select(func.count(UserAccount.id))
    .where(UserAccount.created_at >= _SINCE)
    .scalar_subquery()
    .label("new_users_today"),
    select(func.count())
    .select_from(_newest)
    .where(_is_active)
    .scalar_subquery()
    .label("active_subscriptions"),
    select(func.count(AdminAction.id))
    .where(AdminAction.created_at >= _SINCE)
    .scalar_subquery()
    .label("actions_today"),
)

_sign_up_day = _warsaw_day(UserAccount.created_at)
SIGN_UPS = (
    select(_sign_up_day.label("day"), func.count().label("number"))
    .where(UserAccount.created_at >= _SINCE)
    .group_by(_sign_up_day)
)
# By how many the running subscriptions changed on each day of all time.
_runs = Subscription.status != SubscriptionStatus.INACTIVE
_start_day, _end_day = _warsaw_day(Subscription.start_date), _warsaw_day(Subscription.end_date)
ACTIVE_CHANGES = union_all(
    select(_start_day.label("day"), func.count().label("number")).where(_runs).group_by(_start_day),
    select(_end_day.label("day"), (-func.count()).label("number")).where(_runs).group_by(_end_day),
)
# What was paid, less what was refunded, in grosze of PLN.
_paid_month = _warsaw_month(Payment.finished_at)
REVENUE = (
    select(
        _paid_month.label("month"),
        func.sum(Payment.grosze - Payment.refunded_grosze).label("grosze"),
    )
    .where(
        Payment.state == PaymentRecordState.PAID,
        Payment.currency == "PLN",
        Payment.finished_at >= _SINCE,
    )
    .group_by(_paid_month)
)
# Subscriptions that became active, and that stopped being it.
_change_month = _warsaw_month(SubscriptionHistory.changed_at)
_active_after = SubscriptionHistory.new_status == SubscriptionStatus.ACTIVE
_active_before = func.coalesce(SubscriptionHistory.old_status == SubscriptionStatus.ACTIVE, False)
CHURN = (
    select(
        _change_month.label("month"),
        func.count().filter(_active_after, ~_active_before).label("started"),
        func.count().filter(~_active_after, _active_before).label("ended"),
    )
    .where(SubscriptionHistory.changed_at >= _SINCE)
    .group_by(_change_month)
)
OUTCOMES = (
    select(
        CheckRun.day,
        CheckRun.valid,
        CheckRun.invalid,
        CheckRun.attention,
        CheckRun.not_found,
        func.greatest(0, CheckRun.planned - CheckRun.done).label("unresolved"),
    )
    .where(CheckRun.day >= bindparam("first_day", type_=Date()))
    .order_by(CheckRun.day)
)


@get("/stats", operation_id="getStats", responses=operator_responses(), tags=["Users"])
async def get_stats(context: NamedDependency[AppContext]) -> StatsOut:
    """The figures of the dashboard, by one statement."""
    now = context.clock.now()
    times = {"now": now, "since": _midnight(warsaw_date(now))}
    async with context.database.operator() as session:
        row = (await session.execute(STATS, times)).one()
    return msgspec.convert(row, StatsOut, from_attributes=True)


@get("/charts", operation_id="getCharts", responses=operator_responses(), tags=["System"])
async def load_charts(context: NamedDependency[AppContext]) -> ChartsOut:
    """The series of all charts; days and months without anything are zero."""
    today = warsaw_date(context.clock.now())
    days = [today - timedelta(days=ago) for ago in reversed(range(CHART_DAYS))]
    months = _last_months(today)
    since_day, since_month = {"since": _midnight(days[0])}, {"since": _midnight(months[0])}
    async with context.database.operator() as session:
        sign_ups = (await session.execute(SIGN_UPS, since_day)).all()
        changes = (await session.execute(ACTIVE_CHANGES)).all()
        revenue = (await session.execute(REVENUE, since_month)).all()
        churn = (await session.execute(CHURN, since_month)).all()
        outcomes = (await session.execute(OUTCOMES, {"first_day": days[0]})).all()
    signed_up = {row.day: row.number for row in sign_ups}
    earned = {row.month: int(row.grosze) for row in revenue}
    changed = {row.month: (row.started, row.ended) for row in churn}
    return ChartsOut(
        sign_ups=[DayCountOut(day=day, count=signed_up.get(day, 0)) for day in days],
        active=_running_totals(days, changes),
        revenue=[RevenueOut(month=month, grosze=earned.get(month, 0)) for month in months],
        churn=[
            ChurnOut(month=month, started=started, ended=ended)
            for month in months
            for started, ended in [changed.get(month, (0, 0))]
        ],
        outcomes=msgspec.convert(outcomes, list[OutcomesOut], from_attributes=True),
    )


def _running_totals(days: Sequence[date], rows: Sequence[AnyRow]) -> list[DayCountOut]:
    """Return the sums of all changes until the end of each day."""
    changes: Counter[date] = Counter()
    for row in rows:
        changes[max(row.day, days[0])] += row.number  # what was before counts on the first day
    totals = accumulate(changes[day] for day in days)
    return [DayCountOut(day=day, count=total) for day, total in zip(days, totals, strict=True)]


def _last_months(today: date) -> list[date]:
    """Return the first days of the last twelve months, this one included."""
    months = [today.year * 12 + today.month - 1 - ago for ago in reversed(range(CHART_MONTHS))]
    return [date(month // 12, month % 12 + 1, 1) for month in months]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), WARSAW)


ROUTES = (get_stats, load_charts)
