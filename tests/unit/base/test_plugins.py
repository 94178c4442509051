"""A mistake in a plugin stops the start and says which plugin it was."""

from types import SimpleNamespace

import msgspec
import pytest

from prawko.base import plugins
from prawko.base.plugins import PluginError
from prawko.hooks import hookimpl
from prawko.hooks.channels import Medium
from prawko.hooks.environment import Environment, SettingError
from prawko.testing.fakes import FakeRegister, RecordingChannel, fake_plugin

NOTHING = Environment({})


class PigeonSettings(msgspec.Struct, frozen=True):
    loft: str
    wings: int = 2


def test_what_plugins_hand_over_is_found_by_name() -> None:
    loaded = plugins.load(NOTHING, {"fakes": fake_plugin(FakeRegister(), RecordingChannel())})

    assert loaded.loaded == ("fakes",)
    assert loaded.register("fake").name == "fake"
    assert loaded.channel(Medium.EMAIL, "recording").name == "recording"
    assert loaded.channel(Medium.SMS, "") is None


def test_the_issuer_of_invoices_is_the_one_the_settings_name() -> None:
    @hookimpl
    def invoice_issuers(environment):
        return [SimpleNamespace(name="paper")]

    loaded = plugins.load(NOTHING, {"mill": SimpleNamespace(invoice_issuers=invoice_issuers)})

    assert loaded.issuer("paper").name == "paper"
    assert loaded.issuer("") is None
    with pytest.raises(PluginError, match="INVOICE_ISSUER names 'ksef'; configured: paper"):
        loaded.issuer("ksef")


def test_a_misspelt_hook_stops_the_start() -> None:
    @hookimpl
    def chanels(environment):
        return []

    with pytest.raises(PluginError, match="chanels"):
        plugins.load(NOTHING, {"typo": SimpleNamespace(chanels=chanels)})


def test_an_async_hook_stops_the_start() -> None:
    @hookimpl
    async def channels(environment):
        return []

    with pytest.raises(PluginError, match="plugin waits: channels is async"):
        plugins.load(NOTHING, {"waits": SimpleNamespace(channels=channels)})


def test_a_hook_with_unknown_arguments_stops_the_start() -> None:
    @hookimpl
    def channels(company):
        return []

    with pytest.raises(PluginError, match="plugin nosy"):
        plugins.load(NOTHING, {"nosy": SimpleNamespace(channels=channels)})


def test_two_plugins_of_one_name_stop_the_start() -> None:
    both = {
        "one": fake_plugin(FakeRegister(), RecordingChannel()),
        "two": fake_plugin(FakeRegister(), RecordingChannel(Medium.SMS)),
    }
    with pytest.raises(PluginError, match="'fake'"):
        plugins.load(NOTHING, both)


@pytest.mark.parametrize("name", ["upki", ""])
def test_a_register_that_is_not_there_stops_the_start(name) -> None:
    loaded = plugins.load(NOTHING, {"fakes": fake_plugin(FakeRegister())})

    with pytest.raises(PluginError, match="configured registers: fake"):
        loaded.register(name)


def test_a_channel_of_the_wrong_medium_stops_the_start() -> None:
    loaded = plugins.load(NOTHING, {"fakes": fake_plugin(FakeRegister(), RecordingChannel())})

    with pytest.raises(PluginError, match="SMS_CHANNEL"):
        loaded.channel(Medium.SMS, "recording")


def test_installed_but_not_configured_is_absent() -> None:
    assert Environment({"OTHER_LOFT": "x"}).read(PigeonSettings, "PIGEON") is None


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"PIGEON_WINGS": "2"}, "PIGEON_LOFT"),
        ({"PIGEON_LOFT": "x", "PIGEON_WINGS": "two"}, "PIGEON_WINGS"),
    ],
)
def test_half_configured_stops_the_start_and_names_the_variable(variables, named) -> None:
    with pytest.raises(SettingError, match=named):
        Environment(variables).read(PigeonSettings, "PIGEON")


def test_configured_is_read() -> None:
    read = Environment({"PIGEON_LOFT": "roof", "PIGEON_WINGS": "3"}).read(PigeonSettings, "PIGEON")

    assert read == PigeonSettings("roof", 3)
