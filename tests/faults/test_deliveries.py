"""Every message leaves once, whatever dies, hangs or refuses on its way."""

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import asyncpg
import msgspec
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from faults.dying_postman import dies_at
from fleet import overseen
from prawko.base.clock import WARSAW, machine_now
from prawko.base.jobs import Tools
from prawko.base.plugins import Plugins
from prawko.deliveries import incidents, jobs, lane, marking
from prawko.deliveries.backoff import MOST_ATTEMPTS
from prawko.deliveries.composing import Correspondence, Due, Message
from prawko.deliveries.jobs import Postman, deliver_pending, watch_incidents
from prawko.deliveries.operator_mail import compose_operator_mail
from prawko.deliveries.orders import Order
from prawko.deliveries.outbox import enqueue
from prawko.deliveries.repository import DeliveryRepository
from prawko.deliveries.sending import deliver_all, deliver_due, next_due
from prawko.hooks.channels import DeliveryError, Medium, Notice, Recipient
from prawko.hooks.failures import AccountError
from prawko_tenants.ids import DeliveryId, UserId, new_id
from stored import look

pytestmark = pytest.mark.anyio

ANNA = Recipient(email="anna@acme.test", phone="+48600100200")
MAIL, SMS = Medium.EMAIL, Medium.SMS
LINES = ("claimed", "composed", "handed over", "marked")  # where dying_postman.py can die


class Carrier:
    """A channel that does what a test wants; by default it takes everything."""

    def __init__(self, medium: Medium) -> None:
        self.medium = medium
        self.name = f"carrier-{medium.value}"
        self.taken: list[str] = []
        self.tried: list[str] = []
        self.notices: list[Notice] = []
        self.behave: Callable[[str], Awaitable[None]] = self.take_it

    async def take_it(self, key: str) -> None:
        """Nothing is in the way."""

    def fails_with(self, error: Exception) -> None:
        async def fail(key: str) -> None:
            raise error

        self.behave = fail

    def works(self) -> None:
        self.behave = self.take_it

    def reaches(self, recipient: Recipient) -> bool:
        return (recipient.email if self.medium is MAIL else recipient.phone) is not None

    async def deliver(self, notice: Notice, recipient: Recipient, *, key: str) -> str | None:
        self.tried.append(key)
        await self.behave(key)
        self.taken.append(key)
        self.notices.append(notice)
        return f"ref-{key}"

    async def close(self) -> None:
        """There is nothing to give back."""


