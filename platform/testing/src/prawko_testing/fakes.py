"""A register and a channel for tests of the platform."""

import asyncio
from collections.abc import Callable
from datetime import date
from types import SimpleNamespace
from typing import Any

import msgspec

from prawko.hooks import hookimpl
from prawko.hooks.channels import (
    Channel,
    DeliveryError,
    Medium,
    Message,
    PushSubscription,
    Recipient,
)
from prawko.hooks.environment import Environment
from prawko.hooks.licence_register import (
    CodedText,
    LicenceAnswer,
    LicenceCategory,
    LicenceQuery,
    LicenceRegister,
)

FAR_FUTURE = date(2039, 12, 31)


def licence_answer(
    number: str,
    state: str = "Wydany",
    *,
    code: str | None = "DICT003_WYD",
    expires: date | None = FAR_FUTURE,
    reasons: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
    authority: str | None = "Starosta Wołomiński",
) -> LicenceAnswer:
    """Return a register's answer about one document; issued and valid by default."""
    return LicenceAnswer(
        number=number,
        state=CodedText(code, state),
        reasons=tuple(CodedText(None, reason) for reason in reasons),
        issuing_authority=authority,
        expires=expires,
        categories=(LicenceCategory("B", expires), LicenceCategory("C", expires)),
        notes=notes,
        raw={
            "seriaNumerBlankietuDruku": number,
            "stanDokumentu": {"kod": code, "wartosc": state},
            "dataWaznosci": expires.isoformat() if expires else None,
            "powodZmianyStanu": list(reasons),
            "komunikaty": list(notes),
        },
    )


def withheld_licence(number: str) -> LicenceAnswer:
    """Return the answer about a withheld document."""
    return licence_answer(number, "Zatrzymany", code="DICT003_ZAT", reasons=("Decyzja starosty",))


class FakeRegister:
    """A register with the configured answers; every other document is issued."""

    name = "fake"

    def __init__(self) -> None:
        self.answers: dict[str, LicenceAnswer | Exception | None] = {}
        self.default_answer: Callable[[LicenceQuery], LicenceAnswer | None] = lambda query: (
            licence_answer(query.number)
        )
        self.queries: list[LicenceQuery] = []
        self.before_answer: Callable[[LicenceQuery], Any] | None = None

    async def look_up(self, query: LicenceQuery) -> LicenceAnswer | None:
        self.queries.append(query)
        if self.before_answer is not None:
            result = self.before_answer(query)
            if asyncio.iscoroutine(result):
                await result
        answer = self.answers.get(query.number, self.default_answer(query))
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def close(self) -> None:
        """Do nothing: there are no connections."""


class SentMessage(msgspec.Struct, frozen=True):
    """One message as it was passed to the channel."""

    message: Message
    recipient: Recipient
    idempotency_key: str


class RecordingChannel:
    """Records messages; `failure` is raised instead. Named `recording` or `recording-sms`."""

    def __init__(self, medium: Medium = Medium.EMAIL) -> None:
        self.name = "recording" if medium is Medium.EMAIL else f"recording-{medium.value}"
        self.medium = medium
        self.sent: list[SentMessage] = []
        self.failure: Exception | None = None

    def can_reach(self, recipient: Recipient) -> bool:
        address = recipient.email if self.medium is Medium.EMAIL else recipient.phone
        return address is not None

    async def send(
        self, message: Message, recipient: Recipient, *, idempotency_key: str
    ) -> str | None:
        if self.failure is not None:
            raise self.failure
        if not self.can_reach(recipient):
            raise DeliveryError("the recipient has no address", permanent=True)
        self.sent.append(SentMessage(message, recipient, idempotency_key))
        return None

    async def close(self) -> None:
        """Do nothing: there are no connections."""

    def messages_to(self, address: str) -> list[Message]:
        """Return the messages sent to one address or number, oldest first."""
        return [
            sent.message
            for sent in self.sent
            if address in {sent.recipient.email, sent.recipient.phone}
        ]


class RecordingPushChannel(RecordingChannel):
    """Records push messages to browsers of `https://push.test`. Named `recording-push`."""

    server_key = "test-key"

    def __init__(self) -> None:
        super().__init__(Medium.PUSH)

    def can_reach(self, recipient: Recipient) -> bool:
        return recipient.push is not None and recipient.push.server_key == self.server_key

    def accepts_subscription(self, subscription: PushSubscription) -> bool:
        return subscription.endpoint.startswith("https://push.test/")

    def titles_to(self, endpoint: str) -> list[str]:
        """Return the titles that one browser got, oldest first."""
        return [
            sent.message.push.title
            for sent in self.sent
            if sent.message.push and sent.recipient.push
            if sent.recipient.push.endpoint == endpoint
        ]


class _FakePlugin(SimpleNamespace):
    pass


def fake_plugin(register: LicenceRegister, *channels: Channel) -> Any:
    """Return a plugin that offers exactly these."""

    @hookimpl
    def licence_registers(environment: Environment) -> list[LicenceRegister]:  # noqa: ARG001
        return [register]

    @hookimpl(specname="channels")
    def offered_channels(environment: Environment) -> list[Channel]:  # noqa: ARG001
        return list(channels)

    return _FakePlugin(licence_registers=licence_registers, offered_channels=offered_channels)
