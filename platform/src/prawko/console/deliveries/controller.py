"""The operators' calls about mails and SMS."""

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.base.context import AppContext
from prawko.base.error_responses import error_responses
from prawko.base.errors import NotFoundError
from prawko.console.action_log import ActionLog, ReasonIn
from prawko.console.deliveries.errors import DeliveryNotResendableError
from prawko.console.deliveries.schemas import DeliveryOut, DeliverySummaryOut
from prawko.console.deliveries.service import DeliveryDeskService
from prawko.console.errors import InvalidListQueryError, ReasonRequiredError
from prawko.console.list_page import page_response
from prawko.console.list_query import ListParameters, parse_record_id


def provide_delivery_desk(context: NamedDependency[AppContext]) -> DeliveryDeskService:
    """Return the service of deliveries."""
    return DeliveryDeskService(context)


class DeliveryController(Controller):
    """The outbox, without addresses and texts."""

    path = "/deliveries"
    tags = ("Messages",)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "desk": Provide(provide_delivery_desk, sync_to_thread=False)
    }

    @get(
        operation_id="listDeliveries",
        responses=error_responses(*OPERATOR_ERRORS, InvalidListQueryError),
    )
    async def list_deliveries(
        self,
        desk: NamedDependency[DeliveryDeskService],
        list_parameters: NamedDependency[ListParameters],
    ) -> Response[list[DeliveryOut]]:
        query, page = await desk.list_deliveries(list_parameters)
        return page_response("deliveries", query, page, DeliveryOut)

    @get(
        "/summary",
        operation_id="getDeliverySummary",
        summary="Count the messages that wait or did not arrive",
        responses=error_responses(*OPERATOR_ERRORS),
    )
    async def summarise(self, desk: NamedDependency[DeliveryDeskService]) -> DeliverySummaryOut:
        return await desk.summarise()

    @get(
        "/{delivery_id:str}",
        operation_id="getDelivery",
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError),
    )
    async def get_delivery(
        self, delivery_id: FromPath[str], desk: NamedDependency[DeliveryDeskService]
    ) -> DeliveryOut:
        return await desk.get_delivery(parse_record_id(delivery_id))

    @post(
        "/{delivery_id:str}/resend",
        operation_id="resendDelivery",
        summary="Send a message again that did not arrive",
        status_code=200,
        responses=error_responses(
            *OPERATOR_ERRORS, NotFoundError, DeliveryNotResendableError, ReasonRequiredError
        ),
    )
    async def resend(
        self,
        delivery_id: FromPath[str],
        data: JSONBody[ReasonIn],
        desk: NamedDependency[DeliveryDeskService],
        actions: NamedDependency[ActionLog],
    ) -> DeliveryOut:
        return await desk.resend(actions, parse_record_id(delivery_id), data.reason)
