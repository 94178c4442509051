"""The floor of the daily check: a bare loop that asks and stores nothing.

The same adapter, and as many questions under way as the product has: python -m ... DRIVERS.
"""

import asyncio
import os
import sys
import time

from tests.bench import fleet, product
from tests.bench.carrier import carriers

from prawko.base.start import close_tools, open_tools
from prawko.hooks.licence_register import LicenceQuery


async def ask(drivers: int) -> None:
    """Ask about so many, and say how fast that was."""
    tools = open_tools(os.environ, extra_plugins=carriers())
    register = tools.plugins.register(tools.settings.register)
    queries = iter([LicenceQuery(*fleet.name(n), fleet.number(n)) for n in range(drivers)])

    async def one_after_the_other() -> None:
        for query in queries:
            answer = await register.look_up(query)
            assert answer is not None

    started, busy = time.perf_counter(), time.process_time()
    places = int(os.environ["REGISTER_PARALLEL"])
    await asyncio.gather(*(one_after_the_other() for _ in range(places)))
    product.say(drivers, time.perf_counter() - started, time.process_time() - busy)
    await close_tools(tools)


if __name__ == "__main__":
    asyncio.run(ask(int(sys.argv[1])))
