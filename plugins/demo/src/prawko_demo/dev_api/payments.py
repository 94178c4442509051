"""Controls the sandbox: ends payments as its hosted page does, and sets the next charges."""

from typing import Annotated
from urllib.parse import urlsplit

from litestar import Controller, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from prawko.hooks.payments import PaymentMethod, PaymentState
from prawko.kit.http.schemas import RequestModel, ResponseModel
from prawko_demo.dev_api.actions import WorkerActions
from prawko_demo.dev_api.errors import UnprocessableRequestError
from prawko_demo.payments.provider import (
    HOSTED_PAGE_PATH,
    PageButton,
    PaymentEndedError,
    SandboxProvider,
)
from prawko_demo.payments.store import ChargeBehaviour, SandboxPayment

MAX_SHOWN = 20
CallCount = Annotated[int, Meta(ge=1, le=100)]


class PressButtonIn(RequestModel):
    """The URL of a hosted page, one of its buttons, and how often the webhook is posted."""

    url: str
    result: PageButton
    times: CallCount = 1


class PressButtonOut(ResponseModel):
    """The payment's state afterwards, and the status of each response to the webhook."""

    key: str
    state: PaymentState
    answers: list[int]
    return_url: str


class SandboxPaymentOut(ResponseModel):
    """A payment of the sandbox. `gross` is in grosze."""

    key: str
    url: str
    title: str
    method: PaymentMethod
    gross: int
    currency: str
    state: PaymentState
    reason: str
    charges: int


class SandboxPaymentController(Controller):
    """Lists payments, presses buttons of the hosted page, and sets the next charges."""

    path = "/payments"

    @get()
    async def list_payments(
        self, sandbox: NamedDependency[SandboxProvider]
    ) -> list[SandboxPaymentOut]:
        """Return the latest payments, newest first."""
        newest = await sandbox.list_newest(MAX_SHOWN)
        return [_payment_out(payment, sandbox) for payment in newest]

    @post(status_code=200)
    async def press_button(
        self,
        data: JSONBody[PressButtonIn],
        sandbox: NamedDependency[SandboxProvider],
        actions: NamedDependency[WorkerActions],
    ) -> PressButtonOut:
        """End a payment, post its webhook, and process it."""
        try:
            key = urlsplit(data.url).path.removeprefix(HOSTED_PAGE_PATH)
            payment = await sandbox.press_button(key, data.result)
        except PaymentEndedError as error:
            raise UnprocessableRequestError(f"This payment has ended already: {error}.") from None
        except ValueError:
            raise UnprocessableRequestError("This is not a URL.") from None
        if payment is None:
            raise UnprocessableRequestError("This is not a hosted page of the sandbox.")
        statuses = await sandbox.send_webhooks(payment, data.times)
        await actions.process_payments()
        payment = await sandbox.get_payment(key) or payment
        return PressButtonOut(
            key=key, state=payment.state, answers=statuses, return_url=payment.return_url
        )

    @get("/charges")
    async def get_charge_behaviour(
        self, sandbox: NamedDependency[SandboxProvider]
    ) -> ChargeBehaviour:
        """Return the result of the next charges of saved cards."""
        return await sandbox.get_charge_behaviour()

    @put("/charges")
    async def set_charge_behaviour(
        self, data: JSONBody[ChargeBehaviour], sandbox: NamedDependency[SandboxProvider]
    ) -> ChargeBehaviour:
        """Set the result of the next charges of saved cards."""
        await sandbox.set_charge_behaviour(data)
        return data


def _payment_out(payment: SandboxPayment, sandbox: SandboxProvider) -> SandboxPaymentOut:
    return SandboxPaymentOut(
        key=payment.key,
        url=sandbox.page_url(payment.key),
        title=payment.title,
        method=payment.method,
        gross=payment.grosze,
        currency=payment.currency,
        state=payment.state,
        reason=payment.reason,
        charges=payment.charges,
    )
