"""Payment methods on offer: those of the configured providers, in their order."""

import pytest

from prawko.hooks.environment import Environment
from prawko.hooks.payments import PaymentMethod, ProviderCapabilities
from prawko.kit.providers import entries, loader
from prawko.kit.providers.registry import PluginError
from prawko.kit.settings import Settings
from prawko.payments.available_methods import offered_methods
from prawko_payments_transfer.provider import TransferProvider
from prawko_payments_transfer.settings import TransferSettings
from prawko_testing.fake_payments import FakePaymentProvider, payment_plugin
from prawko_testing.fakes import FakeRegister, RecordingChannel, fake_plugin

NOTHING = Environment({})


class TransferAndBlikProvider(FakePaymentProvider):
    """Takes transfers and BLIK without codes."""

    name = "banks"
    capabilities = ProviderCapabilities(
        methods=frozenset({PaymentMethod.TRANSFER, PaymentMethod.BLIK})
    )


class OverpromisingProvider(TransferProvider):
    """Promises recurring cards and has no `charge`."""

    name = "promises"
    capabilities = ProviderCapabilities(
        methods=frozenset({PaymentMethod.CARD}), recurring_methods=frozenset({PaymentMethod.CARD})
    )


def test_each_method_is_offered_once_as_its_first_provider_has_it() -> None:
    offered = offered_methods([TransferAndBlikProvider(), FakePaymentProvider()])

    assert [
        (method.method.value, method.providers, method.accepts_blik_codes, method.is_recurring)
        for method in offered
    ] == [
        ("blik", ("banks", "fake"), False, False),
        ("transfer", ("banks", "fake"), False, False),
        ("card", ("fake",), False, True),
        ("przelewy24", ("fake",), False, False),
    ]
    assert offered_methods([]) == ()


def test_an_unavailable_method_is_offered_by_another_provider_or_not_at_all() -> None:
    closed = {"banks": frozenset({PaymentMethod.BLIK})}

    providers_by_method = {
        method.method: method.providers
        for method in offered_methods([TransferAndBlikProvider()], closed)
    }
    assert providers_by_method == {PaymentMethod.BLIK: ("banks",)}
    merged = {
        method.method: method.providers
        for method in offered_methods([TransferAndBlikProvider(), FakePaymentProvider()], closed)
    }
    assert merged[PaymentMethod.TRANSFER] == ("fake",)


def load_providers(*providers):
    return loader.load_plugins(
        NOTHING, entries.supplied_plugins({"payments": payment_plugin(*providers)})
    )


def test_the_settings_choose_providers_in_their_order() -> None:
    plugins = load_providers(FakePaymentProvider(), TransferAndBlikProvider())

    names = [provider.name for provider in plugins.get_payment_providers(("banks", "fake"))]
    assert names == ["banks", "fake"]
    assert plugins.get_payment_providers(()) == ()


def test_the_setting_keeps_the_order_of_names() -> None:
    required = {"database_url": "", "redis_url": "", "secret_key": ""}

    assert Settings(**required).payment_provider_names == ()
    settings = Settings(**required, payment_providers=" fake ,banks,, ")
    assert settings.payment_provider_names == ("fake", "banks")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("nobody",), "PAYMENT_PROVIDERS names 'nobody'; configured: banks, fake"),
        (("fake", "fake"), "PAYMENT_PROVIDERS names 'fake' twice"),
    ],
)
def test_an_unknown_or_repeated_provider_stops_the_start(names, message) -> None:
    with pytest.raises(PluginError, match=message):
        load_providers(FakePaymentProvider(), TransferAndBlikProvider()).get_payment_providers(
            names
        )


def test_a_channel_and_a_provider_of_one_name_stop_the_start() -> None:
    class Recording(FakePaymentProvider):
        name = "recording"

    with pytest.raises(PluginError, match="'recording'"):
        loader.load_plugins(
            NOTHING,
            entries.supplied_plugins(
                {
                    "fakes": fake_plugin(FakeRegister(), RecordingChannel()),
                    "payments": payment_plugin(Recording()),
                }
            ),
        )


def test_a_provider_that_cannot_charge_its_recurring_methods_stops_the_start() -> None:
    settings = TransferSettings(iban="", owner="", address="")
    with pytest.raises(PluginError, match="'promises' cannot charge"):
        load_providers(OverpromisingProvider(settings, iban=""))
