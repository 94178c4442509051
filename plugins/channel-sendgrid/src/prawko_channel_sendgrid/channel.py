"""The channel: one call for one mail."""

import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey

from prawko.hooks.callbacks import Callback
from prawko.hooks.carrier_connection import CarrierConnection
from prawko.hooks.channels import DeliveryError, Medium, Notice, Recipient, Report
from prawko_channel_sendgrid import reports
from prawko_channel_sendgrid.failures import meaning
from prawko_channel_sendgrid.mail import mail
from prawko_channel_sendgrid.settings import Settings

TAKEN = frozenset({200, 202})  # 200 is the sandbox's: checked and not sent
LONGEST_REFERENCE = 200


class SendGridChannel:
    """Hands mails to SendGrid, which cannot tell a retry from a new mail: the Message-ID can."""

    name = "sendgrid"
    medium = Medium.EMAIL

    def __init__(self, settings: Settings) -> None:
        sender = settings.sender_address
        if sender is None:
            raise ValueError("the sender is no address")
        self._settings = settings
        self._sender = sender
        self._send = settings.address / "v3/mail/send"
        self._connection = CarrierConnection(
            deadline=settings.deadline, headers={"Authorization": f"Bearer {settings.key}"}
        )

    def reaches(self, recipient: Recipient) -> bool:
        return recipient.email is not None

    async def deliver(self, notice: Notice, recipient: Recipient, *, key: str) -> str | None:
        if recipient.email is None:
            raise DeliveryError("there is no address", permanent=True)
        body = mail(notice, self._sender, recipient.email, key=key, sandbox=self._settings.sandbox)
        reply = await self._connection.post(
            self._send, msgspec.json.encode(body), media_type="application/json"
        )
        if reply.status not in TAKEN:
            raise meaning(reply)
        reference = " ".join(reply.headers.get("x-message-id", "").split())
        return reference[:LONGEST_REFERENCE] or None

    async def close(self) -> None:
        await self._connection.close()


class ReportingSendGridChannel(SendGridChannel):
    """The channel with the key to SendGrid's signed events."""

    def __init__(self, settings: Settings, key: EllipticCurvePublicKey) -> None:
        super().__init__(settings)
        self._key = key

    def read_reports(self, callback: Callback) -> tuple[Report, ...]:
        return reports.read_reports(callback, self._key)
