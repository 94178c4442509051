"""Requests that go on while processes are stopped and started, and what became of them."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from ops.topology import Topology
from support.people import PASSWORD

READERS = 6
PAUSE_SECONDS = 0.02  # the machine has other things to do
SIGN_IN_PAUSE_SECONDS = 0.2  # one person may sign in 300 times in a quarter of an hour


class Load:
    """Counts answers by path and result; anything but 200 is a failure."""

    def __init__(self) -> None:
        self.results: Counter[tuple[str, str]] = Counter()

    @property
    def failures(self) -> dict[tuple[str, str], int]:
        return {key: count for key, count in self.results.items() if key[1] != "200"}

    def count(self, path: str) -> int:
        return sum(count for key, count in self.results.items() if key[0] == path)

    async def send(self, browser: httpx.AsyncClient, verb: str, path: str, **body: object) -> None:
        try:
            answer = await browser.request(verb, path, **body)
            result = str(answer.status_code)
        except httpx.TransportError as error:
            result = type(error).__name__
        self.results[path, result] += 1


@asynccontextmanager
async def under_load(topology: Topology) -> AsyncIterator[Load]:
    """Let signed-in people read and sign in over and over, until the block ends."""
    load, is_over = Load(), asyncio.Event()

    async def read(browser: httpx.AsyncClient, console: httpx.AsyncClient) -> None:
        while not is_over.is_set():
            await load.send(browser, "GET", "/api/drivers")
            await load.send(browser, "GET", "/")
            await load.send(console, "GET", "/api/admin/session")
            await asyncio.sleep(PAUSE_SECONDS)

    async def sign_in() -> None:
        async with topology.proxy.open_client() as browser:
            while not is_over.is_set():
                login = {"email": topology.owner_email, "password": PASSWORD}
                await load.send(browser, "POST", "/api/login", json=login)
                await asyncio.sleep(SIGN_IN_PAUSE_SECONDS)

    browser = await topology.sign_in()
    console = await topology.sign_in_operator()
    tasks = [asyncio.create_task(read(browser, console)) for _ in range(READERS)]
    tasks.append(asyncio.create_task(sign_in()))
    try:
        yield load
    finally:
        is_over.set()
        await asyncio.gather(*tasks)
        await browser.aclose()
        await console.aclose()
