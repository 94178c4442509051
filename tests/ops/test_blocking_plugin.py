"""A plugin that blocks a web process has it started again, and is named by the next one."""

import sys

import httpx
import pytest

from ops.server_process import ServerProcess
from prawko_testing.fake_payments import FakePaymentProvider
from support.processes import free_port
from support.waiting import poll

# Five seconds and a start on an idle machine; the plugin would take an hour.
ANSWER_SECONDS = 60.0


@pytest.fixture
def panel(product_variables, tmp_path):
    port = free_port()
    variables = {
        **product_variables, "PORT": str(port), "PAYMENT_PROVIDERS": FakePaymentProvider.name,
    }  # fmt: skip
    process = ServerProcess(
        [sys.executable, "-m", "ops.blocking_server"],
        variables, tmp_path / "log", f"http://127.0.0.1:{port}",
    )  # fmt: skip
    try:
        yield process.start().wait_until_ready()
    finally:
        process.kill()


def test_a_panel_that_a_plugin_blocks_serves_again_and_does_not_call_it(panel) -> None:
    webhook = f"{panel.url}/api/webhooks/{FakePaymentProvider.name}"
    with httpx.Client(trust_env=False, timeout=ANSWER_SECONDS) as client:
        with pytest.raises(httpx.TransportError):  # its process ends
            client.post(webhook, json={})
        panel.wait_until_ready("/health/live")
        poll(lambda: "process_ended_by_call" in panel.log.read_text(), ANSWER_SECONDS)
        refused = client.post(webhook, json={})

    assert refused.status_code == 503, refused.text
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    log = panel.log.read_text()
    assert f"payment provider {FakePaymentProvider.name}" in log
    assert "in parse_webhook" in log, "the traceback"
    assert panel.stop() == 0
