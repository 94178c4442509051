"""The floor of the daily check: a bare loop that asks and stores nothing.

The same adapter, and as many questions under way as the product has: python -m ... DRIVERS.
"""

import asyncio
import os
import sys
import time

from prawko.base.start import close_tools, open_tools
from prawko.hooks.licence_register import LicenceQuery
from tests.bench import fleet
from tests.bench.carrier import carriers


async def ask(drivers: int) -> float:
    """Drivers per second."""
    tools = open_tools(os.environ, extra_plugins=carriers())
    register = tools.plugins.register(tools.settings.register)
    queries = iter([LicenceQuery(*fleet.name(n), fleet.number(n)) for n in range(drivers)])

    async def one_after_the_other() -> None:
        for query in queries:
            answer = await register.look_up(query)
            assert answer is not None

    started = time.perf_counter()
    places = int(os.environ["REGISTER_PARALLEL"])
    await asyncio.gather(*(one_after_the_other() for _ in range(places)))
    spent = time.perf_counter() - started
    await close_tools(tools)
    return drivers / spent


if __name__ == "__main__":
    print("figure", asyncio.run(ask(int(sys.argv[1]))), flush=True)
