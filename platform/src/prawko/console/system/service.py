"""Shows plugins, incidents, acts and charts, and closes incidents."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import accumulate
from uuid import UUID

import msgspec

from prawko.accounts.acts.action_log import ActionLog
from prawko.accounts.acts.chain_repository import ActionChainRepository
from prawko.accounts.acts.chain_verification import verify_chain
from prawko.accounts.acts.models import AdminActionType
from prawko.console.list_page import AnyRow, ListPage
from prawko.console.list_query import ListParameters, ListQuery
from prawko.console.schemas import to_localized
from prawko.console.system.errors import IncidentClosedError
from prawko.console.system.queries import (
    ACTIONS,
    CHART_DAYS,
    CHART_MONTHS,
    INCIDENTS,
    SystemQueries,
)
from prawko.console.system.schemas import (
    ChainVerificationOut,
    ChartsOut,
    ChurnOut,
    DayCountOut,
    IncidentOut,
    OutcomesOut,
    PluginCheckOut,
    PluginOut,
    RevenueOut,
)
from prawko.kit.clock import WARSAW, utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.kit.incidents.models import Incident, ProviderPause
from prawko.kit.incidents.service import close_incident
from prawko.kit.providers.availability import BreakerState
from prawko.kit.providers.checks import check_offers, chosen_names
from prawko.kit.providers.registry import PluginKind, PluginOffer
from prawko.verifications.models import RegisterLimiter


class SystemService:
    """Reads with the operators' wide session; every act is a transaction of the action log."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def list_plugins(self) -> list[PluginOut]:
        """Return the plugins of this process, with what the workers know of their state."""
        async with self._context.database.operator() as session:
            queries = SystemQueries(session)
            pauses, limiters = await queries.list_pauses(), await queries.list_limiters()
        chosen = chosen_names(self._context.settings)
        plugins = [
            _describe_plugin(offer, chosen, pauses, limiters)
            for offer in self._context.plugins.offers
        ]
        return sorted(plugins, key=lambda plugin: (plugin.kind, plugin.name))

    async def check_plugins(self) -> list[PluginCheckOut]:
        """Ask every configured object of this process whether its provider would serve us."""
        results = await check_offers(self._context.plugins)
        return [
            PluginCheckOut(id=f"{kind.value}:{name}", passed=result.passed, text=result.text)
            for (kind, name), result in sorted(results.items())
        ]

    async def list_incidents(self, parameters: ListParameters) -> tuple[ListQuery, ListPage]:
        """Return a page of incidents."""
        query = INCIDENTS.parse(parameters)
        async with self._context.database.operator() as session:
            page = await SystemQueries(session).list_incidents(query)
        return query, ListPage([_to_incident(row) for row in page.rows], page.total)

    async def get_incident(self, incident_id: UUID) -> IncidentOut:
        """Return an incident. Raises NotFoundError."""
        async with self._context.database.operator() as session:
            incident = await SystemQueries(session).get_incident(incident_id)
        if incident is None:
            raise NotFoundError
        return _to_incident(incident)

    async def close(self, actions: ActionLog, incident_id: UUID, reason: str | None) -> IncidentOut:
        """Close an incident; it is opened again while its condition lasts.

        Raises NotFoundError and IncidentClosedError.
        """
        incident = await self.get_incident(incident_id)
        async with actions.open_system() as session:
            present = await session.get(Incident, incident_id)
            if present is None or not await close_incident(
                session, kind=incident.kind, key=incident.key, now=utc_now()
            ):
                raise IncidentClosedError
            await actions.record(
                AdminActionType.INCIDENT_CLOSED,
                reason=reason,
                requires_reason=False,
                incident=incident_id,
                kind=incident.kind,
            )
        return await self.get_incident(incident_id)

    async def list_actions(self, parameters: ListParameters) -> tuple[ListQuery, ListPage]:
        """Return a page of operators' acts."""
        query = ACTIONS.parse(parameters)
        async with self._context.database.operator() as session:
            return query, await SystemQueries(session).list_actions(query)

    async def verify_actions(self) -> ChainVerificationOut:
        """Compute the hashes of all acts again; `rows` is the number of intact ones."""
        async with self._context.database.operator() as session:
            chain = ActionChainRepository(session)
            report = await verify_chain(chain.stream_links(), await chain.find_known_head())
        return ChainVerificationOut(
            id="verification",
            checked_at=utc_now(),
            rows=report.head.sequence,
            broken_at=report.broken_at,
        )

    async def load_charts(self) -> ChartsOut:
        """Return the series of all charts; days and months without anything are zero."""
        today = warsaw_date(self._context.clock.now())
        days = [today - timedelta(days=ago) for ago in reversed(range(CHART_DAYS))]
        months = _last_months(today)
        since_day, since_month = _midnight(days[0]), _midnight(months[0])
        async with self._context.database.operator() as session:
            queries = SystemQueries(session)
            sign_ups = await queries.count_sign_ups(since_day)
            changes = await queries.count_active_changes()
            revenue = await queries.sum_revenue(since_month)
            churn = await queries.count_churn(since_month)
            outcomes = await queries.list_outcomes(days[0])
        earned = {row.month: int(row.grosze) for row in revenue}
        changed = {row.month: row for row in churn}
        return ChartsOut(
            sign_ups=_by_day(days, sign_ups),
            active=_running_totals(days, changes),
            revenue=[RevenueOut(month=month, grosze=earned.get(month, 0)) for month in months],
            churn=[
                ChurnOut(
                    month=month,
                    started=changed[month].started if month in changed else 0,
                    ended=changed[month].ended if month in changed else 0,
                )
                for month in months
            ],
            outcomes=msgspec.convert(outcomes, list[OutcomesOut], from_attributes=True),
        )


def _describe_plugin(
    offer: PluginOffer,
    chosen: dict[PluginKind, frozenset[str]],
    pauses: dict[str, ProviderPause],
    limiters: Sequence[RegisterLimiter],
) -> PluginOut:
    error, error_at, paused_until = None, None, None
    if offer.kind in {PluginKind.CHANNEL, PluginKind.PAYMENTS} and offer.name in pauses:
        pause = pauses[offer.name]
        error, error_at, paused_until = pause.reason, pause.since, pause.paused_until
    if offer.kind is PluginKind.REGISTER:
        for limiter in limiters:
            is_open = limiter.breaker != BreakerState.CLOSED
            if limiter.register == offer.name and (limiter.account_error or is_open):
                error = limiter.account_error or "the register does not answer"
                error_at, paused_until = limiter.updated_at, limiter.paused_until
    return PluginOut(
        id=f"{offer.kind.value}:{offer.name}",
        kind=offer.kind.value,
        name=offer.name,
        version=offer.version,
        configured=offer.kind is not PluginKind.UNCONFIGURED,
        chosen=offer.name in chosen.get(offer.kind, frozenset()),
        healthy=error is None,
        last_error=error,
        last_error_at=error_at,
        paused_until=paused_until,
    )


def _to_incident(row: Incident | AnyRow) -> IncidentOut:
    return IncidentOut(
        id=row.id,
        kind=row.kind,
        key=row.key,
        detail=to_localized(row.facts, row.detail),
        opened_at=row.opened_at,
        closed_at=row.closed_at,
        mailed_at=row.mailed_at,
    )


def _by_day(days: Sequence[date], rows: Sequence[AnyRow]) -> list[DayCountOut]:
    counts = {row.day: row.number for row in rows}
    return [DayCountOut(day=day, count=counts.get(day, 0)) for day in days]


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
    return datetime(day.year, day.month, day.day, tzinfo=WARSAW)
