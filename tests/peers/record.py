"""Prints the requests to a peer, its responses, and the results of the adapter."""

import re
import sys
from collections.abc import Awaitable

from yarl import URL

from prawko.hooks.http_client import HttpClient, HttpResponse
from prawko.hooks.payments import NextAction, PaymentEvent, ProviderPayment

MAX_LENGTH = 100
LONG_ID = re.compile("[0-9a-f]{20,}")


class Record:
    """A table in Markdown with one row per step and all of its calls."""

    def __init__(self) -> None:
        self._calls: list[str] = []
        print_line("| Step | Asked and answered | Came of it |\n|---|---|---|")

    def observe(self, client: HttpClient) -> None:
        """Record every call of a client."""
        send = client.request

        async def request(method: str, url: URL, *args: object, **options: object) -> HttpResponse:
            response = await send(method, url, *args, **options)
            path = LONG_ID.sub("…", url.path)
            self._calls.append(f"`{method} {path}` {response.status}")
            return response

        client.request = request

    async def step(self, name: str, action: Awaitable[object]) -> object:
        """Await a step, print its result or error, and return the result."""
        try:
            result = await action
            summary = summarise(result)
        except Exception as error:  # noqa: BLE001 (every error is a result here)
            result, summary = None, f"{type(error).__name__}: {error}"
        plain = LONG_ID.sub("…", " ".join(summary.split())).replace("|", "\\|")
        print_line(f"| {name} | {', '.join(self._calls)} | {plain[:MAX_LENGTH]} |")
        self._calls.clear()
        return result


def summarise(result: object) -> str:
    """Return a short description of a result."""
    if isinstance(result, NextAction):
        return f"the payer goes to {result.url}" if result.url else "the payer's app asks"
    if isinstance(result, ProviderPayment):
        return f"{result.state}, {result.money.grosze} {result.money.currency}"
    if isinstance(result, PaymentEvent):
        return f"`{result.kind}` was read, a changed copy refused"
    if isinstance(result, HttpResponse):
        return result.summary
    if isinstance(result, frozenset):
        return ", ".join(sorted(result))
    return str(getattr(result, "state", None) or getattr(result, "status", None) or result)


def print_line(text: str) -> None:
    sys.stdout.write(text + "\n")
