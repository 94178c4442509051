"""The sandbox fulfils the contract of a payment provider, in a file that processes share."""

from pathlib import Path

import msgspec
import pytest

from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.payments import (
    Mandate,
    Money,
    NextAction,
    Payer,
    PaymentError,
    PaymentMethod,
    PaymentRef,
    PaymentRequest,
    PaymentState,
)
from prawko.hooks.webhooks import WebhookRequest
from prawko.kit.clock import utc_now
from prawko_demo.dev_api import hosted_page
from prawko_demo.payments import events, payment_providers
from prawko_demo.payments.provider import PageButton, PaymentEndedError, SandboxProvider
from prawko_demo.payments.store import ChargeBehaviour, ChargeResult, SandboxStore
from prawko_testing.provider_contract import PRICE, sample_request
from prawko_testing.recurring_contract import RecurringContract
from prawko_testing.refund_contract import RefundContract
from prawko_testing.status_query_contract import StatusQueryContract
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

URL = "http://127.0.0.1:8000"
SECRET = b"the webhooks' signing key"
STORE_NAME = "sandbox.sqlite"


def create_provider(tmp_path: Path, secret: bytes = SECRET) -> SandboxProvider:
    return SandboxProvider(SandboxStore(tmp_path / STORE_NAME), URL, secret)


def signed_webhook(body: bytes, secret: bytes = SECRET, *, seconds: float = 0) -> WebhookRequest:
    now = utc_now()
    timestamp = now.fromtimestamp(now.timestamp() - seconds, tz=now.tzinfo)
    headers = events.signature_headers(body, secret, timestamp)
    return WebhookRequest(headers=headers, query={}, body=body, received_at=now)


async def pay(sandbox: SandboxProvider, next_action: NextAction) -> WebhookRequest:
    """Pay on the hosted page; return the webhook."""
    payment = await sandbox.press_button(next_action.ref.reference, PageButton.PAID)
    return signed_webhook(events.encode_event(payment, utc_now()))


class SandboxCounterparty:
    """Pays on the hosted page, and reads the sandbox's own records."""

    def __init__(self, sandbox: SandboxProvider, store: SandboxStore) -> None:
        self._sandbox, self._store = sandbox, store

    async def pay(self, next_action: NextAction) -> WebhookRequest:
        return await pay(self._sandbox, next_action)

    def refunded_amount(self, ref: PaymentRef) -> int:
        return sum(self._store.get(ref.reference).refunds.values())

    def charge_count(self, request: PaymentRequest) -> int:
        return self._store.get(request.reference).charges


@pytest.fixture
def sandbox(tmp_path: Path) -> SandboxProvider:
    return create_provider(tmp_path)


@pytest.fixture
async def genuine(sandbox: SandboxProvider) -> bytes:
    redirect = await sandbox.create_payment(sample_request(PaymentMethod.CARD))
    return (await pay(sandbox, redirect)).body


class TestContract(RecurringContract, RefundContract, StatusQueryContract):
    """The contracts of recurring charges, refunds and status queries."""

    @pytest.fixture
    def provider(self, sandbox: SandboxProvider) -> SandboxProvider:
        return sandbox

    @pytest.fixture
    def counterparty(self, sandbox: SandboxProvider, tmp_path: Path) -> SandboxCounterparty:
        return SandboxCounterparty(sandbox, SandboxStore(tmp_path / STORE_NAME))

    @pytest.fixture
    def unreachable_provider(self, tmp_path: Path) -> SandboxProvider:
        return create_provider(tmp_path / "gone")

    @pytest.fixture
    def forged_requests(self, genuine: bytes) -> list[WebhookRequest]:
        signed = signed_webhook(genuine)
        headers = [
            {},
            {events.SIGNATURE_HEADER: ""},
            {events.SIGNATURE_HEADER: "t=,v1="},
            {events.SIGNATURE_HEADER: "t=٣,v1=ą"},
            {events.SIGNATURE_HEADER: f"t={'9' * 5000},v1=0"},
        ]
        return [
            *(
                msgspec.structs.replace(signed, headers=changed_headers)
                for changed_headers in headers
            ),
            msgspec.structs.replace(signed, body=genuine + b" "),
            signed_webhook(genuine, b"another secret"),
            signed_webhook(genuine, seconds=301),
            signed_webhook(genuine, seconds=-301),
        ]

    @pytest.fixture
    def malformed_requests(self, genuine: bytes) -> list[WebhookRequest]:
        malformed = [
            genuine.replace(b'"kind":"paid"', b'"kind":"maybe"'),
            genuine.replace(b'"grosze":18327', b'"grosze":-1'),
        ]
        assert genuine not in malformed
        return [signed_webhook(body) for body in (b"", b"[]", b"{}", b"\xff", *malformed)]

    @pytest.fixture
    async def ignored_requests(self, sandbox: SandboxProvider) -> list[WebhookRequest]:
        redirect = await sandbox.create_payment(sample_request(PaymentMethod.CARD))
        payment = await sandbox.get_payment(redirect.ref.reference)
        return [signed_webhook(events.encode_event(payment, utc_now()))]


