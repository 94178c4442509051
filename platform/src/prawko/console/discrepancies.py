"""Discrepancies, money that does not match an order: resolved with a note, or refunded."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta
from sqlalchemy import or_, select

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs, ReasonRequiredError
from prawko.console.list_query import SearchText
from prawko.console.resource import (
    COMPANY_NAME,
    Act,
    AnyRow,
    Filter,
    Resource,
    condition_filter,
    create_router,
    ids_filter,
    value_filter,
)
from prawko.console.schemas import LocalizedText, Reason, to_localized
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.errors import AppError, NotFoundError
from prawko.kit.http.schemas import STORABLE, RequestModel, ResponseModel
from prawko.kit.text.letters import normalise_typed
from prawko.payments.discrepancies import (
    RefundNotMadeError,
    discrepancy_exists,
    lock_open_discrepancy,
    resolve_discrepancy,
)
from prawko.payments.jobs import make_requested_refund
from prawko.payments.models import DiscrepancyKind, PaymentDiscrepancy
from prawko.payments.refunds import (
    AMOUNT_CONFLICT,
    AMOUNT_TOO_HIGH,
    REFUND_BY_HAND,
    RefundRefusedError,
    reserve_refund,
)
from prawko.payments.schemas import MAX_GROSZE
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import OperatorSession

MAX_NOTE_LENGTH = 500


class DiscrepancyOut(ResponseModel):
    """Money that does not match an order. `refunded_grosze` is made once it is resolved."""

    id: UUID
    kind: str
    detail: LocalizedText
    detected_at: datetime
    provider: str
    reference: str
    amount_grosze: int
    refunded_grosze: int | None
    refundable: bool
    currency: str
    company_id: UUID | None
    company_name: str
    resolved_at: datetime | None
    resolution_note: str | None


class ResolutionIn(RequestModel):
    """How a discrepancy was settled; the note is the reason, too."""

    note: Annotated[str, Meta(min_length=1, max_length=MAX_NOTE_LENGTH, pattern=STORABLE)]
    reason: Reason | None = None


class RefundIn(RequestModel):
    """The amount to refund, in grosze."""

    amount_grosze: Annotated[int, Meta(ge=1, le=MAX_GROSZE)]
    reason: Reason | None = None


class DiscrepancyResolvedError(AppError):
    """The discrepancy is not open any more."""

    status = 409
    key = "discrepancy_resolved"


class RefundPendingError(AppError):
    """A refund of the discrepancy is requested and not made; making it resolves it."""

    status = 409
    key = "refund_pending"


class RefundNotPossibleError(AppError):
    """The provider makes no refunds, or the amount is not one that may be refunded."""

    status = 409
    key = "refund_refused"
    texts = {  # noqa: RUF012
        REFUND_BY_HAND: "by_hand",
        AMOUNT_TOO_HIGH: "too_high",
        AMOUNT_CONFLICT: "other_amount",
    }

    def __init__(self, reason: str) -> None:
        self.reason = reason
        text = self.texts.get(reason, "other")
        super().__init__(fields={"amountGrosze": f"console.refund.{text}"})


async def describe_discrepancies(
    context: AppContext, _session: OperatorSession, rows: Sequence[AnyRow]
) -> list[DiscrepancyOut]:
    """Return discrepancies, and whether their providers make refunds."""
    return [_describe(context, row.PaymentDiscrepancy, row.company_name) for row in rows]


def _describe(
    context: AppContext, discrepancy: PaymentDiscrepancy, company_name: str
) -> DiscrepancyOut:
    provider = context.plugins.payments.get(discrepancy.provider)
    is_open = discrepancy.resolved_at is None
    return DiscrepancyOut(
        id=discrepancy.id,
        kind=discrepancy.kind.value,
        detail=to_localized(discrepancy.facts, discrepancy.detail),
        detected_at=discrepancy.detected_at,
        provider=discrepancy.provider,
        reference=discrepancy.reference,
        amount_grosze=discrepancy.grosze,
        refunded_grosze=discrepancy.refunded_grosze,
        refundable=is_open and provider is not None and provider.capabilities.can_refund,
        currency=discrepancy.currency,
        company_id=discrepancy.tenant_id,
        company_name=company_name,
        resolved_at=discrepancy.resolved_at,
        resolution_note=discrepancy.resolution_note,
    )


async def resolve_with_note(acts: OperatorActs, discrepancy_id: UUID, data: ResolutionIn) -> None:
    """Resolve a discrepancy.

    Raises NotFoundError, DiscrepancyResolvedError and RefundPendingError.
    """
    now = acts.context.clock.now()
    async with acts.open_system() as session:
        if not await discrepancy_exists(session, discrepancy_id):
            raise NotFoundError
        try:
            resolved = await resolve_discrepancy(
                session, discrepancy_id, data.note.strip(), now, utc_now()
            )
        except RefundNotMadeError:
            raise RefundPendingError from None
        if resolved is None:
            raise DiscrepancyResolvedError
        await acts.record(
            AdminActionType.DISCREPANCY_RESOLVED,
            tenant_id=resolved.tenant_id,
            reason=data.reason or data.note,
            discrepancy=discrepancy_id,
            grosze=resolved.grosze,
        )


class _RefundRequestedBefore(Exception):  # noqa: N818 (not an error)
    """Rolls back a request that changes nothing."""


async def request_refund(acts: OperatorActs, discrepancy_id: UUID, data: RefundIn) -> None:
    """Have the worker refund an amount; the discrepancy is resolved when it is made.

    A request that is repeated is recorded once, and has the worker try at once. Raises
    NotFoundError, DiscrepancyResolvedError and RefundNotPossibleError.
    """
    with suppress(_RefundRequestedBefore):
        async with acts.open_system() as session:
            if not await discrepancy_exists(session, discrepancy_id):
                raise NotFoundError
            discrepancy = await lock_open_discrepancy(session, discrepancy_id)
            if discrepancy is None:
                raise DiscrepancyResolvedError
            is_repeated = discrepancy.refunded_grosze == data.amount_grosze
            try:
                await reserve_refund(acts.context, session, discrepancy, data.amount_grosze)
            except RefundRefusedError as error:
                raise RefundNotPossibleError(str(error)) from None
            if is_repeated:
                raise _RefundRequestedBefore
            await acts.record(
                AdminActionType.REFUND_REQUESTED,
                tenant_id=discrepancy.tenant_id,
                reason=data.reason,
                discrepancy=discrepancy_id,
                grosze=data.amount_grosze,
            )
    await acts.context.queue.enqueue(make_requested_refund, discrepancy_id=discrepancy_id)


DISCREPANCIES = Resource(
    name="discrepancies",
    tag="Payments",
    list_id="listDiscrepancies",
    read_id="getDiscrepancy",
    out=DiscrepancyOut,
    statement=select(PaymentDiscrepancy, COMPANY_NAME).outerjoin(
        Tenant, Tenant.id == PaymentDiscrepancy.tenant_id
    ),
    describe=describe_discrepancies,
    id_column=PaymentDiscrepancy.id,
    columns={
        "detectedAt": PaymentDiscrepancy.detected_at,
        "amountGrosze": PaymentDiscrepancy.grosze,
    },
    filters={
        "id": ids_filter(PaymentDiscrepancy.id),
        "q": Filter(
            SearchText,
            lambda text: or_(
                PaymentDiscrepancy.reference == normalise_typed(text).upper(),
                PaymentDiscrepancy.provider_ref == normalise_typed(text),
            ),
        ),
        "companyId": value_filter(PaymentDiscrepancy.tenant_id),
        "kind": value_filter(PaymentDiscrepancy.kind, DiscrepancyKind),
        "open": condition_filter(PaymentDiscrepancy.resolved_at.is_(None)),
    },
    acts=(
        Act(
            "resolve",
            "resolveDiscrepancy",
            resolve_with_note,
            (DiscrepancyResolvedError, RefundPendingError, ReasonRequiredError),
            "Close a discrepancy with a note",
        ),
        Act(
            "refund",
            "refundDiscrepancy",
            request_refund,
            (DiscrepancyResolvedError, RefundNotPossibleError, ReasonRequiredError),
            "Have the provider refund an amount",
        ),
    ),
)
ROUTES = (create_router(DISCREPANCIES),)
