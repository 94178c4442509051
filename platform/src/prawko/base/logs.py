"""Logs of ids and events. What names a person never reaches a line."""

import logging
import sys
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

PERSONAL = frozenset({
    "email", "phone", "phone_number", "first_name", "last_name", "name", "license_number",
    "number", "serial", "password", "token", "code", "link", "raw", "text", "title", "to",
    "company_name", "tax_id", "street", "city", "postal_code", "ip", "agent", "cookie",
})  # fmt: skip


def drop_personal(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Remove every value whose name says that it may identify somebody."""
    return {key: value for key, value in event.items() if key not in PERSONAL}


def one_line(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Keep a value from starting a line of its own."""
    return {
        key: value.replace("\r", "\\r").replace("\n", "\\n")
        if isinstance(value, str) and key != "exception"
        else value
        for key, value in event.items()
    }


def without_values(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Keep the kind of an error and where it arose; its message may quote a row."""
    failure: Any = event.pop("exc_info", None)
    if failure is True:
        failure = sys.exc_info()[1]
    if isinstance(failure, tuple):
        failure = failure[1]
    if isinstance(failure, BaseException):
        event["error"] = type(failure).__name__
        trace = failure.__traceback__
        places: list[str] = []
        while trace is not None:
            code = trace.tb_frame.f_code
            places.append(f"{code.co_name}:{trace.tb_lineno}")
            trace = trace.tb_next
        event["at"] = " > ".join(places[-6:])
    return event


def configure(level: str) -> None:
    """Write JSON lines to standard output, ours and the libraries' alike."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        without_values,
        drop_personal,
        one_line,
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


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """The logger of one module."""
    bound: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return bound