class Writer:
    """Composes what tests ordered; `wanted` says who still wants it."""

    def __init__(self) -> None:
        self.secrets: list[str | None] = []
        self.recipient = ANNA
        self.unwanted: set[str] = set()
        self.poisoned: set[str] = set()

    async def __call__(self, tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
        subjects = {str(one.subject_id) for one in due}
        if subjects & self.poisoned:
            raise RuntimeError("Anna's licence AA123456 cannot be written about")
        self.secrets += [one.secret for one in due]
        notice = Notice(title="Tytuł", text="x", html="x", line="x")
        return {
            one.id: Message(notice, self.recipient)
            for one in due
            if str(one.subject_id) not in self.unwanted
        }


class Reports:
    """What is said of addresses."""

    def __init__(self) -> None:
        self.reached_by: list[Due] = []
        self.refused_by: list[tuple[Due, str]] = []
        self.given_up_on: list[str] = []
        self.forbidden: set[str] = set()

    async def allows(self, session, due: Due, recipient: Recipient) -> bool:
        return str(due.subject_id) not in self.forbidden

    async def reached(self, session, due: Due) -> None:
        self.reached_by.append(due)

    async def refused(self, session, due: Due, reason: str) -> None:
        self.refused_by.append((due, reason))

    async def given_up(self, session, due: Due) -> None:
        self.given_up_on.append(due.key)


class Office:
    """The worker's outbox with carriers, a writer and reports of our own."""

    def __init__(self, worker: Tools, logins) -> None:
        self.mail, self.sms = Carrier(MAIL), Carrier(SMS)
        self.writer, self.reports = Writer(), Reports()
        channels = {self.mail.name: self.mail, self.sms.name: self.sms}
        self.tools = dataclasses.replace(
            worker,
            plugins=Plugins((), {}, channels),
            settings=msgspec.structs.replace(
                worker.settings, mail_channel=self.mail.name, sms_channel=self.sms.name
            ),
        )
        composers = {"test": self.writer, incidents.OPERATOR_MAIL: compose_operator_mail}
        self.correspondence = Correspondence(composers, self.reports)
        self.logins = logins

    async def order(self, *keys: str, medium: Medium = MAIL, **more) -> list[Order]:
        orders = [
            Order(kind="test", medium=medium, key=key, subject_id=new_id(), **more) for key in keys
        ]
        async with self.tools.database.system() as session:
            await enqueue(session, orders)
        return orders

    async def deliver(self) -> int:
        return await deliver_due(self.tools, self.correspondence)

    async def row(self, key: str) -> dict:
        [row] = await look(self.logins, "SELECT * FROM delivery WHERE key = $1", key)
        return row

    async def time_passes(self, **amount: float) -> None:
        """Leases, pauses and next tries come nearer by so much."""
        async with self.tools.database.system() as session:
            await session.execute(
                text(
                    "UPDATE delivery SET lease_until = lease_until - CAST(:by AS interval),"
                    " next_try_at = next_try_at - CAST(:by AS interval) WHERE state = 'pending'"
                ),
                {"by": timedelta(**amount)},
            )


@pytest.fixture
def office(worker: Tools, logins) -> Office:
    return Office(worker, logins)


async def test_an_order_leaves_once_and_is_marked(office) -> None:
    await office.order("a")
    await office.order("a")

    assert await office.deliver() == 1
    assert await office.deliver() == 0

    row = await office.row("a")
    assert office.mail.taken == ["a"]
    assert (row["state"], row["attempts"], row["carrier_ref"]) == ("sent", 1, "ref-a")
    assert row["sent_at"] is not None
    assert row["lease_until"] is None


async def test_an_undone_transaction_sends_nothing(office) -> None:
    async def order_and_fail() -> None:
        async with office.tools.database.system() as session:
            await enqueue(session, [Order(kind="test", medium=MAIL, key="a")])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await order_and_fail()
    assert await office.deliver() == 0


async def test_two_processes_share_the_work_and_double_nothing(office) -> None:
    keys = [f"k{n}" for n in range(150)]
    await office.order(*keys)

    counts = await asyncio.gather(*(office.deliver() for _ in range(3)))

    assert sum(counts) == len(keys)
    assert sorted(office.mail.taken) == sorted(keys)


async def test_no_transaction_is_open_while_a_carrier_is_asked(office, servers) -> None:
    open_ones = []

    async def watch(key: str) -> None:
        for _ in range(20):  # the other medium's claim may be under way; one of ours would stay
            open_ones.append(await fleet.open_transactions())
            await asyncio.sleep(0.02)

    office.mail.behave = watch
    await office.order("a")

    async with overseen(servers, office.logins) as fleet:
        assert await office.deliver() == 1
    assert min(open_ones) == 0


async def dies(office: Office, variables, line: str, folder: Path, medium: Medium) -> None:
    """A process that sends, and is killed at this line."""
    environment = {**variables, "DATABASE_URL": office.logins.worker, "MAIL_CHANNEL": "recording"}
    await dies_at(line, environment, folder, medium)


@pytest.mark.parametrize("line", ["deciding", "decided"])
async def test_a_decision_is_made_again_and_told_once(office, variables, tmp_path, line) -> None:
    await dies(office, variables, line, tmp_path, MAIL)
    stands = await look(office.logins, "SELECT state FROM delivery")
    assert stands == ([{"state": "pending"}] if line == "decided" else [])

    await office.order("a")
    await office.deliver()

    assert office.mail.taken == ["a"]


@pytest.mark.parametrize("medium", Medium)
@pytest.mark.parametrize("line", LINES)
async def test_a_killed_process_loses_nothing(office, variables, tmp_path, line, medium) -> None:
    await office.order("a", medium=medium)
    taken = tmp_path / "taken"
    await dies(office, variables, line, tmp_path, medium)

    assert await office.deliver() == 0, "the lease of the dead process still holds"
    await office.time_passes(minutes=4)
    await office.deliver()

    before = taken.read_text().split() if taken.exists() else []
    # Only between the carrier's word and our mark can it leave twice, with one and the same key.
    in_the_window = 1 if line == "handed over" else 0
    carrier = {MAIL: office.mail, SMS: office.sms}[medium]
    assert [*before, *carrier.taken] == ["a"] * (1 + in_the_window)
    assert (await office.row("a"))["state"] == "sent"


async def test_a_database_that_goes_away_at_the_mark_doubles_nothing(office, servers) -> None:
    async def cut_every_connection(key: str) -> None:
        connection = await asyncpg.connect(servers.servers.admin_url)
        try:
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = $1 AND pid <> pg_backend_pid()",
                office.logins.worker.rpartition("/")[2].partition("?")[0],
            )
        finally:
            await connection.close()

    office.mail.behave = cut_every_connection
    await office.order("a")

    with suppress(DBAPIError, OSError):  # the next claim may meet a connection that is cut too
        await office.deliver()

    assert office.mail.taken == ["a"]
    assert (await office.row("a"))["state"] == "sent"


