"""Discrepancies are reported to operators once, refunded and resolved."""

import asyncio
import inspect
from uuid import UUID, uuid4

import click
import pytest

from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.accounts.audit_log import ClientInfo
from prawko.apps.cli import payments
from prawko.apps.cli.context import CommandError
from prawko.apps.cli.main import main
from prawko.apps.composition_root import create_renderer_registry
from prawko.hooks.payments import (
    Money,
    NextAction,
    PaymentError,
    PaymentEventKind,
    PaymentRef,
    Refund,
    RefundState,
    synthesize_event,
)
from prawko.kit.clock import utc_now
from prawko.kit.deliveries.senders import deliver_due
from prawko.payments.discrepancies import resolve_discrepancy
from support.database import execute_as_owner, fetch_rows
from support.payments import PRICE, PaymentScenario, signed_webhook

pytestmark = pytest.mark.anyio


@pytest.fixture
async def underpaid_discrepancy(scenario: PaymentScenario, fake) -> str:
    """A payment of too little; the finding's id."""
    _, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action, Money(100)))
    await scenario.process_webhooks()
    [discrepancy] = await scenario.discrepancies()
    return str(discrepancy["id"])


@pytest.fixture
def run_command(variables, logins, monkeypatch, capsys):
    """Runs a command as operators do, where the fakes are not set up."""
    operator_variables = {
        **variables, "DATABASE_URL": logins.worker, "PAYMENT_PROVIDERS": "", "REQUIRE_REASONS": "0",
        "REGISTER": "public", "REGISTER_PUBLIC_URL": "http://127.0.0.1:9",
        "MAIL_CHANNEL": "smtp", "CHANNEL_SMTP_HOST": "127.0.0.1", "CHANNEL_SMTP_TLS": "none",
        "CHANNEL_SMTP_SENDER": "prawko@prawko.test",
    }  # fmt: skip
    monkeypatch.setattr("os.environ", operator_variables)

    async def run(*arguments: str) -> tuple[int, str]:
        capsys.readouterr()
        code = await asyncio.to_thread(main, ["payments", *arguments])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


async def test_a_discrepancy_is_mailed_once_without_personal_data(
    scenario, fake, underpaid_discrepancy, mailbox
) -> None:
    for _ in range(3):
        await deliver_due(scenario.worker, create_renderer_registry(scenario.worker))
        await scenario.process_webhooks()

    [mail] = mailbox.messages_to("operator@prawko.test")
    [discrepancy] = await scenario.discrepancies()
    assert "inna kwota" in mail.text
    assert f"fake {discrepancy['reference']}" in mail.text
    assert "1,00 zł; żądano 183,27 zł" in mail.text
    assert "anna" not in mail.text.lower()


async def test_discrepancies_are_listed_and_resolved(run_command, underpaid_discrepancy) -> None:
    code, output = await run_command("list")
    assert code == 0, output
    assert f"{underpaid_discrepancy}  " in output
    assert "Z  wrong_amount" in output

    assert await run_command("resolve", underpaid_discrepancy, "--note", " ") == (
        1,
        "a note says what was done\n",
    )
    code, settled = await run_command("resolve", underpaid_discrepancy, "--note", "given back")
    assert code == 0
    assert settled.endswith("Z: given back\n")
    assert await run_command("list") == (0, "")
    assert underpaid_discrepancy in (await run_command("list", "--all"))[1]
    repeated = await run_command("resolve", underpaid_discrepancy, "--note", "twice")
    assert repeated == (1, f"no open discrepancy has the id {underpaid_discrepancy}\n")


@pytest.fixture
def run_refund_command(scenario: PaymentScenario, capsys):
    """Gives the command for money back, with the shop's own providers."""

    async def run(discrepancy: str, amount: str) -> tuple[int, str]:
        capsys.readouterr()
        refund = inspect.unwrap(payments.refund.callback)  # in this test's event loop
        try:
            money = payments.AmountType().convert(amount, None, None)
            acts = OperatorActs(scenario.worker, None, ClientInfo(ip="", user_agent=""))
            await refund(scenario.worker, acts, UUID(discrepancy), money, "a call")
        except CommandError as error:
            return error.exit_code, f"{error.message}\n"
        return 0, "".join(capsys.readouterr())

    return run


