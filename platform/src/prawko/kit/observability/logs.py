"""Structured logging without personal data: ids and events only."""

import logging
import os
import sys
from datetime import date
from enum import Enum
from traceback import walk_tb
from typing import Any
from uuid import UUID

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from prawko.kit.observability.log_output import BufferedLogHandler
from prawko.kit.observability.request_ids import current_request_id

PERSONAL_KEYS = frozenset({
    "email", "phone", "phone_number", "first_name", "last_name", "name", "license_number",
    "number", "serial", "password", "token", "code", "link", "raw", "text", "title", "to",
    "company_name", "tax_id", "street", "city", "postal_code", "ip", "agent", "cookie",
})  # fmt: skip


def redact_personal(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Drop the values of keys that may identify a person."""
    return {key: value for key, value in event.items() if key not in PERSONAL_KEYS}


def add_request_id(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Add the id of the request or job that the line belongs to."""
    if request_id := current_request_id():
        event.setdefault("request_id", request_id)
    return event


def unify_values(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Give ids, days and members of enumerations one shape in all log lines."""
    return {key: _unify(value) for key, value in event.items()}


def _unify(value: object) -> object:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    return value.isoformat() if isinstance(value, date) else value


def escape_newlines(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Escape line breaks in values, so that none can forge a log line."""
    return {
        key: value.replace("\r", "\\r").replace("\n", "\\n")
        if isinstance(value, str) and key != "exception"
        else value
        for key, value in event.items()
    }


def redact_exceptions(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Replace an exception by its type and traceback; its message may quote personal data.

    Of a plugin's class nothing is run: it may raise, too.
    """
    failure: Any = event.pop("exc_info", None)
    if failure is True:
        failure = sys.exc_info()[1]
    if type(failure) is tuple:
        failure = failure[1]
    if issubclass(type(failure), BaseException):
        event["error"] = type.__dict__["__name__"].__get__(type(failure))
        origin = BaseException.__dict__["__traceback__"].__get__(failure)
        frames = [f"{frame.f_code.co_name}:{line}" for frame, line in walk_tb(origin)]
        event["at"] = " > ".join(frames[-6:])
    return event


def configure_logging(level: str) -> None:
    """Log JSON lines to standard output, those of libraries included."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        add_request_id,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        redact_exceptions,
        redact_personal,
        unify_values,
        escape_newlines,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for pools in ("sqlalchemy", "prawko_tenants.pools"):  # they log the end of each connection
        logging.getLogger(pools).setLevel(logging.WARNING)
    # The queue describes every job in prose, twice; `apps.worker.main` logs what happens to them.
    quiet = logging.NOTSET if root.level <= logging.DEBUG else logging.WARNING
    logging.getLogger("saq").setLevel(quiet)


def start_output_thread() -> None:
    """Let a thread write the lines from now on: for processes that serve or work.

    Not before a fork, which would leave the thread behind. They have a file descriptor of their
    own: once a plugin closes that of standard output, the next connection gets its number.
    """
    root = logging.getLogger()
    handler = BufferedLogHandler(os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8"))
    handler.setFormatter(root.handlers[0].formatter)
    root.handlers[:] = [handler]


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return the logger of a module."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger
