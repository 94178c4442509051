"""Structured logging without personal data: ids and events only."""

import logging
import sys
from traceback import walk_tb
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

PERSONAL_KEYS = frozenset({
    "email", "phone", "phone_number", "first_name", "last_name", "name", "license_number",
    "number", "serial", "password", "token", "code", "link", "raw", "text", "title", "to",
    "company_name", "tax_id", "street", "city", "postal_code", "ip", "agent", "cookie",
})  # fmt: skip


def redact_personal(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Drop the values of keys that may identify a person."""
    return {key: value for key, value in event.items() if key not in PERSONAL_KEYS}


def escape_newlines(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Escape line breaks in values, so that none can forge a log line."""
    return {
        key: value.replace("\r", "\\r").replace("\n", "\\n")
        if isinstance(value, str) and key != "exception"
        else value
        for key, value in event.items()
    }


def redact_exceptions(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Replace an exception by its type and traceback; its message may quote personal data."""
    failure: Any = event.pop("exc_info", None)
    if failure is True:
        failure = sys.exc_info()[1]
    if isinstance(failure, tuple):
        failure = failure[1]
    if isinstance(failure, BaseException):
        event["error"] = type(failure).__name__
        frames = [
            f"{frame.f_code.co_name}:{line}" for frame, line in walk_tb(failure.__traceback__)
        ]
        event["at"] = " > ".join(frames[-6:])
    return event


def configure_logging(level: str) -> None:
    """Log JSON lines to standard output, those of libraries included."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        redact_exceptions,
        redact_personal,
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
    logging.getLogger("sqlalchemy.engine").setLevel(logging.WARNING)


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return the logger of a module."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger
