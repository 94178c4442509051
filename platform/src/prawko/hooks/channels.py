"""The interface of notification channels: sending messages and parsing delivery reports."""

from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

import msgspec

from prawko.hooks.errors import ProviderError
from prawko.hooks.webhooks import WebhookRequest

MAX_REFERENCE_LENGTH = 200
"""The longest reference of a carrier, in characters, that a channel may return."""


class Medium(StrEnum):
    """The form in which messages are sent; the settings choose the channels for each."""

    EMAIL = "email"
    SMS = "sms"
    PUSH = "push"


class PushNote(msgspec.Struct, frozen=True):
    """A message as a browser shows it: one line, and the path of the panel that it opens."""

    title: str
    path: str


class Message(msgspec.Struct, frozen=True):
    """One message in all its forms; a channel sends the one of its medium.

    E-mail uses `subject` (without line breaks), `text` and `html`; SMS uses `sms_text`; push uses
    `push`, which only notices have. `code` and `link` repeat a part of the texts,
    for channels that show them separately.
    """

    subject: str
    text: str
    html: str
    sms_text: str
    code: str | None = None
    link: str | None = None
    push: PushNote | None = None


class PushSubscription(msgspec.Struct, frozen=True):
    """The subscription that a browser gave us, so that it gets messages (W3C Push API).

    `endpoint` is a URL of its push service; `p256dh` and `auth` are its keys, as URL-safe base64
    without padding. `server_key` is the channel's key that it was made for.
    """

    endpoint: str
    p256dh: str
    auth: str
    server_key: str

    def __repr__(self) -> str:
        return "PushSubscription(…)"


class Recipient(msgspec.Struct, frozen=True):
    """A person's verified addresses; None where there is none. `phone` is in E.164 format.

    `push` is one of the browsers in which the person switched messages on.
    """

    email: str | None
    phone: str | None
    push: PushSubscription | None = None


class DeliveryError(ProviderError):
    """The message was not sent, or it is unknown whether it was.

    `permanent`: the recipient's address is at fault; the message is not sent again. `not_taken`:
    the carrier itself said that it did not take the message, or was never reached, so that another
    carrier of the medium may send it; without it the message stays with this one.
    """

    def __init__(
        self,
        reason: str,
        *,
        permanent: bool = False,
        retry_after: float | None = None,
        not_taken: bool = False,
    ) -> None:
        super().__init__(reason, permanent=permanent, retry_after=retry_after)
        self.not_taken = not_taken


class DeliveryReportKind(StrEnum):
    """The fate of a message after its carrier accepted it. Stored permanently.

    Later members outweigh earlier ones: a delivered mail may still be reported as spam.
    """

    DELIVERED = "delivered"
    FAILED = "failed"  # this message did not arrive; the address may be valid
    DROPPED = "dropped"  # the carrier suppresses messages to this address
    BOUNCED = "bounced"  # the address does not exist
    SPAM = "spam"  # the recipient reported the message as spam


class DeliveryReport(msgspec.Struct, frozen=True, kw_only=True):
    """One event that a carrier reports about one message.

    `event_id` is the carrier's own and identifies repetitions; `idempotency_key` is the one
    passed to `Channel.send`. `carrier_ref` is set where a report only counts if it names the
    reference that `send` returned. `occurred_at` is aware, by the carrier's clock. Ids are
    printable and at most `MAX_EVENT_ID_LENGTH` characters long. `transient`: the cause of a
    failure may pass within an hour; the message is sent once more, as a new one.
    """

    event_id: str
    idempotency_key: str
    kind: DeliveryReportKind
    occurred_at: datetime
    carrier_ref: str | None = None
    reason: str = ""
    transient: bool = False


class Channel(Protocol):
    """Sends messages of one medium through one carrier."""

    @property
    def name(self) -> str:
        """Unique among channels and payment providers. Stored permanently."""
        ...

    @property
    def medium(self) -> Medium:
        """The medium of its messages."""
        ...

    def can_reach(self, recipient: Recipient) -> bool:
        """Return whether the recipient has an address for this channel. Pure."""
        ...

    async def send(
        self, message: Message, recipient: Recipient, *, idempotency_key: str
    ) -> str | None:
        """Send one message and return the carrier's reference, if it gives one.

        A second call with the same `idempotency_key` must not send again if the carrier can
        detect it. The key is printable ASCII of at most 150 characters, without personal data.
        A reference is printable and at most `MAX_REFERENCE_LENGTH` characters long; a number is
        to be made a text. Raises DeliveryError; ProviderAccountError if our account was refused.
        The text of an error is stored and shown to operators: never a token, nor the message.
        """
        ...

    async def close(self) -> None:
        """Close the connections; called once, at the end of the process."""
        ...


@runtime_checkable
class ReportingChannel(Channel, Protocol):
    """A channel whose carrier reports deliveries by calling `/api/webhooks/<name>`.

    By POST with JSON, or by GET, which is answered with the text `OK`.
    """

    def parse_webhook(self, request: WebhookRequest) -> tuple[DeliveryReport, ...]:
        """Verify the carrier's call and return its reports about our messages, if any.

        Pure. Raises WebhookVerificationError or MalformedWebhookError.
        """
        ...


@runtime_checkable
class PushChannel(Channel, Protocol):
    """A channel of the medium push; every one of them is such a channel."""

    @property
    def server_key(self) -> str:
        """The public key that browsers subscribe with: URL-safe base64, without padding."""
        ...

    def accepts_subscription(self, subscription: PushSubscription) -> bool:
        """Return whether messages may be sent there: a push service we trust, and whole keys.

        Pure. It comes from a browser, so its endpoint may be any address.
        """
        ...
