"""Authors see what their plugins raise: in the demo's file, which the terminal and /dev show."""

import pytest
import structlog

from prawko.kit.observability import logs
from prawko.kit.providers.calls import PluginCrashError, call_plugin
from prawko.kit.providers.experience import PluginExperience
from prawko_demo.tracebacks import Tracebacks, write_tracebacks


def fly() -> None:
    """Fail as an author's code does."""
    raise ValueError("the loft of anna@acme.test is empty")


def test_a_fault_has_its_whole_traceback_in_the_demo_and_no_message_in_the_log(
    tmp_path, caplog
) -> None:
    assert Tracebacks(str(tmp_path)).read() == ""
    write_tracebacks(str(tmp_path))
    try:
        with pytest.raises(PluginCrashError) as crashed:
            call_plugin(PluginExperience("channel pigeon"), fly)
        error = crashed.value.__cause__
        logs.get_logger("test").error(
            "plugin_failed", plugin="channel pigeon", reason=str(crashed.value), exc_info=error
        )
    finally:
        structlog.get_config()["processors"].pop(0)

    shown = Tracebacks(str(tmp_path)).read()
    line = fly.__code__.co_firstlineno + 2
    assert shown.startswith("plugin channel pigeon: ValueError in fly, line")
    assert f'test_tracebacks.py", line {line}, in fly' in shown
    assert "ValueError: the loft of anna@acme.test is empty" in shown
    assert "acme.test" not in caplog.text
