"""A clock, a register and a channel that do as they are told: for tests of the platform."""

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import msgspec

from prawko.hooks import hookimpl
from prawko.hooks.channels import Channel, DeliveryError, Medium, Notice, Recipient
from prawko.hooks.environment import Environment
from prawko.hooks.licence_register import (
    Category,
    CodedText,
    LicenceAnswer,
    LicenceQuery,
    LicenceRegister,
)

FAR_AWAY = date(2039, 12, 31)


class MovableClock:
    """The product's clock, ticking on from wherever a test puts it."""

    def __init__(self) -> None:
        self._offset = timedelta(0)

    def now(self) -> datetime:
        return datetime.now(UTC) + self._offset

    def offset(self) -> timedelta:
        return self._offset

    def set(self, instant: datetime) -> None:
        """Go to an aware instant."""
        self._offset = instant - datetime.now(UTC)

    def forward(self, **amount: float) -> None:
        """Go on by `timedelta(**amount)`."""
        self._offset += timedelta(**amount)


def answer(
    number: str,
    state: str = "Wydany",
    *,
    code: str | None = "DICT003_WYD",
    expires: date | None = FAR_AWAY,
    reasons: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
    authority: str | None = "Starosta Wołomiński",
) -> LicenceAnswer:
    """What a register says of one document; issued and valid unless told otherwise."""
    return LicenceAnswer(
        serial=number,
        state=CodedText(code, state),
        reasons=tuple(CodedText(None, reason) for reason in reasons),
        issuing_authority=authority,
        expires=expires,
        categories=(Category("B", expires), Category("C", expires)),
        notes=notes,
        raw={
            "seriaNumerBlankietuDruku": number,
            "stanDokumentu": {"kod": code, "wartosc": state},
            "dataWaznosci": expires.isoformat() if expires else None,
            "powodZmianyStanu": list(reasons),
            "komunikaty": list(notes),
        },
    )


def withheld(number: str) -> LicenceAnswer:
    """The answer that the product exists for."""
    return answer(number, "Zatrzymany", code="DICT003_ZAT", reasons=("Decyzja starosty",))


class FakeRegister:
    """Answers what it was told; every other document is issued."""

    name = "fake"

    def __init__(self) -> None:
        self.says: dict[str, LicenceAnswer | Exception | None] = {}
        self.otherwise: Callable[[LicenceQuery], LicenceAnswer | None] = lambda query: answer(
            query.number
        )
        self.asked: list[LicenceQuery] = []
        self.before_answer: Callable[[LicenceQuery], Any] | None = None

    async def look_up(self, query: LicenceQuery) -> LicenceAnswer | None:
        self.asked.append(query)
        if self.before_answer is not None:
            waiting = self.before_answer(query)
            if asyncio.iscoroutine(waiting):
                await waiting
        said = self.says.get(query.number, self.otherwise(query))
        if isinstance(said, Exception):
            raise said
        return said

    async def close(self) -> None:
        """There is nothing to give back."""


class Sent(msgspec.Struct, frozen=True):
    """One message as the channel was given it."""

    notice: Notice
    recipient: Recipient
    key: str


class RecordingChannel:
    """Keeps what it was given; `broken` makes it fail. Named `recording`, or `recording-sms`."""

    def __init__(self, medium: Medium = Medium.EMAIL) -> None:
        self.name = "recording" if medium is Medium.EMAIL else f"recording-{medium.value}"
        self.medium = medium
        self.sent: list[Sent] = []
        self.broken: Exception | None = None

    def reaches(self, recipient: Recipient) -> bool:
        address = recipient.email if self.medium is Medium.EMAIL else recipient.phone
        return address is not None

    async def deliver(self, notice: Notice, recipient: Recipient, *, key: str) -> str | None:
        if self.broken is not None:
            raise self.broken
        if not self.reaches(recipient):
            raise DeliveryError("there is no address", permanent=True)
        self.sent.append(Sent(notice, recipient, key))
        return None

    async def close(self) -> None:
        """There is nothing to give back."""

    def to(self, address: str) -> list[Notice]:
        """What was sent to one address or number, oldest first."""
        return [
            sent.notice
            for sent in self.sent
            if address in {sent.recipient.email, sent.recipient.phone}
        ]


class _FakePlugin(SimpleNamespace):
    pass


def fake_plugin(register: LicenceRegister, *channels: Channel) -> Any:
    """A plugin that offers exactly these."""

    @hookimpl
    def licence_registers(environment: Environment) -> list[LicenceRegister]:  # noqa: ARG001
        return [register]

    @hookimpl(specname="channels")
    def offered_channels(environment: Environment) -> list[Channel]:  # noqa: ARG001
        return list(channels)

    return _FakePlugin(licence_registers=licence_registers, offered_channels=offered_channels)
