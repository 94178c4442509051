"""Shows payments and discrepancies, and resolves, refunds and books."""

import asyncio
import binascii
from base64 import b64decode
from collections import Counter
from uuid import UUID

from prawko.accounts.acts.action_log import ActionLog
from prawko.accounts.acts.models import AdminActionType
from prawko.console.list_page import ListPage
from prawko.console.list_query import ListParameters, ListQuery
from prawko.console.payments.errors import (
    DiscrepancyResolvedError,
    InvalidStatementError,
    RefundNotPossibleError,
    RefundPendingError,
)
from prawko.console.payments.queries import (
    DISCREPANCIES,
    PAYMENTS,
    REFUNDS,
    PaymentQueries,
    discrepancy_rows,
)
from prawko.console.payments.schemas import (
    BookedLineOut,
    BookingOut,
    DiscrepancyOut,
    PreviewLineOut,
    PreviewOut,
    RefusedLineOut,
    StatementBookingIn,
    StatementFileIn,
)
from prawko.console.schemas import to_localized
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.payments.bank_statement import RecordResult
from prawko.payments.discrepancies import (
    RefundNotMadeError,
    discrepancy_exists,
    lock_open_discrepancy,
    resolve_discrepancy,
)
from prawko.payments.jobs import make_requested_refund, process_payment_events
from prawko.payments.models import PaymentDiscrepancy
from prawko.payments.refunds import RefundRefusedError, reserve_refund
from prawko.payments.statements.entries import StatementFile
from prawko.payments.statements.files import parse_statement
from prawko.payments.statements.service import PreviewedEntry, book_entries, preview_entries

MISSING = "missing"


