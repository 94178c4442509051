"""Whatever the register does wrong, on real sockets, says nothing about a driver (reading R10)."""

import time
from datetime import timedelta

import pytest

from fleet import overseen
from prawko.base.clock import machine_now
from prawko.base.start import close_tools, open_tools
from prawko.testing.fakes import FakeRegister, fake_plugin
from prawko.verifications.daily import run_daily_check
from prawko.worker.wiring import correspondence
from prawko_demo.register import running_register
from prawko_demo.register.documents import Coded, Document, Unknown
from prawko_demo.register.faults import Kind, Order

pytestmark = pytest.mark.anyio

DEADLINE = 0.8
JAN = ("Jan", "Kowalski")
BEFORE = {
    "AB000000": "unknown",
    "AB000001": "valid",
    "AB000002": "invalid",
    "AB000003": "attention",
    "AB000008": "not_found",
}
DOCUMENTS = {
    "AB000002": Document(*JAN, state=Coded("Zatrzymany", "DICT003_ZAT")),
    "AB000003": Document(*JAN, state=Coded("Utracony", "DICT003_UTR")),
}
ACCOUNT = {Kind.HTTP_401, Kind.HTTP_403}
ONLY_XML = {Kind.XML_BOMB, Kind.EXTERNAL_ENTITY}
KINDS = {"upki": list(Kind), "public": [kind for kind in Kind if kind not in ONLY_XML]}


@pytest.fixture(scope="module")
async def running(tmp_path_factory):
    async with running_register(tmp_path_factory.mktemp("register")) as simulator:
        yield simulator


@pytest.fixture
def simulator(running):
    running.shelf.unknown = Unknown.AUTO
    running.shelf.forget_calls()
    running.faults.order = Order(kind=None)
    running.followed = 0
    for serial in tuple(running.shelf._documents):
        running.shelf.forget(serial)
    for serial, document in DOCUMENTS.items():
        running.shelf.put(serial, document)
    return running


@pytest.fixture
async def fleet(servers, logins):
    async with overseen(servers, logins) as fleet:
        yield fleet


@pytest.fixture
async def tools_with(variables, logins, simulator, clock, mailbox):
    """The worker's tools with one of the two real adapters."""
    address, opened = simulator.address, []

    def make(register="upki", **more):
        tools = open_tools(
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
                **more,
            },
            extra_plugins={"fakes": fake_plugin(FakeRegister(), mailbox)},
            clock=clock,
        )
        opened.append(tools)
        return tools

    yield make
    for tools in opened:
        await close_tools(tools)


def knows(simulator, numbers):
    """The public service knows nobody but those it was told of."""
    for number in numbers:
        if simulator.shelf.get(number) is None:
            simulator.shelf.put(number, Document(*JAN))


async def asked_anew(fleet):
    """As if pauses and waits were over."""
    await fleet.forget_trouble()
    await fleet.admin.execute(
        "UPDATE check_item SET next_try_at = now() - interval '1 s', attempts = 0,"
        " error_kind = NULL WHERE state = 'due'"
    )


async def checked(tools):
    return await run_daily_check(tools, correspondence(tools))


async def brought_about(simulator, fleet, clock, tools):
    """One driver in each state."""
    knows(simulator, ["AB000001"])
    await fleet.add([number for number in BEFORE if BEFORE[number] != "unknown"], clock.now())
    await checked(tools)
    clock.forward(days=1)
    await fleet.add(["AB000000"], clock.now())
    assert await fleet.statuses() == BEFORE