async def test_a_mark_that_breaks_is_made_again_while_the_lease_lasts(office, monkeypatch) -> None:
    mark, broken = DeliveryRepository.sent, iter([True, True])

    async def sent(self, *about):
        if next(broken, False):
            raise ConnectionError
        return await mark(self, *about)

    monkeypatch.setattr(DeliveryRepository, "sent", sent)
    monkeypatch.setattr(marking, "INSIST_EVERY", timedelta(milliseconds=10))
    await office.order("a")

    assert await office.deliver() == 1
    assert office.mail.taken == ["a"]
    assert (await office.row("a"))["state"] == "sent"


async def test_what_follows_a_message_cannot_undo_its_mark(office) -> None:
    async def forget(session, due: Due) -> None:
        raise ValueError

    office.reports.reached = forget
    await office.order("a", "b")

    await office.deliver()
    await office.time_passes(minutes=4)
    await office.deliver()

    assert sorted(office.mail.taken) == ["a", "b"]


async def test_a_process_that_comes_back_from_a_stall_marks_nothing(office) -> None:
    stalled = True

    async def stall(key: str) -> None:
        nonlocal stalled
        if stalled:
            stalled = False
            await office.time_passes(minutes=4)
            assert await office.deliver() == 1

    office.mail.behave = stall
    await office.order("a")
    await office.deliver()

    row = await office.row("a")
    assert office.mail.taken == ["a", "a"]
    assert (row["state"], row["fence"]) == ("sent", 2)
    assert len(office.reports.reached_by) == 1


async def test_a_carrier_that_is_down_for_hours_gets_every_message_once_it_is_back(office) -> None:
    keys = [f"k{n}" for n in range(20)]
    office.mail.fails_with(DeliveryError("421 try later"))
    await office.order(*keys)

    for tries in range(1, 6):
        assert await office.deliver() == 0
        row = await office.row("k0")
        assert (row["state"], row["attempts"], row["error_kind"]) == ("pending", tries, "again")
        waits = row["next_try_at"] - machine_now()
        assert timedelta(0) < waits <= timedelta(seconds=30 * 2 ** (tries - 1))
        await office.time_passes(hours=1)

    office.mail.works()
    assert await office.deliver() == len(keys)
    assert sorted(office.mail.taken) == sorted(keys)


async def test_after_three_days_in_vain_a_message_has_failed(office) -> None:
    office.mail.fails_with(DeliveryError("421 try later"))
    await office.order("a")
    await office.deliver()
    async with office.tools.database.system() as session:
        await session.execute(
            text("UPDATE delivery SET attempts = :attempts"), {"attempts": MOST_ATTEMPTS - 1}
        )
    await office.time_passes(hours=1)

    await office.deliver()

    row = await office.row("a")
    assert (row["state"], row["error_kind"]) == ("failed", "again")
    assert row["error"] == "421 try later"
    assert office.reports.given_up_on == ["a"]


async def test_the_wait_that_a_carrier_asks_for_is_obeyed(office) -> None:
    office.mail.fails_with(DeliveryError("429", retry_after=600.0))
    await office.order("a")

    await office.deliver()

    waits = (await office.row("a"))["next_try_at"] - machine_now()
    assert timedelta(minutes=9) < waits <= timedelta(minutes=10)


