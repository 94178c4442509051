"""The nightly verification of the operators' log finds every change that was made behind it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import asyncpg
import pytest

from prawko.accounts.acts import jobs
from prawko.accounts.acts.chain_verification import GENESIS, ChainHead, ChainLink, verify_chain
from prawko.accounts.acts.jobs import last_verification_time, verify_action_chain
from support.database import fetch_rows
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

INSERT_ACTIONS = """
    INSERT INTO admin_action (id, admin_id, action_type, reason, ip, agent, created_at)
    SELECT gen_random_uuid(), id, 'user_updated', 'call ' || n, '127.0.0.1', 'x', now()
      FROM user_account, generate_series(1, $1::int) AS n WHERE is_admin
"""
DELETE_ACCOUNTS = "DELETE FROM user_account WHERE is_admin"
REWRITE = """
    UPDATE admin_action SET reason = 'forged' WHERE sequence = 2;
    UPDATE admin_action a SET hash = admin_action_hash(a) WHERE sequence = 2;
    UPDATE admin_action a SET previous_hash = (
        SELECT hash FROM admin_action b WHERE b.sequence = a.sequence - 1) WHERE sequence = 3;
    UPDATE admin_action a SET hash = admin_action_hash(a) WHERE sequence = 3;
"""


def link(sequence: int, previous: bytes, own: bytes, computed: bytes | None = None) -> ChainLink:
    return ChainLink(sequence, previous, own, own if computed is None else computed)


CHAIN = (link(1, b"", b"a"), link(2, b"a", b"b"), link(3, b"b", b"c"))


@pytest.mark.parametrize(
    ("links", "known", "broken_at"),
    [
        ((), GENESIS, None),
        (CHAIN, GENESIS, None),
        (CHAIN, ChainHead(2, b"b"), None),
        (CHAIN, ChainHead(3, b"c"), None),
        ((link(1, b"", b"a", b"x"), *CHAIN[1:]), GENESIS, 1),
        ((link(1, b"x", b"a"), *CHAIN[1:]), GENESIS, 1),
        ((CHAIN[0], link(2, b"a", b"b", b"x"), CHAIN[2]), GENESIS, 2),
        ((CHAIN[0], CHAIN[2]), GENESIS, 2),
        ((CHAIN[0], link(2, b"a", b"x"), CHAIN[2]), GENESIS, 3),
        (CHAIN[1:], GENESIS, 1),
        (CHAIN[:2], ChainHead(3, b"c"), 3),
        ((), ChainHead(3, b"c"), 1),
        (CHAIN, ChainHead(2, b"x"), 2),
    ],
)
async def test_every_change_of_a_chain_is_found(
    links: Sequence[ChainLink], known: ChainHead, broken_at: int | None
) -> None:
    async def stream():
        for one in links:
            yield one

    assert (await verify_chain(stream(), known)).broken_at == broken_at


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (datetime(2026, 11, 22, 1, 59, tzinfo=UTC), datetime(2026, 11, 21, 2, tzinfo=UTC)),
        (datetime(2026, 11, 22, 2, 0, tzinfo=UTC), datetime(2026, 11, 22, 2, tzinfo=UTC)),
        (datetime(2026, 7, 1, 23, 30, tzinfo=UTC), datetime(2026, 7, 1, 1, tzinfo=UTC)),
    ],
)
def test_it_is_due_at_three_in_warsaw(now, due) -> None:
    assert last_verification_time(now) == due


class Log:
    """The operators' log, and the nights after which it is verified."""

    def __init__(self, logins, worker, mailbox, monkeypatch) -> None:
        self._logins, self._worker, self._mailbox = logins, worker, mailbox
        self._now = datetime.now(UTC)
        monkeypatch.setattr(jobs, "utc_now", lambda: self._now)

    async def add(self, count: int) -> None:
        await self._run(self._logins.operator, INSERT_ACTIONS, count)

    async def tamper(self, statements: str) -> None:
        """Change rows as the owner, whom the triggers alone keep from it."""
        await self._run(
            self._logins.owner,
            "ALTER TABLE admin_action DISABLE TRIGGER USER;"
            f" {statements}; ALTER TABLE admin_action ENABLE TRIGGER USER",
        )

    async def erase_operators(self) -> None:
        await self._run(self._logins.owner, DELETE_ACCOUNTS)

    async def verify(self) -> list[str]:
        """Verify it in the next night; return the details of the open incidents."""
        self._now += timedelta(days=1)
        await verify_action_chain(self._worker)
        rows = await fetch_rows(
            self._logins,
            "SELECT detail FROM incident WHERE kind = 'audit_chain_broken' AND closed_at IS NULL",
        )
        return [row["detail"] for row in rows]

    async def checks(self):
        return await fetch_rows(
            self._logins, "SELECT rows, broken_at FROM admin_action_check ORDER BY checked_at"
        )

    async def _run(self, url: str, statement: str, *args: object) -> None:
        connection = await asyncpg.connect(url)
        try:
            await connection.execute(statement, *args)
        finally:
            await connection.close()


@pytest.fixture
def log(olga, logins, worker, mailbox, monkeypatch) -> Log:
    return Log(logins, worker, mailbox, monkeypatch)


async def test_an_intact_log_is_no_incident(log) -> None:
    assert await log.verify() == []
    await log.add(3)
    assert await log.verify() == []
    await log.add(1200)
    assert await log.verify() == []
    assert await log.checks() == [
        {"rows": 0, "broken_at": None},
        {"rows": 3, "broken_at": None},
        {"rows": 1203, "broken_at": None},
    ]


async def test_erasing_a_person_breaks_no_chain(log) -> None:
    await log.add(3)
    await log.erase_operators()

    assert await log.verify() == []


@pytest.mark.parametrize(
    ("statements", "broken_at"),
    [
        ("UPDATE admin_action SET reason = 'forged' WHERE sequence = 2", 2),
        (
            "UPDATE admin_action SET created_at = created_at - interval '1 day' WHERE sequence = 1",
            1,
        ),
        ("UPDATE admin_action SET hash = sha256('x') WHERE sequence = 3", 3),
        ("DELETE FROM admin_action WHERE sequence = 1", 1),
        ("DELETE FROM admin_action WHERE sequence = 3", 3),
        ("DELETE FROM admin_action", 1),
        (REWRITE, 3),
    ],
)
async def test_a_row_changed_by_the_owner_is_an_incident(log, statements, broken_at) -> None:
    await log.add(3)
    assert await log.verify() == []

    await log.tamper(statements)

    assert await log.verify() == [f"entry {broken_at}"]
    assert await log.verify() == [f"entry {broken_at}"], "it stays one"


async def test_the_incident_is_mailed_and_ends_when_the_row_is_restored(
    log, worker, mailbox
) -> None:
    await log.add(2)
    await log.tamper("UPDATE admin_action SET reason = 'forged' WHERE sequence = 2")
    await log.verify()
    await deliver_outbox(worker)
    [mail] = mailbox.messages_to("operator@prawko.test")
    assert mail.subject == "Prawko: zdarzenie wymaga uwagi (audit_chain_broken)"
    assert "Dziennik działań operatorów" in mail.text

    await log.tamper("UPDATE admin_action SET reason = 'call 2' WHERE sequence = 2")

    assert await log.verify() == []


async def test_it_is_verified_once_a_night(log, worker) -> None:
    await log.verify()
    for _ in range(3):
        await verify_action_chain(worker)

    assert len(await log.checks()) == 1
