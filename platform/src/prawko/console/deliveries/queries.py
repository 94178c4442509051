"""Reads the outbox of all companies, with a session of the operators."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.console.list_page import AnyRow, AnySelect, ListPage, fetch_page
from prawko.console.list_query import (
    FilterIds,
    FilterWord,
    ListDialect,
    ListQuery,
    SortOrder,
)
from prawko.hooks.channels import DeliveryReportKind, Medium
from prawko.kit.outbox.models import Delivery
from prawko_tenants.models import Tenant

SUMMARY_PERIOD = timedelta(days=7)


class DeliveryState(StrEnum):
    """The states of a message, those that its carrier reported later included."""

    WAITING = "waiting"
    SENT = "sent"
    DELIVERED = "delivered"
    UNDELIVERED = "undelivered"
    FAILED = "failed"


# Ids are ordered by time, and the primary key's index serves the order.
_COLUMNS: dict[str, Any] = {
    "createdAt": Delivery.id,
    "attempts": Delivery.attempts,
    "nextAttemptAt": Delivery.next_try_at,
}
DIALECT = ListDialect(
    sortable=frozenset(_COLUMNS),
    filters={
        "id": FilterIds,
        "state": DeliveryState,
        "medium": Medium,
        "companyId": UUID,
        "kind": FilterWord,
        "reason": FilterWord,
    },
    default_sort=SortOrder("createdAt", is_descending=True),
)

_IS_DELIVERED = Delivery.report == DeliveryReportKind.DELIVERED.value
_STATE = case(
    (Delivery.state == "pending", DeliveryState.WAITING.value),
    (Delivery.state == "failed", DeliveryState.FAILED.value),
    (Delivery.report.is_(None), DeliveryState.SENT.value),
    (_IS_DELIVERED, DeliveryState.DELIVERED.value),
    else_=DeliveryState.UNDELIVERED.value,
)
_CONDITIONS = {
    DeliveryState.WAITING: Delivery.state == "pending",
    DeliveryState.FAILED: Delivery.state == "failed",
    DeliveryState.SENT: (Delivery.state == "sent") & Delivery.report.is_(None),
    DeliveryState.DELIVERED: (Delivery.state == "sent") & _IS_DELIVERED,
    DeliveryState.UNDELIVERED: (Delivery.state == "sent") & ~_IS_DELIVERED,
}
_REASON = case((_CONDITIONS[DeliveryState.UNDELIVERED], Delivery.report), else_=Delivery.error_kind)


class DeliveryQueries:
    """The list is two statements, the summary one."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_deliveries(self, query: ListQuery) -> ListPage:
        """Return a page of messages."""
        filters = query.filters
        statement = _select_deliveries()
        if state := filters.get("state"):
            statement = statement.where(_CONDITIONS[state])
        if medium := filters.get("medium"):
            statement = statement.where(Delivery.channel_medium == medium.value)
        if company := filters.get("companyId"):
            statement = statement.where(Delivery.tenant_id == company)
        if kind := filters.get("kind"):
            statement = statement.where(Delivery.kind == kind)
        if reason := filters.get("reason"):
            statement = statement.where(reason == _REASON)
        return await fetch_page(self._session, statement, query, _COLUMNS, Delivery.id)

    async def get_delivery(self, delivery_id: UUID) -> AnyRow | None:
        """Return a message."""
        statement = _select_deliveries().where(Delivery.id == delivery_id)
        return (await self._session.execute(statement)).one_or_none()

    async def summarise(self, now: datetime) -> Sequence[AnyRow]:
        """Return numbers by medium, state and reason, with the oldest of each."""
        since = now - SUMMARY_PERIOD
        statement = (
            select(
                Delivery.channel_medium.label("medium"),
                _STATE.label("state"),
                func.coalesce(_REASON, "").label("reason"),
                func.count().label("number"),
                func.min(Delivery.created_at).label("oldest_at"),
            )
            .where(
                (Delivery.state == "pending")
                | ((Delivery.created_at > since) & _CONDITIONS[DeliveryState.FAILED])
                | ((Delivery.created_at > since) & _CONDITIONS[DeliveryState.UNDELIVERED])
            )
            .group_by(Delivery.channel_medium, _STATE, _REASON)
        )
        return (await self._session.execute(statement)).all()


def _select_deliveries() -> AnySelect:
    return select(
        Delivery.id,
        Delivery.tenant_id.label("company_id"),
        func.coalesce(Tenant.company_name, "").label("company_name"),
        Delivery.channel_medium.label("medium"),
        Delivery.kind,
        Delivery.carrier,
        _STATE.label("state"),
        Delivery.attempts,
        Delivery.created_at,
        case((Delivery.state == "pending", Delivery.next_try_at)).label("next_attempt_at"),
        Delivery.sent_at,
        _REASON.label("reason"),
    ).outerjoin(Tenant, Tenant.id == Delivery.tenant_id)