async def test_a_refused_address_fails_at_once_and_is_reported_without_the_address(office) -> None:
    office.mail.fails_with(DeliveryError("550 5.1.1 <Anna@ACME.test> unknown user", permanent=True))
    user_id = UserId(new_id())
    await office.order("a", user_id=user_id)

    assert await office.deliver() == 0

    row = await office.row("a")
    assert (row["state"], row["error_kind"], row["attempts"]) == ("failed", "permanent", 1)
    assert row["error"] == "550 5.1.1 <…> unknown user"
    [(due, reason)] = office.reports.refused_by
    assert (due.user_id, reason) == (user_id, row["error"])


async def test_a_refused_account_consumes_nothing_and_pauses_its_channel_alone(office) -> None:
    office.mail.fails_with(AccountError("535 bad password"))
    await office.order(*(f"k{n}" for n in range(40)))
    await office.order("sms", medium=SMS)

    await office.deliver()

    tried = len(office.mail.tried)
    assert tried <= lane.PARALLEL
    assert office.sms.taken == ["sms"]
    rows = await look(
        office.logins, "SELECT DISTINCT state, attempts FROM delivery WHERE key ~ 'k'"
    )
    assert rows == [{"state": "pending", "attempts": 0}]

    await office.order("later")
    await office.deliver()
    assert len(office.mail.tried) == tried, "the channel rests, also for what comes later"

    office.mail.works()
    await office.time_passes(minutes=6)
    await office.deliver()
    wanted = {f"k{n}" for n in range(40)} | {"later"}
    assert Counter(key for key in office.mail.taken if "operator" not in key) == Counter(wanted)


async def test_a_refused_account_is_one_incident_and_one_mail(office) -> None:
    office.sms.fails_with(AccountError("103 no credits left"))
    await office.order("a", "b", "c", medium=SMS)
    await office.deliver()
    assert len(office.mail.notices) == 1, "operators are told at once"
    for _ in range(2):
        await office.deliver()
        await office.time_passes(minutes=6)

    [incident] = await look(office.logins, "SELECT * FROM incident")
    assert (incident["kind"], incident["key"]) == ("channel_refused", "carrier-sms")
    assert incident["closed_at"] is None
    assert incident["mailed_at"] is not None
    [notice] = office.mail.notices
    assert "103 no credits left" in notice.text

    office.sms.works()
    await office.time_passes(minutes=6)
    await office.deliver()
    [incident] = await look(office.logins, "SELECT * FROM incident")
    assert incident["closed_at"] is not None
    assert sorted(office.sms.taken) == ["a", "b", "c"]

    office.sms.fails_with(AccountError("103 no credits left"))
    await office.order("d", medium=SMS)
    await office.deliver()
    assert len(office.mail.notices) == 2, "a new incident is a new mail"


async def test_without_an_operators_address_the_incident_stands_in_the_table(office) -> None:
    office.tools = dataclasses.replace(
        office.tools, settings=msgspec.structs.replace(office.tools.settings, operator_email="")
    )
    office.sms.fails_with(AccountError("103 no credits left"))
    await office.order("a", medium=SMS)
    await office.deliver()
    await office.deliver()

    assert office.mail.tried == []
    assert len(await look(office.logins, "SELECT * FROM incident")) == 1


async def test_an_incident_of_the_mail_itself_is_said_in_the_log(office, monkeypatch) -> None:
    said = []
    log = type("Log", (), {"critical": lambda _, event, **about: said.append((event, about))})()
    monkeypatch.setattr(incidents, "log", log)
    office.mail.fails_with(AccountError("535 bad password"))
    await office.order("a")
    await office.deliver()
    about = {"kind": "channel_refused", "key": "carrier-email", "detail": "535 bad password"}
    assert said == [("incident_opened", about)]

    await watch_incidents(office.tools)
    assert len(said) == 1, "its mail may still leave"
    async with office.tools.database.system() as session:
        await session.execute(text("UPDATE delivery SET created_at = created_at - interval '1h'"))
    await watch_incidents(office.tools)
    await watch_incidents(office.tools)
    assert said[1:] == [("incident_untold", about)] * 2

    monkeypatch.undo()
    office.mail.works()
    await office.time_passes(minutes=6)
    await office.deliver()
    monkeypatch.setattr(incidents, "log", log)
    await watch_incidents(office.tools)
    assert len(said) == 3, "its end is the end of it"


