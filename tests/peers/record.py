"""Writes down what was asked of a peer, what it answered, and what we made of it."""

import re
import sys
from collections.abc import Awaitable

from yarl import URL

from prawko.hooks.carrier_connection import CarrierConnection, CarrierReply
from prawko.hooks.payments import Payment, PaymentEvent, Redirect

LONGEST = 100
LONG_NAME = re.compile("[0-9a-f]{20,}")


class Record:
    """A table in Markdown, a line for every step; the calls of a step stand on one line."""

    def __init__(self) -> None:
        self._calls: list[str] = []
        say("| Step | Asked and answered | Came of it |\n|---|---|---|")

    def listen(self, connection: CarrierConnection) -> None:
        """Hear every call of a connection."""
        ask = connection.ask

        async def heard(method: str, url: URL, *args: object, **named: object) -> CarrierReply:
            reply = await ask(method, url, *args, **named)
            path = LONG_NAME.sub("…", url.path)
            self._calls.append(f"`{method} {path}` {reply.status}")
            return reply

        connection.ask = heard

    async def step(self, name: str, doing: Awaitable[object]) -> object:
        """Take a step and write down what came of it, an error as well."""
        try:
            result = await doing
            words = shown(result)
        except Exception as error:  # noqa: BLE001 (every error is a result here)
            result, words = None, f"{type(error).__name__}: {error}"
        plain = LONG_NAME.sub("…", " ".join(words.split())).replace("|", "\\|")
        say(f"| {name} | {', '.join(self._calls)} | {plain[:LONGEST]} |")
        self._calls.clear()
        return result


def shown(result: object) -> str:
    """A result in a few words."""
    if isinstance(result, Redirect):
        return f"the payer goes to {result.url}" if result.url else "the payer's app asks"
    if isinstance(result, Payment):
        return f"{result.state}, {result.money.grosze} {result.money.currency}"
    if isinstance(result, PaymentEvent):
        return f"`{result.kind}` was read, a changed copy refused"
    if isinstance(result, CarrierReply):
        return result.said
    if isinstance(result, frozenset):
        return ", ".join(sorted(result))
    return str(getattr(result, "state", None) or getattr(result, "status", None) or result)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
