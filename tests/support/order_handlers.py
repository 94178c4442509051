"""Order handlers of tests in the place of billing's."""

from prawko.kit.context import AppContext
from prawko.payments.order_handler import OrderHandler, OrderHandlerFactory


def use_order_handler(context: AppContext, handler: OrderHandler) -> None:
    """Let a context that exists hand the results of its payments to another handler."""
    context.components._instances[OrderHandlerFactory] = OrderHandlerFactory(lambda _: handler)
