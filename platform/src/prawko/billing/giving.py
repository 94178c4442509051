"""Writes what a paid order brings: the subscription, its history, and what the invoice says."""

from datetime import datetime

import msgspec

from prawko.billing.changes import By, check_change
from prawko.billing.company_details import stored_details
from prawko.billing.ends import checked_until, end_note
from prawko.billing.fulfilment_rules import Deed
from prawko.billing.models import Subscription, SubscriptionOrder
from prawko.billing.notes import Note, note_text
from prawko.billing.ordering import Line, Standing, prolonged, raised, renewed
from prawko.billing.orders import OrderKind
from prawko.billing.overview import status_at
from prawko.billing.periods import paid_end
from prawko.billing.price import period_price, zloty
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.standing import end_ahead, standing_of, write_standing
from prawko.billing.status import Status
from prawko.invoices.sale import Buyer, LineKind, Sale, SaleLine
from prawko.payments.buyers import PaidPayment
from prawko.payments.repository import PaymentRepository
from prawko_tenants.sessions import BatchSession, TenantSession


class Giving:
    """Gives one company what it has paid for; its rows are held."""

    def __init__(self, session: TenantSession | BatchSession, now: datetime) -> None:
        self._subscriptions = SubscriptionRepository(session)
        self._payments = PaymentRepository(session)
        self._now = now

    async def give(
        self,
        deed: Deed,
        order: SubscriptionOrder,
        current: Subscription | None,
        paid: PaidPayment,
        sold: tuple[Line, ...],
        *,
        raises: bool,
    ) -> Sale:
        """Do the deed with the lines that hold; return what was sold.

        `raises`: a higher limit holds at once, for the rest of the running period.
        """
        begins = end_ahead(current, self._now) or self._now
        if deed is Deed.BEGIN or current is None:
            self._close(current)
            current = await self._begin(order, current)
        else:
            self._change(deed, order, current, raises=raises)
        current.provider = paid.provider
        current.mandate_id = paid.mandate_id or current.mandate_id
        # What another card has taken the place of is not kept.
        await self._payments.end_mandates(paid.tenant_id, self._now, but=current.mandate_id)
        current.checked_until = checked_until(current)
        return _sale(order, paid, sold, begins, current.end_date)

    async def _begin(self, order: SubscriptionOrder, before: Subscription | None) -> Subscription:
        """A new subscription; a trial that runs is followed, not cut short."""
        end = paid_end(end_ahead(before, self._now), self._now)
        begun = Subscription(
            status=Status.ACTIVE,
            driver_limit=order.driver_limit,
            price_net=zloty(period_price(order.driver_limit).net),
            is_trial=False,
            start_date=self._now,
            end_date=end,
            checked_until=end,
            created_at=self._now,
            updated_at=self._now,
            **msgspec.structs.asdict(stored_details(order)),
        )
        check_change(By.PAYMENT, None, begun.status, Note.PAID)
        await self._subscriptions.add(begun, note_text(Note.PAID))
        return begun

    def _change(
        self, deed: Deed, order: SubscriptionOrder, current: Subscription, *, raises: bool
    ) -> None:
        """Change what there is; the history says each step."""
        limit, running = order.driver_limit, standing_of(current, self._now)
        if deed is Deed.REVIVE or running is None:
            self._close(current)
            after = Standing(limit=limit, end=paid_end(None, self._now))
            self._note(current, Note.PAID_AFTER_END, after)
        else:
            after = running
            if raises:
                after = raised(after, limit)
                self._note(current, Note.LIMIT_RAISED, after, limit=limit)
            if deed is Deed.PROLONG:
                prolong = renewed if order.kind == OrderKind.RENEWAL else prolonged
                after = prolong(after, limit, self._now)
                self._note(current, Note.PROLONGED, after)
        if deed is not Deed.RAISE:
            if current.cancelled_at is not None:  # what was taken back is not charged again
                current.cancelled_at = current.mandate_id = None
            for name, text in msgspec.structs.asdict(stored_details(order)).items():
                setattr(current, name, text)
        write_standing(current, after)

    def _close(self, current: Subscription | None) -> None:
        """Write an end that has come and that no job has written yet. A trial's is the job's."""
        if current is None or current.is_trial:
            return
        status = status_at(current, self._now)
        if status == current.status:
            return
        told = end_note(current)
        check_change(By.TIME, current.status, status, told)
        self._subscriptions.change_status(current, status, note_text(told), self._now)

    def _note(self, current: Subscription, what: Note, after: Standing, **params: object) -> None:
        check_change(By.PAYMENT, current.status, Status.ACTIVE, what)
        self._subscriptions.change_status(
            current, Status.ACTIVE, note_text(what, **params), self._now, end=after.end
        )


def _sale(
    order: SubscriptionOrder, paid: PaidPayment, sold: tuple[Line, ...], begins: datetime,
    end: datetime,
) -> Sale:  # fmt: skip
    has_period = any(line.kind is LineKind.PERIOD for line in sold)
    return Sale(
        order_id=order.id,
        buyer=msgspec.convert(stored_details(order), Buyer, from_attributes=True),
        lines=tuple(
            SaleLine(
                kind=line.kind,
                driver_limit=order.driver_limit,
                days=line.days,
                net=line.net,
                vat=line.vat,
            )
            for line in sold
        ),
        paid_at=paid.paid_at,
        method=paid.method,
        period_from=begins if has_period else None,
        period_to=end if has_period else None,
    )
