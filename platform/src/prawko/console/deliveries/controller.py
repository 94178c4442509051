"""The operators' calls about mails and SMS."""

from litestar import Controller, get
from litestar.di import NamedDependency

from prawko.accounts.acts.action_log import ReasonRequiredError
from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.console.deliveries.errors import DeliveryNotResendableError
from prawko.console.deliveries.schemas import DeliveryOut, DeliverySummaryOut
from prawko.console.deliveries.service import DeliveryDeskService
from prawko.console.resource_handlers import (
    act_handler,
    list_handler,
    read_handler,
    service_dependency,
)
from prawko.kit.http.error_responses import error_responses


class DeliveryController(Controller):
    """The outbox, without addresses and texts."""

    path = "/deliveries"
    tags = ("Messages",)
    dependencies = service_dependency(DeliveryDeskService)

    list_deliveries = list_handler(
        "deliveries",
        DeliveryDeskService.list_deliveries,
        DeliveryOut,
        operation_id="listDeliveries",
    )
    get_delivery = read_handler(
        DeliveryDeskService.get_delivery, DeliveryOut, operation_id="getDelivery"
    )
    resend = act_handler(
        DeliveryDeskService.resend,
        DeliveryOut,
        DeliveryNotResendableError,
        ReasonRequiredError,
        operation_id="resendDelivery",
        summary="Send a message again that did not arrive",
    )

    @get(
        "/summary",
        operation_id="getDeliverySummary",
        summary="Count the messages that wait or did not arrive",
        responses=error_responses(*OPERATOR_ERRORS),
    )
    async def summarise(self, service: NamedDependency[DeliveryDeskService]) -> DeliverySummaryOut:
        return await service.summarise()
