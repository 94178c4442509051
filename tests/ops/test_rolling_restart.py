"""Every process is restarted under load: no request fails, no item or message is lost."""

import asyncio
import os
import signal

import pytest

from ops.load import under_load
from ops.proxy import requires_haproxy
from ops.topology import VERIFIED

pytestmark = [pytest.mark.anyio, requires_haproxy]


async def test_a_rolling_restart_of_all_processes_loses_nothing(topology) -> None:
    for worker in topology.workers:
        worker.start()
    await topology.wait_for_count(VERIFIED, 10)

    async with under_load(topology) as load:
        for panel in topology.panels:
            await topology.restart(panel)
            await asyncio.sleep(2)  # until the proxy's next check
        for worker in topology.workers:
            await topology.restart(worker)
        await topology.replace_console()
        os.kill(topology.proxy.pid, signal.SIGUSR2)  # the proxy reads its configuration anew
        await asyncio.sleep(3)

    assert not load.failures, load.results
    assert load.count("/api/drivers") > 100
    assert load.count("/api/admin/session") > 100
    await topology.wait_until_done()
    await topology.assert_complete()