async def test_a_bug_counts_as_an_attempt_and_quotes_nothing(office) -> None:
    office.mail.fails_with(ValueError("Anna Nowak, AA123456"))
    await office.order("a")

    await office.deliver()

    row = await office.row("a")
    assert (row["state"], row["attempts"], row["error_kind"]) == ("pending", 1, "bug")
    assert row["error"] == "ValueError"


async def test_a_message_that_kills_its_process_each_time_fails_in_the_end(office) -> None:
    await office.order("a", "b")
    async with office.tools.database.system() as session:
        await session.execute(
            text("UPDATE delivery SET attempts = :attempts WHERE key = 'a'"),
            {"attempts": MOST_ATTEMPTS},
        )

    assert await office.deliver() == 1

    assert office.mail.tried == ["b"]
    assert (await office.row("a"))["state"] == "failed"
    assert office.reports.given_up_on == ["a"]


async def test_one_that_nobody_can_be_told_of_holds_up_no_other(office) -> None:
    async def break_down(session, due: Due) -> None:
        raise ValueError

    office.reports.given_up = break_down
    await office.order("a", "b")
    async with office.tools.database.system() as session:
        await session.execute(
            text("UPDATE delivery SET attempts = :attempts WHERE key = 'a'"),
            {"attempts": MOST_ATTEMPTS},
        )

    assert await office.deliver() == 1

    assert office.mail.taken == ["b"]
    assert (await office.row("a"))["state"] == "failed"


async def test_one_message_that_cannot_be_written_holds_up_no_other(office) -> None:
    orders = await office.order("a", "b", "c")
    office.writer.poisoned = {str(orders[1].subject_id)}

    assert await office.deliver() == 2

    assert sorted(office.mail.taken) == ["a", "c"]
    row = await office.row("b")
    assert (row["state"], row["attempts"], row["error"]) == ("pending", 1, "RuntimeError")


async def test_a_kind_that_nobody_writes_waits_for_a_newer_worker(office) -> None:
    async with office.tools.database.system() as session:
        await enqueue(session, [Order(kind="of tomorrow", medium=MAIL, key="a")])

    await office.deliver()

    assert (await office.row("a"))["state"] == "pending"


async def test_what_nobody_wants_any_more_is_dropped(office) -> None:
    orders = await office.order("a", "b")
    office.writer.unwanted = {str(orders[0].subject_id)}

    assert await office.deliver() == 1

    row = await office.row("a")
    assert (row["state"], row["error_kind"]) == ("failed", "unwanted")


async def test_what_may_not_go_there_any_more_is_not_handed_over(office) -> None:
    orders = await office.order("a", "b")
    office.reports.forbidden = {str(orders[0].subject_id)}

    assert await office.deliver() == 1

    assert office.mail.tried == ["b"]
    row = await office.row("a")
    assert (row["state"], row["error_kind"]) == ("failed", "unwanted")


async def test_without_an_address_nothing_is_tried(office) -> None:
    office.writer.recipient = Recipient(email=None, phone=None)
    await office.order("a")

    await office.deliver()

    assert office.mail.tried == []
    assert (await office.row("a"))["error_kind"] == "unreachable"


async def test_a_carrier_that_hangs_meets_the_deadline_and_does_not_hold_up_the_other(
    office, monkeypatch
) -> None:
    monkeypatch.setattr(lane, "DEADLINE_SECONDS", 0.5)
    let_go = []

    async def hang(key: str) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            let_go.append(key)

    mails_left = asyncio.Event()

    async def note(key: str) -> None:
        if key == "b":
            mails_left.set()

    office.sms.behave, office.mail.behave = hang, note
    await office.order("slow", medium=SMS)
    await office.order("a", "b")
    delivering = asyncio.create_task(office.deliver())
    await mails_left.wait()
    assert not delivering.done()

    assert await delivering == 2
    assert let_go == ["slow"]
    row = await office.row("slow")
    assert (row["state"], row["attempts"], row["error_kind"]) == ("pending", 1, "deadline")


async def test_an_sms_of_the_night_waits_for_the_products_morning(office, clock) -> None:
    morning = datetime(2026, 11, 22, 6, 0, tzinfo=WARSAW)
    clock.set(morning - timedelta(hours=3))
    await office.order("a", medium=SMS, not_before=morning)
    assert await office.deliver() == 0
    waits = await next_due(office.tools) - machine_now()
    assert timedelta(hours=2, minutes=59) < waits <= timedelta(hours=3)

    clock.set(morning)
    assert await office.deliver() == 1


