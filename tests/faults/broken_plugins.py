"""A worker process with one broken plugin of each kind beside a healthy one.

All break in the same way: `hanging` ignores its cancellation, `blocking` stops the event loop,
`crashing` raises what would end a process, `lying` returns what no hook promises, `holding`
waits in a thread that never ends, `meddling` changes what all code of the process shares,
`cancelling` cancels all tasks of the loop, and `leaking` leaves threads, files and processes behind
at each call.
"""

import asyncio
import decimal
import gc
import itertools
import json
import locale
import logging
import os
import random
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import msgspec

from faults.check_worker import TICK_INTERVAL
from prawko.apps.composition_root import HANDLERS, create_context, create_renderer_registry
from prawko.apps.worker import main
from prawko.apps.worker.schedule import SCHEDULE
from prawko.hooks import hookimpl
from prawko.hooks.channels import Medium, Message, Recipient
from prawko.hooks.environment import Environment
from prawko.hooks.invoices import InvoiceData, StructuredInvoice
from prawko.hooks.licence_register import LicenceAnswer, LicenceQuery
from prawko.hooks.payments import PaymentRef, ProviderPayment
from prawko.invoices import document_builder
from prawko.invoices.jobs import build_due_invoices
from prawko.kit.backoff import Backoff
from prawko.kit.context import AppContext
from prawko.kit.deliveries import channel_sender, send_slots
from prawko.kit.outbox.rendering import (
    DueMessage,
    RenderedMessage,
    RendererRegistry,
    RendererRegistryFactory,
)
from prawko.kit.providers.experience import PluginAvailability
from prawko.notifications.delivery_feedback import ReaderDeliveryFeedback
from prawko.payments import provider_calls
from prawko.payments.jobs import process_payment_events
from prawko.verifications.jobs import reconcile_runs
from prawko_tenants.ids import DeliveryId
from prawko_testing.fake_payments import FakePaymentProvider, payment_plugin
from prawko_testing.fakes import FakeRegister, RecordingChannel

CALL_SECONDS = 1.0
SENDS_IN_A_ROW = channel_sender.BATCH_SIZE / send_slots.MAX_CONCURRENCY + 2
BROKEN = "broken"
_changes = itertools.count()
LEFT_BEHIND: list[socket.socket] = []
FREQUENT = (reconcile_runs, build_due_invoices, process_payment_events)


async def _hang() -> None:
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            continue


async def _block() -> None:
    time.sleep(3600)  # noqa: ASYNC251 (that is the fault)


async def _hold() -> None:
    await asyncio.to_thread(time.sleep, 3600)


async def _crash() -> None:
    raise SystemExit


async def _lie() -> Any:
    return 7


def change_process() -> None:
    """Change what code of other plugins, and ours, relies on; the worst at every second time."""
    locale.setlocale(locale.LC_ALL, "POSIX")
    os.environ.update(TZ="Pacific/Kiritimati", DATABASE_URL="postgresql://127.0.0.1:1/none")
    time.tzset()
    logging.disable()
    logging.root.handlers.clear()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.closerange(1, 3)
    socket.setdefaulttimeout(0.001)
    warnings.simplefilter("error")
    gc.disable()
    asyncio.set_event_loop_policy(None)
    random.seed(1)
    decimal.getcontext().prec = decimal.DefaultContext.prec = 2
    sys.setswitchinterval(10)
    if next(_changes) % 2:
        json.dumps = json.loads = time.monotonic = None
        sys.setrecursionlimit(50)


async def _meddle() -> None:
    change_process()


async def _cancel() -> None:
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()


async def _leak() -> None:
    threading.Thread(target=time.sleep, args=(3600,)).start()
    LEFT_BEHIND.append(socket.create_server(("127.0.0.1", 0)))
    await asyncio.create_subprocess_exec("sleep", "60")


FAULTS: dict[str, Callable[[], Any]] = {
    "hanging": _hang, "blocking": _block, "crashing": _crash, "lying": _lie,
    "holding": _hold, "meddling": _meddle, "cancelling": _cancel, "leaking": _leak,
}  # fmt: skip


class RegisterAccess(FakeRegister):
    """One of two accesses to the same register; `fault` breaks it."""

    def __init__(self, name: str, fault: Callable[[], Any] | None = None) -> None:
        super().__init__()
        self.name = name
        self._fault = fault

    async def look_up(self, query: LicenceQuery) -> LicenceAnswer | None:
        return await (self._fault() if self._fault else super().look_up(query))


