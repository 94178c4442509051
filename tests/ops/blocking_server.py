"""A panel with a payment provider that stops its process: `python -m ops.blocking_server`."""

import functools
import sys
import time
from typing import Any
from unittest import mock

from prawko.apps import composition_root
from prawko.apps.cli.main import main
from prawko.apps.web import asgi
from prawko.hooks.payments import PaymentEvent
from prawko.hooks.webhooks import WebhookRequest
from prawko.kit import startup_checks
from prawko.kit.http import server
from prawko_testing.fake_payments import FakePaymentProvider, payment_plugin

_run_server = server.run_server


class BlockingProvider(FakePaymentProvider):
    def parse_webhook(self, request: WebhookRequest) -> list[PaymentEvent]:
        time.sleep(3600)  # that is the fault
        return []


_create_context = functools.partial(
    composition_root.create_context, extra_plugins={"blocking": payment_plugin(BlockingProvider())}
)


def create_panel() -> Any:
    """Return the panel, in granian's child process."""
    with mock.patch.object(composition_root, "create_context", _create_context):
        return asgi.create_asgi_app()


def run_blocking_server(_: str, **options: Any) -> None:
    """Serve this panel in place of the product's."""
    _run_server("ops.blocking_server:create_panel", **options)


if __name__ == "__main__":
    with (
        mock.patch.object(server, "run_server", run_blocking_server),
        mock.patch.object(startup_checks, "create_context", _create_context),
    ):
        sys.exit(main(["serve"]))
