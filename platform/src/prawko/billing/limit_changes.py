"""Changes the driver limit within a paid period: a higher one is paid for, a lower one waits."""

from uuid import UUID

import msgspec

from prawko.accounts.activity import Act, Origin, note
from prawko.accounts.identity import Identity, refuse_revoked
from prawko.base.jobs import Tools
from prawko.billing.changes import By, check_change
from prawko.billing.checkout import chosen_way, count_order
from prawko.billing.company_details import details_to_order
from prawko.billing.head_count import HeadCount
from prawko.billing.methods import refuse_malformed
from prawko.billing.notes import Note, note_text
from prawko.billing.order_schemas import ChangeLimitIn
from prawko.billing.ordering import lowered, raised, total
from prawko.billing.orders import OrderKind
from prawko.billing.placing import Buying, Desk, Placed
from prawko.billing.reading import SubscriptionPage
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.schemas import SubscriptionOut
from prawko.billing.situation import Situation, situation
from prawko.billing.standing import write_standing
from prawko.hooks.payments import Money
from prawko.payments.errors import PaymentRefusedError, PaymentUnavailableError
from prawko.payments.purchase import MandateView, OfferedMethod
from prawko.payments.service import Payments
from prawko.payments.settling import State
from prawko_tenants.sessions import TenantSession


class Changed(msgspec.Struct, frozen=True):
    """Where the payer goes on, if anywhere, and the order that waits or is paid."""

    url: str | None = None
    order_id: UUID | None = None


class LimitChange:
    """Changes the limit for one person."""

    def __init__(
        self,
        tools: Tools,
        payments: Payments,
        head_count: HeadCount,
        who: Identity,
        origin: Origin,
    ) -> None:
        self._tools = tools
        self._payments = payments
        self._head_count = head_count
        self._who = who
        self._origin = origin
        self._desk = Desk(tools, payments, who, origin)

    async def change(self, data: ChangeLimitIn) -> Changed:
        """Change the limit, or order the change. Without a method, the saved card pays at once.

        Refused before anybody is asked: SubscriptionSuspendedError, NoPaidPeriodError,
        InvalidDriverLimitError, BillingDetailsRequiredError, InvalidPaymentMethodError,
        TooManyRequestsError. Raises PaymentRefusedError and PaymentUnavailableError.
        """
        refuse_malformed(data.method, data.blik_code)
        async with self._tools.database.tenant(self._who.tenant_id) as session:
            await refuse_revoked(session, self._who)
            found = await self._found(session)
            lines = found.upgrade(data.driver_limit)
            if not lines:
                await self._write(session, found, data.driver_limit)
                return Changed()
            mandate = await self._mandate(session, found, data)
        if mandate is not None:
            return await self._charge(data, mandate)
        way = await chosen_way(
            self._tools,
            self._payments,
            self._who,
            Money(total(lines).gross),
            data.method,
            data.blik_code,
        )
        placed = await self._place(data, way)
        if placed is None:
            return Changed()
        return Changed(await self._desk.send(placed), placed.order_id)

    async def shown(self) -> SubscriptionOut:
        """The subscription as it stands now, charged or not."""
        async with self._tools.database.tenant(self._who.tenant_id) as session:
            page = SubscriptionPage(session, self._tools, self._payments, self._head_count)
            return await page.subscription()

    async def _found(self, session: TenantSession) -> Situation:
        return await situation(session, self._head_count, self._tools.clock.now(), hold=True)

    async def _mandate(
        self, session: TenantSession, found: Situation, data: ChangeLimitIn
    ) -> MandateView | None:
        current = found.subscription
        by_card = data.method is None and data.blik_code is None
        if not by_card or current is None or current.mandate_id is None:
            return None
        return await self._payments.mandate(session, current.mandate_id)

    async def _charge(self, data: ChangeLimitIn, mandate: MandateView) -> Changed:
        await count_order(self._tools, self._who)
        placed = await self._place(data, mandate)
        if placed is None:
            return Changed()
        charged = await self._desk.charge(placed)
        if charged.state is State.FAILED:
            raise PaymentRefusedError
        return Changed(charged.url if charged.state is State.OPEN else None, placed.order_id)

    async def _place(self, data: ChangeLimitIn, by: OfferedMethod | MandateView) -> Placed | None:
        """Write the order; None where meanwhile nothing is left to pay for."""
        async with self._tools.database.tenant(self._who.tenant_id) as session:
            await refuse_revoked(session, self._who)
            found = await self._found(session)
            running, lines = found.running, found.upgrade(data.driver_limit)
            if running is None or not lines:
                return None
            buying = Buying(
                kind=OrderKind.UPGRADE,
                limit=data.driver_limit,
                lines=lines,
                details=details_to_order(found.company, {}, self._tools.settings),
                from_limit=running.limit,
                end=running.end,
            )
            waiting = await self._desk.on_its_way(session, buying)
            if isinstance(by, MandateView):
                return waiting or await self._desk.place_charge(session, buying, by)
            if waiting is not None:
                raise PaymentUnavailableError
            return await self._desk.place(session, buying, by, data.blik_code)

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
        await note(session, Act.LIMIT_CHANGED, self._who, self._origin, found.now, limit=limit)
