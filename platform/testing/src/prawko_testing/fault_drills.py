"""What an installed plugin does while its server fails: the drills of `prawko plugins try`.

The command loads the plugin with the address of a server of this machine, and gives these tests its
objects as `config.trial`. A call says what happened with a documented error: its kind's own, or
ProviderAccountError. Every other exception is a bug that operators could not act upon.
"""

# ruff: noqa: S101, D103, BLE001 (tests are made of assertions, and named by what they show)

import asyncio
import resource
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import UTC, datetime
from types import UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import pytest

from prawko.hooks.channels import (
    Channel,
    DeliveryError,
    DeliveryReport,
    Medium,
    PushSubscription,
    Recipient,
)
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import LicenceQuery, LicenceRegister, RegisterError
from prawko.hooks.payments import (
    PaymentError,
    PaymentEvent,
    PaymentEventKind,
    PaymentProvider,
    PaymentRef,
    PaymentState,
)
from prawko.hooks.webhooks import MalformedWebhookError, WebhookRequest, WebhookVerificationError
from prawko_testing.channel_contract import sample_message
from prawko_testing.invoice_issuer_contract import InvoiceIssuerContract
from prawko_testing.loopback_server import LoopbackServer, Response, run_server
from prawko_testing.plugin_calls import call_in_time, call_plain
from prawko_testing.provider_contract import PRICE, sample_request
from prawko_testing.register_contract import FAILURES

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
QUERY = LicenceQuery("Łucja", "Gżegżółka", "AB123456")
REF = PaymentRef("0" * 12, "1")
EVENT = PaymentEvent(
    event_id="e1", kind=PaymentEventKind.PAID, ref=REF, occurred_at=NOW, money=PRICE
)
RECIPIENTS = {
    Medium.EMAIL: Recipient("anna@acme.test", None),
    Medium.SMS: Recipient(None, "+48600100200"),
}
# An answer about another document and another payment, in words that providers use.
LIE = {
    "number": "ZZ999999", "seriaNumerBlankietuDruku": "ZZ999999", "reference": "OTHER", "id": "2",
    "state": "paid", "status": "paid", "amount": 1, "currency": "PLN",
}  # fmt: skip
# The server cannot be reached or does not serve: the address or the payer is not at fault.
OUTAGES = {"http_429", "http_500", "http_503", "refused", "reset", "silence", "drip"}
GARBAGE = (
    b"",
    b"null",
    b"{}",
    b"[]",
    b"[" * 100_000,
    b"\xff\xfe\x00",
    b'{"id": 1e999}',
    b"x" * 10**6,
)
MAX_GROWTH_BYTES = 256 * 1024 * 1024
CANCELLED_SECONDS = 1.0


class Kind(NamedTuple):
    """The protocol of a kind of objects, its error, and the calls that ask a server."""

    protocol: type
    error: type[Exception]
    calls: dict[str, Callable[[Any], Awaitable[object]]]


KINDS = {
    "register": Kind(LicenceRegister, RegisterError, {"look_up": lambda one: one.look_up(QUERY)}),
    "channel": Kind(
        Channel,
        DeliveryError,
        {
            "send": lambda one: one.send(
                sample_message(), recipient_of(one), idempotency_key="trial:1"
            )
        },
    ),
    "payments": Kind(
        PaymentProvider,
        PaymentError,
        {
            "available_methods": lambda one: one.available_methods(PRICE),
            "create_payment": lambda one: one.create_payment(
                sample_request(min(one.capabilities.methods))
            ),
            "query_status": lambda one: one.query_status(REF),
            "capture": lambda one: one.capture(EVENT, expected=PRICE),
            "cancel": lambda one: one.cancel(REF),
            "refund": lambda one: one.refund(REF, PRICE, refund_reference="1" * 12),
        },
    ),
}


