"""The order in which callers get a password hash, and their refusal while too many wait."""

import asyncio
import os
import threading
from contextlib import nullcontext

import pytest

from prawko import limits
from prawko.accounts.passwords import hashing
from prawko.accounts.passwords.hashing import (
    MAX_WAITING_FAMILIAR,
    MAX_WAITING_PER_PERSON,
    MAX_WAITING_STRANGERS,
    HashQueue,
)
from prawko.kit.errors import UnavailableError
from prawko_tenants.ids import UserId, new_id
from support.database import fetch_rows
from support.people import PASSWORD, Person
from support.waiting import wait_until

pytestmark = pytest.mark.anyio


class Crowd:
    """Callers of a queue with one slot, which is taken."""

    def __init__(self) -> None:
        self.queue = HashQueue(slots=1)
        self.order: list[str] = []
        self.is_done = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def add(self, name: str, caller: UserId | None = None) -> asyncio.Task[None]:
        async def take() -> None:
            async with self.queue.reserve(caller):
                self.order.append(name)
                await self.is_done.wait()

        self.tasks.append(asyncio.create_task(take()))
        await asyncio.sleep(0)
        return self.tasks[-1]


@pytest.fixture
async def crowd():
    crowd = Crowd()
    await crowd.add("first")
    yield crowd
    crowd.is_done.set()
    await asyncio.gather(*crowd.tasks, return_exceptions=True)


async def test_the_familiar_and_strangers_get_slots_in_turns(crowd) -> None:
    for name in ("stranger 1", "stranger 2"):
        await crowd.add(name)
    for name in ("familiar 1", "familiar 2", "familiar 3"):
        await crowd.add(name, new_id())

    crowd.is_done.set()
    await asyncio.gather(*crowd.tasks)

    assert crowd.order == [
        "first", "familiar 1", "stranger 1", "familiar 2", "stranger 2", "familiar 3",
    ]  # fmt: skip


async def test_of_a_network_one_is_processed_at_a_time() -> None:
    queue, order, goes_on = HashQueue(slots=2), list[str](), asyncio.Event()

    async def take(name: str, network: str, caller: UserId | None = None) -> None:
        async with queue.take_turn(network, caller), queue.reserve(caller):
            order.append(name)
            await goes_on.wait()

    async with asyncio.TaskGroup() as tasks:
        for number in range(MAX_WAITING_STRANGERS + 1):
            tasks.create_task(take(f"flood {number}", "203.0.113.9"))
        tasks.create_task(take("user", "203.0.113.9", new_id()))
        tasks.create_task(take("another", "198.51.100.7"))
        await wait_until(lambda: len(order) == 2)
        with pytest.raises(UnavailableError):
            await take("one too many", "203.0.113.9")
        assert order == ["flood 0", "another"]
        goes_on.set()
    assert order[2:4] == ["user", "flood 1"]


async def test_a_refused_try_takes_no_slot(anna, new_browser, monkeypatch) -> None:
    wrong = {"email": anna.email, "password": "Zle0haslo"}
    for _ in range(limits.WRONG_SIGN_INS.max_tries):
        assert (await new_browser().post("/api/login", json=wrong)).status_code == 401
    monkeypatch.setattr(hashing, "queue", HashQueue(slots=0))  # a slot would be waited for

    assert (await new_browser().post("/api/login", json=wrong)).status_code == 429


@pytest.mark.parametrize("awaited", ["turn", "slot"])
@pytest.mark.parametrize("path", ["login", "register"])
async def test_a_sign_in_waits_for_ten_seconds_at_most(
    anna, browser_for_app, monkeypatch, awaited, path
) -> None:
    assert 2 * hashing.MAX_WAIT_SECONDS <= 10
    monkeypatch.setattr(hashing, "MAX_WAIT_SECONDS", 0.05)
    monkeypatch.setattr(hashing, "queue", queue := HashQueue(slots=0))
    stranger = browser_for_app(anna.browser._transport.app, "203.0.113.9")
    sign_up = {"email": "dorota@nowa.test", "password": PASSWORD}
    async with queue.take_turn("203.0.113.9") if awaited == "turn" else nullcontext():
        answer = await asyncio.wait_for(stranger.post(f"/api/{path}", json=sign_up), 8)

    assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
    assert answer.headers["retry-after"] == str(hashing.RETRY_AFTER_SECONDS)
    assert not queue._strangers