class MailChannel(RecordingChannel):
    """A healthy channel whose sends take a while, so that a block of another one hits them."""

    async def send(self, message: Message, recipient: Recipient, *, idempotency_key: str) -> None:
        await asyncio.sleep(0.2)
        await super().send(message, recipient, idempotency_key=idempotency_key)


class BrokenChannel(RecordingChannel):
    def __init__(self, fault: Callable[[], Any]) -> None:
        super().__init__(Medium.SMS)
        self.name = BROKEN
        self._fault = fault

    async def send(
        self, message: Message, recipient: Recipient, *, idempotency_key: str
    ) -> str | None:
        return await self._fault()

    async def close(self) -> None:
        await self._fault()


class BrokenProvider(FakePaymentProvider):
    name = f"{BROKEN}-payments"

    def __init__(self, fault: Callable[[], Any]) -> None:
        super().__init__()
        self._fault = fault

    async def query_status(self, ref: PaymentRef) -> ProviderPayment | None:
        return await self._fault()


class BrokenIssuer:
    name = BROKEN

    def __init__(self, fault: Callable[[], Any]) -> None:
        self._fault = fault

    async def render(self, invoice: InvoiceData) -> StructuredInvoice:
        return await self._fault()

    async def validate(self, document: StructuredInvoice) -> None:
        """Accept it."""

    async def close(self) -> None:
        """Do nothing: there is no connection."""


def _create_plugins(fault: Callable[[], Any]) -> dict[str, Any]:
    @hookimpl
    def licence_registers(environment: Environment) -> list[RegisterAccess]:
        return [RegisterAccess("fake"), RegisterAccess(BROKEN, fault)]

    @hookimpl
    def channels(environment: Environment) -> list[RecordingChannel]:
        return [MailChannel(), BrokenChannel(fault)]

    @hookimpl
    def invoice_issuers(environment: Environment) -> list[BrokenIssuer]:
        return [BrokenIssuer(fault)]

    fakes = SimpleNamespace(
        licence_registers=licence_registers, channels=channels, invoice_issuers=invoice_issuers
    )
    return {"fakes": fakes, "pay": payment_plugin(FakePaymentProvider(), BrokenProvider(fault))}


class _Feedback(ReaderDeliveryFeedback):
    async def is_allowed(self, session: Any, due: DueMessage, recipient: Recipient) -> bool:
        return due.kind == "test" or await super().is_allowed(session, due, recipient)


async def _render(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    content = Message(subject="t", text="x", html="x", sms_text="x")
    recipient = Recipient(email="anna@acme.test", phone="+48600100200")
    return {message.id: RenderedMessage(content, recipient) for message in due}


def _create_renderers(context: AppContext) -> RendererRegistry:
    renderers = {**create_renderer_registry(context).renderers, "test": _render}
    return RendererRegistry(renderers, _Feedback(context.settings, context.clock))


def run_worker(
    mode: str, call_seconds: float, drain_seconds: float, max_stop_seconds: float
) -> None:
    """Run the worker until the process is terminated; calls of plugins have shorter deadlines."""
    channel_sender.SEND_SECONDS = call_seconds
    channel_sender.LONGEST_LEASE = timedelta(seconds=call_seconds * SENDS_IN_A_ROW)
    provider_calls.PAYMENT_SECONDS = call_seconds
    document_builder.INVOICE_SECONDS = call_seconds
    main.DRAIN_SECONDS, main.MAX_STOP_SECONDS = drain_seconds, max_stop_seconds
    # A plugin that blocked rests for longer than the test takes on a busy machine: a call after the
    # rest would block once more.
    PluginAvailability.rules = msgspec.structs.replace(
        PluginAvailability.rules, pause=Backoff(timedelta(hours=1), timedelta(hours=1))
    )
    schedule = [
        msgspec.structs.replace(job, interval=timedelta(seconds=1)) if job.job in FREQUENT else job
        for job in SCHEDULE
    ]
    context = create_context(
        os.environ,
        extra_plugins=_create_plugins(FAULTS[mode]),
        handlers=[*HANDLERS, RendererRegistryFactory(_create_renderers)],
    )
    asyncio.run(
        main.run_until_terminated(context, schedule=schedule, tick_interval=TICK_INTERVAL / 4)
    )
