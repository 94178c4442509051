"""Loading of plugins: a mistake stops the start with a sentence that names the plugin."""

import sys
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from prawko.hooks import hookimpl
from prawko.hooks.channels import Medium
from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.payments import ProviderCapabilities
from prawko.kit.providers import entries, loader
from prawko.kit.providers.entries import InstalledPlugin
from prawko.kit.providers.registry import PluginError, Plugins
from prawko_invoices_ksef.issuer import KsefIssuer
from prawko_testing.fake_payments import FakePaymentProvider
from prawko_testing.fakes import FakeRegister, RecordingChannel, RecordingPushChannel, fake_plugin
from support.plugins import install_plugin, list_plugins, run_prawko

NOTHING = Environment({})
PIGEON = "plugin pigeon (distribution prawko-channel-pigeon)"


class PigeonSettings(msgspec.Struct, frozen=True):
    loft: str
    wings: int = 2


def load_supplied(**supplied: object) -> Plugins:
    return loader.load_plugins(NOTHING, entries.supplied_plugins(supplied))


def load_pigeon(**hooks: object) -> Plugins:
    """Load one installed plugin with these hook implementations."""
    pigeon = InstalledPlugin("pigeon", SimpleNamespace(**hooks), "prawko-channel-pigeon")
    return loader.load_plugins(NOTHING, [pigeon])


def assert_one_sentence(error: PluginError, *, start: str) -> None:
    """An operator reads it in a log: one line that begins with the plugin and its origin."""
    assert str(error).startswith(start)
    assert "\n" not in str(error)


def test_objects_of_plugins_are_found_by_name() -> None:
    loaded = load_supplied(fakes=fake_plugin(FakeRegister(), RecordingChannel()))

    assert loaded.names == ("fakes",)
    assert [one.name for one in loaded.get_registers(("fake",))] == ["fake"]
    assert [one.name for one in loaded.get_channels(Medium.EMAIL, ["recording"])] == ["recording"]
    assert loaded.get_channels(Medium.SMS, []) == ()


def test_the_settings_choose_the_invoice_issuer() -> None:
    @hookimpl
    def invoice_issuers(environment):
        return [KsefIssuer()]

    loaded = load_supplied(ksef=SimpleNamespace(invoice_issuers=invoice_issuers))

    assert loaded.get_invoice_issuer("ksef").name == "ksef"
    assert loaded.get_invoice_issuer("") is None
    with pytest.raises(PluginError, match="INVOICE_ISSUER names 'paper'; configured: ksef"):
        loaded.get_invoice_issuer("paper")


def test_a_hook_may_leave_out_arguments() -> None:
    @hookimpl
    def channels():
        return [RecordingChannel()]

    assert load_pigeon(channels=channels).channels.keys() == {"recording"}


def test_a_hook_may_be_a_generator() -> None:
    @hookimpl
    def channels(environment):
        yield RecordingChannel()
        yield RecordingChannel(Medium.SMS)

    assert load_pigeon(channels=channels).channels.keys() == {"recording", "recording-sms"}


def test_a_misspelt_hook_stops_the_start() -> None:
    @hookimpl
    def chanels(environment):
        return []

    with pytest.raises(PluginError, match="implements chanels, and there is no such") as refused:
        load_pigeon(chanels=chanels)
    assert_one_sentence(refused.value, start=PIGEON)


def test_an_async_hook_stops_the_start() -> None:
    @hookimpl
    async def channels(environment):
        return []

    with pytest.raises(PluginError, match="channels is async") as refused:
        load_pigeon(channels=channels)
    assert_one_sentence(refused.value, start=PIGEON)


def test_a_hook_that_wraps_others_stops_the_start() -> None:
    @hookimpl(wrapper=True)
    def channels(environment):
        return (yield)

    with pytest.raises(PluginError, match="channels is a wrapper") as refused:
        load_pigeon(channels=channels)
    assert_one_sentence(refused.value, start=PIGEON)


