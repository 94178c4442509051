"""Benchmark of a whole country: a daily check of a million drivers in companies of ten.

For each size: a first day, on which every answer is new; three full years of history for 10,000
drivers spread among the others; a second day, on which one document in a hundred is withheld; and
lists read by a company while nothing runs, while a check runs at the register's pace, and while one
runs as fast as it can. The last table says how each cost grows with the number of drivers.

`python -m tests.bench.national` takes half an hour, `--small` two minutes; `--sizes 1000000`
measures these numbers of drivers alone, `--shared-buffers 2GB` with a larger database server.
"""

import argparse
import asyncio
import datetime as dt
import hashlib
import sys
import time
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import asyncpg
import msgspec
import psutil
from tests.bench import growth, list_read
from tests.bench.daily_check import (
    DailyCheckBench,
    DayResult,
    open_bench,
)
from tests.bench.steady_load import Latencies
from tests.bench.table import Figure, at_most, median, print_table

from prawko.kit.clock import WARSAW, utc_now
from prawko.verifications.daily.schedule import SAFETY_FACTOR, CheckSchedule
from prawko.verifications.register.rate_limit_policy import RUN_SHARE
from prawko_embedded.postgres_server import POSTGRES_SETTINGS

PER_COMPANY = 10
HISTORY_DRIVERS = 10_000
HISTORY_DAYS = 1095
FLOOR_DRIVERS = 10_000
READ_SECONDS = 30
READS_PER_SECOND = 50
# What a register grants ten certificates (docs/decisions/0028-register-accesses.md).
PACED_RATE = 100
CERTIFICATE_RATE = 10
NIGHT = dt.time(6, 0)
SIZES = (10_000, 100_000, 1_000_000)
SMALL_SIZES = (2_000, 10_000)


class DayCost(msgspec.Struct, frozen=True):
    """A day's run, with what it cost of the database server's CPU time and of its log."""

    result: DayResult
    planning_seconds: float
    database_cpu_seconds: dict[str, float]  # by kind of process
    wal_bytes: int


class SizeResult(msgspec.Struct, frozen=True):
    """All measurements of one size. Rates are drivers per second, latencies seconds."""

    drivers: int
    floor_per_second: float
    first_day: DayCost
    later_day: DayCost
    database_bytes: int
    answer_bytes: float
    check_bytes: float
    item_bytes: float
    idle_reads: Latencies
    paced_reads: Latencies
    busy_reads: Latencies

    def per_driver(self, total: float) -> float:
        return total / self.drivers

    @property
    def database_microseconds(self) -> float:
        """Processor time of the database server per driver, on the later day."""
        return self.per_driver(sum(self.later_day.database_cpu_seconds.values())) * 1e6


