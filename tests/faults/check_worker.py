"""A worker process that appends the key of each message to a file.

Its scheduler runs the reconciler, and the jobs that a wrong clock would make harmful, every two
seconds, and a file moves its clock.
"""

import asyncio
import os
import signal
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import msgspec

from prawko.apps.cli.main import main
from prawko.apps.composition_root import create_context
from prawko.apps.worker.main import run_until_terminated
from prawko.apps.worker.schedule import SCHEDULE, PeriodicJob
from prawko.billing.jobs import expire_ended_subscriptions
from prawko.hooks.channels import Medium, Message, Recipient
from prawko.hooks.licence_register import LicenceAnswer, LicenceQuery
from prawko.kit import clock
from prawko.kit.deliveries.monitoring import watch_waiting_messages
from prawko.personal_data.jobs import apply_retention
from prawko.verifications.jobs import prune_check_items, reconcile_runs
from prawko_demo import clock as demo_clock
from prawko_testing.fakes import FakeRegister, RecordingChannel, fake_plugin

TICK_INTERVAL = timedelta(seconds=2)
FREQUENT = (
    reconcile_runs, expire_ended_subscriptions, apply_retention, prune_check_items,
    watch_waiting_messages,
)  # fmt: skip
KILLING_DIGITS = "177"


class _FileChannel(RecordingChannel):
    def __init__(self, file: Path) -> None:
        super().__init__(Medium.EMAIL)
        self._file = file

    async def send(self, message: Message, recipient: Recipient, *, idempotency_key: str) -> None:
        with self._file.open("a") as lines:
            lines.write(f"{idempotency_key}\n")


class _KillingRegister(FakeRegister):
    """Kills its process over some licences, as the kernel does where memory runs out."""

    async def look_up(self, query: LicenceQuery) -> LicenceAnswer | None:
        if query.number.endswith(KILLING_DIGITS):
            asyncio.get_running_loop().call_later(0.2, os.kill, os.getpid(), signal.SIGKILL)
            await asyncio.sleep(5)
        return await super().look_up(query)


def write_shift(file: Path, shift: timedelta) -> None:
    """Move the clock of all processes that were started with this file."""
    draft = file.with_suffix(".new")
    draft.write_text(str(shift.total_seconds()))
    draft.rename(file)


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

    for module in (clock, demo_clock):
        module.datetime = ShiftedDatetime


def frequent_schedule() -> list[PeriodicJob]:
    """Return the schedule of a worker, with jobs that are frequent for the tests."""
    return [
        msgspec.structs.replace(job, interval=TICK_INTERVAL) if job.job in FREQUENT else job
        for job in SCHEDULE
    ]


def run_worker(file: Path, clock_shift: Path) -> None:
    """Run the worker until the process is terminated."""
    shift_clock(clock_shift)
    plugin = fake_plugin(_KillingRegister(), _FileChannel(file))
    context = create_context(os.environ, extra_plugins={"fakes": plugin})
    asyncio.run(
        run_until_terminated(context, schedule=frequent_schedule(), tick_interval=TICK_INTERVAL)
    )


def run_shifted(file: Path, command: str = "worker") -> None:
    """Run a command of `prawko` with a clock that a file moves."""
    shift_clock(file)
    raise SystemExit(main([command]))
