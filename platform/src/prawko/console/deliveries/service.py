"""Shows the outbox, and sends a message that did not arrive once more."""

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from prawko.accounts.acts.action_log import ActionLog, ActSession
from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.email_verification import EMAIL_CODE
from prawko.accounts.passwords.reset import RESET_MAIL
from prawko.accounts.phone.sms import PHONE_CODE
from prawko.console.deliveries.errors import DeliveryNotResendableError
from prawko.console.deliveries.queries import DIALECT, DeliveryQueries, DeliveryState
from prawko.console.deliveries.schemas import (
    DeliveryOut,
    DeliverySummaryOut,
    MediumCountsOut,
    ReasonCountOut,
)
from prawko.console.list_page import AnyRow, ListPage
from prawko.console.list_query import ListParameters, ListQuery
from prawko.hooks.channels import Medium
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.kit.outbox.service import resend_message
from prawko.support.answers import CONTACT_ANSWER_MAIL, TICKET_ANSWER_MAIL
from prawko_tenants.ids import TenantId

# Their secrets are cleared once they are sent or have failed.
SECRET_KINDS = frozenset(
    {EMAIL_CODE, RESET_MAIL, PHONE_CODE, TICKET_ANSWER_MAIL, CONTACT_ANSWER_MAIL}
)
_LOST_STATES = frozenset({DeliveryState.FAILED, DeliveryState.UNDELIVERED})


class DeliveryDeskService:
    """Reads with the operators' wide session; every act is a transaction of the action log."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def list_deliveries(self, parameters: ListParameters) -> tuple[ListQuery, ListPage]:
        """Return a page of messages."""
        query = DIALECT.parse(parameters)
        async with self._context.database.operator() as session:
            page = await DeliveryQueries(session).list_deliveries(query)
        return query, ListPage([self._describe(row) for row in page.rows], page.total)

    async def get_delivery(self, delivery_id: UUID) -> DeliveryOut:
        """Return a message. Raises NotFoundError."""
        async with self._context.database.operator() as session:
            row = await DeliveryQueries(session).get_delivery(delivery_id)
        if row is None:
            raise NotFoundError
        return self._describe(row)

    async def summarise(self) -> DeliverySummaryOut:
        """Return the numbers of messages that wait or did not arrive."""
        async with self._context.database.operator() as session:
            rows = await DeliveryQueries(session).summarise(utc_now())
        return _to_summary(rows)

    async def resend(
        self, actions: ActionLog, delivery_id: UUID, reason: str | None
    ) -> DeliveryOut:
        """Send a message again that failed or was not delivered; its content is rendered anew.

        Raises NotFoundError and DeliveryNotResendableError.
        """
        delivery = await self.get_delivery(delivery_id)
        if not delivery.resendable or delivery.company_id is None:
            raise DeliveryNotResendableError
        tenant_id = TenantId(delivery.company_id)
        async with actions.open_company(tenant_id) as session:
            await restart_delivery(session, actions, delivery_id, tenant_id, reason)
        return await self.get_delivery(delivery_id)

    def _describe(self, row: AnyRow) -> DeliveryOut:
        settings = self._context.settings
        carriers = settings.channel_names(Medium(row.medium))
        is_lost = row.state in _LOST_STATES and row.company_id is not None
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
            resendable=is_lost and row.kind not in SECRET_KINDS,
        )


async def restart_delivery(
    session: ActSession, actions: ActionLog, delivery_id: UUID, tenant_id: TenantId | None,
    reason: str | None,
) -> None:  # fmt: skip
    """Let a message that was sent or failed be sent again, in the transaction of an act.

    Raises DeliveryNotResendableError.
    """
    if not await resend_message(session, delivery_id):
        raise DeliveryNotResendableError
    await actions.record(
        AdminActionType.DELIVERY_RESENT, tenant_id=tenant_id, reason=reason, delivery=delivery_id
    )


def _to_summary(rows: Sequence[AnyRow]) -> DeliverySummaryOut:
    counts: Counter[tuple[str, str]] = Counter()
    reasons: Counter[tuple[str, str]] = Counter()
    for row in rows:
        counts[row.medium, row.state] += row.number
        if row.reason:
            reasons[row.medium, row.reason] += row.number

    def total(state: DeliveryState) -> int:
        return sum(counts[medium.value, state.value] for medium in Medium)

    return DeliverySummaryOut(
        waiting=total(DeliveryState.WAITING),
        failed=total(DeliveryState.FAILED),
        undelivered=total(DeliveryState.UNDELIVERED),
        oldest_waiting_at=min(
            (row.oldest_at for row in rows if row.state == DeliveryState.WAITING), default=None
        ),
        by_medium=[
            MediumCountsOut(
                medium=medium.value,
                waiting=counts[medium.value, DeliveryState.WAITING.value],
                failed=counts[medium.value, DeliveryState.FAILED.value],
                undelivered=counts[medium.value, DeliveryState.UNDELIVERED.value],
            )
            for medium in Medium
        ],
        by_reason=[
            ReasonCountOut(medium=medium, reason=reason, count=count)
            for (medium, reason), count in reasons.most_common()
        ],
    )
