"""Pools that count how often their users waited for a connection."""

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy.pool import AsyncAdaptedQueuePool

# A free connection is taken faster; opening one counts as waiting, too.
WAIT_SECONDS = 0.002


@dataclass
class PoolWaits:
    """Waits of one pool since the start of the process."""

    count: int = 0
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        """Count a wait, if it was one."""
        if seconds >= WAIT_SECONDS:
            self.count += 1
            self.seconds += seconds


@dataclass(frozen=True)
class PoolUse:
    """A pool at this moment; `size` is the most connections that it may have."""

    name: str
    size: int
    in_use: int
    idle: int
    waits: int
    wait_seconds: float


class CountingPool(AsyncAdaptedQueuePool):
    """SQLAlchemy's pool, with its waits."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.waits = PoolWaits()

    def _do_get(self) -> Any:
        began = time.perf_counter()
        connection = super()._do_get()
        self.waits.add(time.perf_counter() - began)
        return connection

    def describe_use(self, name: str) -> PoolUse:
        """Return the present use."""
        return PoolUse(
            name=name,
            size=self.size(),
            in_use=self.checkedout(),
            idle=self.checkedin(),
            waits=self.waits.count,
            wait_seconds=self.waits.seconds,
        )