def test_a_hook_with_unknown_arguments_stops_the_start() -> None:
    @hookimpl
    def channels(company):
        return []

    with pytest.raises(PluginError, match="company") as refused:
        load_pigeon(channels=channels)
    assert_one_sentence(refused.value, start=PIGEON)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (None, "must return an iterable of Channel objects, not NoneType"),
        (RecordingChannel(), "must return an iterable of Channel objects, not RecordingChannel"),
        ("mail", "and str has no can_reach, close, medium, name, send"),
        ([RecordingChannel(), None], "and NoneType has no can_reach, close, medium, name, send"),
        ([FakeRegister()], "and FakeRegister has no can_reach, medium, send"),
        ([RecordingChannel], "not the class RecordingChannel"),
    ],
    ids=["nothing", "one object", "a text", "none", "an object of another hook", "a class"],
)
def test_a_hook_that_returns_something_else_stops_the_start(result, reason) -> None:
    @hookimpl
    def channels(environment):
        return result

    with pytest.raises(PluginError, match=reason) as refused:
        load_pigeon(channels=channels)
    assert_one_sentence(refused.value, start=f"{PIGEON}: channels ")


@pytest.mark.parametrize("name", ["", None, 7])
def test_an_object_without_a_name_stops_the_start(name) -> None:
    channel = RecordingChannel()
    channel.name = name

    @hookimpl
    def channels(environment):
        return [channel]

    with pytest.raises(PluginError, match="an object without a name") as refused:
        load_pigeon(channels=channels)
    assert_one_sentence(refused.value, start=f"{PIGEON}: channels ")


def test_a_hook_that_raises_stops_the_start() -> None:
    @hookimpl
    def channels(environment):
        raise KeyError("loft\nof pigeons")

    @hookimpl(specname="channels")
    def asynchronous(environment):
        yield RecordingChannel()
        raise RuntimeError("halfway")

    with pytest.raises(PluginError, match="channels failed: KeyError: ") as refused:
        load_pigeon(channels=channels)
    assert_one_sentence(refused.value, start=PIGEON)
    with pytest.raises(PluginError, match="channels failed: RuntimeError: halfway") as refused:
        load_pigeon(late=asynchronous)
    assert_one_sentence(refused.value, start=PIGEON)


def test_a_plugin_that_raises_at_import_stops_the_start(tmp_path: Path) -> None:
    install_plugin(tmp_path, "import pigeonry\n", "prawko-channel-pigeon")
    result = run_prawko("variables", folders=[tmp_path])

    origin = f"plugin pigeon (distribution prawko-channel-pigeon 1.0, {tmp_path / 'pigeon.py'})"
    reason = (
        "cannot be imported: ModuleNotFoundError: No module named 'pigeonry'"
        f" ({tmp_path / 'pigeon.py'}, line 1)"
    )
    assert result.returncode == 2
    assert result.stderr.strip() == f"prawko: {origin} {reason}"


SPEAKING = """
import os

import msgspec
from prawko.hooks import hookimpl
from prawko.hooks.environment import SettingsError

class Settings(msgspec.Struct):
    token: str
    loft: str

@hookimpl
def channels(environment):
    settings = environment.read_settings(Settings, "CHANNEL_PIGEON")
    {failure}
"""
SECRETS = {"CHANNEL_PIGEON_TOKEN": "t0ken-7f3k", "CHANNEL_PIGEON_LOFT": "attic"}


def list_installed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, **variables: str
) -> tuple[int, str]:
    """List the plugins with the one of this folder among them."""
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "pigeon", raising=False)
    return list_plugins(**variables)


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        ("raise ValueError(f'{settings.token}\\x1b[2J is wrong')", "ValueError: … [2J is wrong"),
        ("raise ValueError(settings)", "ValueError: Settings(token='…', loft='…')"),
        (
            "int(settings.token)",
            "ValueError: invalid literal for int() with base 10: '…'",
        ),
        ("raise OSError('cannot reach ' + 'x' * 5000)", f"OSError: cannot reach {'x' * 287}"),
        ("raise KeyError", "KeyError"),
    ],
    ids=["secret", "settings", "from a library", "long", "no text"],
)
def test_a_hook_that_raises_is_reported_by_class_file_and_line_without_its_settings(
    tmp_path, monkeypatch, failure, said
) -> None:
    install_plugin(tmp_path, SPEAKING.replace("{failure}", failure))

    code, printed = list_installed(tmp_path, monkeypatch, **SECRETS)

    [line] = [line for line in printed.splitlines() if "channels failed" in line]
    file = tmp_path / "pigeon.py"
    origin = f"plugin pigeon (distribution prawko-channel-pigeon 1.0, {file})"
    assert line.startswith(f"       {origin}: channels failed: {said[:8]}")
    assert line.endswith(f"{said} ({file}, line 15)")
    assert [secret for secret in SECRETS.values() if secret in printed] == []
    assert code == 2


