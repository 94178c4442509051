"""Orders a period: read, ask which ways to pay there are, write, ask the provider."""

from collections.abc import Mapping

from prawko.billing.company_details import details_to_order, keep_details
from prawko.billing.desk import Desk
from prawko.billing.order_schemas import CheckoutIn, CheckoutOut
from prawko.billing.ordering import total
from prawko.billing.orders import OrderKind
from prawko.billing.paying import send
from prawko.billing.placing import Buying, Placing
from prawko.billing.situation import Situation
from prawko.hooks.payments import Money


class Checkout:
    """Takes orders of periods for one person."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def order(self, data: CheckoutIn) -> CheckoutOut:
        """Order a period and say where it is paid.

        Refused before anybody is asked: SubscriptionSuspendedError, InvalidDriverLimitError,
        BillingDetailsRequiredError, InvalidBillingDetailsError, InvalidTaxIdError,
        InvalidPaymentMethodError, TooManyRequestsError. Raises PaymentRefusedError and
        PaymentUnavailableError.
        """
        price = total(self._buying(await self._desk.found(), data).lines)
        way = await self._desk.way_to_pay(Money(price.gross), data.method, data.blik_code)
        async with self._desk.held() as (session, found):
            buying = self._buying(found, data)
            keep_details(found.company, buying.details, found.now)
            placed = await Placing(self._desk, session).on_a_page(buying, way, data.blik_code)
        return CheckoutOut(url=await send(self._desk, placed), order_id=placed.order_id)

    def _buying(self, found: Situation, data: CheckoutIn) -> Buying:
        quote = found.period(data.driver_limit)
        running = found.running
        raises = running is not None and quote.limit > min(running.limit, running.last_limit)
        return Buying(
            kind=OrderKind.PERIOD,
            limit=quote.limit,
            lines=quote.lines,
            details=details_to_order(found.company, _given(data), self._desk.tools.settings),
            from_limit=running.limit if running is not None and raises else None,
            end=running.end if running is not None else None,
        )


def _given(data: CheckoutIn) -> Mapping[str, str | None]:
    fields = ("company_name", "tax_id", "street", "postal_code", "city")
    return {name: getattr(data, name) for name in fields}
