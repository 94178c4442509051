"""The fake provider keeps every promise of a provider: what passes with it means something."""

import pytest

from prawko.base import plugins
from prawko.base.plugins import PluginError
from prawko.hooks.callbacks import Callback
from prawko.hooks.environment import Environment
from prawko.hooks.payments import (
    Mandate,
    Method,
    Money,
    Payment,
    PaymentError,
    PaymentRef,
    PaymentState,
    RefundState,
    RenewingProvider,
    event_of,
)
from prawko.testing.asked_contract import AskedContract
from prawko.testing.fake_payments import FakeProvider, payment_plugin
from prawko.testing.fakes import FakeRegister, fake_plugin
from prawko.testing.provider_contract import PRICE, order
from prawko.testing.refunding_contract import RefundingContract
from prawko.testing.renewing_contract import RenewingContract

pytestmark = pytest.mark.anyio

GENUINE = b'{"id":"1","kind":"paid","key":"k","money":{"grosze":1,"currency":"PLN"}}'


class TestContract(RenewingContract, RefundingContract, AskedContract):
    """The promises of a provider that knows, gives back, and charges saved cards."""

    @pytest.fixture
    def provider(self) -> FakeProvider:
        return FakeProvider()

    @pytest.fixture
    def bench(self, provider) -> FakeProvider:
        return provider

    @pytest.fixture
    def broken_provider(self) -> FakeProvider:
        made = FakeProvider()
        made.broken = PaymentError("away")
        return made

    @pytest.fixture
    def forged(self, provider) -> list[Callback]:
        return [
            provider.call(GENUINE, {}),
            FakeProvider(b"another").call(GENUINE),
            provider.call(GENUINE + b" ", provider.call(GENUINE).headers),
        ]

    @pytest.fixture
    def garbled(self, provider) -> list[Callback]:
        return [
            provider.call(body)
            for body in (b"", b"[]", b"{}", b"\xff", GENUINE.replace(b":1,", b":-1,"))
        ]

    @pytest.fixture
    def of_no_interest(self, provider) -> list[Callback]:
        return [provider.call(GENUINE)]


async def test_a_payer_who_pays_too_little_has_not_paid() -> None:
    provider = FakeProvider()
    redirect = await provider.start(order(Method.CARD))
    event = provider.read_event(await provider.pay(redirect, Money(1)))

    found = await provider.confirm(event, expected=PRICE)

    assert (found.state, found.money) == (PaymentState.CLAIMED, Money(1))


async def test_a_refused_card_is_charged_nothing() -> None:
    provider = FakeProvider()
    provider.refuses = True

    with pytest.raises(PaymentError) as refused:
        await provider.charge(Mandate("card"), order(Method.CARD))
    assert refused.value.permanent
    assert provider.payments == {}


async def test_what_failed_stays_failed() -> None:
    provider = FakeProvider()
    redirect = await provider.start(order(Method.CARD))
    event = provider.read_event(await provider.fail(redirect))

    found = await provider.confirm(event, expected=PRICE)
    refund = await provider.refund(redirect.ref, PRICE, key="r1")

    assert (event.kind, found.state) == ("failed", PaymentState.FAILED)
    assert refund.state is RefundState.REFUSED


@pytest.mark.parametrize(
    ("state", "kind"),
    [("open", None), ("claimed", "paid"), ("paid", "paid"), ("failed", "failed"),
     ("refunded", "refunded")],
)  # fmt: skip
def test_what_is_found_by_asking_is_an_event_as_if_we_had_been_called(state, kind) -> None:
    ref = PaymentRef("k1", "7")
    at = FakeProvider().call(b"").received_at
    made = event_of(Payment(ref=ref, state=PaymentState(state), money=PRICE), at)

    assert (made and made.kind) == kind
    if made is not None:
        assert (made.ref, made.money, made.at) == (ref, PRICE, at)
        assert made.event_id == f"asked:k1:7:{state}"


@pytest.mark.parametrize(("grosze", "currency"), [(0, "PLN"), (-1, "PLN"), (1, "pln"), (1, "")])
def test_a_sum_is_above_nothing_in_a_currency(grosze, currency) -> None:
    with pytest.raises(ValueError, match=r"above nothing|three capital letters"):
        Money(grosze, currency)


@pytest.mark.parametrize("key", ["", "a-b", "ą", "x" * 36, "a/b", "a\n"])
def test_a_key_is_letters_and_digits(key) -> None:
    given = {
        name: getattr(order(Method.CARD), name) for name in order(Method.CARD).__struct_fields__
    }

    with pytest.raises(ValueError, match="35 letters and digits"):
        type(order(Method.CARD))(**{**given, "key": key})


def test_providers_are_found_by_name_and_closed_with_the_rest() -> None:
    provider = FakeProvider()
    loaded = plugins.load(Environment({}), {"pay": payment_plugin(provider)})

    assert loaded.payments == {"fake": provider}
    assert isinstance(loaded.payments["fake"], RenewingProvider)


async def test_closing_the_plugins_closes_the_providers() -> None:
    class Watched(FakeProvider):
        closed = False

        async def close(self) -> None:
            self.closed = True

    provider = Watched()
    await plugins.load(Environment({}), {"pay": payment_plugin(provider)}).close()

    assert provider.closed


def test_without_a_plugin_nothing_is_paid_through() -> None:
    loaded = plugins.load(Environment({}), {"fakes": fake_plugin(FakeRegister())})

    assert loaded.payments == {}


def test_two_providers_of_one_name_stop_the_start() -> None:
    both = {"one": payment_plugin(FakeProvider()), "two": payment_plugin(FakeProvider())}

    with pytest.raises(PluginError, match="'fake'"):
        plugins.load(Environment({}), both)


def test_a_provider_of_the_demo_takes_nobodys_money() -> None:
    made_up = type("Sandbox", (FakeProvider,), {"__module__": "prawko_demo.payments"})()

    with pytest.raises(PluginError, match="demo"):
        plugins.load(Environment({}), {"pay": payment_plugin(made_up)})
    assert plugins.load(Environment({}), {"pay": payment_plugin(made_up)}, demo=True).payments
