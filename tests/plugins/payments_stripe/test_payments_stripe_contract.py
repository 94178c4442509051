"""The contract of a provider, for Stripe's against a fake of Stripe on a real socket."""

import msgspec
import pytest

from prawko.hooks.payments import PaymentMethod
from prawko.hooks.webhooks import WebhookRequest
from prawko_testing.recurring_contract import RecurringContract
from prawko_testing.refund_contract import RefundContract
from support.servers.provider_contract import ServerProviderContract
from support.servers.stripe import SECRET_KEY, WEBHOOK_SECRET, event_webhook, signed_webhook
from support.servers.stripe_account import CHARGE, INTENT, REFUND, SESSION, create_provider

pytestmark = pytest.mark.anyio


class TestContract(RecurringContract, RefundContract, ServerProviderContract):
    """The contract of a provider that talks to a server, refunds and charges saved cards."""

    create_provider = staticmethod(create_provider)
    module = "prawko_payments_stripe.client"
    keys = (SECRET_KEY, WEBHOOK_SECRET)
    bad_setting = ("SECRET_KEY", "sk_test_revoked")

    @pytest.fixture
    def method(self) -> PaymentMethod:
        return PaymentMethod.CARD

    @pytest.fixture
    def forged_requests(self) -> list[WebhookRequest]:
        genuine = event_webhook("checkout.session.completed", SESSION)
        header = genuine.headers["stripe-signature"]
        unsigned = msgspec.structs.replace(genuine, headers={})
        other_body = msgspec.structs.replace(genuine, body=genuine.body.replace(b"K1", b"K2"))
        shifted = f"t={int(header[2:12]) + 1}{header[12:]}"
        return [
            unsigned,
            other_body,
            signed_webhook(genuine.body, secret="whsec_another"),
            signed_webhook(genuine.body, secret=f"{WEBHOOK_SECRET} "),
            signed_webhook(genuine.body, age=301),
            signed_webhook(genuine.body, age=-301),
            *(
                signed_webhook(genuine.body, header=session)
                for session in (
                    "",
                    "t=",
                    "v1=",
                    "t=x,v1=y",
                    header.replace("v1", "v0"),
                    shifted,
                    header.split(",")[0],
                    header.split(",")[1],
                    f"{header}ą",
                    header[:-1],
                    header.upper(),
                    f"t=1,{header}",
                    header.replace("t=", "t=9999999999"),
                )
            ),
            signed_webhook(genuine.body + b"\xff", header=header),
        ]

    @pytest.fixture
    def malformed_requests(self) -> list[WebhookRequest]:
        completed = "checkout.session.completed"
        return [
            *(signed_webhook(body) for body in (b"", b"null", b"[]", b"{", b'{"object":1}')),
            signed_webhook({"object": "event"}),
            *(event_webhook(completed, SESSION, **changes) for changes in (
                {"id": "cs_1"}, {"id": "evt_1\n"}, {"created": "now"}, {"created": 10**12},
                {"livemode": None}, {"data": {}}, {"data": {"object": 1}}, {"type": 1},
            )),
            *(event_webhook(completed, {**SESSION, **changes}) for changes in (
                {"amount_total": 0}, {"amount_total": "18327"}, {"amount_total": None},
                {"currency": "PLN"}, {"metadata": 1}, {"id": None},
            )),
            event_webhook("refund.updated", {**REFUND, "amount": -1}),
            event_webhook("refund.updated", {**REFUND, "payment_intent": None}),
        ]  # fmt: skip

    @pytest.fixture
    def ignored_requests(self) -> list[WebhookRequest]:
        other_metadata = [
            None,
            {},
            {"prawko_order": ""},
            {"prawko_order": "not/ours"},
            {"order": "K1"},
        ]
        completed = "checkout.session.completed"
        return [
            *(
                event_webhook(completed, {**SESSION, "metadata": metadata})
                for metadata in other_metadata
            ),
            event_webhook(completed, {**SESSION, "payment_status": "unpaid"}),
            event_webhook(completed, {**SESSION, "payment_status": "no_payment_required"}),
            event_webhook(completed, SESSION, livemode=True),
            event_webhook(completed, SESSION, account="acct_1"),
            event_webhook("plan.created", {"id": "price_1", "object": "plan"}),
            event_webhook("payment_intent.succeeded", {**INTENT, "metadata": SESSION["metadata"]}),
            event_webhook("refund.updated", {**REFUND, "metadata": {}}),
            event_webhook("refund.created", {**REFUND, "status": "pending"}),
            event_webhook("charge.refunded", {**CHARGE, "metadata": {}}),
            signed_webhook(
                {"object": "v2.core.event", "id": "evt_1", "type": "v1.billing.meter.no"}
            ),
        ]
