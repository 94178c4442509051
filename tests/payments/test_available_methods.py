"""Payment methods on offer: those of the configured providers, in their order."""

import pytest

from prawko.hooks.environment import Environment
from prawko.hooks.payments import Money, PaymentMethod, ProviderCapabilities
from prawko.kit.incidents.plugin_faults import record_success
from prawko.kit.providers import entries, loader
from prawko.kit.providers.experience import FAULTS_UNTIL_REST
from prawko.kit.providers.registry import PluginError
from prawko.kit.settings import Settings
from prawko.payments.available_methods import MethodCache, offered_methods
from prawko.payments.provider_calls import get_provider_experience
from prawko_payments_transfer.provider import TransferProvider
from prawko_payments_transfer.settings import TransferSettings
from prawko_testing.fake_payments import FakePaymentProvider, payment_plugin
from prawko_testing.fakes import FakeRegister, RecordingChannel, fake_plugin
from support.database import fetch_rows

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


def test_each_method_is_offered_once_by_the_first_provider_that_has_it() -> None:
    offered = offered_methods([TransferAndBlikProvider(), FakePaymentProvider()])

    assert [
        (method.method.value, method.provider, method.accepts_blik_codes, method.is_recurring)
        for method in offered
    ] == [
        ("blik", "banks", False, False),
        ("transfer", "banks", False, False),
        ("card", "fake", False, True),
        ("przelewy24", "fake", False, False),
    ]
    assert offered_methods([]) == ()


@pytest.mark.anyio
async def test_methods_that_cannot_be_asked_for_are_an_incident_of_the_panel(
    context, worker, fake, queue, logins, caplog
) -> None:
    async def run(job, **arguments: object) -> None:
        await job(worker, **arguments)

    async def fail(amount: Money) -> frozenset[PaymentMethod]:
        raise TypeError(amount)

    async def incidents() -> list[tuple[str, str, bool]]:
        rows = await fetch_rows(logins, "SELECT key, detail, closed_at FROM incident")
        return [(row["key"], row["detail"], row["closed_at"] is None) for row in rows]

    queue.handler, working, fake.available_methods = run, fake.available_methods, fail
    for grosze in range(1, FAULTS_UNTIL_REST + 1):
        await MethodCache().methods_by_provider(context, [fake], Money(grosze))
    line = fail.__code__.co_firstlineno + 1
    reason = f"TypeError in fail, line {line}"
    logs = [record.msg for record in caplog.records]
    assert reason in {log["reason"] for log in logs if log["event"] == "methods_unavailable"}
    key = "payment provider fake"
    assert await incidents() == [(key, f"{key}: {reason}", True)]

    fake.available_methods = working
    await record_success(context, get_provider_experience(context, fake))
    assert await incidents() == [(key, f"{key}: {reason}", False)]


def test_an_unavailable_method_is_offered_by_another_provider_or_not_at_all() -> None:
    closed = {"banks": frozenset({PaymentMethod.BLIK})}

    providers_by_method = {
        method.method: method.provider
        for method in offered_methods([TransferAndBlikProvider()], closed)
    }
    assert providers_by_method == {PaymentMethod.BLIK: "banks"}
    merged = {
        method.method: method.provider
        for method in offered_methods([TransferAndBlikProvider(), FakePaymentProvider()], closed)
    }
    assert merged[PaymentMethod.TRANSFER] == "fake"


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