async def test_a_refund_is_made_once_and_resolves_the_discrepancy(
    scenario, fake, run_refund_command
) -> None:
    _, action = await scenario.start_payment()
    await scenario.post_webhook("fake", await fake.pay(action, Money(100)))
    await scenario.process_webhooks()
    [discrepancy] = await scenario.discrepancies()
    truth = await fake.query_status(action.ref)
    assert truth is not None
    assert truth.money == Money(100)

    assert await run_refund_command(str(discrepancy["id"]), "1.01") == (
        1,
        "refused: the amount is higher than the discrepancy's\n",
    )
    fake.failure = PaymentError("away")
    code, output = await run_refund_command(str(discrepancy["id"]), "1.00")
    assert (code, output.startswith("no answer")) == (1, True)
    fake.failure = None
    await fake.capture(synthesize_event(truth, utc_now()), expected=Money(100))

    code, output = await run_refund_command(str(discrepancy["id"]), "1.00")
    assert code == 0, output
    assert output.endswith("Z: refunded: 1,00 zł (succeeded)\n")
    assert len(await fetch_rows(scenario.logins, "SELECT FROM admin_action")) == 1
    assert fake.refunded_amount(action.ref) == 100
    assert await scenario.open_incidents() == []
    repeated = await run_refund_command(str(discrepancy["id"]), "1.00")
    assert repeated == (1, f"no open discrepancy has the id {discrepancy['id']}\n")
    assert fake.refunded_amount(action.ref) == 100


async def test_a_failed_refund_leaves_the_discrepancy_open(
    scenario, run_refund_command, underpaid_discrepancy
) -> None:
    code, output = await run_refund_command(underpaid_discrepancy, "1.00")
    assert code == 1
    assert output == "refused: nothing was paid\n"  # a claim that was never confirmed is not ours
    assert len(await scenario.open_incidents()) == 1


@pytest.fixture
async def second_payment(scenario: PaymentScenario, fake) -> NextAction:
    """A second payment of the same order, which was paid as well."""
    order = uuid4()
    for _ in range(2):
        _, action = await scenario.start_payment(order_id=order)
        await scenario.post_webhook("fake", await fake.pay(action))
        await scenario.process_webhooks()
    return action


async def payment_state(scenario: PaymentScenario, action: NextAction) -> str:
    [row] = await fetch_rows(
        scenario.logins, "SELECT state FROM payment WHERE reference = $1", action.ref.reference
    )
    return row["state"]


@pytest.mark.parametrize("report", ["at its leisure", "before its answer", "after a lost answer"])
async def test_an_operators_refund_is_not_another_discrepancy(
    scenario, fake, run_refund_command, second_payment, report
) -> None:
    [discrepancy] = await scenario.discrepancies()
    assert discrepancy["kind"] == "paid_twice"
    give = fake.refund
    refund_event = signed_webhook(
        fake, second_payment.ref.reference, PaymentEventKind.REFUNDED, "back"
    )

    async def refund_and_report(*args, **options):
        refund_result = await give(*args, **options)
        if report == "before its answer":
            await scenario.post_webhook("fake", refund_event)
            await scenario.process_webhooks()
        if report == "after a lost answer":
            raise PaymentError("no answer")
        return refund_result

    fake.refund = refund_and_report
    code, output = await run_refund_command(str(discrepancy["id"]), "183.27")
    assert code == (1 if report == "after a lost answer" else 0), output
    for _ in range(2):
        await scenario.post_webhook("fake", refund_event)
        await scenario.process_webhooks()
    fake.refund = give
    if code:
        failed = await run_refund_command(str(discrepancy["id"]), "183.26")
        assert failed == (1, "refused: another amount was requested before: use that one\n")
        assert (await run_refund_command(str(discrepancy["id"]), "183.27"))[0] == 0

    assert await payment_state(scenario, second_payment) == "refunded"
    assert [discrepancy["kind"] for discrepancy in await scenario.discrepancies()] == ["paid_twice"]
    assert await scenario.open_incidents() == []
    assert fake.refunded_amount(second_payment.ref) == PRICE.grosze


