"""Stripe's own sample objects, beside what our stub makes up and what our provider reads."""

import json

import msgspec
import pytest

from contracts import published
from prawko.hooks.callbacks import GarbledCallbackError
from prawko.hooks.environment import Environment
from prawko.hooks.payments import EventKind, Method, PaymentRef
from prawko.testing.provider_contract import PRICE, order
from prawko_payments_stripe import PREFIX, answers, events, payment_providers
from stripe_stub import KEY, SECRET, FakeStripe, event, event_call, public

pytestmark = pytest.mark.anyio

KINDS = [*events.SESSIONS, *events.CHARGES, *sorted(events.REFUNDS), events.GIVEN_BACK]
OURS = {"prawko_order": "K1", "prawko_charge": "K1", "prawko_refund": "R1"}


@pytest.fixture(scope="module")
def samples() -> dict[str, dict]:
    return json.loads(published("stripe-fixtures.json").read_text())["resources"]


@pytest.fixture
def provider():
    own = {f"{PREFIX}_SECRET_KEY": KEY, f"{PREFIX}_WEBHOOK_SECRET": SECRET}
    return payment_providers(Environment(own))[0]


def paid_for(sample: dict) -> dict:
    """A sample with what an order of ours has: the samples name no sum and no key."""
    sums = {"amount_total": 18327, "amount_received": 18327, "amount_refunded": 327}
    own = {name: value for name, value in sums.items() if name in sample}
    named = {**own, "metadata": OURS, "currency": "pln", "payment_status": "paid"}
    return {**sample, **{name: value for name, value in named.items() if name in sample}}


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("checkout.session", answers.Session), ("payment_intent", answers.Intent),
        ("charge", answers.Charge), ("payment_method", answers.Method),
        ("card", answers.Card), ("refund", answers.Given), ("event", events._Event),
        ("payment_method_configuration", answers.Configuration),
    ],
)  # fmt: skip
def test_what_we_read_is_there_and_as_we_read_it(samples, name, read) -> None:
    sample = paid_for(samples[name])
    asked_for = {field.encode_name for field in msgspec.structs.fields(read)}
    # An event names its account only on a platform's endpoint, a refund its failure once it has
    # failed; p24 is left out of the sample of an account in another country.
    absent = {"account", "failure_reason", "p24", "parent"}

    assert asked_for - absent <= set(sample)
    msgspec.json.decode(json.dumps(sample), type=read)


@pytest.mark.parametrize("kind", KINDS)
def test_an_event_about_a_sample_is_read(samples, provider, kind) -> None:
    about = "checkout.session" if kind in events.SESSIONS else kind.partition(".")[0]
    sample = paid_for(samples[about])
    names = {"payment_intent": "pi_1", "amount_refunded": 327}
    sample |= {name: value for name, value in names.items() if name in sample}
    values = {**samples["event"], "type": kind, "data": {"object": sample}}

    found = provider.read_event(event_call(kind, sample, **values))

    assert found.ref.key == "K1"
    assert found.event_id == samples["event"]["id"]
    assert found.kind in EventKind
    assert found.ref.provider_ref in {samples[about]["id"], "pi_1"}


def test_an_event_about_anything_else_is_left_alone(samples, provider) -> None:
    read = 0
    for sample in samples.values():
        for kind in (*KINDS, samples["event"]["type"]):
            try:
                found = provider.read_event(event_call(kind, sample, id="evt_1"))
            except GarbledCallbackError:
                continue  # an object without an id, which no event of these kinds is about
            assert found is None
            read += 1
    assert read > 1000


async def test_our_stub_makes_up_no_field(samples) -> None:
    server = FakeStripe()
    async with server.listening():
        own = {"SECRET_KEY": KEY, "WEBHOOK_SECRET": SECRET, "URL": server.url}
        environment = Environment({f"{PREFIX}_{name}": value for name, value in own.items()})
        provider = payment_providers(environment)[0]
        placed = msgspec.structs.replace(order(Method.CARD), save=True)
        redirect = await provider.start(placed)
        completed = await server.pay(redirect)
        paid = await provider.status(redirect.ref)
        await provider.charge(paid.mandate, order(Method.CARD))
        await provider.refund(PaymentRef(placed.key), PRICE, key="R1")
        await provider.close()
    made = {
        "checkout.session": server.sessions, "payment_intent": server.intents,
        "charge": server.charged, "payment_method": server.methods,
        "refund": server.refund_objects, "event": {"1": json.loads(completed.body)},
        "payment_method_configuration": {"1": server.configurations({})["data"][0]},
    }  # fmt: skip

    for name, things in made.items():
        assert things
        for thing in map(public, things.values()):
            assert set(thing) - {"p24"} <= set(samples[name]), name
            for field, value in thing.items():
                theirs = samples[name].get(field)
                if value is not None and theirs is not None:
                    assert isinstance(value, type(theirs)), (name, field)


def test_the_sample_of_an_event_is_ours(samples) -> None:
    assert set(event("x", {})) == set(samples["event"])
