"""The Stripe adapter against the simulator of the getpaid project.

The simulator has sessions, payments and refunds, and signs its webhooks with its own code. It has
no lists, searches, expansions and saved cards: those are tested against Stripe's published sample
objects and our own fake.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import msgspec
from aiohttp import web
from tests.peers.record import Record

from prawko.hooks.environment import Environment
from prawko.hooks.payments import Money, NextAction, PaymentEvent, PaymentMethod, PaymentProvider
from prawko.hooks.webhooks import WebhookRequest, WebhookVerificationError
from prawko.kit.clock import utc_now
from prawko_payments_stripe import PREFIX, payment_providers
from prawko_testing.provider_contract import PRICE, sample_request

PORT = 9001  # SIMULATOR_STRIPE_NOTIFY_URL names it
TIMEOUT_SECONDS = 10.0


class WebhookReceiver:
    """Receives the simulator's webhooks."""

    def __init__(self) -> None:
        self.received: asyncio.Queue[WebhookRequest] = asyncio.Queue()

    async def receive(self, request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        body = await request.read()
        now = utc_now()
        self.received.put_nowait(
            WebhookRequest(headers=headers, query={}, body=body, received_at=now)
        )
        return web.json_response({"ok": True})

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[None]:
        app = web.Application()
        app.router.add_post("/api/webhooks/stripe", self.receive)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", PORT).start()
        try:
            yield
        finally:
            await runner.cleanup()

    async def next_event(self, provider: PaymentProvider) -> PaymentEvent:
        """Return the next event about us, after checking that a modified copy is refused."""
        while True:
            request = await asyncio.wait_for(self.received.get(), TIMEOUT_SECONDS)
            forged_request = msgspec.structs.replace(request, body=request.body + b" ")
            try:
                provider.parse_webhook(forged_request)
            except WebhookVerificationError:
                pass
            else:
                raise AssertionError("a modified webhook was accepted")
            if (event := provider.parse_webhook(request)) is not None:
                return event


async def run(url: str) -> None:
    variables = {
        "SECRET_KEY": "sk_test_sim_stripe_key", "URL": url, "BLIK": "true",
        "WEBHOOK_SECRET": "whsec_sim_stripe_secret",
    }  # fmt: skip
    environment = Environment({f"{PREFIX}_{name}": value for name, value in variables.items()})
    [provider] = payment_providers(environment)
    record, webhooks = Record(), WebhookReceiver()
    record.observe(provider._client._http_client._http_client)

    async with webhooks.serve(), aiohttp.ClientSession() as browser:

        async def operate_page(page: NextAction, action: str) -> str:
            body = {"action": action}
            async with browser.post(page.url, data=body, allow_redirects=False) as answer:
                return f"back to {answer.headers.get('Location', '')}"

        async def operate(page: NextAction, action: str) -> str:
            operation_url = page.url.replace("/authorize/", "/ops/")
            async with browser.post(operation_url, json={"action": action}) as answer:
                return await answer.text()

        page = await record.step(
            "An order is placed", provider.create_payment(sample_request(PaymentMethod.CARD))
        )
        await record.step("Nobody has paid", provider.query_status(page.ref))
        await record.step("The card is declined", operate_page(page, "decline"))
        await record.step("It may be tried again", provider.query_status(page.ref))
        await record.step("The payer pays", operate_page(page, "pay"))
        event = await record.step("We are called", webhooks.next_event(provider))
        await record.step("We ask", provider.capture(event, expected=PRICE))
        await record.step("We ask again", provider.capture(event, expected=PRICE))
        await record.step("A paid order is not cancelled", provider.cancel(page.ref))
        intent_id = (await provider._client.get_session(page.ref.provider_ref)).payment_intent.id
        refund = provider._client.create_refund
        await record.step(
            "A part goes back", refund(intent_id, page.ref.reference, Money(327), "R1")
        )
        await record.step("We are called", webhooks.next_event(provider))
        await record.step("We are called", webhooks.next_event(provider))
        await record.step("More than is left", refund(intent_id, page.ref.reference, PRICE, "R2"))

        page = await record.step(
            "An order by BLIK", provider.create_payment(sample_request(PaymentMethod.BLIK))
        )
        await record.step("The money is under way", operate_page(page, "pay_delayed"))
        await record.step("Not ours yet", provider.query_status(page.ref))
        await record.step("It arrives", operate(page, "settle_delayed"))
        event = await record.step("We are called", webhooks.next_event(provider))
        await record.step("We ask", provider.capture(event, expected=PRICE))

        page = await record.step(
            "A third order", provider.create_payment(sample_request(PaymentMethod.CARD))
        )
        await record.step("The money is under way", operate_page(page, "pay_delayed"))
        await record.step("It does not arrive", operate(page, "fail_delayed"))
        event = await record.step("We are called", webhooks.next_event(provider))
        await record.step("We ask", provider.capture(event, expected=PRICE))

        page = await record.step(
            "A fourth order", provider.create_payment(sample_request(PaymentMethod.CARD))
        )
        await record.step("It is cancelled", provider.cancel(page.ref))
        event = await record.step("We are called", webhooks.next_event(provider))
        await record.step("We ask", provider.capture(event, expected=PRICE))
        await record.step("What nobody started", provider.query_status(
            msgspec.structs.replace(page.ref, provider_ref="cs_test_none")
        ))  # fmt: skip
    await provider.close()
