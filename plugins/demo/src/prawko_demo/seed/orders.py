"""Orders and pays the company's periods through the sandbox."""

from datetime import time
from urllib.parse import urlsplit

from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.billing.checkout import CheckoutService
from prawko.billing.ordering import Ordering
from prawko.billing.schemas import CheckoutIn
from prawko.drivers.repository import SqlDriverCounter
from prawko.hooks.payments import PaymentMethod
from prawko.kit.context import AppContext
from prawko.payments.jobs import poll_open_payments
from prawko.payments.service import PaymentService
from prawko_demo import payments as sandbox
from prawko_demo.payments.provider import HOSTED_PAGE_PATH, PageButton
from prawko_demo.seed.company import DRIVER_LIMIT
from prawko_demo.seed.history_clock import HistoryClock

ORDER_TIME, POLL_TIME = time(10, 5), time(10, 25)  # when the payment is due to be polled


async def buy_period(
    panel: AppContext,
    worker: AppContext,
    clock: HistoryClock,
    owner: Identity,
    client: ClientInfo,
    days_ago: int,
) -> None:
    """Order a period, pay it on the hosted page, and let the worker poll the payment."""
    clock.move_to(days_ago, ORDER_TIME)
    payments = PaymentService(panel)
    ordering = Ordering(panel, payments, SqlDriverCounter(), owner, client)
    order = await CheckoutService(ordering).place_order(
        CheckoutIn(driver_limit=DRIVER_LIMIT, method=PaymentMethod.PRZELEWY24)
    )
    await sandbox.find_sandbox(panel).press_button(
        urlsplit(order.url).path.removeprefix(HOSTED_PAGE_PATH), PageButton.PAID
    )
    clock.move_to(days_ago, POLL_TIME)
    await poll_open_payments(worker)
