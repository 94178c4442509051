"""The demo's made-up provider keeps every promise of one, in a file that processes share."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from prawko.base.clock import machine_now
from prawko.hooks.callbacks import Callback
from prawko.hooks.environment import Environment, SettingError
from prawko.hooks.payments import (
    Mandate,
    Method,
    Money,
    Order,
    Payer,
    PaymentError,
    PaymentRef,
    PaymentState,
    Redirect,
)
from prawko.testing.asked_contract import AskedContract
from prawko.testing.provider_contract import PRICE, order
from prawko.testing.refunding_contract import RefundingContract
from prawko.testing.renewing_contract import RenewingContract
from prawko_demo.doors import pay
from prawko_demo.payments import events, payment_providers, provider, webhook
from prawko_demo.payments.provider import Button, EndedError, SandboxProvider
from prawko_demo.payments.store import Charge, Mood, Store

pytestmark = pytest.mark.anyio

URL = "http://127.0.0.1:8000"
SECRET = b"what events are signed with"


def made(tmp_path: Path, secret: bytes = SECRET) -> SandboxProvider:
    return SandboxProvider(Store(tmp_path / "sandbox.sqlite"), URL, secret)


def call(body: bytes, secret: bytes = SECRET, *, seconds: float = 0) -> Callback:
    now = machine_now()
    at = now.fromtimestamp(now.timestamp() - seconds, tz=now.tzinfo)
    headers = events.signed(body, secret, at)
    return Callback(headers=headers, query={}, body=body, received_at=now)


class SandboxBench:
    """Somebody at the hosted page, and the sandbox's own books."""

    def __init__(self, sandbox: SandboxProvider) -> None:
        self._sandbox = sandbox

    async def pay(self, redirect: Redirect) -> Callback:
        kept = await self._sandbox.press(redirect.ref.key, Button.PAID)
        return call(events.body_of(kept, machine_now()))

    def refunded(self, ref: PaymentRef) -> int:
        return sum(self._sandbox._store.get(ref.key).refunds.values())

    def charges(self, order: Order) -> int:
        return self._sandbox._store.get(order.key).charges


@pytest.fixture
def sandbox(tmp_path: Path) -> SandboxProvider:
    return made(tmp_path)


@pytest.fixture
async def genuine(sandbox: SandboxProvider) -> bytes:
    redirect = await sandbox.start(order(Method.CARD))
    return (await SandboxBench(sandbox).pay(redirect)).body


class TestContract(RenewingContract, RefundingContract, AskedContract):
    """The promises of a provider that knows, gives back, and charges saved cards."""

    @pytest.fixture
    def provider(self, sandbox: SandboxProvider) -> SandboxProvider:
        return sandbox

    @pytest.fixture
    def bench(self, sandbox: SandboxProvider) -> SandboxBench:
        return SandboxBench(sandbox)

    @pytest.fixture
    def broken_provider(self, tmp_path: Path) -> SandboxProvider:
        return made(tmp_path / "gone")

    @pytest.fixture
    def forged(self, genuine: bytes) -> list[Callback]:
        signed = call(genuine)
        headers = [
            {},
            {events.HEADER: ""},
            {events.HEADER: "t=,v1="},
            {events.HEADER: "t=٣,v1=ą"},
            {events.HEADER: f"t={'9' * 5000},v1=0"},
        ]
        return [
            *(msgspec.structs.replace(signed, headers=given) for given in headers),
            msgspec.structs.replace(signed, body=genuine + b" "),
            call(genuine, b"another secret"),
            call(genuine, seconds=301),
            call(genuine, seconds=-301),
        ]

    @pytest.fixture
    def garbled(self, genuine: bytes) -> list[Callback]:
        wrong = [
            genuine.replace(b'"kind":"paid"', b'"kind":"maybe"'),
            genuine.replace(b'"grosze":18327', b'"grosze":-1'),
        ]
        assert genuine not in wrong
        return [call(body) for body in (b"", b"[]", b"{}", b"\xff", *wrong)]

    @pytest.fixture
    async def of_no_interest(self, sandbox: SandboxProvider) -> list[Callback]:
        redirect = await sandbox.start(order(Method.CARD))
        kept = await sandbox.kept(redirect.ref.key)
        return [call(events.body_of(kept, machine_now()))]


