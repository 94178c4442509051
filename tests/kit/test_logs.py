"""Log lines contain no personal data."""

import io
import json
import logging
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest

from prawko.hooks.channels import Medium
from prawko.kit.observability import logs
from prawko_tenants.pools import CountingPool

CANARY = "KANAREK-Zażółć"


@pytest.fixture
def lines(monkeypatch) -> io.StringIO:
    """The output of a process with configured logs."""
    written = io.StringIO()
    monkeypatch.setattr("sys.stdout", written)
    root = logging.getLogger()
    before = root.handlers[:], root.level
    logs.configure_logging("INFO")
    yield written
    root.handlers[:], level = before
    root.setLevel(level)


def test_lines_have_timestamps_in_utc(lines) -> None:
    logs.get_logger("test").info("noted")

    logged_at = datetime.fromisoformat(json.loads(lines.getvalue())["timestamp"])
    assert logged_at.utcoffset() == timedelta(0)
    assert abs(logged_at - datetime.now(UTC)) < timedelta(minutes=1)


@pytest.mark.parametrize("name", sorted(logs.PERSONAL_KEYS))
def test_a_value_whose_name_may_identify_somebody_is_dropped(lines, name) -> None:
    logs.get_logger("test").info("driver_added", **{name: CANARY}, driver_id=7)

    record = json.loads(lines.getvalue())
    assert CANARY not in lines.getvalue()
    assert record["event"] == "driver_added"
    assert record["driver_id"] == 7


def test_an_exception_is_logged_by_type_and_place_without_its_message(lines) -> None:
    try:
        raise ValueError(f"duplicate key ({CANARY})")
    except ValueError:
        logs.get_logger("test").exception("request_failed")
    try:
        raise KeyError(CANARY)
    except KeyError as error:
        logs.get_logger("test").error("request_failed", exc_info=error)

    first, second = (json.loads(line) for line in lines.getvalue().splitlines())
    assert CANARY not in lines.getvalue()
    assert (first["error"], second["error"]) == ("ValueError", "KeyError")
    assert "test_an_exception_is_logged" in first["at"]


def test_the_message_of_a_librarys_exception_is_dropped_too(lines) -> None:
    try:
        raise RuntimeError(CANARY)
    except RuntimeError:
        logging.getLogger("somebody.elses").exception("it broke")

    assert CANARY not in lines.getvalue()
    assert json.loads(lines.getvalue())["error"] == "RuntimeError"


def test_ids_days_and_enumerations_have_one_shape(lines) -> None:
    company = UUID("01890a5d-ac96-774b-bcce-b302099a8057")
    logs.get_logger("test").info(
        "noted", tenant_id=company, day=date(2026, 11, 22), medium=Medium.EMAIL
    )
    logs.get_logger("test").info("noted", tenant_id=str(company))

    first, second = (json.loads(line) for line in lines.getvalue().splitlines())
    assert first["tenant_id"] == second["tenant_id"] == str(company)
    assert (first["day"], first["medium"]) == ("2026-11-22", "email")


def test_the_queues_prose_is_left_out_and_its_warnings_are_not(lines) -> None:
    logging.getLogger("saq").info("Processing Job<function=x, queue=prawko>")
    logging.getLogger("saq").warning("stuck")
    logging.getLogger("sqlalchemy.pool.impl.QueuePool").info("Pool disposed")

    assert [json.loads(line)["event"] for line in lines.getvalue().splitlines()] == ["stuck"]


def test_a_value_cannot_start_a_log_line(lines) -> None:
    logs.get_logger("test").info("noted", reason='x\r\n{"event": "forged"}')

    assert len(lines.getvalue().splitlines()) == 1


@pytest.mark.parametrize(
    "name",
    ["sqlalchemy.pool.impl.AsyncAdaptedQueuePool", f"{CountingPool.__module__}.CountingPool"],
)
def test_the_end_of_a_pool_is_not_logged(lines, name) -> None:
    logging.getLogger(name).info("Pool disposed. Pool size: 8")

    assert lines.getvalue() == ""
