"""`prawko plugins new` writes plugins that work, and `prawko plugins` shows what they do."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from prawko.apps.cli.context import CommandError
from prawko.apps.cli.plugin_templates import PluginTemplate, write_plugin
from support.plugins import STARTING, add_metadata, list_plugins

VARIABLES = {
    PluginTemplate.REGISTER: {"URL": "https://127.0.0.1:1", "TOKEN": "a-token"},
    PluginTemplate.CHANNEL: {"URL": "https://127.0.0.1:1", "TOKEN": "a-token"},
    PluginTemplate.PAYMENTS: {
        "URL": "https://127.0.0.1:1", "TOKEN": "a-token", "WEBHOOK_KEY": "k" * 32,
    },
    PluginTemplate.INVOICES: {"ISSUER": "Prawko"},
}  # fmt: skip
SELLER = {  # whom invoices need once payments are taken
    "SELLER_NAME": "Prawko",
    "SELLER_TAX_ID": "1111111111",
    "SELLER_STREET": "ul. Próżna 7",
    "SELLER_POSTAL_CODE": "00-107",
    "SELLER_CITY": "Warszawa",
}
CHOOSING = {
    PluginTemplate.REGISTER: "REGISTER",
    PluginTemplate.CHANNEL: "SMS_CHANNEL",
    PluginTemplate.PAYMENTS: "PAYMENT_PROVIDERS",
    PluginTemplate.INVOICES: "INVOICE_ISSUER",
}


def run_python(*arguments: str, folder: Path, path: Path) -> str:
    """Run a module of Python in a folder and return what it prints; it has to succeed."""
    known = os.environ.get("PYTHONPATH", "")
    result = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(path), known])},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.parametrize("template", PluginTemplate)
def test_a_new_plugin_passes_its_contract_test(template, tmp_path) -> None:
    plugin = write_plugin(template, "pigeon", tmp_path)

    summary = run_python(
        "pytest", "-q", "-p", "no:cacheprovider", folder=plugin, path=plugin / "src"
    ).splitlines()[-1]

    assert " passed in " in summary
    assert "skipped" not in summary
    assert int(summary.split()[0]) >= 9


@pytest.mark.parametrize("template", PluginTemplate)
def test_a_new_plugin_is_loaded_and_chosen(template, tmp_path, monkeypatch) -> None:
    prefix = f"{template}_PIGEON".upper()
    variables = {f"{prefix}_{name}": value for name, value in VARIABLES[template].items()}
    source = add_metadata(write_plugin(template, "pigeon", tmp_path))

    monkeypatch.syspath_prepend(source)
    code, printed = list_plugins(
        "--json", **{**STARTING, **SELLER, **variables, CHOOSING[template]: "pigeon"}
    )

    reports = [json.loads(line) for line in printed.splitlines()]
    [pigeon] = [one for one in reports if one["name"] == f"{template}-pigeon"]
    assert (pigeon["state"], pigeon["version"], pigeon["faults"]) == ("ok", "0.1.0", [])
    assert pigeon["path"].startswith(str(source))
    [offer] = pigeon["offers"]
    assert (offer["kind"], offer["name"], offer["chosen"]) == (template.value, "pigeon", True)
    assert {one["name"] for one in pigeon["variables"] if one["set"]} == set(variables)
    assert "a-token" not in printed
    assert code == 0, printed


@pytest.mark.parametrize("template", PluginTemplate)
def test_a_new_plugin_is_installed_by_pip(template, tmp_path, monkeypatch) -> None:
    if importlib.util.find_spec("setuptools") is None:
        pytest.skip("setuptools builds the plugin, and is not in this environment")
    plugin = write_plugin(template, "owl", tmp_path)
    site = tmp_path / "site"

    run_python(
        "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
        "--target", str(site), ".", folder=plugin, path=tmp_path,
    )  # fmt: skip

    package = f"prawko_{template}_owl"
    assert (site / package / "py.typed").is_file()
    assert (site / package / "__init__.py").is_file()
    monkeypatch.syspath_prepend(site)
    _, printed = list_plugins()
    assert f"unset  {template}-owl (prawko-{template}-owl, 0.1.0, {site}" in printed


@pytest.mark.parametrize("template", PluginTemplate)
def test_a_new_plugin_has_nothing_to_correct(template, tmp_path) -> None:
    plugin = write_plugin(template, "pigeon", tmp_path)
    ruff = Path(sys.executable).parent / "ruff"

    result = subprocess.run(
        [ruff, "check", "--isolated", "--line-length=100", "--select=E,F,UP,B", str(plugin)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("name", ["Two Words", "a/b", "", "7up", "ą", "p" * 31])
def test_a_plugin_is_named_by_a_word(name, tmp_path) -> None:
    with pytest.raises(CommandError, match="is no name"):
        list_plugins("new", "channel", name, "--folder", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_plugin_and_keeps_what_is_there(tmp_path) -> None:
    command = ("new", "channel", "pigeon", "--folder", str(tmp_path))
    _, printed = list_plugins(*command)

    assert "prawko-channel-pigeon is a plugin" in printed
    assert (tmp_path / "prawko-channel-pigeon/src/prawko_channel_pigeon/channel.py").is_file()
    with pytest.raises(CommandError, match="prawko-channel-pigeon exists"):
        list_plugins(*command)