def test_a_wrong_setting_is_reported_without_the_value_of_a_secret(tmp_path, monkeypatch) -> None:
    raised = (
        "raise SettingsError('CHANNEL_PIGEON_TOKEN', f'is {settings.token} at {settings.loft}')"
    )
    install_plugin(tmp_path, SPEAKING.replace("{failure}", raised))

    _, printed = list_installed(tmp_path, monkeypatch, **SECRETS)

    assert "       CHANNEL_PIGEON_TOKEN is … at attic\n" in printed


def test_an_import_that_fails_is_reported_without_a_secret_of_the_process(
    tmp_path, monkeypatch
) -> None:
    install_plugin(tmp_path, "import os\nraise ValueError(dict(os.environ)['OWL_PASSWORD'])\n")

    monkeypatch.setenv("OWL_PASSWORD", "hoot-hoot")

    _, printed = list_installed(tmp_path, monkeypatch)

    said = f"cannot be imported: ValueError: … ({tmp_path / 'pigeon.py'}, line 2)"
    assert said in printed


def test_a_part_of_an_address_is_as_secret_as_the_whole(tmp_path, monkeypatch) -> None:
    raised = "raise OSError('hook-7f3k of hoot-hoot')"
    install_plugin(tmp_path, SPEAKING.replace("{failure}", raised))

    url = "https://owl:hoot-hoot@127.0.0.1/hook-7f3k"
    _, printed = list_installed(tmp_path, monkeypatch, **{**SECRETS, "CHANNEL_PIGEON_LOFT": url})

    assert "channels failed: OSError: … of … (" in printed


def test_two_installed_plugins_of_one_name_stop_the_start(tmp_path: Path) -> None:
    for name in ("prawko-channel-pigeon", "prawko-other-pigeon"):
        install_plugin(tmp_path, "", name)
    result = run_prawko("variables", folders=[tmp_path])

    assert result.returncode == 2
    [line] = result.stderr.splitlines()
    assert "plugin pigeon (distribution prawko-channel-pigeon 1.0, " in line
    assert "plugin pigeon (distribution prawko-other-pigeon 1.0, " in line
    assert line.endswith("have the same name")


def test_a_supplied_plugin_does_not_replace_an_installed_one() -> None:
    installed = InstalledPlugin("pigeon", SimpleNamespace(), "prawko-channel-pigeon")
    supplied = entries.supplied_plugins({"pigeon": SimpleNamespace()})

    with pytest.raises(PluginError, match="have the same name") as refused:
        loader.load_plugins(NOTHING, [installed, *supplied])
    assert_one_sentence(refused.value, start=f"{PIGEON} and plugin pigeon (not installed)")


def test_two_plugins_that_offer_one_name_stop_the_start() -> None:
    with pytest.raises(PluginError, match="'fake'") as refused:
        load_supplied(
            one=fake_plugin(FakeRegister(), RecordingChannel()),
            two=fake_plugin(FakeRegister(), RecordingChannel(Medium.SMS)),
        )
    assert_one_sentence(
        refused.value, start="plugin one (not installed) and plugin two (not installed) offer"
    )


def test_a_channel_and_a_payment_provider_of_one_name_stop_the_start() -> None:
    """They would share the address of their webhooks and the row of their pause."""
    provider, channel = FakePaymentProvider(), RecordingChannel()
    channel.name = provider.name

    @hookimpl
    def payment_providers(environment):
        return [provider]

    bank = SimpleNamespace(payment_providers=payment_providers)
    paying = InstalledPlugin("bank", bank, "prawko-payments-bank")
    pigeon = fake_plugin(FakeRegister(), channel)
    sending = InstalledPlugin("pigeon", pigeon, "prawko-channel-pigeon")

    with pytest.raises(PluginError, match=f"of the same name '{provider.name}'") as refused:
        loader.load_plugins(NOTHING, [paying, sending])
    assert_one_sentence(
        refused.value, start=f"{PIGEON} and plugin bank (distribution prawko-payments-bank) offer"
    )


@pytest.mark.parametrize("names", [("upki",), ("fake", "upki"), ()], ids=str)
def test_a_register_that_is_not_configured_stops_the_start(names) -> None:
    loaded = load_supplied(fakes=fake_plugin(FakeRegister()))

    with pytest.raises(PluginError, match="configured registers: fake"):
        loaded.get_registers(names)


