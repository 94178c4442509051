"""The product as compose.yaml runs it: proxy, two panels, console, two workers, each a process."""

import asyncio
import functools
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from redis.asyncio import Redis

from ops.name_server import NameServer
from ops.proxy import Proxy
from ops.server_process import PROGRAM, SHIFTED_PROGRAM, ServerProcess, prawko
from prawko.accounts.legal_documents import current_documents
from prawko.accounts.passwords import hashing
from prawko.kit.clock import utc_now
from prawko.kit.http.server import KILL_TIMEOUT_SECONDS
from prawko_demo.clock import FileClock
from prawko_demo.register import RegisterSimulator, run_register_simulator
from prawko_embedded import EmbeddedServers
from prawko_tenants.logins import Logins
from support.fleet import Fleet, licence_numbers, open_fleet
from support.people import PASSWORD
from support.processes import free_port
from support.servers.mail import FakeMailServer
from support.waiting import DEADLINE_SECONDS, wait_until

MACHINES = ("one", "two")
PANEL_HOSTS = ("127.0.0.2", "127.0.0.3")
CONSOLE_HOSTS = ("127.0.0.4", "127.0.0.5")
DRIVERS = 200
LICENCES = licence_numbers(DRIVERS, last_digits="0123456709")  # ends with 9: withheld
WITHHELD = [number for number in LICENCES if number.endswith("9")]
COMPANIES = 5
REGISTER_RATE = 40
VERIFIED = "SELECT count(*) FROM verification"
SENT = "SELECT count(*) FROM delivery WHERE state = 'sent'"
LEASED = "SELECT count(*) FROM check_item WHERE state = 'due' AND lease_until > now()"
SENDING = "SELECT count(*) FROM delivery WHERE state = 'pending' AND lease_until > now()"
PROXY_SECONDS = 3.0  # two lookups of a name, and the first checks of what was found