async def test_what_may_not_be_stored_plainly_travels_sealed_and_is_emptied(office) -> None:
    order = Order(kind="test", medium=MAIL, key="a").carrying("ABC234", office.tools.vault)
    async with office.tools.database.system() as session:
        await enqueue(session, [order])
    assert b"ABC234" not in (await office.row("a"))["sealed"]

    assert await office.deliver() == 1

    assert office.writer.secrets == ["ABC234"]
    assert (await office.row("a"))["sealed"] is None


async def test_a_sealed_code_opens_in_its_own_row_only(office) -> None:
    mine = Order(kind="test", medium=MAIL, key="a").carrying("ABC234", office.tools.vault)
    stolen = Order(kind="test", medium=MAIL, key="b", sealed=mine.sealed)
    async with office.tools.database.system() as session:
        await enqueue(session, [stolen])

    assert await office.deliver() == 0

    row = await office.row("b")
    assert (row["state"], row["error_kind"], row["sealed"]) == ("failed", "unreadable", None)


async def test_a_failed_message_keeps_no_code(office) -> None:
    office.mail.fails_with(DeliveryError("no such user", permanent=True))
    order = Order(kind="test", medium=MAIL, key="a").carrying("ABC234", office.tools.vault)
    async with office.tools.database.system() as session:
        await enqueue(session, [order])

    await office.deliver()

    assert (await office.row("a"))["sealed"] is None


async def test_the_next_try_is_known(office) -> None:
    assert await next_due(office.tools) is None

    await office.order("a")
    assert await next_due(office.tools) <= machine_now()

    office.mail.fails_with(DeliveryError("421"))
    await office.deliver()
    assert await next_due(office.tools) == (await office.row("a"))["next_try_at"]


async def test_a_paused_channel_is_due_when_its_pause_ends(office) -> None:
    office.mail.fails_with(AccountError("535"))
    await office.order("a")
    async with office.tools.database.system() as session:
        await session.execute(text("UPDATE delivery SET error_kind = NULL"))
    await office.deliver()
    await office.order("later")

    waits = await next_due(office.tools) - machine_now()
    assert timedelta(minutes=4) < waits <= timedelta(minutes=5)


async def test_who_waits_for_all_waits_for_other_processes_too(office) -> None:
    asked, hand_over = asyncio.Event(), asyncio.Event()

    async def wait(key: str) -> None:
        asked.set()
        await hand_over.wait()

    office.mail.behave = wait
    await office.order("a")
    elsewhere = asyncio.create_task(office.deliver())
    await asked.wait()
    here = asyncio.create_task(deliver_all(office.tools, office.correspondence))
    await asyncio.sleep(0.2)
    assert not here.done()

    hand_over.set()
    assert await elsewhere == 1
    assert await here == 0


async def test_a_stopping_process_takes_up_nothing_new(office) -> None:
    await office.order("a")
    office.tools.stopping.say()

    assert await office.deliver() == 0
    assert (await office.row("a"))["attempts"] == 0


async def test_a_ring_during_the_round_makes_the_postman_look_again(office) -> None:
    postman = Postman()
    postman.wire(office.correspondence)

    async def ring_when_the_mails_are_done(key: str) -> None:
        await asyncio.sleep(0.2)
        await office.order("mail")
        assert await postman.go(office.tools) is False, "one at a time in a process"

    office.sms.behave = ring_when_the_mails_are_done
    await office.order("sms", medium=SMS)

    assert await postman.go(office.tools) is False
    assert office.mail.taken == ["mail"]


async def test_a_long_round_ends_and_asks_for_another(office, monkeypatch) -> None:
    monkeypatch.setattr(jobs, "SHIFT", timedelta(seconds=-1))
    postman = Postman()
    postman.wire(office.correspondence)
    await office.order("a")

    assert await postman.go(office.tools) is True


async def test_a_process_that_was_not_wired_says_so(office) -> None:
    with pytest.raises(RuntimeError, match="wired"):
        await Postman().go(office.tools)


async def test_the_job_is_known_by_its_name() -> None:
    assert deliver_pending.name == "prawko.deliveries.jobs.deliver_pending"
