import pytest

from prawko.apps.composition_root import create_renderer_registry
from prawko.verifications.daily.run_now import run_daily_check


@pytest.fixture
def run_check(worker):
    """The whole check of the product's present day, deliveries included."""

    async def run():
        return await run_daily_check(worker, create_renderer_registry(worker))

    return run
