"""The daily check from lease to message, beside a bare loop and a job per driver.

Rounds: the same drivers on one day after another, the three taking turns. Then a long run
over the whole fleet, with its memory and the time from answer to message.
"""

import argparse
import asyncio
import json
import random
import shutil
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

import asyncpg
import msgspec
from tests.bench import fleet, product
from tests.bench.daily_ours import noon
from tests.bench.product import Spell
from tests.bench.table import Figure, at_least, at_most, middle, rates, show

from prawko.base.clock import warsaw_day
from prawko.verifications.jobs import PUMPS
from prawko.verifications.planning import plan
from prawko_demo.register.server import Address
from prawko_tenants.engine import Database

# For each of the four pumps, and the floor has as many: a register that answers at once needs no
# more under way, and every further one only makes messages wait for the event loop.
PARALLEL = 8
CHANGED = 100  # every hundredth document is withheld from one day to the next
POLL_SECONDS = 0.1
PER_COMPANY = 50
PATIENCE_SECONDS = 900


class Size(msgspec.Struct, frozen=True):
    """How much is done; the peer's drivers are fewer, its rate does not depend on them."""

    drivers: int
    peer_drivers: int
    rounds: int
    fleet: int


FULL = Size(drivers=10_000, peer_drivers=1_000, rounds=3, fleet=100_000)
SMALL = Size(drivers=2_000, peer_drivers=300, rounds=1, fleet=4_000)


class Day(msgspec.Struct, frozen=True):
    """What one day's run of ours came to. Memory in MiB, the latest in seconds."""

    work: Spell
    memory: list[float]


class Bench:
    """One database, one simulator, and the variables of the processes between them."""

    def __init__(self, servers, logins, address: Address, register: str) -> None:
        self._servers = servers
        self._logins = logins
        self._address = address
        self._day = 0
        parallel = PARALLEL * PUMPS
        self.variables = {
            **product.variables(servers, logins),
            "DATABASE_URL": logins.worker,
            "MAIL_CHANNEL": "bench",
            "REGISTER": register,
            "REGISTER_RATE": "1000000",
            "REGISTER_PARALLEL": str(PARALLEL),
            "TIMETABLE": "false",
            **_plugin(address, register, parallel),
        }
        self.floor_variables = {**self.variables, "REGISTER_PARALLEL": str(parallel)}
        self.peer_variables = {
            **self.variables,
            "BENCH_URL": servers.servers.admin_url.replace("/postgres?", "/peer?"),
        }

    async def grow(self, first: int, last: int, per_company: int) -> None:
        admin = await fleet.superuser(self._servers, self._logins)
        await fleet.add(admin, first, last, per_company=per_company, now=noon(0).now())
        await admin.close()

    def withhold(self, drivers: int) -> None:
        """Every hundredth document is withheld from now on, another one each day."""
        for n in range(self._day % CHANGED, drivers, CHANGED):
            first_name, last_name = fleet.name(n)
            document = {
                "firstName": first_name,
                "lastName": last_name,
                "state": {"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"},
            }
            urllib.request.urlopen(
                urllib.request.Request(
                    f"{self._address.control_url}/documents/{fleet.number(n)}",
                    data=json.dumps(document).encode(),
                    method="PUT",
                )
            ).close()

    async def next_day(self, drivers: int) -> Day:
        """Plan a day, run it in a worker of its own, and see it done."""
        self._day += 1
        self.withhold(drivers)
        now = noon(self._day).now()
        day = warsaw_day(now)
        database = Database(self._logins.worker, planner_url=self._logins.planner)
        planned = await plan(database, day, day - timedelta(days=1), now)
        assert planned == drivers, planned
        await database.close()
        admin = await fleet.superuser(self._servers, self._logins)
        with product.running(
            "tests.bench.daily_ours", self._day, environment=self.variables
        ) as pid:
            started, busy = time.perf_counter(), product.processor_seconds(pid)
            memory = []
            while await _left(admin, day, drivers):
                if time.perf_counter() - started > PATIENCE_SECONDS:
                    raise TimeoutError("the day's run does not end")
                memory.append(product.memory_mib(pid))
                await asyncio.sleep(POLL_SECONDS)
            spent = time.perf_counter() - started
            busy = product.processor_seconds(pid) - busy
            memory.append(product.memory_mib(pid))
        await admin.close()
        return Day(Spell(drivers / spent, busy / drivers * 1e6), memory)

    def floor(self, drivers: int) -> Spell:
        return product.spell("tests.bench.daily_floor", drivers, environment=self.floor_variables)

    def peer(self, drivers: int) -> Spell:
        return product.spell("tests.bench.daily_peer", drivers, environment=self.peer_variables)

    async def latencies(self) -> list[float]:
        """Seconds from question to message handed over, of every message of the last day."""
        admin = await fleet.superuser(self._servers, self._logins)
        rows = await admin.fetch(LATENCIES, warsaw_day(noon(self._day).now()))
        await admin.close()
        return [row["seconds"] for row in rows]

    async def make_peer_database(self) -> None:
        admin = await asyncpg.connect(self._servers.servers.admin_url)
        await admin.execute("CREATE DATABASE peer")
        await admin.close()


