"""Changes the driver limit within a paid period: a higher one is paid for, a lower one waits."""

from uuid import UUID

import msgspec

from prawko.accounts.activity import Act, note
from prawko.billing.changes import By, check_change
from prawko.billing.company_details import details_to_order
from prawko.billing.desk import Desk
from prawko.billing.methods import refuse_malformed
from prawko.billing.notes import Note, note_text
from prawko.billing.order_schemas import ChangeLimitIn
from prawko.billing.ordering import lowered, raised, total
from prawko.billing.orders import OrderKind
from prawko.billing.paying import charge, send
from prawko.billing.placing import Buying, Placed, Placing
from prawko.billing.reading import SubscriptionPage
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.schemas import SubscriptionOut
from prawko.billing.situation import Situation
from prawko.billing.standing import write_standing
from prawko.hooks.payments import Money
from prawko.payments.errors import PaymentRefusedError
from prawko.payments.purchase import MandateView, OfferedMethod
from prawko.payments.settling import State
from prawko_tenants.sessions import TenantSession


class Changed(msgspec.Struct, frozen=True):
    """Where the payer goes on, if anywhere, and the order that waits or is paid."""

    url: str | None = None
    order_id: UUID | None = None


class LimitChange:
    """Changes the limit for one person."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def change(self, data: ChangeLimitIn) -> Changed:
        """Change the limit, or order the change. Without a method, the saved card pays at once.

        Refused before anybody is asked: SubscriptionSuspendedError, NoPaidPeriodError,
        InvalidDriverLimitError, BillingDetailsRequiredError, InvalidPaymentMethodError,
        TooManyRequestsError. Raises PaymentRefusedError and PaymentUnavailableError.
        """
        refuse_malformed(data.method, data.blik_code)
        async with self._desk.held() as (session, found):
            lines = found.upgrade(data.driver_limit)
            if not lines:
                await self._write(session, found, data.driver_limit)
                return Changed()
            mandate = await self._mandate(session, found, data)
        if mandate is not None:
            return await self._charge(data, mandate)
        money = Money(total(lines).gross)
        way = await self._desk.way_to_pay(money, data.method, data.blik_code)
        placed = await self._place(data, way)
        if placed is None:
            return Changed()
        return Changed(await send(self._desk, placed), placed.order_id)

    async def shown(self) -> SubscriptionOut:
        """The subscription as it stands now, charged or not."""
        desk = self._desk
        async with desk.tools.database.tenant(desk.who.tenant_id) as session:
            page = SubscriptionPage(session, desk.tools, desk.payments, desk.head_count)
            return await page.subscription()

    async def _mandate(
        self, session: TenantSession, found: Situation, data: ChangeLimitIn
    ) -> MandateView | None:
        current = found.subscription
        by_card = data.method is None and data.blik_code is None
        if not by_card or current is None or current.mandate_id is None:
            return None
        return await self._desk.payments.mandate(session, current.mandate_id)

    async def _charge(self, data: ChangeLimitIn, mandate: MandateView) -> Changed:
        await self._desk.count_order()
        placed = await self._place(data, mandate)
        if placed is None:
            return Changed()
        charged = await charge(self._desk, placed)
        if charged.state is State.FAILED:
            raise PaymentRefusedError
        return Changed(charged.url if charged.state is State.OPEN else None, placed.order_id)

    async def _place(self, data: ChangeLimitIn, by: OfferedMethod | MandateView) -> Placed | None:
        """Write the order; None where meanwhile nothing is left to pay for."""
        async with self._desk.held() as (session, found):
            running, lines = found.running, found.upgrade(data.driver_limit)
            if running is None or not lines:
                return None
            buying = Buying(
                kind=OrderKind.UPGRADE,
                limit=data.driver_limit,
                lines=lines,
                details=details_to_order(found.company, {}, self._desk.tools.settings),
                from_limit=running.limit,
                end=running.end,
            )
            placing = Placing(self._desk, session)
            if isinstance(by, MandateView):
                return await placing.by_mandate(buying, by)
            return await placing.on_a_page(buying, by, data.blik_code)

    async def _write(self, session: TenantSession, found: Situation, limit: int) -> None:
        """Write a change that costs nothing: a lower limit, or one that is paid for already."""
        running, current = found.within_period(limit), found.subscription
        higher = limit > running.limit
        after = raised(running, limit) if higher else lowered(running, limit)
        if current is None or after == running:
            return
        told = Note.LIMIT_COVERED if higher else Note.LIMIT_LOWERED
        check_change(By.CUSTOMER, current.status, current.status, told)
        SubscriptionRepository(session).change_status(
            current, current.status, note_text(told, limit=limit), found.now
        )
        write_standing(current, after)
        who = (self._desk.who, self._desk.origin)
        await note(session, Act.LIMIT_CHANGED, *who, found.now, limit=limit)
