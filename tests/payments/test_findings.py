"""Operators see what does not add up, settle it, and are not told the same twice."""

import asyncio
from argparse import Namespace
from contextlib import nullcontext
from uuid import UUID

import pytest

from payments_shop import Shop
from prawko.base.clock import machine_now
from prawko.cli.main import main
from prawko.cli.payments import grosze, run_refund
from prawko.deliveries.sending import deliver_due
from prawko.hooks.payments import Money, PaymentError, PaymentRef, Redirect, event_of
from prawko.payments.findings import settle
from prawko.worker.wiring import correspondence
from stored import write

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
