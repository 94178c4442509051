"""The ways to pay are what the chosen providers can do, in their order."""

import pytest

from prawko.base import plugins
from prawko.base.plugins import PluginError
from prawko.base.settings import Settings
from prawko.hooks.environment import Environment
from prawko.hooks.payments import Capabilities, Method
from prawko.payments.offers import offered
from prawko.testing.fake_payments import FakeProvider, payment_plugin
from prawko.testing.fakes import FakeRegister, RecordingChannel, fake_plugin

NOTHING = Environment({})


class Banks(FakeProvider):
    """Takes transfers and BLIK without codes."""

    name = "banks"
    capabilities = Capabilities(methods=frozenset({Method.TRANSFER, Method.BLIK}))


class Promises:
    """Says that it renews, and has no way to."""

    name = "promises"
    capabilities = Capabilities(methods=frozenset({Method.CARD}), renews=frozenset({Method.CARD}))


def test_each_way_is_offered_once_through_the_first_who_takes_it() -> None:
    found = offered([Banks(), FakeProvider()])

    assert [(one.method.value, one.provider, one.blik_codes, one.renews) for one in found] == [
        ("blik", "banks", False, False),
        ("transfer", "banks", False, False),
        ("card", "fake", False, True),
        ("przelewy24", "fake", False, False),
    ]
    assert offered([]) == ()


def test_what_is_not_to_be_had_at_present_is_taken_elsewhere_or_left_out() -> None:
    closed = {"banks": frozenset({Method.BLIK})}

    found = {one.method: one.provider for one in offered([Banks()], closed)}
    assert found == {Method.BLIK: "banks"}
    both = {one.method: one.provider for one in offered([Banks(), FakeProvider()], closed)}
    assert both[Method.TRANSFER] == "fake"


def loaded(*providers):
    return plugins.load(NOTHING, {"payments": payment_plugin(*providers)})


def test_the_settings_choose_providers_in_their_order() -> None:
    found = loaded(FakeProvider(), Banks())

    names = [one.name for one in found.payment_providers(("banks", "fake"))]
    assert names == ["banks", "fake"]
    assert found.payment_providers(()) == ()


def test_the_names_are_read_in_their_order() -> None:
    needed = {"database_url": "", "redis_url": "", "secret_key": ""}

    assert Settings(**needed).payment_provider_names == ()
    chosen = Settings(**needed, payment_providers=" fake ,banks,, ")
    assert chosen.payment_provider_names == ("fake", "banks")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("nobody",), "PAYMENT_PROVIDERS names 'nobody'; configured: banks, fake"),
        (("fake", "fake"), "PAYMENT_PROVIDERS names 'fake' twice"),
    ],
)
def test_a_provider_that_is_not_there_stops_the_start(names, said) -> None:
    with pytest.raises(PluginError, match=said):
        loaded(FakeProvider(), Banks()).payment_providers(names)


def test_a_channel_and_a_provider_of_one_name_stop_the_start() -> None:
    class Recording(FakeProvider):
        name = "recording"

    with pytest.raises(PluginError, match="'recording'"):
        plugins.load(
            NOTHING,
            {
                "fakes": fake_plugin(FakeRegister(), RecordingChannel()),
                "payments": payment_plugin(Recording()),
            },
        )


def test_a_provider_that_promises_what_it_cannot_do_stops_the_start() -> None:
    with pytest.raises(PluginError, match="'promises' cannot renew"):
        loaded(Promises())
