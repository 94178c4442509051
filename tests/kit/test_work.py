"""The loop over leased rows: one failure affects no other, and only its handler ends the loop."""

from collections.abc import Sequence

import pytest

from prawko.kit.context import AppContext, ShutdownFlag
from prawko.kit.webhooks.models import WebhookEvent
from prawko.kit.work.leased_work import run_work

pytestmark = pytest.mark.anyio


class Rows:
    """Rows that are claimed two at a time, and what became of each."""

    def __init__(self, *names: str) -> None:
        self.waiting = [WebhookEvent(event_id=name) for name in names]
        self.handled: list[str] = []
        self.failed: list[str] = []
        self.shutdown = ShutdownFlag()

    def must_stop(self) -> bool:
        return bool(self.shutdown)

    async def claim(self) -> Sequence[WebhookEvent]:
        claimed, self.waiting = self.waiting[:2], self.waiting[2:]
        return claimed

    async def handle(self, row: WebhookEvent) -> None:
        if row.event_id.startswith("bad"):
            raise ValueError(row.event_id)
        self.handled.append(row.event_id)

    async def go_on(self, row: WebhookEvent, error: Exception) -> bool:
        self.failed.append(f"{row.event_id}: {error}")
        return True

    async def run(self, on_error=None) -> int:
        context: AppContext = self  # type: ignore[assignment]
        return await run_work(
            context, claim=self.claim, handle=self.handle, on_error=on_error or self.go_on
        )


async def test_a_row_that_fails_affects_no_other() -> None:
    rows = Rows("bad 1", "a", "b")

    assert await rows.run() == 3
    assert rows.handled == ["a", "b"]
    assert rows.failed == ["bad 1: bad 1"]


async def test_an_error_that_concerns_every_row_ends_the_loop_after_its_claim() -> None:
    rows = Rows("bad 1", "a", "b")

    async def give_up(row: WebhookEvent, error: Exception) -> bool:
        return False

    assert await rows.run(give_up) == 2
    assert rows.handled == ["a"]


async def test_a_row_that_cannot_be_rescheduled_is_left_to_its_lease_and_ends_the_loop() -> None:
    rows = Rows("bad 1", "a", "b")

    async def fail(row: WebhookEvent, error: Exception) -> bool:
        raise RuntimeError("the database is away")

    assert await rows.run(fail) == 2
    assert rows.handled == ["a"]


async def test_nothing_is_claimed_when_the_process_stops() -> None:
    rows = Rows("a")
    rows.shutdown.set()

    assert await rows.run() == 0
    assert len(rows.waiting) == 1
