"""Operators see what does not add up, settle it, and are not told the same twice."""

import asyncio
from argparse import Namespace
from contextlib import nullcontext
from uuid import UUID

import pytest

from payments_shop import PRICE, Shop, told
from prawko.base.clock import machine_now
from prawko.cli.main import main
from prawko.cli.payments import grosze, run_refund
from prawko.deliveries.sending import deliver_due
from prawko.hooks.payments import (
    EventKind,
    Money,
    PaymentError,
    PaymentRef,
    Redirect,
    Refund,
    RefundState,
    event_of,
)
from prawko.payments.findings import settle
from prawko.worker.wiring import correspondence
from stored import look, write

pytestmark = pytest.mark.anyio


@pytest.fixture
async def underpaid(shop: Shop, fake) -> str:
    """A payment of too little; the finding's id."""
    _, redirect = await shop.buys()
    await shop.hears("fake", await fake.pay(redirect, Money(100)))
    await shop.works()
    [finding] = await shop.found()
    return str(finding["id"])


@pytest.fixture
def prawko(variables, logins, monkeypatch, capsys):
    """Runs a command as operators do, where the fakes are not set up."""
    own = {
        **variables, "DATABASE_URL": logins.worker, "PAYMENT_PROVIDERS": "",
        "REGISTER": "public", "REGISTER_PUBLIC_URL": "http://127.0.0.1:9",
        "MAIL_CHANNEL": "smtp", "CHANNEL_SMTP_HOST": "127.0.0.1", "CHANNEL_SMTP_TLS": "none",
        "CHANNEL_SMTP_SENDER": "prawko@prawko.test",
    }  # fmt: skip
    monkeypatch.setattr("os.environ", own)

    async def run(*arguments: str) -> tuple[int, str]:
        capsys.readouterr()
        code = await asyncio.to_thread(main, ["payments", *arguments])
        told = capsys.readouterr()
        return code, told.out + told.err

    return run


async def test_a_finding_is_mailed_once_and_names_nobody(shop, fake, underpaid, mailbox) -> None:
    for _ in range(3):
        await deliver_due(shop.worker, correspondence(shop.worker))
        await shop.works()

    [mail] = mailbox.to("operator@prawko.test")
    [finding] = await shop.found()
    assert "inna kwota" in mail.text
    assert f"fake {finding['key']}" in mail.text
    assert "1.00 PLN: claimed, where 183.27 PLN were asked for" in mail.text
    assert "anna" not in mail.text.lower()


async def test_findings_are_listed_and_settled(prawko, underpaid) -> None:
    code, listed = await prawko("list")
    assert code == 0, listed
    assert f"{underpaid}  " in listed
    assert "Z  wrong_amount" in listed

    assert await prawko("settle", underpaid, "--note", " ") == (1, "a note says what was done\n")
    code, settled = await prawko("settle", underpaid, "--note", "given back")
    assert code == 0
    assert settled.endswith("Z: given back\n")
    assert await prawko("list") == (0, "")
    assert underpaid in (await prawko("list", "--all"))[1]
    again = await prawko("settle", underpaid, "--note", "twice")
    assert again == (1, f"nothing that is open has the id {underpaid}\n")


@pytest.fixture
def refund(shop: Shop, monkeypatch, capsys):
    """Gives the command for money back, with the shop's own providers."""

    monkeypatch.setattr("prawko.cli.payments.opened", lambda _: nullcontext(shop.worker))

    async def run(finding: str, amount: str) -> tuple[int, str]:
        capsys.readouterr()
        code = await run_refund(Namespace(id=UUID(finding), amount=grosze(amount)), {})
        return code, "".join(capsys.readouterr())

    return run


async def test_money_is_given_back_once_and_the_finding_is_settled(shop, fake, refund) -> None:
    _, redirect = await shop.buys()
    await shop.hears("fake", await fake.pay(redirect, Money(100)))
    await shop.works()
    [finding] = await shop.found()
    truth = await fake.status(redirect.ref)
    assert truth is not None
    assert truth.money == Money(100)

    assert await refund(str(finding["id"]), "1.01") == (1, "refused: it is not that much\n")
    fake.broken = PaymentError("away")
    code, said = await refund(str(finding["id"]), "1.00")
    assert (code, said.startswith("no answer")) == (1, True)
    fake.broken = None
    await fake.confirm(event_of(truth, machine_now()), expected=Money(100))

    code, said = await refund(str(finding["id"]), "1.00")
    assert code == 0, said
    assert said.endswith("Z: given back: 1.00 PLN (done)\n")
    assert fake.refunded(redirect.ref) == 100
    assert await shop.incidents() == []
    again = await refund(str(finding["id"]), "1.00")
    assert again == (1, f"nothing that is open has the id {finding['id']}\n")
    assert fake.refunded(redirect.ref) == 100


async def test_a_refused_refund_leaves_the_finding_open(shop, refund, underpaid) -> None:
    code, said = await refund(underpaid, "1.00")
    assert code == 1
    assert said == "refused: nothing was paid\n"  # a claim that was never confirmed is not ours
    assert len(await shop.incidents()) == 1


