"""Raw answers move to a new key, and can be read before, meanwhile and afterwards."""

import base64

import pytest

from conftest import opened
from fleet import numbers
from prawko.base.secrets import LostKeyError
from prawko.verifications import resealing
from prawko.verifications.daily import run_daily_check
from prawko.verifications.resealing import reseal
from prawko.worker.wiring import correspondence

pytestmark = pytest.mark.anyio

LICENCES = numbers(30)
OLD, NEW = (f"{name}:{base64.b64encode(name.encode() * 16).decode()}" for name in ("k1", "k2"))


@pytest.fixture
def holding(variables, logins, register, mailbox, phones, clock):
    """The worker's tools with these keys, the first being the current one."""

    def tools(*keys):
        own = {
            **variables,
            "DATABASE_URL": logins.worker,
            "PLANNER_DATABASE_URL": logins.planner,
            "REGISTER_RATE": "100000",
            "ANSWER_KEYS": ",".join(keys),
        }
        return opened(own, register, (mailbox, phones), clock)

    return tools


@pytest.fixture
async def answers(fleet, holding, clock):
    """Answers of two companies under the old key; returns the rows as they are now."""
    await fleet.add(LICENCES, clock.now(), companies=2)
    async with holding(OLD) as tools:
        await run_daily_check(tools, correspondence(tools))
    return lambda: fleet.admin.fetch("SELECT id, key_id, raw FROM register_answer ORDER BY id")


def read(tools, row):
    return tools.vault.answers.open(row["key_id"], row["raw"], about=row["id"].bytes)


async def test_every_answer_moves_once_and_says_the_same(answers, holding, monkeypatch):
    monkeypatch.setattr(resealing, "BATCH", 7)
    async with holding(OLD) as tools:
        before = [read(tools, row) for row in await answers()]
    async with holding(NEW, OLD) as tools:
        assert await reseal(tools) == (len(LICENCES), 0)
        assert await reseal(tools) == (0, 0)
    async with holding(NEW) as tools:
        rows = await answers()
        assert {row["key_id"] for row in rows} == {"k2"}
        assert [read(tools, row) for row in rows] == before


async def test_answers_whose_key_is_lost_are_counted_and_left(answers, holding):
    async with holding(NEW) as tools:
        assert await reseal(tools) == (0, len(LICENCES))
        rows = await answers()
        assert {row["key_id"] for row in rows} == {"k1"}
        with pytest.raises(LostKeyError):
            read(tools, rows[0])


async def test_an_answer_cannot_be_moved_to_another_row(answers, holding):
    async with holding(OLD) as tools:
        one, other = (await answers())[:2]
        with pytest.raises(LostKeyError):
            tools.vault.answers.open(one["key_id"], one["raw"], about=other["id"].bytes)
