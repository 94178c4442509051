"""Benchmark of the daily check, from lease to message, beside a bare loop and a job per driver.

In each round the three check the same drivers in turn, the product on a new day. Then one run over
the whole fleet, with its memory and the time from query to message.
"""

import argparse
import asyncio
import json
import random
import shutil
import tempfile
import time
import urllib.request
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import asyncpg
import msgspec
from tests.bench import fleet, list_read, product
from tests.bench.daily_product import noon_clock
from tests.bench.product import Measurement
from tests.bench.table import Figure, at_least, at_most, median, print_table, rate_figure

from prawko.kit.clock import warsaw_date
from prawko.verifications.daily.planning import plan_run
from prawko.verifications.daily.worker import MAX_WORKERS
from prawko_demo.register.server import SimulatorAddress
from prawko_tenants.engine import Database

# Queries at a time for each of the check workers; the floor has as many in all. A register that
# answers at once needs no more, and further ones make messages wait for the event loop.
CONCURRENCY = 8
CHANGE_INTERVAL = 100  # every hundredth document is withheld each day
POLL_SECONDS = 0.1
PER_COMPANY = 50
TIMEOUT_SECONDS = 900


class Size(msgspec.Struct, frozen=True):
    """Numbers of drivers and rounds; the peer's rate does not depend on its number."""

    drivers: int
    peer_drivers: int
    rounds: int
    fleet: int


FULL = Size(drivers=10_000, peer_drivers=1_000, rounds=3, fleet=100_000)
SMALL = Size(drivers=2_000, peer_drivers=300, rounds=1, fleet=4_000)


class DayResult(msgspec.Struct, frozen=True):
    """The product's measurement of one day, and samples of its memory in MiB."""

    measurement: Measurement
    memory: list[float]


class DailyCheckBench:
    """A database, a register simulator, and the variables of the measured processes."""

    def __init__(self, servers, logins, address: SimulatorAddress, register: str) -> None:
        self._servers = servers
        self._logins = logins
        self._address = address
        self._day = 0
        parallel = CONCURRENCY * MAX_WORKERS
        self.variables = {
            **product.product_variables(servers, logins),
            "DATABASE_URL": logins.worker,
            "MAIL_CHANNEL": "bench",
            "REGISTER": register,
            "REGISTER_RATE": "1000000",
            "REGISTER_MAX_CONCURRENCY": str(CONCURRENCY),
            "TIMETABLE": "false",
            **_register_variables(address, register, parallel),
        }
        self.floor_variables = {**self.variables, "REGISTER_MAX_CONCURRENCY": str(parallel)}
        self.peer_variables = {
            **self.variables,
            "BENCH_URL": servers.urls.admin_url.replace("/postgres?", "/peer?"),
        }

    async def add_drivers(self, first: int, last: int, per_company: int) -> None:
        admin = await self.connect()
        await fleet.insert_drivers(
            admin, first, last, per_company=per_company, now=noon_clock(0).now()
        )
        await admin.close()

    def withhold_documents(self, drivers: int) -> None:
        """Withhold every hundredth document, others each day."""
        for n in range(self._day % CHANGE_INTERVAL, drivers, CHANGE_INTERVAL):
            first_name, last_name = fleet.driver_name(n)
            document = {
                "firstName": first_name,
                "lastName": last_name,
                "state": {"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"},
            }
            urllib.request.urlopen(
                urllib.request.Request(
                    f"{self._address.control_url}/documents/{fleet.licence_number(n)}",
                    data=json.dumps(document).encode(),
                    method="PUT",
                )
            ).close()

    async def run_next_day(self, drivers: int) -> DayResult:
        """Plan the next day, run it in a new worker's process, and wait for its end."""
        self.begin_next_day(drivers)
        planned = await self.plan_day()
        assert planned == drivers, planned
        return await self.run_planned_day(drivers)

    def begin_next_day(self, drivers: int) -> None:
        """Go on to the next day, with other documents withheld."""
        self._day += 1
        self.withhold_documents(drivers)

    async def plan_day(self) -> int:
        """Plan the day's check; returns the number of drivers."""
        database = Database(self._logins.worker, planner_url=self._logins.planner)
        planned = await plan_run(database, noon_clock(self._day).now())
        await database.close()
        return planned

    @contextmanager
    def run_worker(self, rate: int | None = None) -> Iterator[int]:
        """Run a worker of the planned day; yields its process id. `rate` is queries per second."""
        changes = {} if rate is None else {"REGISTER_RATE": str(rate)}
        with product.run_module(
            "tests.bench.daily_product", self._day, environment={**self.variables, **changes}
        ) as pid:
            yield pid

    async def run_planned_day(
        self, drivers: int, *, timeout_seconds: float = TIMEOUT_SECONDS
    ) -> DayResult:
        """Run the planned day in a new worker's process, and wait for its end."""
        day = warsaw_date(noon_clock(self._day).now())
        admin = await self.connect()
        with self.run_worker() as pid:
            started, cpu_before = time.perf_counter(), product.cpu_seconds(pid)
            memory = []
            while await _has_pending_work(admin, day, drivers):
                if time.perf_counter() - started > timeout_seconds:
                    raise TimeoutError("the day's run does not end")
                memory.append(product.memory_mib(pid))
                await asyncio.sleep(POLL_SECONDS)
            seconds = time.perf_counter() - started
            cpu_seconds = product.cpu_seconds(pid) - cpu_before
            memory.append(product.memory_mib(pid))
        await admin.close()
        return DayResult(Measurement(drivers / seconds, cpu_seconds / drivers * 1e6), memory)

    def connect(self) -> Awaitable[asyncpg.Connection]:
        """Open a superuser's connection to the database."""
        return fleet.connect_superuser(self._servers, self._logins)

    @contextmanager
    def serve_panel(self) -> Iterator[int]:
        """Run a panel on the database; yields its port."""
        environment = {
            **product.product_variables(self._servers, self._logins),
            **list_read.fake_providers(),
        }
        with product.serve_asgi(
            "tests.bench.list_product:panel", environment, factory=True
        ) as port:
            yield port

    def run_floor(self, drivers: int) -> Measurement:
        return product.run_measured(
            "tests.bench.daily_floor", drivers, environment=self.floor_variables
        )

    def run_peer(self, drivers: int) -> Measurement:
        return product.run_measured(
            "tests.bench.daily_peer", drivers, environment=self.peer_variables
        )

    async def fetch_latencies(self) -> list[float]:
        """Return the seconds from query to sent message, ascending, for the last day."""
        admin = await self.connect()
        rows = await admin.fetch(SELECT_LATENCIES, warsaw_date(noon_clock(self._day).now()))
        await admin.close()
        return [row["seconds"] for row in rows]

    async def create_peer_database(self) -> None:
        admin = await asyncpg.connect(self._servers.urls.admin_url)
        await admin.execute("CREATE DATABASE peer")
        await admin.close()