def make_order(method: PaymentMethod = PaymentMethod.CARD, **changes: object) -> PaymentRequest:
    return msgspec.structs.replace(sample_request(method), **changes)


async def saved_card(sandbox: SandboxProvider) -> Mandate:
    redirect = await sandbox.create_payment(make_order(save_payment_method=True))
    event = sandbox.parse_webhook(await pay(sandbox, redirect))
    paid = await sandbox.capture(event, expected=PRICE)
    assert paid.mandate is not None
    return paid.mandate


@pytest.fixture
def panel_calls(sandbox: SandboxProvider) -> list[tuple[str, bytes, dict[str, str]]]:
    """The webhooks that the sandbox posts, instead of a panel."""
    calls: list[tuple[str, bytes, dict[str, str]]] = []

    async def record(url: str, body: bytes, headers: dict[str, str]) -> int:
        calls.append((url, body, headers))
        return 200

    sandbox.post_webhook, sandbox.blik_consent_seconds = record, 0.0
    return calls


@pytest.mark.parametrize("code", ["777000", "777999"])
async def test_a_blik_code_with_prefix_777_is_confirmed_by_webhook(
    sandbox, panel_calls, code
) -> None:
    redirect = await sandbox.create_payment(make_order(PaymentMethod.BLIK, blik_code=code))
    await wait_until(lambda: panel_calls)

    assert redirect.url is None
    assert (await sandbox.query_status(redirect.ref)).state is PaymentState.AUTHORIZED
    ((url, body, headers),) = panel_calls
    assert url == f"{URL}/api/webhooks/sandbox"
    event = sandbox.parse_webhook(
        WebhookRequest(headers=headers, query={}, body=body, received_at=utc_now())
    )
    assert (event.kind, event.ref, event.money) == ("paid", redirect.ref, PRICE)


@pytest.mark.parametrize("code", ["123456", "000777", "77700", "7770000", "٧٧٧١٢٣", "777 00"])
async def test_every_other_blik_code_is_rejected_permanently(sandbox, panel_calls, code) -> None:
    order = make_order(PaymentMethod.BLIK, blik_code=code)
    with pytest.raises(PaymentError) as refused:
        await sandbox.create_payment(order)

    assert refused.value.permanent
    assert await sandbox.query_status(PaymentRef(order.reference)) is None
    assert panel_calls == []


async def test_a_blik_code_for_another_method_is_a_programming_error(sandbox) -> None:
    for order in (
        make_order(PaymentMethod.CARD, blik_code="777123"),
        make_order(PaymentMethod.TRANSFER),
    ):
        with pytest.raises(ValueError, match="cannot be paid by"):
            await sandbox.create_payment(order)


@pytest.mark.parametrize("button", PageButton)
async def test_a_button_is_idempotent_and_another_one_is_rejected(sandbox, button) -> None:
    redirect = await sandbox.create_payment(make_order())
    first = await sandbox.press_button(redirect.ref.reference, button)
    assert await sandbox.press_button(redirect.ref.reference, button) == first
    for later_button in PageButton:
        if later_button is not button:
            with pytest.raises(PaymentEndedError):
                await sandbox.press_button(redirect.ref.reference, later_button)
    assert await sandbox.get_payment(redirect.ref.reference) == first
    assert await sandbox.press_button("0" * 12, button) is None


async def test_payments_are_shared_between_processes(tmp_path) -> None:
    panel, worker = create_provider(tmp_path), create_provider(tmp_path)
    mandate = await saved_card(panel)
    renewal = make_order()
    charged = await worker.charge(mandate, renewal)

    assert charged.state is PaymentState.PAID
    assert await panel.query_status(charged.ref) == charged


async def test_the_next_charges_have_the_set_result(sandbox) -> None:
    mandate = await saved_card(sandbox)
    await sandbox.set_charge_behaviour(ChargeBehaviour(ChargeResult.REFUSED, times=2))
    for _ in range(2):
        with pytest.raises(PaymentError) as refused:
            await sandbox.charge(mandate, make_order())
        assert refused.value.permanent
    assert await sandbox.get_charge_behaviour() == ChargeBehaviour()
    assert (await sandbox.charge(mandate, make_order())).state is PaymentState.PAID


