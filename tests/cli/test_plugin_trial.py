"""`prawko plugins try` names what an installed plugin does wrong, and where."""

import json

import pytest

from prawko_testing import plugin_calls, trial
from support.plugins import install_plugin, list_plugins

LOFT = """
import asyncio, os
import msgspec
from yarl import URL
from prawko.hooks import hookimpl
from prawko.hooks.channels import Medium
from prawko.hooks.http_client import HttpClient

async def hang():
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            pass

class Settings(msgspec.Struct):
    url: URL
    token: str

class Pigeon:
    name, medium = "pigeon", Medium.SMS

    def __init__(self, settings):
        self.url, self.client = settings.url, HttpClient(deadline=0.2)

    def can_reach(self, recipient):
        return True

    async def send(self, message, recipient, *, idempotency_key):
        {deed}
        await self.client.request("POST", self.url)

    async def close(self):
        await self.client.close()

@hookimpl
def channels(environment):
    settings = environment.read_settings(Settings, "CHANNEL_PIGEON")
    return [] if settings is None else [Pigeon(settings)]
"""


@pytest.mark.parametrize(
    ("deed", "said", "place"),
    [
        ("print('coo')", "wanted: nothing on standard output; came: 'coo\\n'", ""),
        ("raise KeyError('loft')", "came: KeyError: 'loft'", "Pigeon.send, "),
        ("return 7", "wanted: str | None; came: int", ""),
        ("os._exit(7)", "the end of the process, with the code 7", ""),
    ],
    ids=["print", "crash", "lie", "exit"],
)
def test_a_broken_plugin_is_named_with_its_line(
    tmp_path, monkeypatch, request, deed, said, place
) -> None:
    monkeypatch.setitem(plugin_calls.DEADLINES, "send", 1.0)
    monkeypatch.setenv("PYTEST_ADDOPTS", "-v")
    name = f"tried_{request.node.callspec.id}"
    module = LOFT.replace("{deed}", deed)
    monkeypatch.syspath_prepend(install_plugin(tmp_path, module, name=name))

    code, printed = list_plugins("try", "pigeon", "--json")

    results = [json.loads(line) for line in printed.splitlines()]
    failed = [one for one in results if one["state"] == "fail" and said in one["said"]]
    assert failed, printed
    line = module.splitlines().index(f"        {deed}") + 1
    for one in failed if place else ():
        assert one["place"].startswith(place)
        assert one["place"].endswith(f"{name}.py, line {line}")
    assert code == 1


def test_a_plugin_whose_calls_do_not_end_is_tried_for_about_a_minute(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(plugin_calls.DEADLINES, "send", 1.0)
    monkeypatch.setattr(trial, "FAILED_SECONDS", trial.FAILED_SECONDS / 30)  # as the deadline
    module = LOFT.replace("{deed}", "await hang()")
    monkeypatch.syspath_prepend(install_plugin(tmp_path, module, name="tried_hang"))

    code, printed = list_plugins("try", "pigeon", "--json")

    said = "Pigeon.send does not end when it is cancelled"
    results = [json.loads(line) for line in printed.splitlines()]
    failed = [one for one in results if one["state"] == "fail" and said in one["said"]]
    left = [one for one in results if one["said"].startswith("not tried: failed tests took ")]
    assert 1 <= len(failed) <= 2, printed
    assert len(left) > 10, "each of them would take as long"
    assert all(one["said"].endswith(f"the last one as {failed[-1]['said']}") for one in left)
    assert code == 1
