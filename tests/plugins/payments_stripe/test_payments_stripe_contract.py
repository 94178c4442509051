"""The Stripe provider keeps every promise of a provider, against its fake on a real socket."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from prawko.hooks.callbacks import Callback
from prawko.hooks.payments import Method
from prawko.testing.asked_contract import RemoteProviderContract
from prawko.testing.refunding_contract import RefundingContract
from prawko.testing.renewing_contract import RenewingContract
from prawko_payments_stripe.provider import StripeProvider
from stripe_account import CHARGE, INTENT, REFUND, SESSION, provider_to
from stripe_stub import SECRET, FakeStripe, call, event_call

pytestmark = pytest.mark.anyio


class TestContract(RenewingContract, RefundingContract, RemoteProviderContract):
    """The promises of a provider that talks to a server, refunds and charges saved cards."""

    @pytest.fixture
    async def provider(self, server) -> AsyncIterator[StripeProvider]:
        made = provider_to(server)
        yield made
        await made.close()

    @pytest.fixture
    def bench(self, server) -> FakeStripe:
        return server

    @pytest.fixture
    def method(self) -> Method:
        return Method.CARD

    @pytest.fixture
    async def broken_provider(self, server) -> AsyncIterator[StripeProvider]:
        server.says(503, "<html>", Stripe_Should_Retry="false")
        made = provider_to(server)
        yield made
        await made.close()

    @pytest.fixture
    async def refusing_provider(self, server) -> AsyncIterator[StripeProvider]:
        made = provider_to(server, SECRET_KEY="sk_test_revoked")
        yield made
        await made.close()

    @pytest.fixture
    async def silent_provider(self, server) -> AsyncIterator[StripeProvider]:
        server.silent = True
        made = provider_to(server, DEADLINE="0.2")
        yield made
        await made.close()

    @pytest.fixture
    def forged(self) -> list[Callback]:
        genuine = event_call("checkout.session.completed", SESSION)
        header = genuine.headers["stripe-signature"]
        unsigned = msgspec.structs.replace(genuine, headers={})
        other_body = msgspec.structs.replace(genuine, body=genuine.body.replace(b"K1", b"K2"))
        later = f"t={int(header[2:12]) + 1}{header[12:]}"
        return [
            unsigned, other_body,
            call(genuine.body, secret="whsec_another"), call(genuine.body, secret=f"{SECRET} "),
            call(genuine.body, age=301), call(genuine.body, age=-301),
            *(call(genuine.body, header=one) for one in (
                "", "t=", "v1=", "t=x,v1=y", header.replace("v1", "v0"), later,
                header.split(",")[0], header.split(",")[1], f"{header}ą", header[:-1],
                header.upper(), f"t=1,{header}", header.replace("t=", "t=9999999999"),
            )),
            call(genuine.body + b"\xff", header=header),
        ]  # fmt: skip

    @pytest.fixture
    def garbled(self) -> list[Callback]:
        completed = "checkout.session.completed"
        return [
            *(call(body) for body in (b"", b"null", b"[]", b"{", b'{"object":1}')),
            call({"object": "event"}),
            *(event_call(completed, SESSION, **wrong) for wrong in (
                {"id": "cs_1"}, {"id": "evt_1\n"}, {"created": "now"}, {"created": 10**12},
                {"livemode": None}, {"data": {}}, {"data": {"object": 1}}, {"type": 1},
            )),
            *(event_call(completed, {**SESSION, **wrong}) for wrong in (
                {"amount_total": 0}, {"amount_total": "18327"}, {"amount_total": None},
                {"currency": "PLN"}, {"metadata": 1}, {"id": None},
            )),
            event_call("refund.updated", {**REFUND, "amount": -1}),
            event_call("refund.updated", {**REFUND, "payment_intent": None}),
        ]  # fmt: skip

    @pytest.fixture
    def of_no_interest(self) -> list[Callback]:
        others = [None, {}, {"prawko_order": ""}, {"prawko_order": "not/ours"}, {"order": "K1"}]
        completed = "checkout.session.completed"
        return [
            *(event_call(completed, {**SESSION, "metadata": other}) for other in others),
            event_call(completed, {**SESSION, "payment_status": "unpaid"}),
            event_call(completed, {**SESSION, "payment_status": "no_payment_required"}),
            event_call(completed, SESSION, livemode=True),
            event_call(completed, SESSION, account="acct_1"),
            event_call("plan.created", {"id": "price_1", "object": "plan"}),
            event_call("payment_intent.succeeded", {**INTENT, "metadata": SESSION["metadata"]}),
            event_call("refund.updated", {**REFUND, "metadata": {}}),
            event_call("refund.created", {**REFUND, "status": "pending"}),
            event_call("charge.refunded", {**CHARGE, "metadata": {}}),
            call({"object": "v2.core.event", "id": "evt_1", "type": "v1.billing.meter.no"}),
        ]  # fmt: skip
