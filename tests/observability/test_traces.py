"""One trace leads from a click to the register, and from a checked driver to the mail about it."""

import re
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from prawko.hooks.environment import SettingsError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.clock import warsaw_date
from prawko.kit.observability import tracing
from prawko.kit.observability.tracing import (
    TRACING,
    current_traceparent,
    start_tracing,
    trace_span,
)
from prawko.verifications.daily.planning import plan_run
from prawko.verifications.daily.worker import CheckWorker
from prawko_testing.fakes import withheld_licence

pytestmark = pytest.mark.anyio

GIVEN = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    TRACING.start("test", SimpleSpanProcessor(exporter))
    yield exporter
    TRACING.stop()


def find(spans: InMemorySpanExporter, name: str) -> ReadableSpan:
    [found] = [span for span in spans.get_finished_spans() if span.name == name]
    return found


def texts(spans: InMemorySpanExporter) -> str:
    return " ".join(
        f"{span.name} {dict(span.attributes)} {span.status.description}"
        f" {[dict(event.attributes) for event in span.events]}"
        for span in spans.get_finished_spans()
    )


async def test_a_click_and_the_registers_call_are_one_trace(anna, spans) -> None:
    driver = await anna.add_driver("AA123456", "Jan", "Żółć")
    spans.clear()

    answer = await anna.post(f"/api/drivers/{driver}/verify", headers={"traceparent": GIVEN})

    assert answer.status_code == 200
    request, call = (
        find(spans, "POST /api/drivers/{driver_id}/verify"),
        find(spans, "register look_up"),
    )
    assert call.context.trace_id == request.context.trace_id == int(GIVEN.split("-")[1], 16)
    assert call.parent.span_id == request.context.span_id
    assert request.attributes["http.response.status_code"] == 200
    assert not re.search("AA123456|Jan|Żółć|anna|acme", texts(spans))
    assert driver not in texts(spans)


async def test_a_checked_driver_and_the_mail_about_it_are_one_trace(
    anna, worker, register, queue, mailbox, spans
) -> None:
    await anna.add_driver("AA123456", "Jan", "Żółć")
    register.answers["AA123456"] = withheld_licence("AA123456")

    async def run_in_its_trace(job, **arguments) -> None:
        parent = current_traceparent()  # what a job's metadata carries
        with trace_span(f"job {job.name}", parent=parent):
            await job(worker, **arguments)

    queue.handler = run_in_its_trace
    await plan_run(worker.database, worker.clock.now())
    spans.clear()

    await CheckWorker(worker, warsaw_date(worker.clock.now())).run(lambda: False)

    item, record = find(spans, "check item"), find(spans, "check record")
    call = find(spans, "register look_up")
    assert call.parent.span_id == item.context.span_id
    assert [link.context.span_id for link in record.links] == [item.context.span_id]
    mails = [span for span in spans.get_finished_spans() if span.name == "delivery send"]
    assert mailbox.messages_to(anna.email)
    assert mails
    assert {mail.context.trace_id for mail in mails} == {record.context.trace_id}
    assert not re.search("AA123456|Jan|Żółć|anna|acme", texts(spans))


async def test_an_error_is_recorded_by_its_type_alone(anna, register, spans) -> None:
    driver = await anna.add_driver("AA123456")
    register.answers["AA123456"] = RegisterError(RegisterErrorKind.UNAVAILABLE, "of Jan Żółć")
    spans.clear()

    await anna.post(f"/api/drivers/{driver}/verify")

    call = find(spans, "register look_up")
    assert (call.status.status_code, call.status.description) == (
        StatusCode.ERROR, "RegisterError",
    )  # fmt: skip
    assert "Żółć" not in texts(spans)


async def test_without_a_collector_nothing_is_traced(anna) -> None:
    start_tracing("test", {})
    start_tracing("test", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_SDK_DISABLED": "true"})

    assert TRACING.tracer is None
    assert current_traceparent() == ""
    with trace_span("anything") as span:
        assert span is None


def test_the_missing_extra_is_named(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.sdk.resources", None)

    with pytest.raises(SettingsError, match=r"^OTEL_EXPORTER_OTLP_ENDPOINT is set, and .*tracing"):
        start_tracing("test", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})
    assert tracing.TRACING.tracer is None
