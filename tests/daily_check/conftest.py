import pytest

from fleet import overseen
from prawko.verifications.daily import run_daily_check
from prawko.worker.wiring import correspondence


@pytest.fixture
async def fleet(servers, logins):
    async with overseen(servers, logins) as fleet:
        yield fleet


@pytest.fixture
def check(worker):
    """The whole check of the product's present day, deliveries included."""

    async def run():
        return await run_daily_check(worker, correspondence(worker))

    return run
