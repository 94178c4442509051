"""Writes of a leased row are repeated while the lease lasts."""

from datetime import timedelta

import pytest

from prawko.base.clock import utc_now
from prawko.base.lease import retry_write

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