def recipient_of(channel: Any) -> Recipient:
    """Return a recipient of the channel's medium."""
    if channel.medium is not Medium.PUSH:
        return RECIPIENTS[channel.medium]
    return Recipient(
        None, None, PushSubscription("https://127.0.0.1/1", "p", "a", channel.server_key)
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the drills for each object, and for each of its calls that ask a server."""
    trial = metafunc.config.trial  # type: ignore[attr-defined]
    objects = [(kind, name) for kind, names in trial.names.items() for name in names]
    if "operation" in metafunc.fixturenames:
        drills = [
            (*one, method) for one in objects for method in getattr(KINDS.get(one[0]), "calls", ())
        ]
        metafunc.parametrize(("kind", "name", "operation"), drills)
    elif "name" in metafunc.fixturenames:
        chosen = getattr(metafunc.cls, "kinds", KINDS)
        metafunc.parametrize(("kind", "name"), [one for one in objects if one[0] in chosen])


@pytest.fixture
def anyio_backend() -> str:
    """Prawko runs on asyncio."""
    return "asyncio"


@pytest.fixture
async def failing_server() -> AsyncIterator[LoopbackServer]:
    """The server that the plugin asks."""
    async with run_server(lambda _: Response(200, {})) as running:
        yield running


@pytest.fixture
async def tried_plugin(
    failing_server: LoopbackServer, request: pytest.FixtureRequest, kind: str, name: str
) -> AsyncIterator[Any]:
    """The plugin's object, closed afterwards."""
    loaded = request.config.trial.create(failing_server.url)[kind][name]  # type: ignore[attr-defined]
    yield loaded
    await call_in_time(loaded.close)


@pytest.fixture(autouse=True)
def prints_nothing(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Standard output is the log of a process, and the report of a command."""
    yield
    printed = capfd.readouterr().out
    if printed:
        pytest.fail(f"wanted: nothing on standard output; came: {printed[:200]!r}")


async def attempt_call(tried_plugin: Any, kind: str, operation: str, wanted: str) -> object:
    """Return what a call returns or its documented error; any other fails the test.

    So does a value of another type than the protocol promises.
    """
    protocol, error_type, calls = KINDS[kind]
    promised = get_type_hints(getattr(protocol, operation))["return"]

    async def call() -> object:
        return await calls[operation](tried_plugin)

    call.__qualname__ = f"{type(tried_plugin).__name__}.{operation}"
    try:
        came = await call_in_time(call)
    except (error_type, ProviderAccountError) as error:
        return error
    except Exception as error:
        pytest.fail(f"wanted: {wanted}; came: {type(error).__name__}: {error}")
    types = get_args(promised) if isinstance(promised, UnionType) else (promised,)
    is_promised = isinstance(came, tuple(get_origin(one) or one for one in types))
    assert is_promised, f"wanted: {promised}; came: {type(came).__name__}"
    return came


@pytest.mark.anyio
@pytest.mark.parametrize("failure", [*FAILURES, "lie"])
async def test_a_failure_of_the_server_is_a_documented_error(
    failing_server: LoopbackServer, tried_plugin: Any, kind: str, operation: str, failure: str
) -> None:
    if failure == "lie":
        failing_server.answer = lambda _: Response(200, LIE)
    else:
        failing_server.inject_failure(failure)
    wanted = f"{KINDS[kind].error.__name__} or ProviderAccountError"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    came = await attempt_call(tried_plugin, kind, operation, wanted)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < MAX_GROWTH_BYTES, f"wanted: a bounded response; came: {grown} bytes of memory"
    if isinstance(came, Exception):
        is_permanent = getattr(came, "permanent", False) and failure in OUTAGES
        assert not is_permanent, "wanted: a temporary error; came: a permanent one"
        assert str(came).strip(), "wanted: a text for operators; came: an empty one"
    elif not failing_server.requests:
        pytest.skip("the call asked no server at the address of its settings")
    else:
        # A carrier that has said that it took a message has it, whatever becomes of the rest.
        is_taken = kind == "channel" and failure == "drip"
        is_outage = failure in {*OUTAGES, "http_401", "http_403"} and not is_taken
        says_nothing = kind == "register" or is_outage
        assert not says_nothing, f"wanted: {wanted}; came: {came!r}"
        ref, state = getattr(came, "ref", REF), getattr(came, "state", None)
        is_ours = operation == "create_payment" or ref.reference == REF.reference
        assert is_ours, f"wanted: an answer about {REF.reference}; came: {ref.reference!r}"
        assert state is not PaymentState.PAID, "wanted: no payment that was not made; came: PAID"


@pytest.mark.anyio
async def test_a_call_ends_when_it_is_cancelled(
    failing_server: LoopbackServer, tried_plugin: Any, kind: str, operation: str
) -> None:
    failing_server.inject_failure("silence")
    task = asyncio.ensure_future(KINDS[kind].calls[operation](tried_plugin))
    await asyncio.wait({task}, timeout=0.3)
    if task.done():
        task.exception()
        pytest.skip("the call ended before")
    task.cancel()
    await asyncio.wait({task}, timeout=CANCELLED_SECONDS)
    assert task.done(), f"wanted: the end within {CANCELLED_SECONDS:g} s; came: no end"
    assert task.cancelled(), "wanted: the CancelledError again; came: its end without it"


@pytest.mark.anyio
@pytest.mark.parametrize("body", GARBAGE, ids=range(len(GARBAGE)))
async def test_a_webhook_that_says_nothing_is_refused(tried_plugin: Any, body: bytes) -> None:
    if not hasattr(tried_plugin, "parse_webhook"):
        return
    request = WebhookRequest(headers={}, query={}, body=body, received_at=NOW)
    wanted = "WebhookVerificationError or MalformedWebhookError"
    try:
        came: object = call_plain(tried_plugin.parse_webhook, request)
    except (WebhookVerificationError, MalformedWebhookError):
        return
    except Exception as error:
        pytest.fail(f"wanted: {wanted}; came: {type(error).__name__}: {error}")
    is_event = isinstance(came, PaymentEvent | DeliveryReport) or bool(came)
    assert not is_event, f"wanted: {wanted}; came: {came!r}"


class TestIssuer(InvoiceIssuerContract):
    """An issuer asks no server; it is given invoices, and documents that are none."""

    kinds = ("invoices",)

    @pytest.fixture
    def issuer(self, tried_plugin: Any) -> Any:
        """The installed issuer."""
        return tried_plugin
