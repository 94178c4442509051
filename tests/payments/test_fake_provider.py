"""The fake provider fulfils the contract of a provider; loading of payment plugins."""

import pytest

from prawko.hooks.environment import Environment
from prawko.hooks.payments import (
    Mandate,
    Money,
    PaymentError,
    PaymentMethod,
    PaymentRef,
    PaymentState,
    ProviderPayment,
    RecurringProvider,
    RefundState,
    synthesize_event,
)
from prawko.hooks.webhooks import WebhookRequest
from prawko.kit.providers import entries, loader
from prawko.kit.providers.experience import PluginExperiences
from prawko.kit.providers.registry import PluginError
from prawko_testing.fake_payments import FakePaymentProvider, payment_plugin
from prawko_testing.fakes import FakeRegister, fake_plugin
from prawko_testing.provider_contract import PRICE, sample_request
from prawko_testing.recurring_contract import RecurringContract
from prawko_testing.refund_contract import RefundContract
from prawko_testing.status_query_contract import StatusQueryContract

pytestmark = pytest.mark.anyio

GENUINE = b'{"id":"1","kind":"paid","key":"k","money":{"grosze":1,"currency":"PLN"}}'


class TestContract(RecurringContract, RefundContract, StatusQueryContract):
    """The contract of a provider with status queries, refunds and saved cards."""

    @pytest.fixture
    def provider(self) -> FakePaymentProvider:
        return FakePaymentProvider()

    @pytest.fixture
    def counterparty(self, provider) -> FakePaymentProvider:
        return provider

    @pytest.fixture
    def unreachable_provider(self) -> FakePaymentProvider:
        provider = FakePaymentProvider()
        provider.failure = PaymentError("away")
        return provider

    @pytest.fixture
    def forged_requests(self, provider) -> list[WebhookRequest]:
        return [
            provider.signed_request(GENUINE, {}),
            FakePaymentProvider(b"another").signed_request(GENUINE),
            provider.signed_request(GENUINE + b" ", provider.signed_request(GENUINE).headers),
        ]

    @pytest.fixture
    def malformed_requests(self, provider) -> list[WebhookRequest]:
        return [
            provider.signed_request(body)
            for body in (b"", b"[]", b"{}", b"\xff", GENUINE.replace(b":1,", b":-1,"))
        ]

    @pytest.fixture
    def ignored_requests(self, provider) -> list[WebhookRequest]:
        return [provider.signed_request(GENUINE)]


async def test_a_payment_of_too_little_is_not_captured() -> None:
    provider = FakePaymentProvider()
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    event = provider.parse_webhook(await provider.pay(action, Money(1)))

    captured = await provider.capture(event, expected=PRICE)

    assert (captured.state, captured.money) == (PaymentState.AUTHORIZED, Money(1))


async def test_a_declined_card_is_not_charged() -> None:
    provider = FakePaymentProvider()
    provider.declines_charges = True

    with pytest.raises(PaymentError) as refused:
        await provider.charge(Mandate("card"), sample_request(PaymentMethod.CARD))
    assert refused.value.permanent
    assert provider.payments == {}


@pytest.mark.parametrize("consents", [True, False])
async def test_a_charge_may_wait_for_its_payers_consent(consents) -> None:
    provider = FakePaymentProvider()
    provider.requires_consent = True
    saved = sample_request(PaymentMethod.CARD)
    await provider.create_payment(saved)
    request = sample_request(PaymentMethod.CARD)

    for _ in range(2):
        waiting = await provider.charge(Mandate(saved.reference), request)
        assert (waiting.state, waiting.url is not None) == (PaymentState.OPEN, True)
    assert provider.charge_count(request) == 0
    answer = provider.give_consent if consents else provider.refuse_consent
    answer(request.reference)

    charged = await provider.query_status(waiting.ref)
    assert charged.state is (PaymentState.PAID if consents else PaymentState.FAILED)
    assert provider.charge_count(request) == int(consents)


