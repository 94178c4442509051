"""Nothing that names a person reaches a log line."""

import io
import json
import logging
from datetime import UTC, datetime, timedelta

import pytest

from prawko.base import logs

CANARY = "KANAREK-Zażółć"


@pytest.fixture
def lines(monkeypatch) -> io.StringIO:
    """What a configured process writes."""
    written = io.StringIO()
    monkeypatch.setattr("sys.stdout", written)
    root = logging.getLogger()
    before = root.handlers[:], root.level
    logs.configure("INFO")
    yield written
    root.handlers[:], level = before
    root.setLevel(level)


def test_a_line_says_in_utc_when_it_was_written(lines) -> None:
    logs.logger("test").info("noted")

    said = datetime.fromisoformat(json.loads(lines.getvalue())["timestamp"])
    assert said.utcoffset() == timedelta(0)
    assert abs(said - datetime.now(UTC)) < timedelta(minutes=1)


@pytest.mark.parametrize("name", sorted(logs.PERSONAL))
def test_a_value_whose_name_may_identify_somebody_is_dropped(lines, name) -> None:
    logs.logger("test").info("driver_added", **{name: CANARY}, driver_id=7)

    line = json.loads(lines.getvalue())
    assert CANARY not in lines.getvalue()
    assert line["event"] == "driver_added"
    assert line["driver_id"] == 7


def test_an_errors_message_is_dropped_and_its_place_is_kept(lines) -> None:
    try:
        raise ValueError(f"duplicate key ({CANARY})")
    except ValueError:
        logs.logger("test").exception("request_failed")
    try:
        raise KeyError(CANARY)
    except KeyError as error:
        logs.logger("test").error("request_failed", exc_info=error)

    first, second = (json.loads(line) for line in lines.getvalue().splitlines())
    assert CANARY not in lines.getvalue()
    assert (first["error"], second["error"]) == ("ValueError", "KeyError")
    assert "test_an_errors_message_is_dropped" in first["at"]


def test_a_librarys_failure_is_dropped_as_well(lines) -> None:
    try:
        raise RuntimeError(CANARY)
    except RuntimeError:
        logging.getLogger("somebody.elses").exception("it broke")

    assert CANARY not in lines.getvalue()
    assert json.loads(lines.getvalue())["error"] == "RuntimeError"


def test_a_value_starts_no_line_of_its_own(lines) -> None:
    logs.logger("test").info("noted", reason='x\r\n{"event": "forged"}')

    assert len(lines.getvalue().splitlines()) == 1
