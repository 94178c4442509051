"""Hands orders that stand to those who take their money. No transaction is open meanwhile."""

from collections.abc import Sequence
from uuid import UUID

from prawko.billing.desk import Desk
from prawko.billing.placing import PAID_PAGE, Placed
from prawko.billing.transfer_mail import order_transfer_mail
from prawko.deliveries.jobs import deliver_pending
from prawko.payments.purchase import PaymentView
from prawko_tenants.sessions import TenantSession

OPEN_PAGE = "/panel/subscription?order={order_id}"


async def send(desk: Desk, placed: Placed) -> str:
    """Ask the provider and say where the browser goes on.

    Raises PaymentRefusedError, PaymentUnavailableError.
    """
    if placed.purchase is None:
        raise ValueError("a mandate pays this order")

    async def order_mail(session: TenantSession) -> None:
        await order_transfer_mail(session, desk.who.user_id, placed.order_id)

    started = await desk.payments.start(
        desk.who.tenant_id, placed.payment_id, placed.purchase, on_transfer=order_mail
    )
    await _give_up(desk, placed.superseded)
    if started.url is not None:
        return started.url
    if started.transfer is None:
        return PAID_PAGE.format(order_id=placed.order_id)
    await desk.tools.queue.put(deliver_pending)
    return OPEN_PAGE.format(order_id=placed.order_id)


async def charge(desk: Desk, placed: Placed) -> PaymentView:
    """Charge the mandate. Raises PaymentUnavailableError."""
    charged = await desk.payments.charge(desk.who.tenant_id, placed.payment_id)
    await _give_up(desk, placed.superseded)
    return charged


async def _give_up(desk: Desk, orders: Sequence[UUID]) -> None:
    if orders:
        await desk.payments.give_up(desk.who.tenant_id, orders)
