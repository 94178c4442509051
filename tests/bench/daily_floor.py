"""The floor of the daily check: a loop that queries the register and stores nothing.

The same adapter, with as many queries at a time as the product: python -m ... DRIVERS.
"""

import asyncio
import os
import sys
import time

from tests.bench import fleet, product
from tests.bench.null_channel import channel_plugins

from prawko.apps.composition_root import create_context
from prawko.hooks.licence_register import LicenceQuery
from prawko.kit.bootstrap import close_context


async def query_register(drivers: int) -> None:
    """Query so many drivers and print the measurement."""
    context = create_context(os.environ, extra_plugins=channel_plugins())
    [register] = context.plugins.get_registers(context.settings.register_names)
    queries = iter(
        [LicenceQuery(*fleet.driver_name(n), fleet.licence_number(n)) for n in range(drivers)]
    )

    async def query_in_turn() -> None:
        for query in queries:
            answer = await register.look_up(query)
            assert answer is not None

    started, cpu_before = time.perf_counter(), time.process_time()
    concurrency = int(os.environ["REGISTER_MAX_CONCURRENCY"])
    await asyncio.gather(*(query_in_turn() for _ in range(concurrency)))
    product.print_measurement(
        drivers, time.perf_counter() - started, time.process_time() - cpu_before
    )
    await close_context(context)


if __name__ == "__main__":
    asyncio.run(query_register(int(sys.argv[1])))
