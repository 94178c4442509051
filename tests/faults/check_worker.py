"""A worker process that appends the key of each message to a file.

Its scheduler runs the reconciler, and the jobs that a wrong clock would make harmful, every two
seconds, and a file moves its clock.
"""

import asyncio
import os
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import msgspec

from prawko.base import clock
from prawko.base.bootstrap import create_context
from prawko.billing.jobs import expire_ended_subscriptions
from prawko.cli.main import main
from prawko.hooks.channels import Medium, Message, Recipient
from prawko.personal_data.jobs import apply_retention
from prawko.verifications.jobs import prune_check_items, reconcile_runs
from prawko.worker.main import run_until_terminated
from prawko.worker.schedule import SCHEDULE
from prawko_testing.fakes import FakeRegister, RecordingChannel, fake_plugin

TICK_INTERVAL = timedelta(seconds=2)
FREQUENT = (reconcile_runs, expire_ended_subscriptions, apply_retention, prune_check_items)


class _FileChannel(RecordingChannel):
    def __init__(self, file: Path) -> None:
        super().__init__(Medium.EMAIL)
        self._file = file

    async def send(self, message: Message, recipient: Recipient, *, idempotency_key: str) -> None:
        with self._file.open("a") as lines:
            lines.write(f"{idempotency_key}\n")


def shift_clock(file: Path) -> None:
    """Move the product's system clock by the seconds in a file, whenever it is there."""

    class ShiftedDatetime(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            try:
                shift = timedelta(seconds=float(file.read_text()))
            except FileNotFoundError:
                shift = timedelta(0)
            return datetime.now(tz) + shift

    clock.datetime = ShiftedDatetime


def run_worker(file: Path, clock_shift: Path) -> None:
    """Run the worker until the process is terminated."""
    shift_clock(clock_shift)
    schedule = [
        msgspec.structs.replace(job, interval=TICK_INTERVAL) if job.job in FREQUENT else job
        for job in SCHEDULE
    ]
    plugin = fake_plugin(FakeRegister(), _FileChannel(file))
    context = create_context(os.environ, extra_plugins={"fakes": plugin})
    asyncio.run(run_until_terminated(context, schedule=schedule, tick_interval=TICK_INTERVAL))


def run_shifted(file: Path, command: str = "worker") -> None:
    """Run a command of `prawko` with a clock that a file moves."""
    shift_clock(file)
    raise SystemExit(main([command]))
