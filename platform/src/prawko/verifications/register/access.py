"""Accesses to the register: certificates or accounts, each with its own rate limit and breaker.

The register grants a rate to each of them, so several check faster than one, and one that is
throttled or rejected does not stop the others (docs/decisions/0028-register-accesses.md).
"""

from collections import deque

import msgspec

from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.plugin_faults import get_experience
from prawko.kit.providers.availability import unavailable_until
from prawko.kit.providers.registry import PluginKind
from prawko.verifications.register.client import RegisterClient
from prawko.verifications.register.rate_limit_policy import Reservation
from prawko.verifications.register.rate_limiter import RateLimiter


class RegisterAccess(msgspec.Struct, frozen=True):
    """The client of one access with its rate limiter."""

    client: RegisterClient
    limiter: RateLimiter


class RegisterAccesses:
    """All accesses that REGISTER names; they are used in turns."""

    def __init__(self, context: AppContext, *, max_concurrency: int) -> None:
        settings = context.settings
        self._turns = deque(
            RegisterAccess(
                RegisterClient(
                    register,
                    get_experience(context, PluginKind.REGISTER, register.name),
                    context.clock,
                    deadline=settings.register_deadline,
                    max_concurrency=max_concurrency,
                ),
                RateLimiter(context.database, register.name, settings.register_rate),
            )
            for register in context.plugins.get_registers(settings.register_names)
        )

    @property
    def count(self) -> int:
        """How many accesses there are."""
        return len(self._turns)

    async def reserve(
        self, lane: str, *, max_slots: int, horizon: float
    ) -> tuple[RegisterAccess, Reservation] | None:
        """Reserve up to `max_slots` slots of one access; None if none has a slot in `horizon`.

        `horizon` is in seconds. The slots are of the first access that has any. One whose plugin
        blocked this process has none here: its refusals would count against it in all processes.
        """
        for _ in range(self.count):
            access = self._turns[0]
            self._turns.rotate(-1)
            if access.client.rests_after_block:
                continue
            reservation = await access.limiter.reserve(lane, max_slots=max_slots, horizon=horizon)
            if reservation is not None:
                return access, reservation
        return None

    async def can_query(self) -> bool:
        """Whether the rate limiter of any access that does not rest allows a query now."""
        usable = [access for access in self._turns if not access.client.rests_after_block]
        states = [await access.limiter.state() for access in usable]
        return any(unavailable_until(state, utc_now()) is None for state in states)
