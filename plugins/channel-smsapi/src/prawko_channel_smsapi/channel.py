"""The SMSAPI channel: one call for each SMS; SMSAPI detects a repeated one by its index."""

from smsapi.exception import EndpointException

from prawko.hooks.channels import DeliveryError, DeliveryReport, Medium, Message, Recipient
from prawko.hooks.webhooks import WebhookRequest
from prawko_channel_smsapi import delivery_reports
from prawko_channel_smsapi.client import SmsApiClient
from prawko_channel_smsapi.gsm7 import fit_one_segment
from prawko_channel_smsapi.message_index import encode_index
from prawko_channel_smsapi.response import parse_points, parse_result, raise_for_error
from prawko_channel_smsapi.settings import SmsApiSettings

DEADLINE_SECONDS = 20.0  # of a whole call


class SmsApiChannel:
    """Sends messages of one segment."""

    name = "smsapi"
    medium = Medium.SMS

    def __init__(self, settings: SmsApiSettings) -> None:
        self._settings = settings
        self._client = SmsApiClient(str(settings.url), settings.token, deadline=DEADLINE_SECONDS)

    def can_reach(self, recipient: Recipient) -> bool:
        return recipient.phone is not None

    async def send(
        self, message: Message, recipient: Recipient, *, idempotency_key: str
    ) -> str | None:
        if recipient.phone is None:
            raise DeliveryError("the recipient has no number", permanent=True)
        text = fit_one_segment(message.sms_text)
        parameters = self.build_parameters(text, recipient.phone, idempotency_key)
        try:
            return parse_result(await self._client.send(parameters))
        except EndpointException as error:
            raise_for_error(error)
            return None

    async def check(self) -> str:
        """Ask for the credit that is left."""
        try:
            balance = await self._client.fetch_balance()
        except EndpointException as error:
            raise_for_error(error)
            raise DeliveryError("the server answered nothing about the account") from None
        return f"{parse_points(balance.points)} points left"

    async def close(self) -> None:
        self._client.close()

    def build_parameters(self, text: str, phone: str, idempotency_key: str) -> dict[str, str]:
        """Return the parameters of one SMS. The client silently drops those it does not know."""
        settings = self._settings
        parameters = {
            "to": phone.removeprefix("+"),
            "message": text,
            "idx": encode_index(idempotency_key),
            "check_idx": "1",
            "encoding": "utf-8",
            "max_parts": "1",
            "from_": settings.sender,
            "notify_url": settings.reports,
            "test": "1" if settings.test else "",
        }
        return {name: value for name, value in parameters.items() if value}


class ReportingSmsApiChannel(SmsApiChannel):
    """An SMSAPI channel with the key in the URL of delivery reports."""

    def __init__(self, settings: SmsApiSettings, key: str) -> None:
        super().__init__(settings)
        self._key = key

    def parse_webhook(self, request: WebhookRequest) -> tuple[DeliveryReport, ...]:
        return delivery_reports.parse_reports(request, self._key)