class PaymentDeskService:
    """Reads with the operators' wide session; every act is a transaction of the action log."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def list_payments(self, parameters: ListParameters) -> tuple[ListQuery, ListPage]:
        """Return a page of payments."""
        query = PAYMENTS.parse(parameters)
        async with self._context.database.operator() as session:
            return query, await PaymentQueries(session).list_payments(query)

    async def list_refunds(self, parameters: ListParameters) -> tuple[ListQuery, ListPage]:
        """Return a page of refunds."""
        query = REFUNDS.parse(parameters)
        async with self._context.database.operator() as session:
            return query, await PaymentQueries(session).list_refunds(query)

    async def list_discrepancies(self, parameters: ListParameters) -> tuple[ListQuery, ListPage]:
        """Return a page of discrepancies."""
        query = DISCREPANCIES.parse(parameters)
        async with self._context.database.operator() as session:
            page = await PaymentQueries(session).list_discrepancies(query)
        records = [self._describe(one, company) for one, company in discrepancy_rows(page)]
        return query, ListPage(records, page.total)

    async def get_discrepancy(self, discrepancy_id: UUID) -> DiscrepancyOut:
        """Return a discrepancy. Raises NotFoundError."""
        async with self._context.database.operator() as session:
            row = await PaymentQueries(session).get_discrepancy(discrepancy_id)
        if row is None:
            raise NotFoundError
        return self._describe(row.PaymentDiscrepancy, row.company_name)

    async def resolve(
        self, actions: ActionLog, discrepancy_id: UUID, note: str, reason: str | None
    ) -> PaymentDiscrepancy:
        """Resolve a discrepancy.

        Raises NotFoundError, DiscrepancyResolvedError and RefundPendingError.
        """
        async with actions.open_system() as session:
            if not await discrepancy_exists(session, discrepancy_id):
                raise NotFoundError
            try:
                resolved = await resolve_discrepancy(
                    session, discrepancy_id, note.strip(), self._context.clock.now(), utc_now()
                )
            except RefundNotMadeError:
                raise RefundPendingError from None
            if resolved is None:
                raise DiscrepancyResolvedError
            await actions.record(
                AdminActionType.DISCREPANCY_RESOLVED, tenant_id=resolved.tenant_id,
                reason=reason or note, discrepancy=discrepancy_id, grosze=resolved.grosze,
            )  # fmt: skip
        return resolved

    async def refund(
        self, actions: ActionLog, discrepancy_id: UUID, grosze: int, reason: str | None
    ) -> None:
        """Have the worker refund an amount; the discrepancy is resolved when it is made.

        Raises NotFoundError, DiscrepancyResolvedError and RefundNotPossibleError.
        """
        async with actions.open_system() as session:
            if not await discrepancy_exists(session, discrepancy_id):
                raise NotFoundError
            discrepancy = await lock_open_discrepancy(session, discrepancy_id)
            if discrepancy is None:
                raise DiscrepancyResolvedError
            try:
                await reserve_refund(self._context, session, discrepancy, grosze)
            except RefundRefusedError as error:
                raise RefundNotPossibleError(str(error)) from None
            await actions.record(
                AdminActionType.REFUND_REQUESTED, tenant_id=discrepancy.tenant_id, reason=reason,
                discrepancy=discrepancy_id, grosze=grosze,
            )  # fmt: skip
            self._context.enqueue_on_commit(
                session, make_requested_refund, discrepancy_id=discrepancy_id
            )

    async def preview(self, data: StatementFileIn) -> PreviewOut:
        """Show what booking the file's lines would do. Raises UnreadableStatementError."""
        file, previews = await self._preview(data)
        return PreviewOut(
            id="preview", format=file.format.value, lines=[_to_line(one) for one in previews]
        )

    async def book(self, actions: ActionLog, data: StatementBookingIn) -> BookingOut:
        """Book the chosen lines; the rest of the file is not stored.

        Raises UnreadableStatementError.
        """
        file, previews = await self._preview(data)
        chosen = frozenset(data.lines)
        async with actions.open_system() as session:
            booked = await book_entries(self._context, session, previews, chosen)
            results = Counter(one.result for one in booked)
            await actions.record(
                AdminActionType.STATEMENT_BOOKED,
                reason=data.reason,
                format=file.format.value,
                lines=len(chosen),
                recorded=results[RecordResult.RECORDED],
                unmatched=results[RecordResult.UNMATCHED],
            )
            if booked:
                self._context.enqueue_on_commit(session, process_payment_events)
        done = {one.index: one for one in booked if one.result is not RecordResult.DUPLICATE}
        outcomes = {one.index: one.outcome.value for one in previews}
        outcomes |= {
            one.index: one.result.value for one in booked if one.result is RecordResult.DUPLICATE
        }
        return BookingOut(
            id="booking",
            booked=[
                BookedLineOut(index=one.index, reference=one.reference, result=one.result.value)
                for one in done.values()
            ],
            refused=[
                RefusedLineOut(index=index, outcome=outcomes.get(index, MISSING))
                for index in sorted(chosen - done.keys())
            ],
        )

    async def _preview(self, data: StatementFileIn) -> tuple[StatementFile, list[PreviewedEntry]]:
        try:
            content = b64decode("".join(data.content_base64.split()), validate=True)
        except (binascii.Error, ValueError):
            raise InvalidStatementError from None
        file = await asyncio.to_thread(parse_statement, content)
        async with self._context.database.operator() as session:
            return file, await preview_entries(self._context, session, file.entries)

    def _describe(self, discrepancy: PaymentDiscrepancy, company_name: str) -> DiscrepancyOut:
        provider = self._context.plugins.payments.get(discrepancy.provider)
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


def _to_line(preview: PreviewedEntry) -> PreviewLineOut:
    entry, payment = preview.entry, preview.payment
    return PreviewLineOut(
        index=preview.index,
        booked_on=entry.booked_on,
        amount_grosze=entry.grosze,
        currency=entry.currency,
        payer=entry.payer,
        title=entry.title,
        reference=preview.reference,
        matched_reference=payment.reference if payment else None,
        company_id=payment.tenant_id if payment else None,
        company_name=payment.company_name if payment else None,
        expected_grosze=payment.money.grosze if payment else None,
        outcome=preview.outcome.value,
        bookable=preview.is_bookable,
        earlier_reference=preview.earlier.reference if preview.earlier else None,
        earlier_booked_at=preview.earlier.booked_at if preview.earlier else None,
    )
