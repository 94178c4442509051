"""Transfers to our own account: no status to query, no webhooks."""

from prawko.hooks.payments import (
    Money,
    NextAction,
    PaymentEvent,
    PaymentEventKind,
    PaymentMethod,
    PaymentRef,
    PaymentRequest,
    PaymentState,
    ProviderCapabilities,
    ProviderPayment,
    Refund,
    RefundState,
    TransferInstructions,
)
from prawko.hooks.webhooks import WebhookRequest, WebhookVerificationError
from prawko_payments_transfer import titles
from prawko_payments_transfer.settings import TransferSettings

OPEN_SECONDS = 14 * 24 * 60 * 60  # of an order: a transfer may take days


class TransferProvider:
    """Returns transfer instructions; payments count as the operator records them."""

    name = "transfer"
    capabilities = ProviderCapabilities(
        methods=frozenset({PaymentMethod.TRANSFER}),
        can_query_status=False,
        can_refund=False,
        can_cancel=False,
    )

    def __init__(self, settings: TransferSettings, iban: str) -> None:
        self._settings = settings
        self._iban = iban

    async def available_methods(self, amount: Money) -> frozenset[PaymentMethod]:  # noqa: ARG002
        return self.capabilities.methods

    async def create_payment(self, request: PaymentRequest) -> NextAction:
        if request.method is not PaymentMethod.TRANSFER:
            raise ValueError(f"the method {request.method} is not offered")
        return NextAction(
            ref=PaymentRef(request.reference),
            transfer=TransferInstructions(
                title=titles.format_title(self._settings.prefix, request.reference),
                iban=self._iban,
                owner=self._settings.owner,
                address=self._settings.address,
            ),
            expires_in_seconds=OPEN_SECONDS,
        )

    def extract_reference(self, title: str) -> str | None:
        return titles.extract_reference(self._settings.prefix, title)

    def parse_webhook(self, request: WebhookRequest) -> PaymentEvent | None:  # noqa: ARG002
        raise WebhookVerificationError("this provider sends no webhooks")

    async def capture(self, event: PaymentEvent, *, expected: Money) -> ProviderPayment | None:
        if event.kind is not PaymentEventKind.PAID or event.money is None:
            return None
        state = PaymentState.PAID if event.money == expected else PaymentState.AUTHORIZED
        return ProviderPayment(ref=event.ref, state=state, money=event.money)

    async def query_status(self, ref: PaymentRef) -> ProviderPayment | None:  # noqa: ARG002
        return None

    async def cancel(self, ref: PaymentRef) -> ProviderPayment | None:  # noqa: ARG002
        return None

    async def refund(self, ref: PaymentRef, amount: Money, *, refund_reference: str) -> Refund:  # noqa: ARG002
        return Refund(RefundState.FAILED, "refund it by a bank transfer")

    async def close(self) -> None:
        """Do nothing: there are no connections."""
