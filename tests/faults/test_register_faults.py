"""Faults of the register over real sockets change no driver (docs/rules.md R10)."""

import asyncio
from datetime import timedelta

import pytest

from prawko.apps.composition_root import create_context, create_renderer_registry
from prawko.kit.bootstrap import close_context
from prawko.kit.clock import utc_now
from prawko.verifications.daily.run_now import run_daily_check
from prawko_demo.register.documents import DictionaryEntry, RegisterDocument
from prawko_demo.register.faults import FaultKind, FaultPlan
from prawko_testing.fakes import FakeRegister, fake_plugin
from support.servers.register import reset_simulator

pytestmark = pytest.mark.anyio

DEADLINE = 0.8
LONGEST_CHECK = 3 * DEADLINE + 15  # with a margin for a busy machine
JAN = ("Jan", "Kowalski")
STATUSES = {
    "AB000000": "unknown",
    "AB000001": "valid",
    "AB000002": "invalid",
    "AB000003": "attention",
    "AB000008": "not_found",
}
DOCUMENTS = {
    "AB000002": RegisterDocument(*JAN, state=DictionaryEntry("Zatrzymany", "DICT003_ZAT")),
    "AB000003": RegisterDocument(*JAN, state=DictionaryEntry("Utracony", "DICT003_UTR")),
}
ACCOUNT_FAULTS = {FaultKind.HTTP_401, FaultKind.HTTP_403}
XML_FAULTS = {FaultKind.XML_BOMB, FaultKind.EXTERNAL_ENTITY}
FAULTS = {"upki": list(FaultKind), "public": [kind for kind in FaultKind if kind not in XML_FAULTS]}


@pytest.fixture
def simulator(register_process):
    return reset_simulator(register_process, DOCUMENTS)


@pytest.fixture
async def open_worker_context(variables, logins, simulator, clock, mailbox):
    """Opens worker contexts with one of the two real adapters."""
    address, contexts = simulator.address, []

    def open_context(register="upki", **settings):
        context = create_context(
            {
                **variables,
                "DATABASE_URL": logins.worker,
                "PLANNER_DATABASE_URL": logins.planner,
                "REGISTER": register,
                "SMS_CHANNEL": "",
                "REGISTER_DEADLINE": str(DEADLINE),
                "REGISTER_UPKI_URL": address.soap_url,
                "REGISTER_UPKI_P12": address.p12,
                "REGISTER_UPKI_P12_PASSWORD": address.p12_password,
                "REGISTER_UPKI_CA": address.ca,
                "REGISTER_UPKI_SERVER_NAME": address.server_name,
                "REGISTER_UPKI_DEADLINE": str(DEADLINE),
                "REGISTER_PUBLIC_URL": address.json_url,
                "REGISTER_PUBLIC_DEADLINE": str(DEADLINE),
                **settings,
            },
            extra_plugins={"fakes": fake_plugin(FakeRegister(), mailbox)},
            clock=clock,
        )
        contexts.append(context)
        return context

    yield open_context
    for context in contexts:
        await close_context(context)


def add_documents(simulator, numbers):
    """Store documents; the public service knows no generated ones."""
    for number in numbers:
        if simulator.document_store.get(number) is None:
            simulator.document_store.put(number, RegisterDocument(*JAN))


async def clear_waits(fleet):
    """Reset the rate limiter and the delays of open items."""
    await fleet.clear_rate_limiter()
    await fleet.admin.execute(
        "UPDATE check_item SET next_try_at = now() - interval '1 s', attempts = 0,"
        " error_kind = NULL WHERE state = 'due'"
    )


async def run_check(context):
    return await run_daily_check(context, create_renderer_registry(context))


async def prepare_states(simulator, fleet, clock, context):
    """One driver in each state."""
    add_documents(simulator, ["AB000001"])
    await fleet.add_companies(
        [number for number in STATUSES if STATUSES[number] != "unknown"], clock.now()
    )
    await run_check(context)
    clock.forward(days=1)
    await fleet.add_companies(["AB000000"], clock.now())
    assert await fleet.statuses() == STATUSES


