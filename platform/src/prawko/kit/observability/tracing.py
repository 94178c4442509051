"""Traces by OpenTelemetry, off unless the standard OTEL_ variables name a collector.

Spans carry route templates, names and ids; never the text of an error, which may quote personal
data. While tracing is off, a span is one look at an attribute and nothing is imported.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from prawko.hooks.environment import SettingsError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor
    from opentelemetry.trace import Span, SpanContext, Tracer

TRACEPARENT = "traceparent"  # the header and the key of a job's metadata (W3C Trace Context)
ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
TRACER = "prawko"


class Tracing:
    """The tracer of a process, None while tracing is off."""

    def __init__(self) -> None:
        self.tracer: Tracer | None = None

    def start(self, process: str, processor: "SpanProcessor | None" = None) -> None:
        """Trace from now on; `processor` takes the spans in place of the collector's exporter.

        Raises SettingsError where the packages are missing.
        """
        try:
            from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 (see above)
            from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        except ImportError:
            raise SettingsError(
                ENDPOINTS[1], "is set, and prawko is installed without its extra `tracing`"
            ) from None
        resource = Resource.create({"service.name": _service_name(process)})
        provider = TracerProvider(resource=resource)
        provider.add_span_processor(processor or _create_exporting_processor())
        self.tracer = provider.get_tracer(TRACER)

    def stop(self) -> None:
        """Trace no longer."""
        self.tracer = None


TRACING = Tracing()


def start_tracing(process: str, variables: Mapping[str, str] = os.environ) -> None:
    """Start tracing if the variables name a collector; `process` is panel, console or worker."""
    is_off = (
        variables.get("OTEL_SDK_DISABLED", "").lower() == "true"
        or variables.get("OTEL_TRACES_EXPORTER", "otlp") == "none"
    )
    if not is_off and any(variables.get(name) for name in ENDPOINTS):
        TRACING.start(process)


_NO_SPAN: AbstractContextManager[None] = nullcontext()


def trace_span(
    name: str, *, parent: str = "", links: Sequence["SpanContext"] = (), **attributes: object
) -> "AbstractContextManager[Span | None]":
    """Return a span around a block, None in it while tracing is off.

    `parent` is a `traceparent` from elsewhere; without one the span belongs to the current one.
    `links` are the spans that a batch has merged.
    """
    if TRACING.tracer is None:
        return _NO_SPAN
    return _open_span(TRACING.tracer, name, parent, links, attributes)


def current_traceparent() -> str:
    """Return the current span's `traceparent`; empty while there is none."""
    if TRACING.tracer is None:
        return ""
    from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415
        TraceContextTextMapPropagator,
    )

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get(TRACEPARENT, "")


def link_of(span: "Span | None") -> "SpanContext | None":
    """Return what another span needs to link to this one."""
    return None if span is None else span.get_span_context()


@contextmanager
def _open_span(
    tracer: "Tracer",
    name: str,
    parent: str,
    links: Sequence["SpanContext"],
    attributes: Mapping[str, object],
) -> "Iterator[Span]":
    from opentelemetry.trace import Link, Status, StatusCode  # noqa: PLC0415
    from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415
        TraceContextTextMapPropagator,
    )

    context: Any = None
    if parent:
        context = TraceContextTextMapPropagator().extract({TRACEPARENT: parent})
    with tracer.start_as_current_span(
        name,
        context=context,
        links=[Link(one) for one in links],
        attributes={key: str(value) for key, value in attributes.items()},
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield span
        except BaseException as error:
            span.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise


def _service_name(process: str) -> str:
    return os.environ.get("OTEL_SERVICE_NAME") or f"prawko-{process}"


def _create_exporting_processor() -> "SpanProcessor":
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    return BatchSpanProcessor(OTLPSpanExporter())