@pytest.fixture
async def second(shop: Shop, fake) -> Redirect:
    """A second payment of the same order, which was paid as well."""
    order = shop.purchase().order_id
    for _ in range(2):
        _, redirect = await shop.buys(order_id=order)
        await shop.hears("fake", await fake.pay(redirect))
        await shop.works()
    return redirect


async def state(shop: Shop, redirect: Redirect) -> str:
    [row] = await look(shop.logins, "SELECT state FROM payment WHERE key = $1", redirect.ref.key)
    return row["state"]


@pytest.mark.parametrize("how", ["at its leisure", "before its answer", "after a lost answer"])
async def test_what_an_operator_gave_back_is_no_finding(shop, fake, refund, second, how) -> None:
    [finding] = await shop.found()
    assert finding["kind"] == "paid_twice"
    give = fake.refund
    back = told(fake, second.ref.key, EventKind.REFUNDED, "back")

    async def gives(*about, **named):
        given = await give(*about, **named)
        if how == "before its answer":
            await shop.hears("fake", back)
            await shop.works()
        if how == "after a lost answer":
            raise PaymentError("no answer")
        return given

    fake.refund = gives
    code, said = await refund(str(finding["id"]), "183.27")
    assert code == (1 if how == "after a lost answer" else 0), said
    for _ in range(2):
        await shop.hears("fake", back)
        await shop.works()
    fake.refund = give
    if code:
        wrong = await refund(str(finding["id"]), "183.26")
        assert wrong == (1, "refused: another sum was asked for before: give that one\n")
        assert (await refund(str(finding["id"]), "183.27"))[0] == 0

    assert await state(shop, second) == "refunded"
    assert [one["kind"] for one in await shop.found()] == ["paid_twice"]
    assert await shop.incidents() == []
    assert fake.refunded(second.ref) == PRICE.grosze


@pytest.mark.parametrize("ours", ["a part of it", "nothing, it was refused"])
async def test_what_went_back_without_us_is_found_all_the_same(
    shop, fake, refund, second, ours
) -> None:
    [finding] = await shop.found()
    if ours == "a part of it":
        assert (await refund(str(finding["id"]), "83.27"))[0] == 0
    else:
        fake.broken = PaymentError("the account is closed", permanent=True)
        assert (await refund(str(finding["id"]), "183.27"))[0] == 1
        fake.broken = None
    left = Money(PRICE.grosze - fake.refunded(second.ref))
    await fake.refund(second.ref, left, key="elsewhere")
    await shop.hears("fake", told(fake, second.ref.key, EventKind.REFUNDED, "back"))
    await shop.works()

    assert [one["kind"] for one in await shop.found()] == ["paid_twice", "refunded_elsewhere"]
    assert "refunded_elsewhere" in await shop.incidents()


async def test_a_refund_that_is_refused_in_the_end_is_the_operators_again(
    shop, fake, refund, second
) -> None:
    said = [Refund(RefundState.PENDING)] * 2 + [Refund(RefundState.REFUSED, "the card is gone")]
    asked = []

    async def gives(ref, amount, *, key):
        asked.append((ref.key, amount, key))
        return said.pop(0)

    fake.refund = gives
    [finding] = await shop.found()
    assert (await refund(str(finding["id"]), "183.27"))[0] == 0
    assert await shop.incidents() == []
    for number in range(3):
        key = finding["id"].hex
        call = told(fake, second.ref.key, EventKind.REFUND_REFUSED, f"{number}", refund_key=key)
        await shop.hears("fake", call)
        await shop.works()

    assert asked == [(second.ref.key, PRICE, finding["id"].hex)] * 3, "once it is refused, no more"
    [reopened] = await shop.found()
    assert reopened["settled_at"] is None
    assert reopened["detail"].endswith("; its refund was refused: the card is gone")
    assert await shop.incidents() == ["paid_twice"]


@pytest.mark.parametrize("amount", ["1", "1.0", "-1.00", "1.000", "1,00 zł", ""])
def test_an_amount_has_two_places(amount) -> None:
    assert grosze("183,27") == grosze("183.27") == 18327
    with pytest.raises(ValueError):  # noqa: PT011  # argparse words it
        grosze(amount)


async def test_settling_ends_the_incident_for_good(shop, fake, underpaid) -> None:
    async with shop.worker.database.system() as session:
        [finding] = await shop.found()
        now = shop.worker.clock.now()
        assert await settle(session, finding["id"], "given back", now, machine_now())
    assert await shop.incidents() == []

    for _ in range(2):
        await shop.hears(
            "fake", await fake.pay(Redirect(ref=PaymentRef(finding["key"])), Money(100))
        )
        await write(shop.logins, "UPDATE webhook_event SET event_id = event_id || 'x'")
        await shop.works()
    assert len(await shop.found()) == 1
    assert await shop.incidents() == []
