"""Writes of a leased row are repeated while the lease lasts; a wrong clock's lease is none."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from prawko.hooks.channels import Medium
from prawko.kit.clock import MAX_CLOCK_SKEW, utc_now
from prawko.kit.outbox.models import Delivery, OutboxMessage
from prawko.kit.outbox.repository import DeliveryRepository
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.work.lease import LONGEST_DELAY, claim_rows, retry_write

pytestmark = pytest.mark.anyio


class FailingWrite:
    """Raises the errors one after the other, then succeeds."""

    def __init__(self, *errors: Exception) -> None:
        self._errors = iter(errors)
        self.calls = 0

    async def run(self, calls: int = 1) -> str:
        self.calls += calls
        if error := next(self._errors, None):
            raise error
        return "written"


async def test_a_write_is_repeated_until_the_database_is_back() -> None:
    write = FailingWrite(ConnectionError(), ConnectionError())

    assert await retry_write(utc_now() + timedelta(minutes=1), lambda: write.run(1)) == "written"
    assert write.calls == 3


async def test_a_write_is_not_repeated_after_the_lease() -> None:
    write = FailingWrite(*[ConnectionError()] * 9)

    with pytest.raises(ConnectionError):
        await retry_write(utc_now() + timedelta(seconds=0.5), write.run)
    assert write.calls == 2


async def test_an_error_that_no_repetition_cures_is_raised_at_once() -> None:
    write = FailingWrite(KeyError())

    with pytest.raises(KeyError):
        await retry_write(utc_now() + timedelta(minutes=1), write.run)
    assert write.calls == 1


@pytest.mark.parametrize(
    ("left", "is_free"),
    [
        (timedelta(seconds=-1), True),
        (timedelta(seconds=1), False),
        (timedelta(minutes=3), False),
        (timedelta(minutes=3) + MAX_CLOCK_SKEW, False),
        (timedelta(minutes=4), True),
        (timedelta(days=400), True),
    ],
    ids=lambda value: f"{value.total_seconds():.0f}" if isinstance(value, timedelta) else "",
)
async def test_a_lease_that_ends_later_than_any_could_has_ended(worker, left, is_free) -> None:
    now = utc_now()
    message = OutboxMessage(kind="test", medium=Medium.EMAIL, key="x")
    async with worker.database.system() as session:
        await enqueue_messages(session, [message], now=now)
        await session.execute(update(Delivery).values(lease_until=now + left))
        claim = claim_rows(
            Delivery, order_by=Delivery.next_try_at, limit=1, now=now, lease=timedelta(minutes=3)
        )
        claimed = await session.scalars(claim)
        assert bool(claimed.all()) is is_free


@pytest.mark.parametrize(
    ("left", "values", "is_renewed"),
    [
        (1, {}, True),
        (-170, {}, True),
        (-190, {}, False),
        (1, {"fence": 8}, False),
        (1, {"state": "sent"}, False),
        (1, {"lease_until": None}, False),
    ],
)
async def test_a_holder_renews_what_it_holds(worker, left, values, is_renewed) -> None:
    now = utc_now()
    message = OutboxMessage(kind="test", medium=Medium.EMAIL, key="x")
    async with worker.database.system() as session:
        await enqueue_messages(session, [message], now=now)
        outbox = DeliveryRepository(session)
        rows = await outbox.claim(
            Medium.EMAIL, carrier="mail", limit=1, now=now, product_now=now,
            longest=timedelta(minutes=3),
        )  # fmt: skip
        lease_until = now + timedelta(seconds=left)
        changed = update(Delivery).values({"lease_until": lease_until, **values})
        await session.execute(changed.execution_options(synchronize_session=False))
        assert bool(await outbox.renew(rows)) is is_renewed


@pytest.mark.parametrize(
    ("wait", "is_claimed"),
    [(-1, True), (60, False), (LONGEST_DELAY.total_seconds(), False), (400 * 86_400, True)],
)
async def test_a_message_that_waits_longer_than_any_does_is_due(worker, wait, is_claimed) -> None:
    now = utc_now()
    message = OutboxMessage(kind="test", medium=Medium.EMAIL, key="x")
    async with worker.database.system() as session:
        await enqueue_messages(session, [message], now=now + timedelta(seconds=wait))
        claimed = await DeliveryRepository(session).claim(
            Medium.EMAIL, carrier="mail", limit=1, now=now, product_now=now,
            longest=timedelta(minutes=3),
        )  # fmt: skip
        assert bool(claimed) is is_claimed