async def test_a_repeated_refused_charge_stays_refused(sandbox) -> None:
    mandate, renewal = await saved_card(sandbox), make_order()
    await sandbox.set_charge_behaviour(ChargeBehaviour(ChargeResult.REFUSED, times=1))
    for _ in range(2):
        with pytest.raises(PaymentError) as refused:
            await sandbox.charge(mandate, renewal)
        assert refused.value.permanent


async def test_a_repeated_charge_after_a_lost_response_is_made_once(sandbox) -> None:
    mandate, renewal = await saved_card(sandbox), make_order()
    await sandbox.set_charge_behaviour(ChargeBehaviour(ChargeResult.SILENT))
    with pytest.raises(PaymentError) as failure:
        await sandbox.charge(mandate, renewal)

    assert not failure.value.permanent
    assert (await sandbox.charge(mandate, renewal)).state is PaymentState.PAID
    assert (await sandbox.get_payment(renewal.reference)).charges == 1


async def test_a_charge_can_require_the_payers_consent(sandbox) -> None:
    mandate, renewal = await saved_card(sandbox), make_order()
    await sandbox.set_charge_behaviour(ChargeBehaviour(ChargeResult.CONSENT, times=1))

    for _ in range(2):
        pending = await sandbox.charge(mandate, renewal)
        assert (pending.state, pending.url) == (
            PaymentState.OPEN,
            sandbox.page_url(renewal.reference),
        )
    event = sandbox.parse_webhook(await pay(sandbox, NextAction(ref=pending.ref)))
    assert (await sandbox.capture(event, expected=PRICE)).state is PaymentState.PAID


async def test_a_card_that_was_not_saved_is_not_charged(sandbox) -> None:
    redirect = await sandbox.create_payment(make_order())
    await pay(sandbox, redirect)
    for token in (redirect.ref.reference, "0" * 12):
        with pytest.raises(PaymentError) as refused:
            await sandbox.charge(Mandate(token), make_order())
        assert refused.value.permanent


def test_the_sandbox_is_offered_only_when_configured(tmp_path) -> None:
    complete = {
        "PAYMENTS_SANDBOX_FILE": str(tmp_path / "f"),
        "PAYMENTS_SANDBOX_URL": URL,
        "PAYMENTS_SANDBOX_KEY": "secret",
    }
    assert payment_providers(Environment({})) == []
    assert [provider.name for provider in payment_providers(Environment(complete))] == ["sandbox"]
    for name in complete:
        with pytest.raises(SettingsError, match=name):
            payment_providers(Environment({**complete, name: ""}))


async def test_a_failed_webhook_does_not_change_the_payment(tmp_path) -> None:
    sandbox = SandboxProvider(SandboxStore(tmp_path / "s"), "http://127.0.0.1:1", SECRET)
    redirect = await sandbox.create_payment(make_order())
    payment = await sandbox.press_button(redirect.ref.reference, PageButton.PAID)

    assert await sandbox.send_webhooks(payment, 2) == [0, 0]
    assert (await sandbox.query_status(redirect.ref)).state is PaymentState.AUTHORIZED


async def test_the_page_is_in_the_payers_language_and_escapes_text(sandbox) -> None:
    order = make_order(
        money=Money(123_456_07),
        description="Prawko: <b>up to 10</b> drivers",
        payer=Payer(email="anna@acme.test", name="Acme", language="en"),
        save_payment_method=True,
    )
    await sandbox.create_payment(order)
    page = hosted_page.render_page(await sandbox.get_payment(order.reference))

    assert '<html lang="en">' in page
    assert "123 456,07 zł" in page.replace("\N{NO-BREAK SPACE}", " ")
    assert "The card will be saved" in page
    assert "&lt;b&gt;up to 10&lt;/b&gt;" in page
    polish = hosted_page.render_page(
        msgspec.structs.replace(await sandbox.get_payment(order.reference), language="pl")
    )
    assert "123\N{NO-BREAK SPACE}456,07\N{NO-BREAK SPACE}zł" in polish


@pytest.mark.parametrize(
    ("button", "title"),
    [(PageButton.PAID, "Płatność przyjęta"), (PageButton.FAILED, "Płatność odrzucona"),
     (PageButton.ABANDONED, "Płatność przerwana")],
)  # fmt: skip
async def test_the_page_shows_the_result_and_links_back(sandbox, button, title) -> None:
    redirect = await sandbox.create_payment(make_order())
    page = hosted_page.render_page(await sandbox.press_button(redirect.ref.reference, button))

    assert f"<h1>{title}</h1>" in page
    assert "<form" not in page
    assert 'href="https://panel.prawko.test/panel/subscription?order=1&amp;x=2"' in page