@pytest.mark.parametrize("register", FAULTS)
async def test_no_fault_changes_a_driver_or_notifies_a_company(
    register, simulator, open_worker_context, fleet, clock, mailbox, subtests
):
    context = open_worker_context(register)
    await prepare_states(simulator, fleet, clock, context)
    before, mails = await fleet.driver_rows(), len(mailbox.sent)

    for kind in FAULTS[register]:
        simulator.faults.plan = FaultPlan(kind=kind)
        await clear_waits(fleet)
        async with asyncio.timeout(LONGEST_CHECK):
            report = await run_check(context)
        with subtests.test(kind=kind):
            assert (report.done, report.unresolved, report.notices) == (0, len(STATUSES), 0)
            assert await fleet.driver_rows() == before
            recipients = {sent.recipient.email for sent in mailbox.sent[mails:]}
            assert recipients <= {"operator@prawko.test"}
            items = (await fleet.latest_items()).values()
            assert {(item["state"], item["outcome"]) for item in items} == {("due", None)}
            assert any(item["attempts"] or kind in ACCOUNT_FAULTS for item in items)
            assert simulator.followed_count == 0
            query = "SELECT account_error FROM register_limiter WHERE lane = 'run'"
            assert (await fleet.fetch_value(query) is not None) == (kind in ACCOUNT_FAULTS)

    simulator.faults.plan = FaultPlan(kind=None)
    add_documents(simulator, ["AB000000"])
    await clear_waits(fleet)
    report = await run_check(context)
    assert (report.done, report.unresolved) == (len(STATUSES), 0)
    assert await fleet.statuses() == {**STATUSES, "AB000000": "valid"}


@pytest.mark.parametrize("retry_after_form", ["seconds", "date"])
async def test_a_429_pauses_until_its_retry_after(
    retry_after_form, simulator, open_worker_context, fleet, clock
):
    context = open_worker_context()
    await fleet.add_companies([f"AB00000{digit}" for digit in range(8)], clock.now())
    end = utc_now() + timedelta(seconds=90)
    retry_after = 90 if retry_after_form == "seconds" else f"{end:%a, %d %b %Y %H:%M:%S GMT}"
    simulator.faults.plan = FaultPlan(kind=FaultKind.HTTP_429, retry_after=retry_after, times=1)

    await run_check(context)
    paused_until = await fleet.fetch_value(
        "SELECT paused_until FROM register_limiter WHERE lane = 'run'"
    )
    assert abs((paused_until - end).total_seconds()) < 5
    calls = simulator.document_store.call_count
    await run_check(context)
    assert simulator.document_store.call_count == calls


async def test_dripping_answers_do_not_delay_the_others(
    simulator, open_worker_context, fleet, clock
):
    """Four of forty calls are never answered, the others are."""
    context = open_worker_context(REGISTER_PARALLEL="8")
    await fleet.add_companies([f"AB{index:05d}0" for index in range(40)], clock.now())
    simulator.faults.plan = FaultPlan(kind=FaultKind.DRIP, times=4)
    report = await run_check(context)
    assert (report.done, report.unresolved) == (36, 4)


async def test_a_full_outage_lets_one_probe_through(simulator, open_worker_context, fleet, clock):
    context = open_worker_context(REGISTER_RATE="20")
    await fleet.add_companies([f"AB{index:05d}0" for index in range(100)], clock.now())
    simulator.faults.plan = FaultPlan(kind=FaultKind.HTTP_503)
    await run_check(context)
    calls = simulator.document_store.call_count
    assert calls <= 64
    assert (
        await fleet.fetch_value("SELECT breaker FROM register_limiter WHERE lane = 'run'") == "open"
    )
    await run_check(context)
    assert simulator.document_store.call_count == calls

    await fleet.admin.execute("UPDATE register_limiter SET probe_at = now() - interval '1 s'")
    await run_check(context)
    assert simulator.document_store.call_count == calls + 1
    await run_check(context)
    assert simulator.document_store.call_count == calls + 1

    simulator.faults.plan = FaultPlan(kind=None)
    await fleet.admin.execute("UPDATE register_limiter SET probe_at = now() - interval '1 s'")
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 s'")
    report = await run_check(context)
    assert (report.done, report.unresolved) == (100, 0)


async def test_an_answer_with_another_serial_is_rejected(
    simulator, open_worker_context, fleet, clock
):
    simulator.document_store.put(
        "AB000001",
        RegisterDocument(
            *JAN, state=DictionaryEntry("Zatrzymany", "DICT003_ZAT"), printed_serial="ZZ999999"
        ),
    )
    await fleet.add_companies(["AB000001"], clock.now())
    report = await run_check(open_worker_context())
    assert (report.done, report.unresolved) == (0, 1)
    assert await fleet.statuses() == {"AB000001": "unknown"}
