"""A reader of the log that stalls stops nobody: what it has no room for is counted."""

import json
import logging
import os
import select
import time
from contextlib import suppress

import pytest

from prawko.kit.observability.log_output import LOST_LINES, BufferedLogHandler

MAX_LINES = 50
# What the pipe and the buffers before it hold of lines of 1,000 bytes.
MAX_WRITTEN = 100


@pytest.fixture
def pipe():
    """Standard output whose reader does not read: a pipe holds 64 KB."""
    reader, writer = os.pipe()
    stream = os.fdopen(writer, "w")
    yield reader, stream
    with suppress(OSError):
        os.close(reader)
    with suppress(OSError):
        stream.close()


def read_lines(reader: int, stop) -> list[str]:
    """Read until the lines are enough."""
    read = b""
    while not (read.endswith(b"\n") and stop(read.decode().splitlines())):
        assert select.select([reader], [], [], 10)[0], "nothing was written for 10 s"
        read += os.read(reader, 65536)
    return read.decode().splitlines()


@pytest.fixture
def handler(pipe):
    handler = BufferedLogHandler(pipe[1], MAX_LINES)
    yield handler
    logging.Handler.close(handler)


def log_lines(handler: BufferedLogHandler, number: int) -> float:
    began = time.monotonic()
    for n in range(number):
        handler.emit(logging.makeLogRecord({"msg": f"{n} {'x' * 1000}"}))
    return time.monotonic() - began


def test_no_writer_waits_for_a_reader_that_stalls_and_the_loss_is_counted(pipe, handler) -> None:
    reader, _ = pipe
    lost_before = LOST_LINES.read_value()

    assert log_lines(handler, 2000) < 5

    counted = LOST_LINES.read_value() - lost_before
    assert counted > 2000 - MAX_LINES - MAX_WRITTEN

    def losses(lines: list[str]) -> list[dict]:
        return [json.loads(line) for line in lines if "log_lines_lost" in line]

    def is_whole(lines: list[str]) -> bool:
        reported = losses(lines)
        return len(lines) - len(reported) + sum(loss["lines"] for loss in reported) == 2000

    lines = read_lines(reader, is_whole)
    assert {loss["level"] for loss in losses(lines)} == {"error"}
    assert sum(loss["lines"] for loss in losses(lines)) == counted
    assert lines[0].startswith("0 ")


def test_all_lines_are_written_in_their_order_before_the_end(pipe, handler) -> None:
    log_lines(handler, 20)
    handler.close()

    lines = read_lines(pipe[0], lambda lines: len(lines) >= 20)
    assert [line.split(" ")[0] for line in lines] == [str(n) for n in range(20)]


def test_a_closed_reader_is_no_error(pipe, handler) -> None:
    os.close(pipe[0])

    log_lines(handler, 20)
    handler.close()