SELECT_LATENCIES = """
    SELECT extract(epoch FROM d.sent_at - i.asked_at_system)::float AS seconds
      FROM delivery d JOIN notice n ON n.tenant_id = d.tenant_id AND n.id = d.notice_id
      JOIN check_item i ON i.day = $1 AND i.tenant_id = n.tenant_id AND i.driver_id = n.driver_id
     WHERE d.state = 'sent' AND d.sent_at > i.asked_at_system
     ORDER BY seconds
"""


async def _has_pending_work(admin: asyncpg.Connection, day: date, drivers: int) -> bool:
    """Whether there are drivers to check or messages to send."""
    done = await admin.fetchval("SELECT done FROM check_run WHERE day = $1", day)
    if done < drivers:
        return True
    return await admin.fetchval("SELECT EXISTS (SELECT FROM delivery WHERE state = 'pending')")


def _register_variables(
    address: SimulatorAddress, register: str, connections: int
) -> dict[str, str]:
    if register == "public":
        return {
            "REGISTER_PUBLIC_URL": address.json_url,
            "REGISTER_PUBLIC_CONNECTIONS": str(connections),
        }
    return {
        "REGISTER_UPKI_URL": address.soap_url,
        "REGISTER_UPKI_CA": address.ca,
        "REGISTER_UPKI_P12": address.p12,
        "REGISTER_UPKI_P12_PASSWORD": address.p12_password,
        "REGISTER_UPKI_SERVER_NAME": address.server_name,
        "REGISTER_UPKI_CONNECTIONS": str(connections),
    }


