"""Worker processes with their database, register simulator and sent mails."""

import asyncio
import time
from collections import Counter
from datetime import timedelta
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from faults.check_worker import run_worker, write_shift
from support.fleet import licence_numbers
from support.processes import start_process

DRIVERS = 160
LICENCES = licence_numbers(DRIVERS, last_digits="0123456709")  # ends with 9: withheld
WITHHELD = [number for number in LICENCES if number.endswith("9")]
REGISTER_RATE = 60
DONE_SECONDS = 90.0
IDLE_SECONDS = 3.0
LEASED = "SELECT count(*) FROM check_item WHERE state = 'due' AND lease_until > now()"
SENDING = "SELECT count(*) FROM delivery WHERE state = 'pending' AND lease_until > now()"
VERIFIED = "SELECT count(*) FROM verification"


class WorkerProcesses:
    """Starts and kills workers, and tells what they have done."""

    def __init__(self, fleet, simulator, environment, folder: Path) -> None:
        self.fleet, self.simulator = fleet, simulator
        self._environment, self.folder, self._mails = environment, folder, folder / "mails"
        self.clock_shift = folder / "clock-shift"
        self.processes: list[ForkServerProcess] = []

    def start_workers(self, count: int = 1) -> None:
        for _ in range(count):
            self.processes.append(
                start_process(
                    run_worker,
                    self._mails,
                    self.clock_shift,
                    variables=self._environment,
                    output_folder=self.folder,
                )
            )

    def set_register_rate(self, rate: int) -> None:
        """Set the queries per second of the workers that are started from now on."""
        self._environment["REGISTER_RATE"] = str(rate / 0.8)

    async def supervise(self, register: str) -> None:
        """Keep a worker with this register alive until it is cancelled."""
        self._environment["REGISTER"] = register
        while True:
            if not (self.processes and self.processes[-1].is_alive()):
                self.start_workers()
            await asyncio.sleep(0.1)

    async def wait_for_count(self, sql: str, expected: int, seconds: float = DONE_SECONDS) -> None:
        """Wait until the count is reached."""
        end = time.monotonic() + seconds
        while (count := await self._count(sql)) < expected:
            assert time.monotonic() < end, f"{count} of {expected}\n{self.output()}"
            await asyncio.sleep(0.05)

    def shift_clock(self, shift: timedelta) -> None:
        """Move the clock of all workers, also while they run."""
        write_shift(self.clock_shift, shift)

    def output(self) -> str:
        return "\n".join((self.folder / name).read_text()[-3000:] for name in ("out", "err"))

    async def _count(self, sql: str) -> int:
        return await self.fleet.fetch_value(sql)

    async def wait_until_idle(self) -> None:
        """Wait until no verification is written any more."""
        count, since = await self._count(VERIFIED), time.monotonic()
        while time.monotonic() - since < IDLE_SECONDS:
            await asyncio.sleep(0.2)
            if (current := await self._count(VERIFIED)) != count:
                count, since = current, time.monotonic()

    async def expire_leases(self) -> None:
        for table in ("check_item", "delivery"):
            await self.fleet.admin.execute(
                f"UPDATE {table} SET lease_until = now() WHERE lease_until IS NOT NULL"
            )

    async def wait_until_done(self) -> None:
        """Wait until every driver is verified and every mail is sent."""
        await self.wait_for_count(f"{VERIFIED} WHERE verified_at IS NOT NULL", DRIVERS)
        await self.wait_for_count(
            "SELECT count(*) FROM delivery WHERE state = 'sent' AND kind NOT LIKE 'operator%'",
            len(WITHHELD),
        )

    async def assert_complete(self, *, in_flight: int = 0) -> None:
        """Assert one verification per driver, one notice per change and one mail per notice.

        `in_flight` messages may have been sent twice, by a worker that crashed.
        """
        rows = await self.fleet.driver_rows()
        assert {row["verifications"] for row in rows.values()} == {1}
        expected = {n: "invalid" if n in WITHHELD else "valid" for n in LICENCES}
        assert {number: row["status"] for number, row in rows.items()} == expected
        notices = {number: row["notices"] for number, row in rows.items() if row["notices"]}
        assert notices == {number: ["withheld"] for number in WITHHELD}
        # Operator mails about the outage are allowed.
        keys = self._mails.read_text().split()
        sent = Counter(key for key in keys if not key.startswith("operator"))
        assert len(sent) == len(WITHHELD), keys
        assert sent.total() <= len(WITHHELD) + in_flight

    def kill_all(self) -> None:
        for process in self.processes:
            process.kill()
            process.join()
            process.close()
