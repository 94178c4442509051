"""The demo is loaded by `prawko demo` only, never beside the data of companies."""

import os
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import httpx
import pytest

import prawko_demo.mailbox
from prawko.apps.composition_root import create_context
from prawko.apps.web.app import create_app
from prawko.hooks.channels import Medium
from prawko.hooks.environment import Environment
from prawko.kit.context import AppContext
from prawko.kit.providers import entries, loader
from prawko.kit.providers.registry import PluginError
from prawko_demo.mailbox import Mailbox
from prawko_demo.mailbox.channel import MailboxChannel
from prawko_demo.payments import SandboxProvider
from prawko_demo.payments.store import SandboxStore
from prawko_testing.fake_payments import payment_plugin
from prawko_testing.fakes import FakeRegister, fake_plugin
from support.processes import PRAWKO

ROOT = Path(__file__).parents[2]
REGISTER = {"REGISTER": "public", "REGISTER_PUBLIC_URL": "http://127.0.0.1:1"}
DEV_ROUTES = (
    ("GET", "/dev"),
    ("GET", "/dev/"),
    ("GET", "/dev/page/page.js"),
    ("GET", "/dev/page/notices.css"),
    ("GET", "/dev/notices"),
    ("GET", "/dev/notices/withheld/pl"),
    ("GET", "/dev/mailbox"),
    ("DELETE", "/dev/mailbox"),
    ("GET", "/dev/clock"),
    ("PUT", "/dev/clock"),
    ("PUT", "/dev/register/documents/AB123456"),
    ("DELETE", "/dev/register/documents/AB123456"),
    ("PUT", "/dev/register/unknown"),
    ("PUT", "/dev/register/faults"),
    ("GET", "/dev/register/calls"),
    ("POST", "/dev/daily-check"),
    ("POST", "/dev/payments"),
    ("GET", "/dev/payments"),
    ("GET", "/dev/payments/charges"),
    ("PUT", "/dev/payments/charges"),
    ("GET", "/dev/pay/7F3K9QX2ABCD"),
    ("POST", "/dev/pay/7F3K9QX2ABCD/paid"),
    ("GET", "/dev/page/hosted_page.css"),
    ("POST", "/dev/jobs"),
)
# Imports every module of the product, loads the plugins, and prints the imported demo modules.
IMPORT_EVERYTHING = """
import importlib, pkgutil, sys
import prawko, prawko_tenants, prawko_migrations
from prawko.kit.providers import entries, loader
for package in (prawko, prawko_tenants):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
entries.discover_plugins({})
print([name for name in sys.modules if name.partition(".")[0] == "prawko_demo"])
"""
DEMO_ENTRY_POINT = """
[prawko]
helpful = prawko_demo.mailbox
"""


def test_the_demo_is_no_installed_plugin() -> None:
    assert entry_points(group="prawko")
    demo = tomllib.loads((ROOT / "plugins/demo/pyproject.toml").read_text())
    assert list(demo["project"]["entry-points"]) == ["prawko-demo"]


def test_a_start_imports_nothing_of_the_demo() -> None:
    result = subprocess.run(
        [sys.executable, "-c", IMPORT_EVERYTHING], capture_output=True, text=True, check=False
    )
    assert result.stdout.strip() == "[]", result.stderr


def test_a_start_with_the_demo_as_a_plugin_is_rejected(tmp_path: Path) -> None:
    info = tmp_path / "smuggled-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: smuggled\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(DEMO_ENTRY_POINT)
    command = [PRAWKO, "plugins"]
    result = subprocess.run(
        command, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert result.returncode == 2
    assert "helpful belongs to the demo" in result.stdout, result.stderr


def test_the_demos_plugin_is_rejected_by_its_module() -> None:
    with pytest.raises(PluginError, match="belongs to the demo"):
        loader.load_plugins(
            Environment({}), entries.supplied_plugins({"mailbox": prawko_demo.mailbox})
        )


def test_a_channel_of_the_demo_is_rejected_from_any_plugin(tmp_path: Path) -> None:
    channels = [
        MailboxChannel(Mailbox(tmp_path / "mails"), medium) for medium in (Medium.EMAIL, Medium.SMS)
    ]
    with pytest.raises(PluginError, match="mailbox-email belongs to the demo"):
        loader.load_plugins(
            Environment({}),
            entries.supplied_plugins({"stranger": fake_plugin(FakeRegister(), *channels)}),
        )


def test_the_payment_provider_of_the_demo_is_rejected_from_any_plugin(tmp_path: Path) -> None:
    sandbox = SandboxProvider(
        SandboxStore(tmp_path / "sandbox"), "http://127.0.0.1:8000", b"secret"
    )
    with pytest.raises(PluginError, match="sandbox belongs to the demo"):
        loader.load_plugins(
            Environment({}), entries.supplied_plugins({"stranger": payment_plugin(sandbox)})
        )


def test_variables_alone_do_not_configure_the_demos_payments(
    variables: dict[str, str], tmp_path: Path
) -> None:
    panel_variables = {
        **variables, **REGISTER, "MAIL_CHANNEL": "smtp", "CHANNEL_SMTP_HOST": "127.0.0.1",
        "CHANNEL_SMTP_SENDER": "panel@prawko.test", "PAYMENT_PROVIDERS": "sandbox",
        "PAYMENTS_SANDBOX_FILE": str(tmp_path / "f"), "PAYMENTS_SANDBOX_KEY": "secret",
        "PAYMENTS_SANDBOX_URL": "http://127.0.0.1:8000",
    }  # fmt: skip
    with pytest.raises(PluginError, match="PAYMENT_PROVIDERS names 'sandbox'"):
        create_context(panel_variables)


def test_variables_alone_do_not_configure_the_demos_channels(
    variables: dict[str, str], tmp_path: Path
) -> None:
    panel_variables = {
        **variables, **REGISTER, "MAIL_CHANNEL": "mailbox-email",
        "CHANNEL_MAILBOX_FILE": str(tmp_path / "mails"),
    }  # fmt: skip
    with pytest.raises(PluginError, match="MAIL_CHANNEL names 'mailbox-email'"):
        create_context(panel_variables)


@pytest.mark.anyio
async def test_the_product_serves_nothing_under_dev(
    context: AppContext, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    (tmp_path / "__spa-fallback.html").write_text("<!doctype html>")
    app = create_app(context, frontend_dir=tmp_path)
    assert not [route.path for route in app.routes if route.path.startswith("/dev")]
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app, raise_app_exceptions=False),
        base_url=context.settings.base_url,
    ) as client:
        for method, path in DEV_ROUTES:
            answer = await client.request(method, path)
            with subtests.test(method=method, path=path):
                assert answer.status_code in {404, 405}
                assert answer.json()["error"] == "not_found"