class NationalBench:
    """One database of a size, measured from its first day on."""

    def __init__(self, bench: DailyCheckBench, drivers: int) -> None:
        self._bench = bench
        self._drivers = drivers

    @asynccontextmanager
    async def _connect(self) -> AsyncIterator[asyncpg.Connection]:
        admin = await self._bench.connect()
        try:
            yield admin
        finally:
            await admin.close()

    async def prepare(self) -> None:
        await self._bench.add_drivers(0, self._drivers, PER_COMPANY)

    async def run_day(self) -> DayCost:
        """Run the next day to its end, and measure what it costs the database server."""
        async with self._connect() as admin:
            await admin.execute("CHECKPOINT")
            wal_before = await admin.fetchval("SELECT pg_current_wal_lsn()")
            self._bench.begin_next_day(self._drivers)
            async with _sample_cpu_seconds(await _server_process(admin)) as cpu_seconds:
                started = time.perf_counter()
                planned = await self._bench.plan_day()
                planning_seconds = time.perf_counter() - started
                assert planned == self._drivers, planned
                result = await self._bench.run_planned_day(
                    self._drivers, timeout_seconds=60 + self._drivers / 200
                )
            return DayCost(
                result,
                planning_seconds,
                cpu_seconds,
                await admin.fetchval(
                    "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1)::bigint", wal_before
                ),
            )

    async def add_history(self, days: int) -> None:
        """Insert daily checks of past years for some drivers, spread among all."""
        async with self._connect() as admin:
            await admin.execute("SET session_replication_role = replica")  # skips foreign keys
            now = utc_now()
            await growth.create_months(admin, (now - dt.timedelta(days=days)).date(), now.date())
            every = max(1, self._drivers // HISTORY_DRIVERS)
            await admin.execute(growth.PAST_CHECKS, now, days, every)
            await admin.execute(growth.SET_FIRST_SEEN, now)
            await admin.execute("VACUUM ANALYZE")
            await admin.execute("CHECKPOINT")

    async def sign_in(self) -> None:
        """Insert a session of the owner of one company."""
        async with self._connect() as admin:
            tenant: uuid.UUID = await admin.fetchval(
                "SELECT tenant_id FROM driver ORDER BY md5(id::text) LIMIT 1"
            )
            now = utc_now()
            await admin.execute(
                list_read.INSERT_SESSION,
                hashlib.sha256(list_read.TOKEN.encode()).digest(),
                now + dt.timedelta(hours=3),
                now,
                tenant,
            )

    async def read_beside_check(self, port: int, rate: int | None) -> Latencies:
        """Read lists while a check runs at a rate of queries per second; None: nothing runs."""
        if rate is None:
            return await _read_lists(port)
        self._bench.begin_next_day(self._drivers)
        await self._bench.plan_day()
        with self._bench.run_worker(rate):
            await asyncio.sleep(2)  # until its queries are under way
            return await _read_lists(port)

    async def fetch_bytes(self, sql: str) -> float:
        async with self._connect() as admin:
            return float(await admin.fetchval(sql))


async def _read_lists(port: int) -> Latencies:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.steady_load", str(port), list_read.PATH,
        list_read.COOKIE, str(READ_SECONDS), str(READS_PER_SECOND),
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    output, _ = await process.communicate()
    assert process.returncode == 0
    return msgspec.json.decode(output, type=Latencies)


async def _server_process(admin: asyncpg.Connection) -> psutil.Process:
    return psutil.Process(await admin.fetchval("SELECT pg_backend_pid()")).parent()


_PROCESS_KINDS = ("checkpointer", "background writer", "walwriter", "autovacuum", "io worker")
SAMPLE_SECONDS = 0.5  # what a process used after its last sample is lost


@asynccontextmanager
async def _sample_cpu_seconds(server: psutil.Process) -> AsyncIterator[dict[str, float]]:
    """Yield a dictionary that holds, after the block, the CPU time of each kind of process."""
    seconds: dict[str, float] = {}
    before, latest = _cpu_seconds(server), dict[tuple[str, int], float]()

    async def sample() -> None:
        while True:
            latest.update(_cpu_seconds(server))
            await asyncio.sleep(SAMPLE_SECONDS)

    task = asyncio.create_task(sample())
    try:
        yield seconds
    finally:
        task.cancel()
    latest.update(_cpu_seconds(server))
    for (kind, pid), total in latest.items():
        seconds[kind] = seconds.get(kind, 0) + total - before.get((kind, pid), 0)


def _cpu_seconds(server: psutil.Process) -> dict[tuple[str, int], float]:
    """Return the CPU time of each process of a database server, by kind and process id."""
    found = {}
    for child in server.children():
        with suppress(psutil.NoSuchProcess):  # ended just now
            title, times = " ".join(child.cmdline()), child.cpu_times()
            kind = next((kind for kind in _PROCESS_KINDS if kind in title), "statements")
            found[kind, child.pid] = times.user + times.system
    return found


_DATABASE_BYTES = "SELECT pg_database_size(current_database())"
_BYTES_PER_ROW = """
    SELECT coalesce(sum(pg_total_relation_size(inhrelid)), pg_total_relation_size('{table}'))::float
           / greatest((SELECT count(*) FROM {table}), 1)
      FROM pg_inherits WHERE inhparent = '{table}'::regclass
"""


def measure_size(drivers: int, history_days: int) -> SizeResult:
    """Measure one number of drivers on servers of its own."""
    with open_bench("public", drivers) as bench:
        return asyncio.run(_measure(bench, drivers, history_days))


async def _measure(bench: DailyCheckBench, drivers: int, history_days: int) -> SizeResult:
    national, floor = NationalBench(bench, drivers), []

    def run_floor() -> None:
        floor.append(bench.run_floor(min(drivers, FLOOR_DRIVERS)).per_second)

    await national.prepare()
    run_floor()
    first_day = await national.run_day()
    check_bytes = await national.fetch_bytes(_BYTES_PER_ROW.format(table="verification"))
    await national.add_history(history_days)
    run_floor()
    later_day = await national.run_day()
    run_floor()
    await national.sign_in()
    with bench.serve_panel() as port:
        reads = [
            await national.read_beside_check(port, rate)
            for rate in (None, None, PACED_RATE, 1_000_000)  # the first warms the caches
        ]
    return SizeResult(
        drivers=drivers,
        floor_per_second=median(floor),
        first_day=first_day,
        later_day=later_day,
        database_bytes=int(await national.fetch_bytes(_DATABASE_BYTES)),
        answer_bytes=await national.fetch_bytes(_BYTES_PER_ROW.format(table="register_answer")),
        check_bytes=check_bytes,
        item_bytes=await national.fetch_bytes(_BYTES_PER_ROW.format(table="check_item")),
        idle_reads=reads[1],
        paced_reads=reads[2],
        busy_reads=reads[3],
    )


def print_size(size: SizeResult) -> None:
    """Print the table of one size."""
    later, memory = size.later_day, size.later_day.result.memory
    print_table(
        f"{size.drivers:,} drivers in {size.drivers // PER_COMPANY:,} companies, one worker",
        [
            at_most(
                "planned in", later.planning_seconds, max(1, size.drivers * 30e-6), ".1f", " s"
            ),
            Figure("first day, all answers new", _day(size.first_day)),
            Figure("a later day, 1 % withheld anew", _day(later)),
            Figure("  of the bare loop", f"{_rate(later) / size.floor_per_second:.2f}"),
            Figure("  worker, per driver", f"{later.result.measurement.cpu_microseconds:.0f} µs"),
            Figure(
                "  database server, per driver",
                f"{size.database_microseconds:.0f} µs: {_parts(size)}",
            ),
            Figure("  write-ahead log, per driver", f"{size.per_driver(later.wal_bytes):.0f} B"),
            at_most("  memory of the worker at its highest", max(memory), 256, ".0f", " MiB"),
            Figure("a check with its index, not reindexed", f"{size.check_bytes:.0f} B"),
            Figure("an answer, once per content", f"{size.answer_bytes:.0f} B"),
            Figure("a check item, kept for 14 days", f"{size.item_bytes:.0f} B"),
            Figure("database", f"{size.database_bytes / 2**30:.1f} GiB"),
            Figure("list, nothing runs", _reads(size.idle_reads)),
            Figure(f"list, a check of {PACED_RATE} queries a second", _reads(size.paced_reads)),
            at_most(
                "  99th percentile, of that when nothing runs",
                size.paced_reads.percentile_99 / size.idle_reads.percentile_99,
                2,
            ),
            Figure("list, a check as fast as it can", _reads(size.busy_reads)),
        ],
    )


def _rate(day: DayCost) -> float:
    return day.result.measurement.per_second


def _day(day: DayCost) -> str:
    return f"{_rate(day):.0f}/s"


def _parts(size: SizeResult) -> str:
    """Return the kinds of processes of the database server that take the most, with their share."""
    seconds = size.later_day.database_cpu_seconds
    most = sorted(seconds, key=seconds.__getitem__, reverse=True)[:4]
    return ", ".join(f"{kind} {size.per_driver(seconds[kind]) * 1e6:.0f}" for kind in most)


def _reads(latencies: Latencies) -> str:
    return f"{latencies.median * 1000:.1f}, 99 %: {latencies.percentile_99 * 1000:.1f} ms"


def print_growth(sizes: Sequence[SizeResult]) -> None:
    """Print the cost per driver of each size, relative to the smallest."""
    few = sizes[0]
    for name, cost in (
        ("worker's CPU time", lambda one: one.later_day.result.measurement.cpu_microseconds),
        ("database's CPU time", lambda one: one.database_microseconds),
        ("write-ahead log", lambda one: one.per_driver(one.later_day.wal_bytes)),
        ("median of a list", lambda one: one.idle_reads.median),
    ):
        print_table(
            f"{name}, compared with {few.drivers:,} drivers",
            [
                Figure(f"{size.drivers:,} drivers", f"{cost(size) / cost(few):.2f}")
                for size in sizes
            ],
        )


def print_forecast(drivers: int = 1_000_000) -> None:
    """Print how long a check takes at the register's pace, by the number of certificates."""
    figures = []
    for certificates in (1, 2, 4, 6, 8, 10):
        rate = certificates * CERTIFICATE_RATE * RUN_SHARE
        schedule = CheckSchedule(NIGHT, rate)
        capacity = schedule.capacity(utc_now().astimezone(WARSAW).date())
        hours = drivers * SAFETY_FACTOR / rate / 3600
        figures.append(
            Figure(
                f"{certificates} certificates",
                f"{hours:.1f} h",
                f"{capacity:,}",
                capacity >= drivers,
            )
        )
    print_table(f"{drivers:,} drivers at the register's pace; capacity of a night", figures)


def run(*, small: bool = False, chosen: Sequence[int] = ()) -> None:
    sizes = []
    for drivers in chosen or (SMALL_SIZES if small else SIZES):
        sizes.append(measure_size(drivers, 60 if small else HISTORY_DAYS))
        print_size(sizes[-1])
    print_growth(sizes)
    print_forecast()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--sizes", type=int, nargs="+", default=())
    parser.add_argument("--shared-buffers", default=POSTGRES_SETTINGS["shared_buffers"])
    arguments = parser.parse_args()
    POSTGRES_SETTINGS["shared_buffers"] = arguments.shared_buffers
    run(small=arguments.small, chosen=arguments.sizes)
