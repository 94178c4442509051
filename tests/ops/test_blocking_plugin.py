"""A plugin that blocks a web process is interrupted there, too, where granian runs the loop."""

import sys
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from ops.server_process import ServerProcess
from prawko_testing.fake_payments import FakePaymentProvider
from support.processes import free_port
from support.waiting import poll

# Two seconds on an idle machine; the plugin would take an hour.
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


def test_a_plugin_that_blocks_the_panel_is_interrupted_and_named(panel) -> None:
    webhook = f"{panel.url}/api/webhooks/{FakePaymentProvider.name}"
    with ThreadPoolExecutor() as threads, httpx.Client(
        trust_env=False, timeout=ANSWER_SECONDS
    ) as client:  # fmt: skip
        blocked = threads.submit(client.post, webhook, json={})
        poll(lambda: "plugin_blocks_process" in panel.log.read_text(), ANSWER_SECONDS)
        others = client.get(f"{panel.url}/health/live")
        answer = blocked.result(ANSWER_SECONDS)

    assert (others.status_code, answer.is_success) == (200, False), answer.text
    assert f"payment provider {FakePaymentProvider.name}" in panel.log.read_text()
    assert panel.stop() == 0