def buying(method: Method = Method.CARD, **changes: object) -> Order:
    return msgspec.structs.replace(order(method), **changes)


async def saved_card(sandbox: SandboxProvider) -> Mandate:
    redirect = await sandbox.start(buying(save=True))
    event = sandbox.read_event(await SandboxBench(sandbox).pay(redirect))
    paid = await sandbox.confirm(event, expected=PRICE)
    assert paid.mandate is not None
    return paid.mandate


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bytes, dict[str, str]]]:
    """What the sandbox calls, instead of the panel."""
    calls: list[tuple[str, bytes, dict[str, str]]] = []

    async def take(url: str, body: bytes, headers: dict[str, str]) -> int:
        calls.append((url, body, headers))
        return 200

    monkeypatch.setattr(webhook, "call", take)
    monkeypatch.setattr(provider, "CONSENT_SECONDS", 0.0)
    return calls


@pytest.mark.parametrize("code", ["777000", "777999"])
async def test_a_code_of_777_is_consented_to_and_told(sandbox, told, code) -> None:
    redirect = await sandbox.start(buying(Method.BLIK, blik_code=code))
    await asyncio.gather(*sandbox._consents)

    assert redirect.url is None
    assert (await sandbox.status(redirect.ref)).state is PaymentState.CLAIMED
    ((url, body, headers),) = told
    assert url == f"{URL}/api/webhooks/sandbox"
    event = sandbox.read_event(
        Callback(headers=headers, query={}, body=body, received_at=machine_now())
    )
    assert (event.kind, event.ref, event.money) == ("paid", redirect.ref, PRICE)


@pytest.mark.parametrize("code", ["123456", "000777", "77700", "7770000", "٧٧٧١٢٣", "777 00"])
async def test_every_other_code_is_the_payers_mistake(sandbox, told, code) -> None:
    given = buying(Method.BLIK, blik_code=code)
    with pytest.raises(PaymentError) as refused:
        await sandbox.start(given)

    assert refused.value.permanent
    assert await sandbox.status(PaymentRef(given.key)) is None
    assert told == []


async def test_a_code_for_another_method_is_ours_to_correct(sandbox) -> None:
    for given in (buying(Method.CARD, blik_code="777123"), buying(Method.TRANSFER)):
        with pytest.raises(ValueError, match="not paid by"):
            await sandbox.start(given)


@pytest.mark.parametrize("button", Button)
async def test_a_button_pressed_again_changes_nothing_and_another_is_too_late(
    sandbox, button
) -> None:
    redirect = await sandbox.start(buying())
    first = await sandbox.press(redirect.ref.key, button)
    assert await sandbox.press(redirect.ref.key, button) == first
    for other in Button:
        if other is not button:
            with pytest.raises(EndedError):
                await sandbox.press(redirect.ref.key, other)
    assert await sandbox.kept(redirect.ref.key) == first
    assert await sandbox.press("0" * 12, button) is None


async def test_every_process_sees_what_another_has_done(tmp_path) -> None:
    panel, worker = made(tmp_path), made(tmp_path)
    mandate = await saved_card(panel)
    renewal = buying()
    charged = await worker.charge(mandate, renewal)

    assert charged.state is PaymentState.PAID
    assert await panel.status(charged.ref) == charged


async def test_the_next_charges_end_as_was_chosen(sandbox) -> None:
    mandate = await saved_card(sandbox)
    await sandbox.set_mood(Mood(Charge.REFUSED, times=2))
    for _ in range(2):
        with pytest.raises(PaymentError) as refused:
            await sandbox.charge(mandate, buying())
        assert refused.value.permanent
    assert await sandbox.mood() == Mood()
    assert (await sandbox.charge(mandate, buying())).state is PaymentState.PAID


async def test_a_refused_charge_stays_refused_when_asked_for_again(sandbox) -> None:
    mandate, renewal = await saved_card(sandbox), buying()
    await sandbox.set_mood(Mood(Charge.REFUSED, times=1))
    for _ in range(2):
        with pytest.raises(PaymentError) as refused:
            await sandbox.charge(mandate, renewal)
        assert refused.value.permanent


