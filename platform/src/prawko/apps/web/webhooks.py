"""Webhooks of carriers and payment providers: verified, stored, acknowledged, processed later.

Both kinds of provider share one path and one table; names are unique across them.
"""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from litestar import Controller, MediaType, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from prawko import limits
from prawko.hooks.channels import DeliveryReport, ReportingChannel
from prawko.hooks.payments import PaymentEvent, PaymentProvider
from prawko.hooks.webhooks import MalformedWebhookError, WebhookRequest, WebhookVerificationError
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.deliveries.delivery_reports import reporting_channels
from prawko.kit.deliveries.jobs import RETENTION, process_delivery_reports
from prawko.kit.errors import (
    AppError,
    BadRequestError,
    NotFoundError,
    TooManyRequestsError,
    UnavailableError,
)
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.schemas import OkOut
from prawko.kit.incidents.plugin_faults import get_experience, record_fault
from prawko.kit.observability import logs, metrics
from prawko.kit.providers.calls import (
    PluginBlockedError,
    PluginFaultError,
    PluginValueError,
    call_plugin,
    type_name,
)
from prawko.kit.providers.registry import PluginKind
from prawko.kit.providers.returned_values import is_valid_id, validate_struct
from prawko.kit.webhooks.repository import NewEvent, WebhookEventRepository
from prawko.payments.jobs import process_payment_events
from prawko.payments.provider_calls import get_provider_experience
from prawko.payments.webhook_processing import is_storable, store_events
from prawko_tenants.sessions import SystemSession

log = logs.get_logger(__name__)


class InvalidWebhookSignatureError(AppError):
    """The signature is invalid or too old; nothing was stored."""

    status = 401
    key = "invalid_signature"


WEBHOOKS = metrics.Counter(
    "prawko_webhooks_total", "Webhooks by provider and result.", ("provider", "result")
)

AnyRequest = Request[Any, Any, Any]

MAX_BODY_BYTES = 1024 * 1024  # SendGrid sends up to 768 KiB in one call
MAX_QUERY_PARAMETERS = 50
_REFUSALS = (WebhookVerificationError, MalformedWebhookError)
ERROR_RESPONSES = error_responses(BadRequestError, InvalidWebhookSignatureError, NotFoundError)


class WebhookController(Controller):
    """Receives webhooks; the plugin of the provider verifies the signature."""

    path = "/api/webhooks"
    tags = ("Webhooks",)

    @post(
        "/{provider:str}",
        operation_id="takeEvents",
        summary="Receive webhook events",
        status_code=200,
        request_max_body_size=MAX_BODY_BYTES,
        responses=ERROR_RESPONSES,
    )
    async def receive(
        self,
        provider: FromPath[str],
        request: AnyRequest,
        context: NamedDependency[AppContext],
        system_session: NamedDependency[SystemSession],
    ) -> OkOut:
        """Store new events; repeated calls are accepted and ignored."""
        await _store(provider, await _to_webhook_request(request), context, system_session)
        return OkOut(ok=True)

    @get(
        "/{provider:str}",
        operation_id="takeReport",
        summary="Receive webhook events by GET",
        media_type=MediaType.TEXT,
        responses=ERROR_RESPONSES,
    )
    async def receive_by_get(
        self,
        provider: FromPath[str],
        request: AnyRequest,
        context: NamedDependency[AppContext],
        system_session: NamedDependency[SystemSession],
    ) -> Response[str]:
        """Store new events of a provider that calls by GET and expects OK."""
        await _store(provider, await _to_webhook_request(request), context, system_session)
        return Response("OK", media_type=MediaType.TEXT)


async def _store(
    provider: str, request: WebhookRequest, context: AppContext, session: SystemSession
) -> None:
    try:
        if provider in context.plugins.payments:
            stored = await _store_event(
                context.plugins.payments[provider], request, context, session
            )
            job = process_payment_events
        elif provider in (carriers := reporting_channels(context)):
            stored = await _store_reports(carriers[provider], request, context, session)
            job = process_delivery_reports
        else:
            raise NotFoundError
    except WebhookVerificationError:
        WEBHOOKS.add(provider, "refused")
        log.warning("webhook_signature_invalid", provider=provider)
        await _count_refusal(context, provider)
        raise InvalidWebhookSignatureError from None
    except PluginBlockedError as error:  # the sender repeats what is answered so
        WEBHOOKS.add(provider, "unavailable")
        log.warning("webhook_not_parsed", provider=provider, reason=str(error))
        raise UnavailableError(retry_after=error.retry_after) from None
    except (MalformedWebhookError, PluginFaultError) as error:
        if isinstance(error, PluginFaultError) and not _has_blocked(context, provider):
            parser = get_experience(context, PluginKind.WEBHOOK, provider)
            await record_fault(context, parser, error, is_harmless=True)
        WEBHOOKS.add(provider, "malformed")
        log.warning("webhook_malformed", provider=provider)
        await _count_refusal(context, provider)
        raise BadRequestError from None
    WEBHOOKS.add(provider, "stored" if stored else "ignored")
    log.info("webhook_stored", provider=provider, events=stored)
    if stored:
        context.enqueue_on_commit(session, job)


