"""Hashes passwords with argon2id, at most two at a time.

A flood of sign-ins must not slow other requests: the threads have a low priority, of each network
one sign-in at a time is processed, and the number of waiting sign-ins and their time are limited.
Beyond a limit the answer is 503, sooner for strangers than for users who are signed in, use a known
browser or have opened a link. Limits are checked before a slot is taken, which a refused try does
not need.
"""

import asyncio
import os
import threading
from base64 import b64decode
from collections import Counter, deque
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress

from argon2 import PasswordHasher, Type, extract_parameters
from argon2.exceptions import (
    HashingError,
    InvalidHashError,
    VerificationError,
    VerifyMismatchError,
)
from argon2.low_level import hash_secret

from prawko.kit.errors import UnavailableError
from prawko_tenants.fair_semaphore import FairSemaphore
from prawko_tenants.ids import UserId

# Bounds the work of a hash; far above any real password. Longer ones are refused, never cut.
MAX_PASSWORD_BYTES = 4096
THREADS = 2
THREAD_NICENESS = 10
# A sign-in takes about 60 ms: the last stranger waits for half a second. Of each network as many
# wait for its turn.
MAX_WAITING_STRANGERS = 16
MAX_WAITING_FAMILIAR = 200
# Further tries of one person wait among the strangers, so that an own account gives no advantage.
MAX_WAITING_PER_PERSON = 2
RETRY_AFTER_SECONDS = 2
# For the turn of a network, and for a slot: a sign-in is refused after ten seconds at the latest.
MAX_WAIT_SECONDS = 5.0


def _lower_priority() -> None:
    thread = threading.get_native_id()
    present = os.getpriority(os.PRIO_PROCESS, thread)
    os.setpriority(os.PRIO_PROCESS, thread, present + THREAD_NICENESS)


# 19 MiB and two passes: the minimum that OWASP names for argon2id.
hasher = PasswordHasher(memory_cost=19_456, time_cost=2, parallelism=1, type=Type.ID)
_executor = ThreadPoolExecutor(
    THREADS,
    thread_name_prefix="argon2",
    initializer=_lower_priority,
)
_dummy_hash = hasher.hash("nobody has this password")


class HashQueue:
    """The queue for the slots of hashing: waiting strangers get every second slot."""

    def __init__(self, slots: int = THREADS) -> None:
        self._free = slots
        self._lines = FairSemaphore(per_company=1)
        self._networks = FairSemaphore(per_company=1)
        self._is_strangers_turn = False
        self._familiar: deque[asyncio.Future[None]] = deque()
        self._strangers: deque[asyncio.Future[None]] = deque()
        self._waiting_of = Counter[UserId]()

    @asynccontextmanager
    async def take_turn(self, network: str, caller: UserId | None = None) -> AsyncGenerator[None]:
        """Wait until no other caller of the network is processed; users and strangers in turns.

        Raises UnavailableError when too many wait, or for too long.
        """
        line = network, caller is not None
        most = MAX_WAITING_STRANGERS if caller is None else MAX_WAITING_FAMILIAR
        if self._lines.count_waiting(line) >= most:
            raise UnavailableError(retry_after=RETRY_AFTER_SECONDS)
        async with AsyncExitStack() as turn:
            try:
                async with asyncio.timeout(MAX_WAIT_SECONDS):
                    await turn.enter_async_context(self._lines.slot(line))
                    await turn.enter_async_context(self._networks.slot(network))
            except TimeoutError:
                raise UnavailableError(retry_after=RETRY_AFTER_SECONDS) from None
            yield

    @asynccontextmanager
    async def reserve(self, caller: UserId | None = None) -> AsyncGenerator[None]:
        """Wait for one of the slots and keep it; users and strangers who wait get them in turns.

        Raises UnavailableError when too many wait, or for too long.
        """
        if self._free:
            self._free -= 1
        elif caller is None or self._waiting_of[caller] >= MAX_WAITING_PER_PERSON:
            await self._wait(self._strangers, MAX_WAITING_STRANGERS)
        else:
            self._waiting_of[caller] += 1
            try:
                await self._wait(self._familiar, MAX_WAITING_FAMILIAR)
            finally:
                self._waiting_of -= Counter([caller])  # drops callers without a waiter
        try:
            yield
        finally:
            self._release()

    async def _wait(self, waiting: deque[asyncio.Future[None]], most: int) -> None:
        if len(waiting) >= most:
            raise UnavailableError(retry_after=RETRY_AFTER_SECONDS)
        turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                await turn
        except (asyncio.CancelledError, TimeoutError) as error:
            if turn.cancelled():
                with suppress(ValueError):  # a release in the same moment has passed it over
                    waiting.remove(turn)
            else:  # the slot was given to it in the same moment
                self._release()
            if isinstance(error, TimeoutError):
                raise UnavailableError(retry_after=RETRY_AFTER_SECONDS) from None
            raise

    def _release(self) -> None:
        """Give the slot to the next waiter: a user and a stranger in turns."""
        lines = (self._familiar, self._strangers)
        for waiting in reversed(lines) if self._is_strangers_turn else lines:
            while waiting:
                turn = waiting.popleft()
                if not turn.done():
                    turn.set_result(None)
                    self._is_strangers_turn = waiting is self._familiar
                    return
        self._free += 1


queue = HashQueue()


async def hash_password(password: str, *, caller: UserId | None = None) -> str:
    """Return the argon2id hash to store. Raises UnavailableError when too many wait."""
    async with queue.reserve(caller):
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_executor, hasher.hash, password)


async def verify_password(
    stored_hash: str | None, password: str, *, caller: UserId | None = None, has_slot: bool = False
) -> bool:
    """Return whether the password matches the hash; takes as long when `stored_hash` is None.

    A caller that has reserved a slot of the queue says so. Raises UnavailableError when too many
    wait.
    """
    if len(password.encode()) > MAX_PASSWORD_BYTES:
        return False
    async with nullcontext() if has_slot else queue.reserve(caller):
        loop = asyncio.get_running_loop()
        is_match = await loop.run_in_executor(
            _executor, _verify_hash, stored_hash or _dummy_hash, password
        )
    return is_match and stored_hash is not None


async def compute_digest(
    parameters: str, password: str, *, caller: UserId | None = None, has_slot: bool = False
) -> str:
    """Return the digest of a password by the parameters and the salt of a hash without its own.

    Empty for a password that is too long and for parameters that are none, after as long a time.
    Raises UnavailableError when too many wait.
    """
    if len(password.encode()) > MAX_PASSWORD_BYTES:
        return ""
    async with nullcontext() if has_slot else queue.reserve(caller):
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_executor, _compute_digest, parameters, password)


def _compute_digest(parameters: str, password: str) -> str:
    try:
        salt = parameters.split("$")[4]
        read = extract_parameters(parameters)
        encoded = hash_secret(
            password.encode(), b64decode(salt + "=" * (-len(salt) % 4)), read.time_cost,
            read.memory_cost, read.parallelism, hasher.hash_len, read.type, read.version,
        )  # fmt: skip
    except (InvalidHashError, HashingError, IndexError, ValueError):
        _verify_hash(_dummy_hash, password)
        return ""
    return encoded.decode().rpartition("$")[2]


def _verify_hash(stored_hash: str, password: str) -> bool:
    try:
        return hasher.verify(stored_hash, password)
    except (VerifyMismatchError, VerificationError, InvalidHashError):
        return False
