"""The loop over rows that are due: neither a failure nor a hanging row affects another one."""

import asyncio
from collections.abc import Sequence
from unittest.mock import Mock
from uuid import uuid4

import pytest

from prawko.kit.context import AppContext
from prawko.kit.webhooks.models import WebhookEvent
from prawko.kit.work import leased_work as work
from prawko.kit.work.leased_work import run_each, run_work

pytestmark = pytest.mark.anyio


class Rows:
    """Rows of which two are handled at the same time, and what became of each."""

    def __init__(self, *names: str) -> None:
        self.waiting = [WebhookEvent(event_id=name) for name in names]
        self.handled: list[str] = []
        self.claims: list[int] = []
        self.answer, self.is_last_handled = asyncio.Event(), asyncio.Event()

    def must_stop(self) -> bool:
        return False

    async def claim(self, room: int) -> Sequence[WebhookEvent]:
        claimed, self.waiting = self.waiting[:room], self.waiting[room:]
        self.claims.append(len(claimed))
        return claimed

    async def handle(self, row: WebhookEvent) -> None:
        if row.event_id.startswith("hangs"):
            await self.answer.wait()
        if row.event_id.startswith("bad"):
            raise ValueError(row.event_id)
        self.handled.append(row.event_id)
        if not self.waiting:
            self.is_last_handled.set()

    async def go_on(self, row: WebhookEvent, error: Exception) -> bool:
        return True

    async def run(self, on_error=None) -> int:
        context: AppContext = self  # type: ignore[assignment]
        options = {"handle": self.handle, "on_error": on_error or self.go_on, "limit": 2}
        return await run_work(context, claim=self.claim, **options)


@pytest.mark.parametrize("database_is_away", [False, True])
async def test_an_error_of_every_row_ends_the_loop_after_its_claim(database_is_away) -> None:
    rows = Rows("bad 1", "a", "b")

    async def give_up(row: WebhookEvent, error: Exception) -> bool:
        if database_is_away:
            raise ConnectionError
        return False

    assert await rows.run(give_up) == 2
    assert rows.handled == ["a"]


async def test_a_row_that_hangs_delays_no_other_and_takes_one_place(monkeypatch) -> None:
    monkeypatch.setattr(work, "CLAIM_SECONDS", 0.01)
    rows = Rows("hangs", "a", "b", "c")
    running = asyncio.create_task(rows.run())

    await asyncio.wait_for(rows.is_last_handled.wait(), 5)
    assert rows.claims[:3] == [2, 1, 1], "one place is taken"
    rows.answer.set()

    assert await running == 4


async def test_a_claim_that_fails_ends_the_loop_after_what_is_being_handled() -> None:
    rows = Rows("hangs")

    async def claim(room: int) -> Sequence[WebhookEvent]:
        if not rows.claims:
            return await rows.claim(room)
        rows.answer.set()
        raise ConnectionError

    context: AppContext = rows  # type: ignore[assignment]
    with pytest.raises(ConnectionError):
        await run_work(context, claim=claim, handle=rows.handle, on_error=rows.go_on, limit=2)
    assert rows.handled == ["hangs"]


async def test_rows_without_a_lease_are_handled_in_turn_and_a_failure_is_logged(
    monkeypatch,
) -> None:
    rows, bad, log = Rows(), uuid4(), Mock()
    monkeypatch.setattr(work, "log", log)
    context: AppContext = rows  # type: ignore[assignment]
    due = ((bad, WebhookEvent(event_id="bad")), (uuid4(), WebhookEvent(event_id="good")))
    await run_each(context, due, lambda _, row: rows.handle(row), failure="row_not_handled")

    assert rows.handled == ["good"]
    [(event, values)] = [(call.args[0], call.kwargs) for call in log.error.call_args_list]
    assert (event, values["ids"]) == ("row_not_handled", [str(bad)])
