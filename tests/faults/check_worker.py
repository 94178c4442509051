"""A worker process that appends the key of each message to a file.

Its scheduler runs the reconciler every two seconds instead of every minute.
"""

import asyncio
import os
from datetime import timedelta
from pathlib import Path

import msgspec

from prawko.base.bootstrap import create_context
from prawko.hooks.channels import Medium, Message, Recipient
from prawko.verifications.jobs import reconcile_runs
from prawko.worker.main import run_until_terminated
from prawko.worker.schedule import SCHEDULE
from prawko.worker.scheduler import Scheduler
from prawko_testing.fakes import FakeRegister, RecordingChannel, fake_plugin

TICK_INTERVAL = timedelta(seconds=2)


class _FileChannel(RecordingChannel):
    def __init__(self, file: Path) -> None:
        super().__init__(Medium.EMAIL)
        self._file = file

    async def send(self, message: Message, recipient: Recipient, *, idempotency_key: str) -> None:
        with self._file.open("a") as lines:
            lines.write(f"{idempotency_key}\n")


def run_worker(file: Path) -> None:
    """Run the worker until the process is terminated."""
    schedule = [
        msgspec.structs.replace(job, interval=TICK_INTERVAL) if job.job is reconcile_runs else job
        for job in SCHEDULE
    ]
    plugin = fake_plugin(FakeRegister(), _FileChannel(file))
    context = create_context(os.environ, extra_plugins={"fakes": plugin})
    asyncio.run(run_until_terminated(context, Scheduler(context, schedule, TICK_INTERVAL)))