async def test_a_failed_payment_stays_failed() -> None:
    provider = FakePaymentProvider()
    action = await provider.create_payment(sample_request(PaymentMethod.CARD))
    event = provider.parse_webhook(await provider.fail(action))

    captured = await provider.capture(event, expected=PRICE)
    refund = await provider.refund(action.ref, PRICE, refund_reference="r1")

    assert (event.kind, captured.state) == ("failed", PaymentState.FAILED)
    assert refund.state is RefundState.FAILED


@pytest.mark.parametrize(
    ("state", "kind"),
    [("open", None), ("authorized", "paid"), ("paid", "paid"), ("failed", "failed"),
     ("refunded", "refunded")],
)  # fmt: skip
def test_a_queried_payment_becomes_an_event(state, kind) -> None:
    ref = PaymentRef("k1", "7")
    received_at = FakePaymentProvider().signed_request(b"").received_at
    event = synthesize_event(
        ProviderPayment(ref=ref, state=PaymentState(state), money=PRICE), received_at
    )

    assert (event and event.kind) == kind
    if event is not None:
        assert (event.ref, event.money, event.occurred_at) == (ref, PRICE, received_at)
        assert event.event_id == f"query:k1:7:{state}"


@pytest.mark.parametrize(("grosze", "currency"), [(0, "PLN"), (-1, "PLN"), (1, "pln"), (1, "")])
def test_an_amount_is_positive_and_has_a_currency(grosze, currency) -> None:
    with pytest.raises(ValueError, match=r"is positive|three capital letters"):
        Money(grosze, currency)


@pytest.mark.parametrize("key", ["", "a-b", "ą", "x" * 36, "a/b", "a\n"])
def test_a_reference_is_letters_and_digits(key) -> None:
    values = {
        name: getattr(sample_request(PaymentMethod.CARD), name)
        for name in sample_request(PaymentMethod.CARD).__struct_fields__
    }

    with pytest.raises(ValueError, match="35 letters and digits"):
        type(sample_request(PaymentMethod.CARD))(**{**values, "reference": key})


def test_providers_are_found_by_name_and_closed_with_the_rest() -> None:
    loaded = loader.load_plugins(
        Environment({}), entries.supplied_plugins({"pay": payment_plugin(FakePaymentProvider())})
    )

    assert list(loaded.payments) == ["fake"]
    assert isinstance(loaded.payments["fake"], RecurringProvider)


async def test_closing_the_plugins_closes_the_providers() -> None:
    class Watched(FakePaymentProvider):
        closed = False

        async def close(self) -> None:
            self.closed = True

    provider = Watched()
    await loader.load_plugins(
        Environment({}), entries.supplied_plugins({"pay": payment_plugin(provider)})
    ).close(PluginExperiences())

    assert provider.closed


def test_without_a_plugin_there_are_no_providers() -> None:
    loaded = loader.load_plugins(
        Environment({}), entries.supplied_plugins({"fakes": fake_plugin(FakeRegister())})
    )

    assert loaded.payments == {}


def test_two_providers_of_one_name_stop_the_start() -> None:
    named_twice = {
        "one": payment_plugin(FakePaymentProvider()),
        "two": payment_plugin(FakePaymentProvider()),
    }

    with pytest.raises(PluginError, match="'fake'"):
        loader.load_plugins(Environment({}), entries.supplied_plugins(named_twice))


def test_a_provider_of_the_demo_is_refused_outside_of_it() -> None:
    sandbox = type("Sandbox", (FakePaymentProvider,), {"__module__": "prawko_demo.payments"})()

    with pytest.raises(PluginError, match="demo"):
        loader.load_plugins(
            Environment({}), entries.supplied_plugins({"pay": payment_plugin(sandbox)})
        )
    assert loader.load_plugins(
        Environment({}),
        entries.supplied_plugins({"pay": payment_plugin(sandbox)}),
        demo=True,
    ).payments