@contextmanager
def open_bench(register: str, documents: int) -> Iterator[DailyCheckBench]:
    """Start the servers and the register simulator for a comparison."""
    home = Path(tempfile.mkdtemp(prefix="prawko-bench-register-"))
    with (
        product.create_database() as (servers, logins),
        product.run_module("tests.bench.daily_register", home, documents, environment={}),
    ):
        address = msgspec.json.decode((home / "register.json").read_bytes(), type=SimulatorAddress)
        bench = DailyCheckBench(servers, logins, address, register)
        asyncio.run(bench.create_peer_database())
        yield bench
    shutil.rmtree(home, ignore_errors=True)


def run_comparison(bench: DailyCheckBench, size: Size, title: str, per_company: int) -> None:
    """Measure the three in turn and print their medians."""
    asyncio.run(bench.add_drivers(0, size.drivers, per_company))
    first = asyncio.run(bench.run_next_day(size.drivers)).measurement
    product_runs, floor, peer = [], [], []
    for _ in range(size.rounds):
        floor.append(bench.run_floor(size.drivers))
        product_runs.append(asyncio.run(bench.run_next_day(size.drivers)).measurement)
        peer.append(bench.run_peer(size.peer_drivers))
    print_table(
        f"daily check over {title}: {size.drivers:,} drivers in companies of {per_company}, "
        f"medians of {size.rounds} rounds",
        [
            *_figures("bare loop (floor)", floor),
            *_figures("product: answers known, 1 % withheld anew", product_runs),
            *_figures("one job per driver (peer)", peer),
            at_least("product / floor", _median_rate(product_runs) / _median_rate(floor), 0.45),
            Figure(
                "  the same by processor time",
                f"{_median_cpu_time(floor) / _median_cpu_time(product_runs):.2f}",
            ),
            at_least("product / peer", _median_rate(product_runs) / _median_rate(peer), 5, ".1f"),
            Figure(
                "  the same by processor time",
                f"{_median_cpu_time(peer) / _median_cpu_time(product_runs):.1f}",
            ),
            *_figures("product on the first day, all answers new", [first]),
        ],
    )


def _figures(name: str, runs: list[Measurement]) -> list[Figure]:
    cpu_time = f"{_median_cpu_time(runs):.0f} µs"
    return [
        rate_figure(name, [run.per_second for run in runs]),
        Figure("  processor time of its process, per driver", cpu_time),
    ]


def _median_rate(runs: list[Measurement]) -> float:
    return median([run.per_second for run in runs])


def _median_cpu_time(runs: list[Measurement]) -> float:
    return median([run.cpu_microseconds for run in runs])


def run_long(bench: DailyCheckBench, size: Size, per_company: int) -> None:
    """Run a day of the whole fleet and print the memory and the messages' latency."""
    asyncio.run(bench.add_drivers(size.drivers, size.fleet, per_company))
    day = asyncio.run(bench.run_next_day(size.fleet))
    memory = day.memory
    first_quarter = max(memory[: len(memory) // 4 or 1])
    latencies = asyncio.run(bench.fetch_latencies())
    percentile_99 = latencies[int(len(latencies) * 0.99) - 1]
    print_table(
        f"one run over {size.fleet:,} drivers, one worker",
        [
            Figure("drivers per second", f"{day.measurement.per_second:.0f}/s"),
            at_most("memory of the worker at its highest", max(memory), 256, ".0f", " MiB"),
            Figure("  in the first quarter", f"{first_quarter:.0f} MiB"),
            at_most("  highest / first quarter's highest (flat)", max(memory) / first_quarter, 1.1),
            Figure("messages sent", f"{len(latencies):,}"),
            at_most("query to message, 99 %", percentile_99, 5, ".2f", " s"),
            Figure("  median", f"{median(latencies):.2f} s"),
        ],
    )


def run(*, small: bool = False, register: str = "", per_company: int = PER_COMPANY) -> None:
    """Compare with both register adapters; run the whole fleet with the JSON one."""
    random.seed(1)
    size = SMALL if small else FULL
    if register in {"", "public"}:
        with open_bench("public", size.fleet) as bench:
            run_comparison(bench, size, "JSON", per_company)
            run_long(bench, size, per_company)
    if register in {"", "upki"}:
        with open_bench("upki", size.drivers) as bench:
            run_comparison(bench, size, "SOAP and TLS", per_company)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--register", default="", choices=["", "public", "upki"])
    parser.add_argument("--per-company", type=int, default=PER_COMPANY)
    arguments = parser.parse_args()
    run(small=arguments.small, register=arguments.register, per_company=arguments.per_company)
