"""A demo honours what its caller chooses, and takes nothing else of the caller's environment."""

from pathlib import Path

import pytest

from prawko.hooks.environment import SettingsError
from prawko.kit.providers.registry import PluginError
from prawko_demo import secret_store
from prawko_demo.databases import DemoDatabases
from prawko_demo.foreign_plugins import OWN_CHOICES
from prawko_demo.options import DemoOptions, parse_options
from prawko_demo.register.server import SimulatorAddress
from prawko_demo.variables import build_config
from prawko_tenants.logins import Logins
from support.plugins import install_plugin

PIGEON = """
import msgspec
from prawko.hooks import hookimpl
from prawko.hooks.channels import Medium
from prawko_testing.fakes import RecordingChannel

class Settings(msgspec.Struct):
    loft: str

@hookimpl
def channels(environment):
    if environment.read_settings(Settings, "CHANNEL_PIGEON") is None:
        return []
    channel = RecordingChannel(Medium.SMS)
    channel.name = "pigeon"
    return [channel]
"""
MAIL_SERVER = {"CHANNEL_SMTP_HOST": "mail.example.com", "CHANNEL_SMTP_SENDER": "a@example.com"}
LOFT = {"CHANNEL_PIGEON_LOFT": "roof"}


@pytest.fixture
def pigeon(tmp_path, monkeypatch) -> None:
    """A plugin of somebody else, installed."""
    monkeypatch.syspath_prepend(install_plugin(tmp_path / "site", PIGEON, name="demo_pigeon"))


def panel_variables(options: DemoOptions, folder: Path) -> dict[str, str]:
    """Return the variables of the panel of a demo with these options."""
    secrets = secret_store.load_or_create_secrets(folder)
    url = "postgresql://nobody@127.0.0.1:1/none"
    databases = DemoDatabases(Logins(url, url, url, url, url, url), "redis://127.0.0.1:1")
    address = SimulatorAddress(
        soap_port=1, json_port=1, soap_url="https://127.0.0.1:1/s", json_url="http://127.0.0.1:1", control_url="http://c",
        p12="p12", p12_password="p", ca="ca", server_name="register",
    )  # fmt: skip
    return build_config(options, folder, secrets, databases, address).panel_variables


def test_without_a_choice_a_demo_has_its_own_plugins(tmp_path, pigeon) -> None:
    options = parse_options({**MAIL_SERVER, **LOFT})
    variables = panel_variables(options, tmp_path)

    assert OWN_CHOICES.items() <= variables.items()
    assert not variables.keys() & {*MAIL_SERVER, *LOFT}


def test_a_chosen_plugin_comes_with_its_variables_alone(tmp_path, pigeon) -> None:
    options = parse_options({"SMS_CHANNEL": "pigeon", **LOFT, **MAIL_SERVER})
    variables = panel_variables(options, tmp_path)

    assert variables["SMS_CHANNEL"] == "pigeon"
    assert variables["CHANNEL_PIGEON_LOFT"] == "roof"
    assert variables["MAIL_CHANNEL"] == OWN_CHOICES["MAIL_CHANNEL"]
    assert not variables.keys() & MAIL_SERVER.keys()


def test_every_choice_is_honoured(tmp_path) -> None:
    chosen = {
        "REGISTER": "public", "MAIL_CHANNEL": "smtp", "PAYMENT_PROVIDERS": "transfer",
        "INVOICE_ISSUER": "ksef",
    }  # fmt: skip
    variables = panel_variables(parse_options({**chosen, **MAIL_SERVER}), tmp_path)

    assert chosen.items() <= variables.items()
    assert variables["CHANNEL_SMTP_HOST"] == "mail.example.com"


def test_invented_history_is_not_sent(tmp_path, pigeon) -> None:
    options = parse_options({"SMS_CHANNEL": "pigeon", **LOFT})
    variables = panel_variables(options.for_seeding, tmp_path)

    assert OWN_CHOICES.items() <= variables.items()
    assert not variables.keys() & LOFT.keys()


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"SMS_CHANNEL": "owl"}, "SMS_CHANNEL names 'owl'; there are: mailbox-sms"),
        ({"SMS_CHANNEL": "pigeon"}, "SMS_CHANNEL names 'pigeon'; there are: mailbox-sms"),
        ({"REGISTER": "mine"}, "REGISTER names 'mine'; there are: public, upki"),
        (
            {"MAIL_CHANNEL": "smtp", "CHANNEL_SMTP_HOST": "mail.example.com"},
            "CHANNEL_SMTP_SENDER is missing",
        ),
    ],
)
def test_a_choice_that_no_plugin_offers_stops_the_demo(pigeon, variables, reason) -> None:
    with pytest.raises(SettingsError, match=reason):
        parse_options(variables)


def test_a_second_plugin_of_the_chosen_name_stops_the_demo(tmp_path, monkeypatch, pigeon) -> None:
    site = install_plugin(tmp_path / "other", PIGEON, "prawko-impostor", name="demo_impostor")
    entries = next(site.glob("*.dist-info")) / "entry_points.txt"
    entries.write_text("[prawko]\nimpostor = demo_impostor\n")
    monkeypatch.syspath_prepend(site)

    with pytest.raises(PluginError, match="offer channels of the same name 'pigeon'"):
        parse_options({"SMS_CHANNEL": "pigeon", **LOFT})
    disabled = {"PLUGINS_DISABLED": "impostor"}
    options = parse_options({"SMS_CHANNEL": "pigeon", **LOFT, **disabled})
    assert panel_variables(options, tmp_path).items() >= disabled.items()
    assert panel_variables(options.for_seeding, tmp_path).items() >= disabled.items()


@pytest.mark.parametrize("choice", [{}, {"SMS_CHANNEL": "pigeon", **LOFT}], ids=["none", "other"])
def test_variables_of_plugins_stop_a_demo_as_they_stop_production(pigeon, choice) -> None:
    with pytest.raises(SettingsError, match="CHANNEL_SMTP_SENDER is missing"):
        parse_options({**choice, "CHANNEL_SMTP_HOST": "mail.example.com"})


def test_a_disabled_plugin_that_is_not_installed_is_named_and_stops_no_demo(capsys) -> None:
    parse_options({"PLUGINS_DISABLED": "pidgeon"})
    assert "prawko: PLUGINS_DISABLED names 'pidgeon': not installed" in capsys.readouterr().err


@pytest.mark.parametrize(
    "module",
    [
        "import os\nos._exit(7)",
        PIGEON.replace("    if env", "    import os; os._exit(7)\n    if env"),
    ],
    ids=["import", "hook"],
)
def test_a_plugin_that_ends_the_process_is_named_by_the_demo(tmp_path, monkeypatch, module) -> None:
    monkeypatch.syspath_prepend(install_plugin(tmp_path / "site", module, name="demo_ender"))

    with pytest.raises(PluginError, match=r"plugin pigeon .* ends the process .* code 7"):
        parse_options({})


def test_a_broken_plugin_stops_a_demo_that_needs_it(tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(install_plugin(tmp_path / "site", "import loft", name="demo_owl"))

    with pytest.raises(PluginError, match="No module named 'loft'"):
        parse_options({"SMS_CHANNEL": "owl"})