@pytest.mark.parametrize("ours", ["a part of it", "nothing, it was refused"])
async def test_a_refund_made_elsewhere_is_reported(
    scenario, fake, run_refund_command, second_payment, ours
) -> None:
    [discrepancy] = await scenario.discrepancies()
    if ours == "a part of it":
        assert (await run_refund_command(str(discrepancy["id"]), "83.27"))[0] == 0
    else:
        fake.failure = PaymentError("the account is closed", permanent=True)
        assert (await run_refund_command(str(discrepancy["id"]), "183.27"))[0] == 1
        fake.failure = None
    remaining = Money(PRICE.grosze - fake.refunded_amount(second_payment.ref))
    await fake.refund(second_payment.ref, remaining, refund_reference="elsewhere")
    await scenario.post_webhook(
        "fake",
        signed_webhook(fake, second_payment.ref.reference, PaymentEventKind.REFUNDED, "back"),
    )
    await scenario.process_webhooks()

    assert [discrepancy["kind"] for discrepancy in await scenario.discrepancies()] == [
        "paid_twice",
        "refunded_elsewhere",
    ]
    assert "refunded_elsewhere" in await scenario.open_incidents()


async def test_a_refund_that_fails_later_reopens_its_discrepancy(
    scenario, fake, run_refund_command, second_payment
) -> None:
    results = [Refund(RefundState.PENDING)] * 2 + [Refund(RefundState.FAILED, "the card is gone")]
    calls = []

    async def next_result(ref, amount, *, refund_reference):
        calls.append((ref.reference, amount, refund_reference))
        return results.pop(0)

    fake.refund = next_result
    [discrepancy] = await scenario.discrepancies()
    assert (await run_refund_command(str(discrepancy["id"]), "183.27"))[0] == 0
    assert await scenario.open_incidents() == []
    for number in range(3):
        key = discrepancy["id"].hex
        call = signed_webhook(
            fake,
            second_payment.ref.reference,
            PaymentEventKind.REFUND_FAILED,
            f"{number}",
            refund_key=key,
        )
        await scenario.post_webhook("fake", call)
        await scenario.process_webhooks()

    assert calls == [(second_payment.ref.reference, PRICE, discrepancy["id"].hex)] * 3, (
        "once it is refused, no more"
    )
    [reopened] = await scenario.discrepancies()
    assert reopened["resolved_at"] is None
    assert reopened["detail"].endswith("; its refund failed: the card is gone")
    assert await scenario.open_incidents() == ["paid_twice"]


@pytest.mark.parametrize("amount", ["1", "1.0", "-1.00", "1.000", "1,00 zł", ""])
def test_an_amount_has_two_decimals(amount) -> None:
    convert = payments.AmountType().convert
    assert convert("183,27", None, None) == convert("183.27", None, None) == 18327
    with pytest.raises(click.BadParameter):
        convert(amount, None, None)


async def test_a_discrepancy_whose_refund_is_not_made_cannot_be_resolved(
    run_command, scenario, underpaid_discrepancy
) -> None:
    await execute_as_owner(scenario.logins, "UPDATE payment_discrepancy SET refunded_grosze = 100")
    refused = await run_command("resolve", underpaid_discrepancy, "--note", "given back")
    assert refused == (1, "its refund was requested and is not made yet: that resolves it\n")
    assert (await scenario.discrepancies())[0]["resolved_at"] is None


async def test_a_resolved_discrepancy_is_not_reported_again(
    scenario, fake, underpaid_discrepancy
) -> None:
    async with scenario.worker.database.system() as session:
        [discrepancy] = await scenario.discrepancies()
        now = scenario.worker.clock.now()
        assert await resolve_discrepancy(session, discrepancy["id"], "given back", now, utc_now())
    assert await scenario.open_incidents() == []

    for _ in range(2):
        await scenario.post_webhook(
            "fake", await fake.pay(NextAction(ref=PaymentRef(discrepancy["reference"])), Money(100))
        )
        await execute_as_owner(
            scenario.logins, "UPDATE webhook_event SET event_id = event_id || 'x'"
        )
        await scenario.process_webhooks()
    assert len(await scenario.discrepancies()) == 1
    assert await scenario.open_incidents() == []
