"""Providers call here. What is theirs is kept and answered; work on it comes after.

Carriers of messages and providers of payments have one door and one inbox: the start refuses
two of one name.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from litestar import Controller, MediaType, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from prawko.base import logs
from prawko.base.after_commit import AfterCommit
from prawko.base.clock import machine_now
from prawko.base.errors import BadRequestError, NotFoundError
from prawko.base.jobs import Tools
from prawko.base.refusals import refusals
from prawko.base.schemas import Done
from prawko.deliveries.errors import InvalidSignatureError
from prawko.deliveries.inbox import Arrived, Inbox
from prawko.deliveries.jobs import read_reports
from prawko.deliveries.reports import reporting
from prawko.hooks.callbacks import Callback, ForgedCallbackError, GarbledCallbackError
from prawko.hooks.channels import Report, ReportingChannel
from prawko.hooks.payments import PaymentProvider
from prawko.payments.events import LONGEST_ID, fits, keep
from prawko.payments.jobs import work_on_payments
from prawko_tenants.sessions import SystemSession

log = logs.logger(__name__)

AnyRequest = Request[Any, Any, Any]

MAX_BODY_BYTES = 1024 * 1024  # SendGrid sends up to 768 KiB in one call
MOST_PARAMETERS = 50
REFUSALS = refusals(BadRequestError, InvalidSignatureError, NotFoundError)


class WebhookController(Controller):
    """The door for providers; nobody signs in here, the plugin knows its provider's hand."""

    path = "/api/webhooks"
    tags = ("Webhooks",)

    @post(
        "/{provider:str}",
        operation_id="takeEvents",
        summary="Take what a provider reports",
        status_code=200,
        request_max_body_size=MAX_BODY_BYTES,
        responses=REFUSALS,
    )
    async def take(
        self,
        provider: FromPath[str],
        request: AnyRequest,
        tools: NamedDependency[Tools],
        system_session: NamedDependency[SystemSession],
        later: NamedDependency[AfterCommit],
    ) -> Done:
        """Keep the events that are new; the same call may come any number of times."""
        await _keep(provider, await _callback(request), tools, system_session, later)
        return Done(ok=True)

    @get(
        "/{provider:str}",
        operation_id="takeReport",
        summary="Take what a provider reports by GET",
        media_type=MediaType.TEXT,
        responses=REFUSALS,
    )
    async def take_by_get(
        self,
        provider: FromPath[str],
        request: AnyRequest,
        tools: NamedDependency[Tools],
        system_session: NamedDependency[SystemSession],
        later: NamedDependency[AfterCommit],
    ) -> Response[str]:
        """The same for providers that only know GET; OK is the word they wait for."""
        await _keep(provider, await _callback(request), tools, system_session, later)
        return Response("OK", media_type=MediaType.TEXT)


async def _keep(
    provider: str, callback: Callback, tools: Tools, session: SystemSession, later: AfterCommit
) -> None:
    try:
        if provider in tools.plugins.payments:
            kept = await _keep_event(tools.plugins.payments[provider], callback, tools, session)
            job = work_on_payments
        elif provider in (carriers := reporting(tools)):
            kept = await _keep_reports(carriers[provider], callback, tools, session)
            job = read_reports
        else:
            raise NotFoundError
    except ForgedCallbackError:
        log.warning("webhook_forged", provider=provider)
        raise InvalidSignatureError from None
    except GarbledCallbackError:
        log.warning("webhook_garbled", provider=provider)
        raise BadRequestError from None
    log.info("webhook_kept", provider=provider, events=kept)
    if kept:
        later.put(job)


async def _keep_reports(
    channel: ReportingChannel, callback: Callback, tools: Tools, session: SystemSession
) -> int:
    reports = channel.read_reports(callback)
    if not all(_fits(report) for report in reports):
        raise GarbledCallbackError("a name is too long or cannot be printed")
    events = [Arrived(report.event_id, msgspec.json.encode(report)) for report in reports]
    await Inbox(session).keep(channel.name, events, tools.vault, machine_now())
    return len(events)


async def _keep_event(
    provider: PaymentProvider, callback: Callback, tools: Tools, session: SystemSession
) -> int:
    event = provider.read_event(callback)
    if event is None:
        return 0
    if not fits(event):
        raise GarbledCallbackError("a name or a sum is too long")
    await keep(session, tools.vault, provider.name, [event])
    return 1


def _fits(report: Report) -> bool:
    """Whether the database can hold what names the event and the message."""
    return all(
        0 < len(text) <= LONGEST_ID and text.isprintable()
        for text in (report.event_id, report.key, report.carrier_ref or "-")
    )


async def _callback(request: AnyRequest) -> Callback:
    query = request.scope["query_string"].decode("latin-1")
    try:
        parameters = parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_PARAMETERS)
    except ValueError:
        raise BadRequestError from None
    headers = ((name.decode(), value.decode("latin-1")) for name, value in request.scope["headers"])
    return Callback(
        headers=_once(headers),
        query=_once(parameters),
        body=await request.body(),
        received_at=machine_now(),
    )


def _once(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The pairs whose name comes once."""
    listed = list(pairs)
    times = Counter(name for name, _ in listed)
    return {name: value for name, value in listed if times[name] == 1}
