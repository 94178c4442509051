"""Orders and pays the company's periods through the sandbox."""

from datetime import time
from urllib.parse import urlsplit

from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.base.i18n import Language
from prawko.billing.billing_details import BillingDetails
from prawko.billing.fulfilment.handler import FulfilmentHandler
from prawko.billing.models import OrderKind
from prawko.billing.orders.checkout import OrderDraft, OrderPlacement, start_payment
from prawko.billing.orders.context import OrderContext, load_ordering_state
from prawko.drivers.repository import SqlDriverCounter
from prawko.hooks.payments import PaymentMethod
from prawko.payments.jobs import poll_open_payments
from prawko.payments.service import PaymentService
from prawko_demo import payments as sandbox
from prawko_demo.payments.provider import HOSTED_PAGE_PATH, PageButton
from prawko_demo.seed.company import COMPANY_DETAILS, DRIVER_LIMIT
from prawko_demo.seed.history_clock import HistoryClock
from prawko_tenants.ids import TenantId, UserId, new_id

ORDER_TIME, POLL_TIME = time(10, 5), time(10, 25)  # when the payment is due to be polled


async def buy_period(
    panel: AppContext,
    worker: AppContext,
    clock: HistoryClock,
    owner: tuple[TenantId, UserId],
    days_ago: int,
) -> None:
    """Order a period, pay it on the hosted page, and let the worker poll the payment."""
    clock.move_to(days_ago, ORDER_TIME)
    tenant_id, user_id = owner
    payments = PaymentService(panel, FulfilmentHandler(panel))
    (method,) = (
        offered for offered in payments.list_methods() if offered.method is PaymentMethod.PRZELEWY24
    )
    identity, client = _owner_identity(tenant_id, user_id), ClientInfo("127.0.0.1", "demo")
    order_context = OrderContext(panel, payments, SqlDriverCounter(), identity, client)
    async with panel.database.tenant(tenant_id) as session:
        state = await load_ordering_state(
            session, order_context.driver_counter, clock.now(), for_update=True
        )
        quote = state.quote_period(DRIVER_LIMIT)
        draft = OrderDraft(
            kind=OrderKind.PERIOD,
            limit=quote.limit,
            lines=quote.lines,
            details=BillingDetails(**COMPANY_DETAILS),
            end_date=state.active_period.end if state.active_period is not None else None,
        )
        placed = await OrderPlacement(order_context, session).with_redirect(draft, method, None)
    url = await start_payment(order_context, placed)
    await sandbox.find_sandbox(panel).press_button(
        urlsplit(url).path.removeprefix(HOSTED_PAGE_PATH), PageButton.PAID
    )
    clock.move_to(days_ago, POLL_TIME)
    await poll_open_payments(worker)


def _owner_identity(tenant_id: TenantId, user_id: UserId) -> Identity:
    return Identity(
        session_id=new_id(),
        user_id=user_id,
        tenant_id=tenant_id,
        email_verified=True,
        is_admin=False,
        language=Language.PL,
        last_seen_at=utc_now(),
        impersonator_id=None,
    )