async def test_an_account_with_an_unproved_address_waits_among_strangers(
    new_browser, monkeypatch
) -> None:
    person = Person("dorota@nowa.test", new_browser())
    await person.sign_up()
    monkeypatch.setattr(hashing, "queue", HashQueue(slots=0))
    monkeypatch.setattr(hashing, "MAX_WAITING_STRANGERS", 0)

    login = {"email": person.email, "password": PASSWORD}
    assert (await person.post("/api/login", login)).status_code == 503


async def test_strangers_are_refused_sooner_than_the_familiar(crowd) -> None:
    for _ in range(MAX_WAITING_STRANGERS):
        await crowd.add("stranger")
    with pytest.raises(UnavailableError) as refusal:
        await (await crowd.add("one too many"))
    assert refusal.value.retry_after

    for _ in range(MAX_WAITING_FAMILIAR):
        await crowd.add("familiar", new_id())
    with pytest.raises(UnavailableError):
        await (await crowd.add("one too many", new_id()))


async def test_more_tries_of_one_person_wait_among_the_strangers(crowd) -> None:
    flooder = new_id()
    for number in range(MAX_WAITING_PER_PERSON + 1):
        await crowd.add(f"flood {number}", flooder)
    await crowd.add("familiar", new_id())

    crowd.is_done.set()
    await asyncio.gather(*crowd.tasks)

    assert crowd.order == ["first", "flood 0", "flood 2", "flood 1", "familiar"]
    assert not crowd.queue._waiting_of, "who waits no longer is forgotten"


async def test_who_gives_up_waiting_leaves_no_slot_behind(crowd) -> None:
    waiting = await crowd.add("gives up")
    waiting.cancel()
    await asyncio.sleep(0)
    last = await crowd.add("given a slot")
    crowd.is_done.set()
    await asyncio.sleep(0)
    last.cancel()  # in the moment in which it is its turn
    await asyncio.gather(*crowd.tasks, return_exceptions=True)

    crowd.is_done.clear()
    async with crowd.queue.reserve():
        assert "gives up" not in crowd.order


async def test_a_flood_refuses_strangers_alone_and_counts_nothing(
    anna, browser_for_app, new_browser, context, logins, monkeypatch
) -> None:
    await anna.sign_in()
    monkeypatch.setattr(hashing, "queue", HashQueue(slots=0))
    monkeypatch.setattr(hashing, "MAX_WAITING_STRANGERS", 0)
    site = anna.browser._transport.app
    stranger = browser_for_app(site, "203.0.113.9")
    counted = "SELECT count(*) FROM throttle"
    before = await fetch_rows(logins, counted)

    answer = await stranger.post("/api/login", json={"email": anna.email, "password": PASSWORD})

    assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    assert await fetch_rows(logins, counted) == before
    assert (await anna.get("/api/user")).status_code == 200
    # Who comes from a known browser waits, and is served.
    known = new_browser()
    known.cookies.set(
        "prawko-browser", anna.browser.cookies["prawko-browser"], domain="127.0.0.1", path="/"
    )
    waiting = asyncio.create_task(
        known.post("/api/login", json={"email": anna.email, "password": PASSWORD})
    )
    await wait_until(lambda: hashing.queue._familiar)
    hashing.queue._release()
    assert (await waiting).status_code == 200


async def test_hashing_gives_way_to_everything_else() -> None:
    await hashing.hash_password("Haslo123")

    niceness = await asyncio.get_running_loop().run_in_executor(
        hashing._executor, lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    )

    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    assert niceness == min(own + hashing.THREAD_NICENESS, 19)
