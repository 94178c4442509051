"""The SendGrid channel: one HTTP call for each mail."""

import msgspec
from sendgrid.helpers.eventwebhook import EventWebhook

from prawko.hooks.channels import DeliveryError, DeliveryReport, Medium, Message, Recipient
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.http_client import HttpClient, HttpError
from prawko.hooks.webhooks import WebhookRequest
from prawko_channel_sendgrid import delivery_reports
from prawko_channel_sendgrid.errors import error_for_response
from prawko_channel_sendgrid.mail import build_mail
from prawko_channel_sendgrid.settings import SendGridSettings

ACCEPTED_STATUSES = frozenset({200, 202})  # 200 is the sandbox's: validated, not sent
# Whose body is read. An accepted mail is sent whatever follows; it would be sent twice if a body
# that does not end were a failure.
_REFUSALS = range(300, 600)
MAX_REFERENCE_LENGTH = 200
DEADLINE_SECONDS = 20.0  # of a whole call
SEND_SCOPE = "mail.send"


class _Scopes(msgspec.Struct):
    scopes: list[str]


class SendGridChannel:
    """Sends mails; SendGrid does not detect a repeated one, but its Message-ID is the same."""

    name = "sendgrid"
    medium = Medium.EMAIL

    def __init__(self, settings: SendGridSettings) -> None:
        self._settings = settings
        self.send_url = settings.base_url / "v3/mail/send"
        self._scopes_url = settings.base_url / "v3/scopes"
        self._http_client = HttpClient(
            deadline=DEADLINE_SECONDS,
            headers={"Authorization": f"Bearer {settings.key}", "Accept": "application/json"},
        )

    def can_reach(self, recipient: Recipient) -> bool:
        return recipient.email is not None

    async def send(
        self, message: Message, recipient: Recipient, *, idempotency_key: str
    ) -> str | None:
        if recipient.email is None:
            raise DeliveryError("the recipient has no address", permanent=True)
        body = build_mail(
            message,
            self._settings.sender,
            recipient.email,
            idempotency_key=idempotency_key,
            sandbox=self._settings.sandbox,
        )
        try:
            response = await self._http_client.request(
                "POST",
                self.send_url,
                msgspec.json.encode(body),
                media_type="application/json",
                accepted_statuses=_REFUSALS,
            )
        except HttpError as error:
            raise DeliveryError(str(error)) from None
        if response.status not in ACCEPTED_STATUSES:
            raise error_for_response(response)
        reference = " ".join(response.headers.get("x-message-id", "").split())
        return reference[:MAX_REFERENCE_LENGTH] or None

    async def check(self) -> str:
        """Ask whether the key may send mail."""
        try:
            response = await self._http_client.request("GET", self._scopes_url)
        except HttpError as error:
            raise DeliveryError(str(error)) from None
        if response.status != 200:
            raise error_for_response(response)
        try:
            scopes = msgspec.json.decode(response.body, type=_Scopes).scopes
        except msgspec.MsgspecError:
            raise DeliveryError("the response cannot be parsed") from None
        if SEND_SCOPE not in scopes:
            raise ProviderAccountError(f"the key has no scope {SEND_SCOPE}")
        return "the key may send mail"

    async def close(self) -> None:
        await self._http_client.close()


class ReportingSendGridChannel(SendGridChannel):
    """A SendGrid channel with the key of the signed event webhook."""

    def __init__(self, settings: SendGridSettings, verifier: EventWebhook) -> None:
        super().__init__(settings)
        self._verifier = verifier

    def parse_webhook(self, request: WebhookRequest) -> tuple[DeliveryReport, ...]:
        return delivery_reports.parse_reports(request, self._verifier)