@pytest.mark.parametrize("register", KINDS)
async def test_no_fault_changes_a_driver_or_tells_a_company(
    register, simulator, tools_with, fleet, clock, mailbox, subtests
):
    tools = tools_with(register)
    await brought_about(simulator, fleet, clock, tools)
    before, mails = await fleet.fates(), len(mailbox.sent)

    for kind in KINDS[register]:
        simulator.faults.order = Order(kind=kind)
        await asked_anew(fleet)
        began = time.monotonic()
        report = await checked(tools)
        with subtests.test(kind=kind):
            assert time.monotonic() - began < 3 * DEADLINE + 4
            assert (report.done, report.unresolved, report.notices) == (0, len(BEFORE), 0)
            assert await fleet.fates() == before
            told = {sent.recipient.email for sent in mailbox.sent[mails:]}
            assert told <= {"operator@prawko.test"}
            items = (await fleet.items()).values()
            assert {(item["state"], item["outcome"]) for item in items} == {("due", None)}
            assert any(item["attempts"] or kind in ACCOUNT for item in items)
            assert simulator.followed == 0
            refused = "SELECT account_error FROM register_pace WHERE lane = 'run'"
            assert (await fleet.value(refused) is not None) == (kind in ACCOUNT)

    simulator.faults.order = Order(kind=None)
    knows(simulator, ["AB000000"])
    await asked_anew(fleet)
    report = await checked(tools)
    assert (report.done, report.unresolved) == (len(BEFORE), 0)
    assert await fleet.statuses() == {**BEFORE, "AB000000": "valid"}


@pytest.mark.parametrize("words", ["seconds", "date"])
async def test_a_429_is_obeyed_to_its_end(words, simulator, tools_with, fleet, clock):
    tools = tools_with()
    await fleet.add([f"AB00000{digit}" for digit in range(8)], clock.now())
    end = machine_now() + timedelta(seconds=90)
    asked_for = 90 if words == "seconds" else f"{end:%a, %d %b %Y %H:%M:%S GMT}"
    simulator.faults.order = Order(kind=Kind.HTTP_429, retry_after=asked_for, times=1)

    await checked(tools)
    until = await fleet.value("SELECT paused_until FROM register_pace WHERE lane = 'run'")
    assert abs((until - end).total_seconds()) < 5
    calls = simulator.shelf.count
    await checked(tools)
    assert simulator.shelf.count == calls


async def test_answers_that_drip_hold_nobody_up_for_long(simulator, tools_with, fleet, clock):
    """Four calls in forty are never answered; the others are, meanwhile."""
    tools = tools_with(REGISTER_PARALLEL="8")
    await fleet.add([f"AB{index:05d}0" for index in range(40)], clock.now())
    simulator.faults.order = Order(kind=Kind.DRIP, times=4)
    report = await checked(tools)
    assert (report.done, report.unresolved) == (36, 4)


async def test_a_full_outage_lets_one_probe_through(simulator, tools_with, fleet, clock):
    tools = tools_with(REGISTER_RATE="20")
    await fleet.add([f"AB{index:05d}0" for index in range(100)], clock.now())
    simulator.faults.order = Order(kind=Kind.HTTP_503)
    await checked(tools)
    calls = simulator.shelf.count
    assert calls <= 64
    assert await fleet.value("SELECT breaker FROM register_pace WHERE lane = 'run'") == "open"
    await checked(tools)
    assert simulator.shelf.count == calls

    await fleet.admin.execute("UPDATE register_pace SET probe_at = now() - interval '1 s'")
    await checked(tools)
    assert simulator.shelf.count == calls + 1
    await checked(tools)
    assert simulator.shelf.count == calls + 1

    simulator.faults.order = Order(kind=None)
    await fleet.admin.execute("UPDATE register_pace SET probe_at = now() - interval '1 s'")
    await fleet.admin.execute("UPDATE check_item SET next_try_at = now() - interval '1 s'")
    report = await checked(tools)
    assert (report.done, report.unresolved) == (100, 0)


async def test_an_answer_that_bears_another_serial_is_no_answer(
    simulator, tools_with, fleet, clock
):
    simulator.shelf.put(
        "AB000001",
        Document(*JAN, state=Coded("Zatrzymany", "DICT003_ZAT"), printed_serial="ZZ999999"),
    )
    await fleet.add(["AB000001"], clock.now())
    report = await checked(tools_with())
    assert (report.done, report.unresolved) == (0, 1)
    assert await fleet.statuses() == {"AB000001": "unknown"}
