"""Reads payments, discrepancies and refunds of all companies, with a session of the operators."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import and_, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.console.list_page import AnyRow, AnySelect, ListPage, fetch_page
from prawko.console.list_query import (
    FilterIds,
    FilterWord,
    ListDialect,
    ListQuery,
    SearchText,
    SortOrder,
)
from prawko.payments.models import DiscrepancyKind, Payment, PaymentDiscrepancy
from prawko.payments.state_machine import UNFINISHED_STATES, PaymentRecordState
from prawko_tenants.models import Tenant

# Ids are ordered by time, and the primary key's index serves the order.
_PAYMENT_COLUMNS: dict[str, Any] = {"createdAt": Payment.id, "amountGrosze": Payment.grosze}
_DISCREPANCY_COLUMNS: dict[str, Any] = {
    "detectedAt": PaymentDiscrepancy.detected_at,
    "amountGrosze": PaymentDiscrepancy.grosze,
}
PAYMENTS = ListDialect(
    sortable=frozenset(_PAYMENT_COLUMNS),
    filters={
        "id": FilterIds,
        "q": SearchText,
        "companyId": UUID,
        "provider": FilterWord,
        "state": PaymentRecordState,
        "open": bool,
    },
    default_sort=SortOrder("createdAt", is_descending=True),
)
DISCREPANCIES = ListDialect(
    sortable=frozenset(_DISCREPANCY_COLUMNS),
    filters={
        "id": FilterIds,
        "q": SearchText,
        "companyId": UUID,
        "kind": DiscrepancyKind,
        "open": bool,
    },
    default_sort=SortOrder("detectedAt", is_descending=True),
)
REFUNDS = ListDialect(
    sortable=frozenset({"createdAt", "amountGrosze"}),
    filters={"id": FilterIds, "companyId": UUID},
    default_sort=SortOrder("createdAt", is_descending=True),
)

_COMPANY_NAME = func.coalesce(Tenant.company_name, "").label("company_name")
_REFUND_TIME = func.coalesce(PaymentDiscrepancy.resolved_at, PaymentDiscrepancy.detected_at)
_REFUND_AMOUNT = func.coalesce(PaymentDiscrepancy.refunded_grosze, PaymentDiscrepancy.grosze)


class PaymentQueries:
    """Each list is two statements."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_payments(self, query: ListQuery) -> ListPage:
        """Return a page of payments."""
        filters = query.filters
        statement = select(
            Payment.id,
            Payment.tenant_id.label("company_id"),
            _COMPANY_NAME,
            Payment.provider,
            Payment.method,
            Payment.grosze.label("amount_grosze"),
            Payment.refunded_grosze,
            Payment.currency,
            Payment.state,
            Payment.reference,
            Payment.created_at,
            Payment.finished_at,
        ).outerjoin(Tenant, Tenant.id == Payment.tenant_id)
        if text := filters.get("q"):
            statement = statement.where(Payment.reference == text.strip().upper())
        if company := filters.get("companyId"):
            statement = statement.where(Payment.tenant_id == company)
        if provider := filters.get("provider"):
            statement = statement.where(Payment.provider == provider)
        if state := filters.get("state"):
            statement = statement.where(Payment.state == state)
        if filters.get("open") is not None:
            is_open = Payment.state.in_(UNFINISHED_STATES)
            statement = statement.where(is_open if filters["open"] else ~is_open)
        return await fetch_page(self._session, statement, query, _PAYMENT_COLUMNS, Payment.id)

    async def list_discrepancies(self, query: ListQuery) -> ListPage:
        """Return a page of discrepancies, each a row of the model and the company's name."""
        filters = query.filters
        statement: AnySelect = select(PaymentDiscrepancy, _COMPANY_NAME).outerjoin(
            Tenant, Tenant.id == PaymentDiscrepancy.tenant_id
        )
        if text := filters.get("q"):
            statement = statement.where(
                or_(
                    PaymentDiscrepancy.reference == text.strip().upper(),
                    PaymentDiscrepancy.provider_ref == text.strip(),
                )
            )
        if company := filters.get("companyId"):
            statement = statement.where(PaymentDiscrepancy.tenant_id == company)
        if kind := filters.get("kind"):
            statement = statement.where(PaymentDiscrepancy.kind == kind)
        if filters.get("open") is not None:
            is_open = PaymentDiscrepancy.resolved_at.is_(None)
            statement = statement.where(is_open if filters["open"] else ~is_open)
        return await fetch_page(
            self._session, statement, query, _DISCREPANCY_COLUMNS, PaymentDiscrepancy.id
        )

    async def get_discrepancy(self, discrepancy_id: UUID) -> AnyRow | None:
        """Return a discrepancy and the company's name."""
        statement = (
            select(PaymentDiscrepancy, _COMPANY_NAME)
            .outerjoin(Tenant, Tenant.id == PaymentDiscrepancy.tenant_id)
            .where(PaymentDiscrepancy.id == discrepancy_id)
        )
        return (await self._session.execute(statement)).one_or_none()

    async def list_refunds(self, query: ListQuery) -> ListPage:
        """Return a page of refunds: those of discrepancies, and those made elsewhere."""
        statement = (
            select(
                PaymentDiscrepancy.id,
                Payment.id.label("payment_id"),
                PaymentDiscrepancy.tenant_id.label("company_id"),
                _COMPANY_NAME,
                PaymentDiscrepancy.provider,
                PaymentDiscrepancy.reference,
                _REFUND_AMOUNT.label("amount_grosze"),
                PaymentDiscrepancy.currency,
                case(
                    (PaymentDiscrepancy.refunded_grosze.is_(None), "elsewhere"),
                    (PaymentDiscrepancy.resolved_at.is_(None), "requested"),
                    else_="refunded",
                ).label("state"),
                _REFUND_TIME.label("created_at"),
            )
            .outerjoin(
                Payment,
                and_(
                    Payment.reference == PaymentDiscrepancy.reference,
                    Payment.provider == PaymentDiscrepancy.provider,
                ),
            )
            .outerjoin(Tenant, Tenant.id == PaymentDiscrepancy.tenant_id)
            .where(
                or_(
                    PaymentDiscrepancy.refunded_grosze.is_not(None),
                    PaymentDiscrepancy.kind == DiscrepancyKind.REFUNDED_ELSEWHERE,
                )
            )
        )
        if company := query.filters.get("companyId"):
            statement = statement.where(PaymentDiscrepancy.tenant_id == company)
        columns: dict[str, Any] = {"createdAt": _REFUND_TIME, "amountGrosze": _REFUND_AMOUNT}
        return await fetch_page(self._session, statement, query, columns, PaymentDiscrepancy.id)


def discrepancy_rows(page: ListPage) -> Sequence[tuple[PaymentDiscrepancy, str]]:
    """Return the rows of a page of discrepancies."""
    return [(row.PaymentDiscrepancy, row.company_name) for row in page.rows]