def test_the_accesses_to_the_register_are_distinct_and_of_one_class() -> None:
    class OtherRegister(FakeRegister):
        name = "other"

    loaded = load_supplied(fakes=fake_plugin(FakeRegister()), others=fake_plugin(OtherRegister()))

    with pytest.raises(PluginError, match="REGISTER names 'fake' twice"):
        loaded.get_registers(("fake", "fake"))
    with pytest.raises(PluginError, match="REGISTER names different registers: fake, other"):
        loaded.get_registers(("fake", "other"))


def test_a_channel_of_the_wrong_medium_stops_the_start() -> None:
    loaded = load_supplied(fakes=fake_plugin(FakeRegister(), RecordingChannel()))

    with pytest.raises(PluginError, match="SMS_CHANNEL"):
        loaded.get_channels(Medium.SMS, ["recording"])


def test_installed_but_not_configured_is_absent() -> None:
    assert Environment({"OTHER_LOFT": "x"}).read_settings(PigeonSettings, "PIGEON") is None


@pytest.mark.parametrize(
    ("variables", "variable"),
    [
        ({"PIGEON_WINGS": "2"}, "PIGEON_LOFT"),
        ({"PIGEON_LOFT": "x", "PIGEON_WINGS": "two"}, "PIGEON_WINGS"),
    ],
)
def test_half_configured_stops_the_start_and_names_the_variable(variables, variable) -> None:
    @hookimpl
    def channels(environment):
        environment.read_settings(PigeonSettings, "PIGEON")
        return []

    pigeon = entries.supplied_plugins({"pigeon": SimpleNamespace(channels=channels)})
    with pytest.raises(SettingsError, match=variable):
        loader.load_plugins(Environment(variables), pigeon)


def test_the_wrong_variables_of_all_plugins_are_named_at_once() -> None:
    def create_plugin(prefix: str) -> SimpleNamespace:
        @hookimpl
        def channels(environment):
            environment.read_settings(PigeonSettings, prefix)
            return []

        return SimpleNamespace(channels=channels)

    birds = entries.supplied_plugins({name: create_plugin(name) for name in ("PIGEON", "OWL")})
    variables = {"PIGEON_WINGS": "two", "OWL_WINGS": "3"}
    with pytest.raises(SettingsError) as error:
        loader.load_plugins(Environment(variables), birds)

    assert {one.variable for one in error.value.errors} == {
        "PIGEON_LOFT", "PIGEON_WINGS", "OWL_LOFT",
    }  # fmt: skip


def test_configured_is_read() -> None:
    read = Environment({"PIGEON_LOFT": "roof", "PIGEON_WINGS": "3"}).read_settings(
        PigeonSettings, "PIGEON"
    )

    assert read == PigeonSettings("roof", 3)


class Once:
    """A value that can be read once: a property that asks a server, or a plugin that counts."""

    def __init__(self, *values: object) -> None:
        self._values = iter(values)

    def __get__(self, value: object, kind: type) -> object:
        return next(self._values)


@pytest.mark.parametrize("later", [(), (None, None, None)], ids=["raises", "changes"])
def test_the_values_of_an_object_are_those_of_its_loading(later) -> None:
    able = FakePaymentProvider.capabilities

    class Provider(FakePaymentProvider):
        name = Once("fading", *later)
        capabilities = Once(able, *later)

    class Push(RecordingPushChannel):
        medium = Once(Medium.PUSH, *later)

    class Register(FakeRegister):
        name = Once("fading", *later)

    @hookimpl
    def payment_providers(environment):
        return [Provider()]

    faded = fake_plugin(Register(), Push())
    loaded = load_supplied(faded=faded, bank=SimpleNamespace(payment_providers=payment_providers))
    [register], push = loaded.get_registers(("fading",)), loaded.get_push_channel("recording-push")
    provider = loaded.payments["fading"]
    for _ in range(3):
        assert (provider.name, provider.capabilities, register.name) == ("fading", able, "fading")
        assert push.medium is Medium.PUSH


def test_abilities_of_another_type_stop_the_start() -> None:
    class Provider(FakePaymentProvider):
        capabilities = ProviderCapabilities(methods=frozenset({"cheque"}))

    @hookimpl
    def payment_providers(environment):
        return [Provider()]

    with pytest.raises(PluginError, match="ProviderCapabilities is expected") as refused:
        load_pigeon(payment_providers=payment_providers)
    assert_one_sentence(refused.value, start=f"{PIGEON}: payment_providers ")