LATENCIES = """
    SELECT extract(epoch FROM d.sent_at - i.asked_at)::float AS seconds
      FROM delivery d JOIN notice n ON n.tenant_id = d.tenant_id AND n.id = d.notice_id
      JOIN check_item i ON i.day = $1 AND i.tenant_id = n.tenant_id AND i.driver_id = n.driver_id
     WHERE d.state = 'sent' AND d.sent_at > i.asked_at
     ORDER BY seconds
"""


async def _left(admin: asyncpg.Connection, day: date, drivers: int) -> bool:
    """Whether the day is still being worked on: drivers to check, or messages to hand over."""
    done = await admin.fetchval("SELECT done FROM check_run WHERE day = $1", day)
    if done < drivers:
        return True
    return await admin.fetchval("SELECT EXISTS (SELECT FROM delivery WHERE state = 'pending')")


def _plugin(address: Address, register: str, connections: int) -> dict[str, str]:
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
def bench(register: str, documents: int) -> Iterator[Bench]:
    """Everything that the three need."""
    home = Path(tempfile.mkdtemp(prefix="prawko-bench-register-"))
    with (
        product.database() as (servers, logins),
        product.running("tests.bench.daily_register", home, documents, environment={}),
    ):
        address = msgspec.json.decode((home / "register.json").read_bytes(), type=Address)
        found = Bench(servers, logins, address, register)
        asyncio.run(found.make_peer_database())
        yield found
    shutil.rmtree(home, ignore_errors=True)


def compare(b: Bench, size: Size, title: str, per_company: int) -> None:
    """Let the three take turns."""
    asyncio.run(b.grow(0, size.drivers, per_company))
    first = asyncio.run(b.next_day(size.drivers)).work
    ours, floor, peer = [], [], []
    for _ in range(size.rounds):
        floor.append(b.floor(size.drivers))
        ours.append(asyncio.run(b.next_day(size.drivers)).work)
        peer.append(b.peer(size.peer_drivers))
    show(
        f"daily check over {title}: {size.drivers:,} drivers in companies of {per_company}, "
        f"medians of {size.rounds} rounds",
        [
            *_spells("bare loop (floor)", floor),
            *_spells("ours: answers known, 1 % withheld anew", ours),
            *_spells("one job per driver (peer)", peer),
            at_least("ours / floor", _rate(ours) / _rate(floor), 0.45),
            Figure("  the same by processor time", f"{_busy(floor) / _busy(ours):.2f}"),
            at_least("ours / peer", _rate(ours) / _rate(peer), 5, ".1f"),
            Figure("  the same by processor time", f"{_busy(peer) / _busy(ours):.1f}"),
            *_spells("ours on the first day, all answers new", [first]),
        ],
    )


def _spells(name: str, spells: list[Spell]) -> list[Figure]:
    busy = f"{_busy(spells):.0f} µs"
    return [
        rates(name, [one.per_second for one in spells]),
        Figure("  processor time of its process, per driver", busy),
    ]


def _rate(spells: list[Spell]) -> float:
    return middle([one.per_second for one in spells])


def _busy(spells: list[Spell]) -> float:
    return middle([one.microseconds for one in spells])


def long_run(b: Bench, size: Size, per_company: int) -> None:
    """A day of the whole fleet: is memory flat, and are messages at once on their way?"""
    asyncio.run(b.grow(size.drivers, size.fleet, per_company))
    day = asyncio.run(b.next_day(size.fleet))
    memory = day.memory
    early = max(memory[: len(memory) // 4 or 1])
    late = asyncio.run(b.latencies())
    soon = late[int(len(late) * 0.99) - 1]
    show(
        f"one run over {size.fleet:,} drivers, one worker",
        [
            Figure("drivers per second", f"{day.work.per_second:.0f}/s"),
            at_most("memory of the worker at its highest", max(memory), 256, ".0f", " MiB"),
            Figure("  in the first quarter", f"{early:.0f} MiB"),
            at_most("  highest / first quarter's highest (flat)", max(memory) / early, 1.1),
            Figure("messages handed over", f"{len(late):,}"),
            at_most("question to message, 99 %", soon, 5, ".2f", " s"),
            Figure("  median", f"{middle(late):.2f} s"),
        ],
    )


def run(*, small: bool = False, register: str = "", per_company: int = PER_COMPANY) -> None:
    """Both registers, the long run over JSON."""
    random.seed(1)
    size = SMALL if small else FULL
    if register in {"", "public"}:
        with bench("public", size.fleet) as b:
            compare(b, size, "JSON", per_company)
            long_run(b, size, per_company)
    if register in {"", "upki"}:
        with bench("upki", size.drivers) as b:
            compare(b, size, "SOAP and TLS", per_company)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--register", default="", choices=["", "public", "upki"])
    parser.add_argument("--per-company", type=int, default=PER_COMPANY)
    given = parser.parse_args()
    run(small=given.small, register=given.register, per_company=given.per_company)
