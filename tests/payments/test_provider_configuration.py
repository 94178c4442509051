"""Configuration of payment providers, and a product without any."""

import pytest

from prawko.apps.composition_root import create_context
from prawko.hooks.payments import (
    Money,
    PaymentError,
    PaymentMethod,
    PaymentRequest,
    ProviderCapabilities,
)
from prawko.kit.providers.registry import PluginError
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.incidents import report_payment_incidents
from prawko.payments.jobs import poll_open_payments, process_payment_events
from prawko.payments.provider_calls import get_provider_experience
from prawko.payments.service import PaymentService
from prawko_testing.fake_payments import FakePaymentProvider, payment_plugin
from prawko_testing.fakes import FakeRegister, RecordingChannel, fake_plugin
from support.fake_payments import change_abilities
from support.payments import PaymentScenario

pytestmark = pytest.mark.anyio


def test_a_provider_that_is_not_configured_stops_the_start(variables, fake) -> None:
    plugins = {
        "fakes": fake_plugin(FakeRegister(), RecordingChannel()), "payments": payment_plugin(fake),
    }  # fmt: skip
    with pytest.raises(PluginError, match="PAYMENT_PROVIDERS names 'payu'; configured: fake"):
        create_context({**variables, "PAYMENT_PROVIDERS": "fake,payu"}, extra_plugins=plugins)


async def test_available_methods_are_cached(scenario: PaymentScenario, fake) -> None:
    calls = []
    available = fake.available_methods

    async def counted(money):
        calls.append(money)
        return await available(money)

    fake.available_methods = counted
    price = scenario.make_request().money
    methods = [method.method for method in await scenario.payments.available_methods(price)]
    assert methods == [method.method for method in await scenario.payments.list_methods()]
    await scenario.payments.available_methods(price)
    assert calls == [price]

    fake.failure = PaymentError("nobody is there")
    other_service = PaymentService(scenario.worker)
    for _ in range(2):
        other_methods = [method.method for method in await other_service.available_methods(price)]
        assert other_methods == methods, "what it says it can"
    assert len(calls) == 2, "silence is remembered, too"


class TestTwoProviders:
    """With a second provider that offers the same methods."""

    @pytest.fixture
    def variables(self, variables) -> dict[str, str]:
        return {**variables, "PAYMENT_PROVIDERS": "fake,other"}

    @pytest.fixture
    def other(self) -> FakePaymentProvider:
        provider = FakePaymentProvider()
        provider.name = "other"
        return provider

    @pytest.fixture
    def providers(self, fake, other) -> list[FakePaymentProvider]:
        return [fake, other]

    async def test_a_payment_goes_to_a_provider_that_offers_its_method_for_the_amount(
        self, scenario: PaymentScenario, fake
    ) -> None:
        async def offer_blik_only(_amount):
            return frozenset({PaymentMethod.BLIK})

        first = await scenario.create_payment(scenario.make_request())
        assert (await scenario.payment_row(first))["provider"] == "fake"
        fake.available_methods = offer_blik_only
        for method, provider in ((PaymentMethod.CARD, "other"), (PaymentMethod.BLIK, "fake")):
            request = scenario.make_request(method, money=Money(1_00))
            payment_id = await scenario.create_payment(request)
            assert (await scenario.payment_row(payment_id))["provider"] == provider

    @pytest.mark.parametrize("first_accepts", [True, False])
    async def test_codes_are_offered_as_the_provider_has_it_that_takes_the_payment(
        self, scenario: PaymentScenario, fake, first_accepts
    ) -> None:
        for name, accepts in (("fake", first_accepts), ("other", not first_accepts)):
            change_abilities(scenario.context, provider=name, accepts_blik_codes=accepts)
        plugin = get_provider_experience(scenario.context, fake)
        price = scenario.make_request().money
        for expected in (first_accepts, not first_accepts):
            for methods in (
                await scenario.payments.list_methods(),
                await scenario.payments.available_methods(price),
            ):
                [blik] = [one for one in methods if one.method is PaymentMethod.BLIK]
                assert blik.accepts_blik_codes is expected
                assert set(blik.providers) == {"fake", "other"}
            plugin.count_block("it blocked")  # the other one takes the next payment


class FadingProvider(FakePaymentProvider):
    """Knows its abilities until `is_lost`."""

    name = "fading"
    is_lost = False

    @property
    def capabilities(self) -> ProviderCapabilities:
        if self.is_lost:
            raise OSError("its server is away")
        return FakePaymentProvider.capabilities


class TestFadingProvider:
    """With a provider that forgets its abilities after it was loaded."""

    @pytest.fixture
    def variables(self, variables) -> dict[str, str]:
        return {**variables, "PAYMENT_PROVIDERS": "fading,fake"}

    @pytest.fixture
    def providers(self, fake) -> list[FakePaymentProvider]:
        return [FadingProvider(), fake]

    async def test_everybody_can_still_pay(self, celina, scenario, providers) -> None:
        providers[0].is_lost = True
        answer = await celina.get("/api/payment-methods")
        assert answer.status_code == 200
        assert {one["method"] for one in answer.json()} == set(PaymentMethod)
        for method in PaymentMethod:
            assert await scenario.create_payment(scenario.make_request(method))


class TestWithoutProviders:
    """Without providers nothing can be bought, and nothing else is disturbed."""

    @pytest.fixture
    def variables(self, variables) -> dict[str, str]:
        return {**variables, "PAYMENT_PROVIDERS": ""}

    async def test_without_providers_nothing_can_be_bought(self, scenario: PaymentScenario) -> None:
        assert await scenario.payments.list_methods() == ()
        with pytest.raises(PaymentUnavailableError):
            await scenario.create_payment(scenario.make_request())

    async def test_webhooks_of_a_removed_provider_are_still_processed(
        self, scenario: PaymentScenario, fake
    ) -> None:
        request = scenario.make_request()
        order = PaymentRequest(
            reference="STRANGER0001", money=request.money, method=request.method, description="x",
            payer=request.payer, return_url=request.return_url,
        )  # fmt: skip
        call = await fake.pay(await fake.create_payment(order))
        assert await scenario.post_webhook("fake", call) == 200


class TestWithoutPayments:
    """Where no provider is set up at all, the jobs need nobody who buys."""

    @pytest.fixture
    def providers(self) -> list:
        return []

    @pytest.fixture
    def variables(self, variables) -> dict[str, str]:
        return {**variables, "PAYMENT_PROVIDERS": ""}

    async def test_without_providers_the_jobs_do_nothing(self, worker) -> None:
        for job in (process_payment_events, poll_open_payments, report_payment_incidents):
            await job(worker)