def _has_blocked(context: AppContext, provider: str) -> bool:
    """Whether the provider's plugin blocked this process, which is an incident of its own."""
    kinds = PluginKind.CHANNEL, PluginKind.PAYMENTS
    plugins = [get_experience(context, kind, provider) for kind in kinds]
    return any(plugin.rests_after_block_until() for plugin in plugins)


async def _count_refusal(context: AppContext, provider: str) -> None:
    """Count a refused call; many of them are an incident of the operators."""
    with suppress(TooManyRequestsError):
        await context.throttle.hit(limits.REFUSED_WEBHOOKS, provider)


async def _store_reports(
    channel: ReportingChannel, request: WebhookRequest, context: AppContext, session: SystemSession
) -> int:
    def parse() -> list[DeliveryReport]:
        parsed: object = channel.parse_webhook(request)
        if not isinstance(parsed, tuple | list):
            raise PluginValueError(f"parse_webhook returned {type_name(parsed)}")
        return [validate_struct(report, DeliveryReport) for report in parsed]

    plugin = get_experience(context, PluginKind.CHANNEL, channel.name)
    reports = call_plugin(plugin, parse, raises=_REFUSALS)
    if not all(_is_storable(report) for report in reports):
        raise MalformedWebhookError("a name is too long or cannot be printed")
    events = [
        NewEvent(report.event_id, msgspec.json.encode(_correct_time(report, request.received_at)))
        for report in reports
    ]
    await WebhookEventRepository(session).insert(channel.name, events, context.key_ring, utc_now())
    return len(events)


async def _store_event(
    provider: PaymentProvider, request: WebhookRequest, context: AppContext, session: SystemSession
) -> int:
    def parse() -> PaymentEvent | None:
        parsed: object = provider.parse_webhook(request)
        return None if parsed is None else validate_struct(parsed, PaymentEvent)

    plugin = get_provider_experience(context, provider)
    event = call_plugin(plugin, parse, raises=_REFUSALS)
    if event is None:
        return 0
    if not is_storable(event):
        raise MalformedWebhookError("a name or a sum is too long")
    await store_events(session, context.key_ring, provider.name, [event])
    return 1


def _is_storable(report: DeliveryReport) -> bool:
    """Whether the ids of the report fit the database, and its time is one."""
    ids = (report.event_id, report.idempotency_key, report.carrier_ref or "-")
    return all(is_valid_id(one) for one in ids) and report.occurred_at.tzinfo is not None


def _correct_time(report: DeliveryReport, received_at: datetime) -> DeliveryReport:
    """Return the report with the time of the call, unless its own can be true.

    A time that has not come would count as news of the address for ever.
    """
    can_be_true = received_at - RETENTION <= report.occurred_at <= received_at
    return report if can_be_true else msgspec.structs.replace(report, occurred_at=received_at)


async def _to_webhook_request(request: AnyRequest) -> WebhookRequest:
    query = request.scope["query_string"].decode("latin-1")
    try:
        parameters = parse_qsl(query, keep_blank_values=True, max_num_fields=MAX_QUERY_PARAMETERS)
    except ValueError:
        raise BadRequestError from None
    headers = ((name.decode(), value.decode("latin-1")) for name, value in request.scope["headers"])
    return WebhookRequest(
        headers=_unique_pairs(headers),
        query=_unique_pairs(parameters),
        body=await request.body(),
        received_at=utc_now(),
    )


def _unique_pairs(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the pairs whose name occurs once: a repeated name is ambiguous."""
    listed = list(pairs)
    counts = Counter(name for name, _ in listed)
    return {name: value for name, value in listed if counts[name] == 1}
