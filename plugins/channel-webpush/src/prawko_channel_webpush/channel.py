"""The web push channel: one call to the browser's push service for each message."""

from collections.abc import Sequence

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

from prawko.hooks.channels import (
    DeliveryError,
    Medium,
    Message,
    PushSubscription,
    Recipient,
)
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.http_client import HttpClient
from prawko.hooks.provider_client import ChannelConnection
from prawko_channel_webpush.address import parse_endpoint
from prawko_channel_webpush.crypto import encrypt_payload, has_whole_keys
from prawko_channel_webpush.messages import build_payload, create_tag
from prawko_channel_webpush.settings import WebPushSettings
from prawko_channel_webpush.signature import TokenSigner, encode_public_key

ACCEPTED = frozenset({200, 201, 202, 204})
GONE = frozenset({404, 410})
# An older message was read in the mail, or is no longer relevant.
TTL_SECONDS = 24 * 3600
DEADLINE_SECONDS = 20.0  # of a whole call


class WebPushChannel:
    """Sends messages to the browsers that subscribed under this key."""

    name = "webpush"
    medium = Medium.PUSH

    def __init__(
        self,
        settings: WebPushSettings,
        private_key: EllipticCurvePrivateKey,
        hosts: Sequence[str],
    ) -> None:
        self.server_key = encode_public_key(private_key)
        self._hosts = hosts
        self._signer = TokenSigner(private_key, settings.contact)
        self._connection = ChannelConnection(HttpClient(deadline=DEADLINE_SECONDS))

    def accepts_subscription(self, subscription: PushSubscription) -> bool:
        return parse_endpoint(subscription.endpoint, self._hosts) is not None and has_whole_keys(
            subscription
        )

    def can_reach(self, recipient: Recipient) -> bool:
        return recipient.push is not None and recipient.push.server_key == self.server_key

    async def send(
        self, message: Message, recipient: Recipient, *, idempotency_key: str
    ) -> str | None:
        subscription = recipient.push
        if subscription is None:
            raise DeliveryError("the recipient has no browser", permanent=True)
        endpoint = parse_endpoint(subscription.endpoint, self._hosts)
        if endpoint is None:
            raise DeliveryError("the push service is not a configured one", permanent=True)
        if message.push is None:
            raise DeliveryError("the message has no form for browsers")
        tag = create_tag(idempotency_key)
        try:
            body = encrypt_payload(build_payload(message.push, tag), subscription)
        except ValueError:
            raise DeliveryError("the browser's keys are malformed", permanent=True) from None
        headers = {
            "Authorization": self._signer.sign(endpoint),
            "Content-Encoding": "aes128gcm",
            "TTL": str(TTL_SECONDS),
            "Urgency": "high",
            "Topic": tag,
        }
        try:
            response = await self._connection.call(
                "POST",
                endpoint,
                body,
                accepted_statuses=ACCEPTED | GONE,
                headers=headers,
                media_type="application/octet-stream",
            )
        except ProviderAccountError as error:
            # The subscriber chooses the address, and could pause the channel for all users.
            raise DeliveryError(str(error)) from None
        if response.status in GONE:
            raise DeliveryError(
                f"the push service answered {response.status}: the browser is gone", permanent=True
            )
        return None

    async def close(self) -> None:
        await self._connection.close()
