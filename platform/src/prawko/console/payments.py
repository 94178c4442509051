"""Payments and refunds of all companies."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, case, func, or_, select

from prawko.console.list_query import FilterWord, SearchText
from prawko.console.resource import (
    COMPANY_NAME,
    Filter,
    Resource,
    condition_filter,
    create_router,
    ids_filter,
    value_filter,
)
from prawko.kit.http.schemas import ResponseModel
from prawko.kit.text.letters import normalise_typed
from prawko.payments.models import DiscrepancyKind, Payment, PaymentDiscrepancy
from prawko.payments.state_machine import UNFINISHED_STATES, PaymentRecordState
from prawko_tenants.models import Tenant


class PaymentOut(ResponseModel):
    """A payment; the company's name is empty if it was erased."""

    id: UUID
    company_id: UUID
    company_name: str
    provider: str
    method: str
    amount_grosze: int
    refunded_grosze: int
    currency: str
    state: str
    reference: str
    created_at: datetime
    finished_at: datetime | None


class RefundOut(ResponseModel):
    """A refund: requested, refunded, or made elsewhere than here."""

    id: UUID
    payment_id: UUID | None
    company_id: UUID | None
    company_name: str
    provider: str
    reference: str
    amount_grosze: int
    currency: str
    state: str
    created_at: datetime


PAYMENTS = Resource(
    name="payments",
    tag="Payments",
    list_id="listPayments",
    out=PaymentOut,
    statement=select(
        Payment.id,
        Payment.tenant_id.label("company_id"),
        COMPANY_NAME,
        Payment.provider,
        Payment.method,
        Payment.grosze.label("amount_grosze"),
        Payment.refunded_grosze,
        Payment.currency,
        Payment.state,
        Payment.reference,
        Payment.created_at,
        Payment.finished_at,
    ).outerjoin(Tenant, Tenant.id == Payment.tenant_id),
    id_column=Payment.id,
    # Ids are ordered by time, and have the primary key's index.
    columns={"createdAt": Payment.id, "amountGrosze": Payment.grosze},
    filters={
        "id": ids_filter(Payment.id),
        "q": Filter(SearchText, lambda text: Payment.reference == normalise_typed(text).upper()),
        "companyId": value_filter(Payment.tenant_id),
        "provider": value_filter(Payment.provider, FilterWord),
        "state": value_filter(Payment.state, PaymentRecordState),
        "open": condition_filter(Payment.state.in_(UNFINISHED_STATES)),
    },
)

# Refunds of discrepancies, and those made elsewhere.
_refunded_at = func.coalesce(PaymentDiscrepancy.resolved_at, PaymentDiscrepancy.detected_at)
_refunded_amount = func.coalesce(PaymentDiscrepancy.refunded_grosze, PaymentDiscrepancy.grosze)

REFUNDS = Resource(
    name="refunds",
    tag="Payments",
    list_id="listRefunds",
    out=RefundOut,
    statement=select(
        PaymentDiscrepancy.id,
        Payment.id.label("payment_id"),
        PaymentDiscrepancy.tenant_id.label("company_id"),
        COMPANY_NAME,
        PaymentDiscrepancy.provider,
        PaymentDiscrepancy.reference,
        _refunded_amount.label("amount_grosze"),
        PaymentDiscrepancy.currency,
        case(
            (PaymentDiscrepancy.refunded_grosze.is_(None), "elsewhere"),
            (PaymentDiscrepancy.resolved_at.is_(None), "requested"),
            else_="refunded",
        ).label("state"),
        _refunded_at.label("created_at"),
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
    ),
    id_column=PaymentDiscrepancy.id,
    columns={"createdAt": _refunded_at, "amountGrosze": _refunded_amount},
    filters={
        "id": ids_filter(PaymentDiscrepancy.id),
        "companyId": value_filter(PaymentDiscrepancy.tenant_id),
    },
)

ROUTES = (create_router(PAYMENTS), create_router(REFUNDS))
