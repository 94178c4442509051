"""The Stripe adapter against the Stripe that the getpaid project simulates.

It keeps pages, payments and refunds, signs its events by its own code and calls us with them.
It lists and searches nothing, expands nothing and knows no saved cards: what stands on that is
tested against Stripe's published sample objects and our own stub.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import msgspec
from aiohttp import web
from tests.peers.record import Record

from prawko.base.clock import machine_now
from prawko.hooks.callbacks import Callback, ForgedCallbackError
from prawko.hooks.environment import Environment
from prawko.hooks.payments import Method, Money, PaymentEvent, PaymentProvider, Redirect
from prawko.testing.provider_contract import PRICE, order
from prawko_payments_stripe import PREFIX, payment_providers

PORT = 9001  # SIMULATOR_STRIPE_NOTIFY_URL names it
PATIENCE_SECONDS = 10.0


class Calls:
    """What the simulator called us with."""

    def __init__(self) -> None:
        self.kept: asyncio.Queue[Callback] = asyncio.Queue()

    async def keep(self, request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        body = await request.read()
        at = machine_now()
        self.kept.put_nowait(Callback(headers=headers, query={}, body=body, received_at=at))
        return web.json_response({"ok": True})

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        app = web.Application()
        app.router.add_post("/api/webhooks/stripe", self.keep)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", PORT).start()
        try:
            yield
        finally:
            await runner.cleanup()

    async def next_ours(self, provider: PaymentProvider) -> PaymentEvent:
        """The next call that is about something of ours; forged copies of it are refused."""
        while True:
            callback = await asyncio.wait_for(self.kept.get(), PATIENCE_SECONDS)
            forged = msgspec.structs.replace(callback, body=callback.body + b" ")
            try:
                provider.read_event(forged)
            except ForgedCallbackError:
                pass
            else:
                raise AssertionError("a changed call was believed")
            if (event := provider.read_event(callback)) is not None:
                return event


async def run(url: str) -> None:
    own = {
        "SECRET_KEY": "sk_test_sim_stripe_key", "URL": url, "BLIK": "true",
        "WEBHOOK_SECRET": "whsec_sim_stripe_secret",
    }  # fmt: skip
    environment = Environment({f"{PREFIX}_{name}": value for name, value in own.items()})
    [provider] = payment_providers(environment)
    record, calls = Record(), Calls()
    record.listen(provider._client._connection._connection)

    async with calls.listening(), aiohttp.ClientSession() as browser:

        async def act(page: Redirect, action: str) -> str:
            body = {"action": action}
            async with browser.post(page.url, data=body, allow_redirects=False) as answer:
                return f"back to {answer.headers.get('Location', '')}"

        async def operate(page: Redirect, action: str) -> str:
            there = page.url.replace("/authorize/", "/ops/")
            async with browser.post(there, json={"action": action}) as answer:
                return await answer.text()

        page = await record.step("An order is placed", provider.start(order(Method.CARD)))
        await record.step("Nobody has paid", provider.status(page.ref))
        await record.step("The card is declined", act(page, "decline"))
        await record.step("It may be tried again", provider.status(page.ref))
        await record.step("The payer pays", act(page, "pay"))
        event = await record.step("We are called", calls.next_ours(provider))
        await record.step("We ask", provider.confirm(event, expected=PRICE))
        await record.step("We ask again", provider.confirm(event, expected=PRICE))
        await record.step("A paid order is not cancelled", provider.cancel(page.ref))
        name = (await provider._client.session(page.ref.provider_ref)).payment_intent.id
        give = provider._client.refund
        await record.step("A part goes back", give(name, page.ref.key, Money(327), "R1"))
        await record.step("We are called", calls.next_ours(provider))
        await record.step("We are called", calls.next_ours(provider))
        await record.step("More than is left", give(name, page.ref.key, PRICE, "R2"))

        page = await record.step("An order by BLIK", provider.start(order(Method.BLIK)))
        await record.step("The money is under way", act(page, "pay_delayed"))
        await record.step("Not ours yet", provider.status(page.ref))
        await record.step("It arrives", operate(page, "settle_delayed"))
        event = await record.step("We are called", calls.next_ours(provider))
        await record.step("We ask", provider.confirm(event, expected=PRICE))

        page = await record.step("A third order", provider.start(order(Method.CARD)))
        await record.step("The money is under way", act(page, "pay_delayed"))
        await record.step("It does not arrive", operate(page, "fail_delayed"))
        event = await record.step("We are called", calls.next_ours(provider))
        await record.step("We ask", provider.confirm(event, expected=PRICE))

        page = await record.step("A fourth order", provider.start(order(Method.CARD)))
        await record.step("It is cancelled", provider.cancel(page.ref))
        event = await record.step("We are called", calls.next_ours(provider))
        await record.step("We ask", provider.confirm(event, expected=PRICE))
        await record.step("What nobody started", provider.status(
            msgspec.structs.replace(page.ref, provider_ref="cs_test_none")
        ))  # fmt: skip
    await provider.close()