class Topology:
    """The processes, and what they share."""

    def __init__(
        self, servers: EmbeddedServers, logins: Logins, fleet: Fleet,
        simulator: RegisterSimulator, mail: FakeMailServer, names: NameServer, folder: Path,
        variables: dict[str, str], *, register_rate: int, has_movable_clocks: bool,
        proxy_variables: dict[str, str],
    ) -> None:  # fmt: skip
        self.servers, self.logins, self.fleet = servers, logins, fleet
        self.simulator, self.mail, self._names = simulator, mail, names
        port, console_port = free_port(), free_port()
        self.proxy = Proxy(
            folder,
            PROXY_DNS=names.address,
            PROXY_PANEL=f"panel.test:{port}",
            PROXY_CONSOLE=f"console.test:{console_port}",
            # The load of the tests comes from one address.
            **{"PROXY_REQUESTS_PER_ADDRESS": "100000", **proxy_variables},
        )
        common = {
            **variables,
            "BASE_URL": self.proxy.url,
            "TRUSTED_PROXIES": "127.0.0.1",
            "REQUIRE_OPERATOR_SECOND_FACTOR": "0",
        }
        worker = {
            **common,
            **_register_variables(simulator, register_rate),
            "DATABASE_URL": logins.worker,
            "PLANNER_DATABASE_URL": logins.planner,
            "CHANNEL_SMTP_PORT": str(mail.port),
            "DAILY_CHECK_AT": "00:00",
        }
        program = SHIFTED_PROGRAM if has_movable_clocks else PROGRAM
        self.product_clock = FileClock(folder / "product-clock")
        # A panel and a worker share a machine, and its clock; the console has one of its own.
        machines = [folder / name for name in MACHINES]
        self.clock_shifts = [machine / "clock-shift" for machine in machines]
        clocks = [
            {"CLOCK_SHIFT": str(shift), "PRODUCT_CLOCK": str(folder / "product-clock")}
            for shift in self.clock_shifts
        ]
        self.panels = [
            prawko("serve", common | clock, folder, host, port, program)
            for host, clock in zip(PANEL_HOSTS, clocks, strict=True)
        ]
        # The second one is started when it replaces the first.
        self.console, self._next_console = (
            prawko(
                "console", {**common, "DATABASE_URL": logins.operator}, folder, host, console_port
            )
            for host in CONSOLE_HOSTS
        )
        self.workers = [
            prawko("worker", worker | clock, machine, program=program)
            for machine, clock in zip(machines, clocks, strict=True)
        ]

    async def start(self) -> None:
        """Start everything but the workers."""
        for process in (*self.panels, self.console):
            process.start()
        for process in (*self.panels, self.console):
            await asyncio.to_thread(process.wait_until_ready)
        self._names.names = {"panel.test": set(PANEL_HOSTS), "console.test": {CONSOLE_HOSTS[0]}}
        self.proxy.start()
        await self.wait_until_proxied()

    async def wait_until_proxied(self) -> None:
        """Wait until the proxy knows panel and console."""
        async with self.proxy.open_client() as browser:
            for path in ("/health/ready", "/api/admin/session"):
                await wait_until(functools.partial(_answers, browser, path))

    async def wait_until_unready_are_left_out(self) -> None:
        """Wait until the proxy asks ready panels only."""
        async with self.proxy.open_client() as browser:

            async def are_left_out() -> bool:
                answers = [await browser.get("/health/ready") for _ in range(2 * len(self.panels))]
                return all(answer.status_code == 200 for answer in answers)

            await wait_until(are_left_out)

    async def stop(self) -> dict[str, int]:
        """Stop everything; return the exit codes of processes that ended badly, by their log."""
        await asyncio.to_thread(self.proxy.stop)  # with a code of its own after a reload
        processes = [*self.workers, self.console, *self.panels]
        codes = await asyncio.gather(*(asyncio.to_thread(one.stop) for one in processes))
        ended = {0, None, -signal.SIGTERM}  # the last: it was still starting
        return {
            str(one.log): code
            for one, code in zip(processes, codes, strict=True)
            if code not in ended
        }

    async def restart(self, process: ServerProcess) -> None:
        """Stop a process as a supervisor does, and start it again.

        Fails if granian killed it, which its log may also say of one that had just ended.
        """
        began = time.monotonic()
        code = await asyncio.to_thread(process.stop)
        assert code in {0, None}, process.log.read_text()[-3000:]
        assert time.monotonic() - began < KILL_TIMEOUT_SECONDS
        process.start()
        if process in {*self.panels, self.console}:
            await asyncio.to_thread(process.wait_until_ready)

    async def replace_console(self) -> None:
        """Start a second console, wait until the proxy knows it, and stop the first."""
        self._next_console.start()
        await asyncio.to_thread(self._next_console.wait_until_ready)
        self._names.names = {**self._names.names, "console.test": set(CONSOLE_HOSTS)}
        await asyncio.sleep(PROXY_SECONDS)
        replaced, self.console = self.console, self._next_console
        assert await asyncio.to_thread(replaced.stop) == 0, replaced.log.read_text()[-3000:]
        self._names.names = {**self._names.names, "console.test": {CONSOLE_HOSTS[1]}}

    async def wait_for_count(
        self, sql: str, expected: int, seconds: float = DEADLINE_SECONDS
    ) -> None:
        async def is_reached() -> bool:
            return await self.fleet.fetch_value(sql) >= expected

        await wait_until(is_reached, seconds)

    async def expire_leases(self) -> None:
        """Let the leases of dead processes end now instead of after minutes."""
        for table in ("check_item", "delivery"):
            await self.fleet.admin.execute(
                f"UPDATE {table} SET lease_until = now() WHERE lease_until IS NOT NULL"
            )

    async def wait_until_done(self) -> None:
        """Wait until every driver is verified and every mail about a driver is sent."""
        await self.wait_for_count(f"{VERIFIED} WHERE verified_at IS NOT NULL", DRIVERS)
        await self.wait_for_count(SENT, len(WITHHELD))

    def count_sent_mails(self) -> Counter[str]:
        """Count the mails about drivers that the carrier accepted, by their id."""
        accepts = self.mail.data_reply.startswith("2")
        return Counter(
            mail["Message-ID"]
            for mail in self.mail.mails
            if accepts and "@fleet.test" in mail["To"]
        )

    async def assert_complete(
        self, *, in_flight: int = 0, twice: Collection[str] = frozenset()
    ) -> None:
        """One verification for each driver, one notice for each change, one mail for each notice.

        `in_flight` messages may have been sent twice, by a worker that crashed; drivers with a
        licence of `twice` may have been checked again.
        """
        rows = await self.fleet.driver_rows()
        for number, row in rows.items():
            assert row["verifications"] in ({1, 2} if number in twice else {1}), number
        assert {number: row["status"] for number, row in rows.items()} == {
            number: "invalid" if number in WITHHELD else "valid" for number in LICENCES
        }
        notices = {number: row["notices"] for number, row in rows.items() if row["notices"]}
        assert notices == {number: ["withheld"] for number in WITHHELD}
        sent = self.count_sent_mails()
        assert len(sent) == len(WITHHELD)
        assert sent.total() <= len(WITHHELD) + in_flight

    async def sign_in(self) -> httpx.AsyncClient:
        """Return a browser in which an owner of a company is signed in."""
        return await self._sign_in(self.owner_email)

    async def sign_in_operator(self) -> httpx.AsyncClient:
        """Return a browser in which an operator is signed in."""
        return await self._sign_in(self.operator_email)

    async def _sign_in(self, email: str) -> httpx.AsyncClient:
        browser = self.proxy.open_client()
        answer = await browser.post("/api/login", json={"email": email, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        return browser

    async def create_people(self) -> None:
        """Add companies with drivers and owners, one of whom is an operator, too."""
        await self.fleet.add_companies(LICENCES, utc_now(), companies=COMPANIES)
        emails = sorted(set((await self.fleet.owner_emails()).values()))
        self.owner_email, self.operator_email = emails[0], emails[-1]
        await self.fleet.admin.execute(
            "UPDATE user_account SET password_hash = $1, is_admin = email = $2",
            hashing.hasher.hash(PASSWORD), self.operator_email,
        )  # fmt: skip
        for document in current_documents():
            await self.fleet.admin.execute(
                "INSERT INTO legal_acceptance"
                " (tenant_id, id, user_id, document, version, accepted_at, ip)"
                " SELECT tenant_id, gen_random_uuid(), user_id, $1, $2, now(), '127.0.0.1'"
                "   FROM membership",
                document.document.value, document.version,
            )  # fmt: skip


@asynccontextmanager
async def open_topology(
    servers: EmbeddedServers, logins: Logins, variables: dict[str, str], folder: Path,
    *, register_rate: int = REGISTER_RATE, has_movable_clocks: bool = False,
    **proxy_variables: str,
) -> AsyncIterator[Topology]:  # fmt: skip
    """Start the processes; the workers are started by the test.

    With `has_movable_clocks`, `clock_shifts` move the clocks of the two machines, `product_clock`
    that of the workers, and their jobs are frequent. `proxy_variables` are the proxy's.
    """
    redis = Redis.from_url(servers.urls.redis_url)
    await redis.flushall()  # jobs of other tests
    await redis.aclose()
    mail = FakeMailServer()
    for name in MACHINES:
        (folder / name).mkdir()
    async with (
        open_fleet(servers, logins) as fleet,
        run_register_simulator(folder / "register", delay=0.02) as simulator,
        NameServer() as names,
        mail.serve(),
    ):
        topology = Topology(
            servers, logins, fleet, simulator, mail, names, folder, variables,
            register_rate=register_rate, has_movable_clocks=has_movable_clocks,
            proxy_variables=proxy_variables,
        )  # fmt: skip
        await topology.create_people()
        try:
            await topology.start()
            yield topology
        finally:
            failures = await topology.stop()
        assert not failures, failures


def _register_variables(simulator: RegisterSimulator, rate: int) -> dict[str, str]:
    address = simulator.address
    return {
        "REGISTER": "upki",
        "REGISTER_RATE": str(rate / 0.8),
        "REGISTER_DEADLINE": "5",
        "REGISTER_UPKI_URL": address.soap_url,
        "REGISTER_UPKI_P12": address.p12,
        "REGISTER_UPKI_P12_PASSWORD": address.p12_password,
        "REGISTER_UPKI_CA": address.ca,
        "REGISTER_UPKI_SERVER_NAME": address.server_name,
    }


async def _answers(browser: httpx.AsyncClient, path: str) -> bool:
    """Whether a process answers and not the proxy for it."""
    try:
        return (await browser.get(path)).status_code not in {502, 503, 504}
    except httpx.TransportError:
        return False
