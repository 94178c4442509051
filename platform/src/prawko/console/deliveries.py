"""Mails and SMS as operators see them: states and reasons, no addresses or texts."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from litestar import get
from litestar.di import NamedDependency
from sqlalchemy import case, func, select

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import ActSession, OperatorActs, ReasonRequiredError
from prawko.accounts.passwords.reset import RESET_MAIL
from prawko.accounts.phone_verification import PHONE_CODE
from prawko.accounts.registration import EMAIL_CODE
from prawko.console.list_query import FilterWord
from prawko.console.resource import (
    COMPANY_NAME,
    Act,
    AnyRow,
    Filter,
    Resource,
    create_router,
    ids_filter,
    operator_responses,
    value_filter,
)
from prawko.console.schemas import ReasonIn
from prawko.hooks.channels import DeliveryReportKind, Medium
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.errors import AppError
from prawko.kit.http.schemas import ResponseModel
from prawko.kit.outbox.models import Delivery
from prawko.kit.outbox.service import resend_message
from prawko.support.answer_mails import CONTACT_ANSWER_MAIL, TICKET_ANSWER_MAIL
from prawko_tenants.ids import TenantId
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import OperatorSession

SUMMARY_PERIOD = timedelta(days=7)
# Their secrets are cleared once they are sent or have failed.
SECRET_KINDS = frozenset(
    {EMAIL_CODE, RESET_MAIL, PHONE_CODE, TICKET_ANSWER_MAIL, CONTACT_ANSWER_MAIL}
)


class DeliveryState(StrEnum):
    """The states of a message, those that its carrier reported later included."""

    WAITING = "waiting"
    SENT = "sent"
    DELIVERED = "delivered"
    UNDELIVERED = "undelivered"
    FAILED = "failed"


class DeliveryOut(ResponseModel):
    """A mail or SMS. `reason` is a word: why it failed or waits, or what a report said."""

    id: UUID
    company_id: UUID | None
    company_name: str
    medium: str
    kind: str
    state: str
    attempts: int
    created_at: datetime
    next_attempt_at: datetime | None
    sent_at: datetime | None
    reason: str | None
    carrier: str | None
    resendable: bool


class MediumCountsOut(ResponseModel):
    """Numbers of messages of one medium."""

    medium: str
    waiting: int
    failed: int
    undelivered: int


class ReasonCountOut(ResponseModel):
    """How many messages of a medium wait, failed or were not delivered for one reason."""

    medium: str
    reason: str
    count: int


class DeliverySummaryOut(ResponseModel):
    """Messages that wait, and those of the last week that did not arrive."""

    waiting: int
    failed: int
    undelivered: int
    oldest_waiting_at: datetime | None
    by_medium: list[MediumCountsOut]
    by_reason: list[ReasonCountOut]


class DeliveryNotResendableError(AppError):
    """The message waits or was sent, its secret was deleted, or it belongs to no company."""

    status = 409
    key = "delivery_not_resendable"


_IS_DELIVERED = Delivery.report == DeliveryReportKind.DELIVERED.value
_CONDITIONS = {
    DeliveryState.WAITING: Delivery.state == "pending",
    DeliveryState.FAILED: Delivery.state == "failed",
    DeliveryState.SENT: (Delivery.state == "sent") & Delivery.report.is_(None),
    DeliveryState.DELIVERED: (Delivery.state == "sent") & _IS_DELIVERED,
    DeliveryState.UNDELIVERED: (Delivery.state == "sent") & ~_IS_DELIVERED,
}
_STATE = case(*((condition, state.value) for state, condition in _CONDITIONS.items()))
_REASON = case((_CONDITIONS[DeliveryState.UNDELIVERED], Delivery.report), else_=Delivery.error_kind)


async def describe_deliveries(
    context: AppContext, _session: OperatorSession, rows: Sequence[AnyRow]
) -> list[DeliveryOut]:
    """Add to rows their carriers, and whether they can be sent again."""
    return [_describe(context, row) for row in rows]


def _describe(context: AppContext, row: AnyRow) -> DeliveryOut:
    carriers = context.settings.channel_names(Medium(row.medium))
    is_lost = row.state in {DeliveryState.FAILED, DeliveryState.UNDELIVERED}
    return DeliveryOut(
        id=row.id,
        company_id=row.company_id,
        company_name=row.company_name,
        medium=row.medium,
        kind=row.kind,
        state=row.state,
        attempts=row.attempts,
        created_at=row.created_at,
        next_attempt_at=row.next_attempt_at,
        sent_at=row.sent_at,
        reason=row.reason,
        carrier=row.carrier or next(iter(carriers), None),
        resendable=is_lost and row.company_id is not None and row.kind not in SECRET_KINDS,
    )


async def resend_delivery(acts: OperatorActs, delivery_id: UUID, data: ReasonIn) -> None:
    """Send a message again that failed or was not delivered; its content is rendered anew.

    Raises NotFoundError and DeliveryNotResendableError.
    """
    delivery = await DELIVERIES.read(acts.context, delivery_id)
    if not delivery.resendable or delivery.company_id is None:
        raise DeliveryNotResendableError
    tenant_id = TenantId(delivery.company_id)
    async with acts.open_company(tenant_id) as session:
        await restart_delivery(session, acts, delivery_id, tenant_id, data.reason)


async def restart_delivery(
    session: ActSession, acts: OperatorActs, delivery_id: UUID, tenant_id: TenantId | None,
    reason: str | None,
) -> None:  # fmt: skip
    """Let a message that was sent or failed be sent again, in the transaction of an act.

    Raises DeliveryNotResendableError.
    """
    if not await resend_message(session, delivery_id):
        raise DeliveryNotResendableError
    await acts.record(
        AdminActionType.DELIVERY_RESENT, tenant_id=tenant_id, reason=reason, delivery=delivery_id
    )


@get(
    "/summary",
    operation_id="getDeliverySummary",
    summary="Count the messages that wait or did not arrive",
    responses=operator_responses(),
)
async def summarise_deliveries(context: NamedDependency[AppContext]) -> DeliverySummaryOut:
    """Numbers by medium, state and reason, by one statement."""
    recent = Delivery.created_at > utc_now() - SUMMARY_PERIOD
    statement = (
        select(
            Delivery.channel_medium.label("medium"),
            _STATE.label("state"),
            func.coalesce(_REASON, "").label("reason"),
            func.count().label("number"),
            func.min(Delivery.created_at).label("oldest_at"),
        )
        .where(
            _CONDITIONS[DeliveryState.WAITING]
            | (recent & _CONDITIONS[DeliveryState.FAILED])
            | (recent & _CONDITIONS[DeliveryState.UNDELIVERED])
        )
        .group_by(Delivery.channel_medium, _STATE, _REASON)
    )
    async with context.database.operator() as session:
        return _to_summary((await session.execute(statement)).all())


def _to_summary(rows: Sequence[AnyRow]) -> DeliverySummaryOut:
    counts: Counter[tuple[str, str]] = Counter()
    reasons: Counter[tuple[str, str]] = Counter()
    for row in rows:
        counts[row.medium, row.state] += row.number
        if row.reason:
            reasons[row.medium, row.reason] += row.number
    by_medium = [
        MediumCountsOut(
            medium=medium.value,
            waiting=counts[medium.value, DeliveryState.WAITING],
            failed=counts[medium.value, DeliveryState.FAILED],
            undelivered=counts[medium.value, DeliveryState.UNDELIVERED],
        )
        for medium in Medium
    ]
    waiting_since = [row.oldest_at for row in rows if row.state == DeliveryState.WAITING]
    return DeliverySummaryOut(
        waiting=sum(one.waiting for one in by_medium),
        failed=sum(one.failed for one in by_medium),
        undelivered=sum(one.undelivered for one in by_medium),
        oldest_waiting_at=min(waiting_since, default=None),
        by_medium=by_medium,
        by_reason=[
            ReasonCountOut(medium=medium, reason=reason, count=count)
            for (medium, reason), count in reasons.most_common()
        ],
    )


DELIVERIES = Resource(
    name="deliveries",
    tag="Messages",
    list_id="listDeliveries",
    read_id="getDelivery",
    out=DeliveryOut,
    statement=select(
        Delivery.id,
        Delivery.tenant_id.label("company_id"),
        COMPANY_NAME,
        Delivery.channel_medium.label("medium"),
        Delivery.kind,
        Delivery.carrier,
        _STATE.label("state"),
        Delivery.attempts,
        Delivery.created_at,
        case((Delivery.state == "pending", Delivery.next_try_at)).label("next_attempt_at"),
        Delivery.sent_at,
        _REASON.label("reason"),
    ).outerjoin(Tenant, Tenant.id == Delivery.tenant_id),
    describe=describe_deliveries,
    id_column=Delivery.id,
    columns={
        "createdAt": Delivery.id,  # ids are ordered by time, and have the primary key's index
        "attempts": Delivery.attempts,
        "nextAttemptAt": Delivery.next_try_at,
    },
    filters={
        "id": ids_filter(Delivery.id),
        "state": Filter(DeliveryState, _CONDITIONS.__getitem__),
        "medium": value_filter(Delivery.channel_medium, Medium),
        "companyId": value_filter(Delivery.tenant_id),
        "kind": value_filter(Delivery.kind, FilterWord),
        "reason": value_filter(_REASON, FilterWord),
    },
    acts=(
        Act(
            "resend",
            "resendDelivery",
            resend_delivery,
            (DeliveryNotResendableError, ReasonRequiredError),
            "Send a message again that did not arrive",
        ),
    ),
)
ROUTES = (create_router(DELIVERIES, summarise_deliveries),)