async def test_a_charge_whose_answer_is_lost_was_made_once(sandbox) -> None:
    mandate, renewal = await saved_card(sandbox), buying()
    await sandbox.set_mood(Mood(Charge.SILENT))
    with pytest.raises(PaymentError) as lost:
        await sandbox.charge(mandate, renewal)

    assert not lost.value.permanent
    assert (await sandbox.charge(mandate, renewal)).state is PaymentState.PAID
    assert SandboxBench(sandbox).charges(renewal) == 1


async def test_a_charge_may_wait_for_its_payer(sandbox) -> None:
    mandate, renewal = await saved_card(sandbox), buying()
    await sandbox.set_mood(Mood(Charge.CONSENT, times=1))

    for _ in range(2):
        waiting = await sandbox.charge(mandate, renewal)
        assert (waiting.state, waiting.url) == (PaymentState.OPEN, sandbox.page(renewal.key))
    event = sandbox.read_event(await SandboxBench(sandbox).pay(Redirect(ref=waiting.ref)))
    assert (await sandbox.confirm(event, expected=PRICE)).state is PaymentState.PAID


async def test_a_card_that_nobody_saved_is_not_charged(sandbox) -> None:
    redirect = await sandbox.start(buying())
    await SandboxBench(sandbox).pay(redirect)
    for token in (redirect.ref.key, "0" * 12):
        with pytest.raises(PaymentError) as refused:
            await sandbox.charge(Mandate(token), buying())
        assert refused.value.permanent


def test_it_takes_part_only_when_it_is_configured(tmp_path) -> None:
    whole = {
        "PAYMENTS_SANDBOX_FILE": str(tmp_path / "f"),
        "PAYMENTS_SANDBOX_URL": URL,
        "PAYMENTS_SANDBOX_KEY": "secret",
    }
    assert payment_providers(Environment({})) == []
    assert [made.name for made in payment_providers(Environment(whole))] == ["sandbox"]
    for name in whole:
        with pytest.raises(SettingError, match=name):
            payment_providers(Environment({**whole, name: ""}))


async def test_nobody_answering_the_call_is_no_failure_of_the_payment(tmp_path) -> None:
    sandbox = SandboxProvider(Store(tmp_path / "s"), "http://127.0.0.1:1", SECRET)
    redirect = await sandbox.start(buying())
    kept = await sandbox.press(redirect.ref.key, Button.PAID)

    assert await sandbox.tell(kept, 2) == [0, 0]
    assert (await sandbox.status(redirect.ref)).state is PaymentState.CLAIMED


async def test_the_page_speaks_the_payers_language_and_takes_nothing_for_markup(sandbox) -> None:
    given = buying(
        money=Money(123_456_07),
        title="Prawko: <b>up to 10</b> drivers",
        payer=Payer(email="anna@acme.test", name="Acme", language="en"),
        save=True,
    )
    await sandbox.start(given)
    page = pay._page(await sandbox.kept(given.key))

    assert '<html lang="en">' in page
    assert "PLN\N{NO-BREAK SPACE}123,456.07" in page
    assert "The card will be saved" in page
    assert "&lt;b&gt;up to 10&lt;/b&gt;" in page
    polish = pay._page(msgspec.structs.replace(await sandbox.kept(given.key), language="pl"))
    assert "123\N{NO-BREAK SPACE}456,07\N{NO-BREAK SPACE}zł" in polish


@pytest.mark.parametrize(
    ("button", "words"),
    [(Button.PAID, "Płatność przyjęta"), (Button.FAILED, "Płatność odrzucona"),
     (Button.ABANDONED, "Płatność przerwana")],
)  # fmt: skip
async def test_the_page_says_how_a_payment_ended_and_leads_back(sandbox, button, words) -> None:
    redirect = await sandbox.start(buying())
    page = pay._page(await sandbox.press(redirect.ref.key, button))

    assert f"<h1>{words}</h1>" in page
    assert "<form" not in page
    assert 'href="https://panel.prawko.test/panel/subscription?order=1&amp;x=2"' in page
