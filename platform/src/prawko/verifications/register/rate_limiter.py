"""Distributed rate limiter of the register: one row per lane in PostgreSQL, locked for updates."""

from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec
from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base import logs
from prawko.base.clock import utc_now
from prawko.hooks.errors import ProviderAccountError
from prawko.verifications.register import rate_limit_policy as policy
from prawko.verifications.register.rate_limit_policy import LimiterState, Reservation
from prawko_tenants.engine import Database

log = logs.get_logger(__name__)

RUN = "run"
MANUAL = "manual"
LANE_SHARES = {RUN: policy.RUN_SHARE, MANUAL: policy.MANUAL_SHARE}

_INSERT_LANES = text("""
    INSERT INTO register_limiter (register, lane, next_free_at, updated_at)
    SELECT :register, lane, :now, :now FROM unnest(CAST(:lanes AS text[])) AS lane
    ON CONFLICT DO NOTHING
""")
_LANES = """
    SELECT lane, next_free_at, paused_until, pause_seconds, breaker, failures, probe_at,
           account_error
      FROM register_limiter WHERE register = :register ORDER BY lane
"""
_SELECT_LANES = text(_LANES)
_LOCK_LANES = text(f"{_LANES} FOR UPDATE")
_UPDATE_LANE = text("""
    UPDATE register_limiter
       SET next_free_at = :next_free_at, paused_until = :paused_until,
           pause_seconds = :pause_seconds, breaker = :breaker, failures = :failures,
           probe_at = :probe_at, account_error = :account_error, updated_at = :now
     WHERE register = :register AND lane = :lane
""")


class RateLimiter:
    """Rate limiter of one register. Every call is a short transaction of its own."""

    def __init__(self, database: Database, register: str, rate: float) -> None:
        self._database = database
        self._register = register
        self._rate = rate
        self._is_degraded = True  # until the rows have been read

    async def reserve(self, lane: str, *, max_slots: int, horizon: float) -> Reservation | None:
        """Reserve up to `max_slots` slots within `horizon` seconds; None if there are none."""
        now = utc_now()
        async with self._database.system() as session:
            states = await self._lock(session, now)
            reservation = policy.reserve_slots(
                states[lane],
                now,
                max_slots=max_slots,
                rate=self._rate * LANE_SHARES[lane],
                horizon=horizon,
            )
            if reservation is not None:
                for each, state in states.items():  # a probe counts for every lane
                    after = (
                        policy.after_reservation(state, now, reservation, reservation.count)
                        if each == lane
                        else policy.after_probe(state, now)
                    )
                    await self._save(session, each, state, after, now)
        return reservation

    async def state(self, lane: str = RUN) -> LimiterState:
        """Current state of a lane."""
        async with self._database.system() as session:
            states = await self._load(session, _SELECT_LANES)
        return states.get(lane) or LimiterState(next_free_at=utc_now())

    async def record(self, *, any_success: bool, errors: Sequence[Exception] = ()) -> None:
        """Update the state by the results of queries; no statement if nothing changes."""
        if any_success and self._is_degraded:
            await self._update(policy.on_success)
        if any(isinstance(error, ProviderAccountError) for error in errors):
            log.error("register_account_rejected", register=self._register)
        transition = policy.transition_for(errors, any_success=any_success)
        if transition is not None:
            await self._update(transition)

    async def _update(self, transition: Callable[[LimiterState, datetime], LimiterState]) -> None:
        now = utc_now()
        async with self._database.system() as session:
            for lane, state in (await self._lock(session, now)).items():
                await self._save(session, lane, state, transition(state, now), now)

    async def _lock(self, session: AsyncSession, now: datetime) -> dict[str, LimiterState]:
        """Lock and return the lanes; creates them for a register that is used the first time."""
        states = await self._load(session, _LOCK_LANES)
        if not states:
            await session.execute(
                _INSERT_LANES, {"register": self._register, "lanes": list(LANE_SHARES), "now": now}
            )
            states = await self._load(session, _LOCK_LANES)
        self._is_degraded = any(state.is_degraded for state in states.values())
        return states

    async def _load(self, session: AsyncSession, statement: TextClause) -> dict[str, LimiterState]:
        rows = (await session.execute(statement, {"register": self._register})).mappings()
        return {
            row["lane"]: msgspec.convert(
                {k: v for k, v in row.items() if k != "lane"}, LimiterState
            )
            for row in rows
        }

    async def _save(
        self,
        session: AsyncSession,
        lane: str,
        before: LimiterState,
        after: LimiterState,
        now: datetime,
    ) -> None:
        if after != before:
            values = msgspec.structs.asdict(after) | {"breaker": after.breaker.value}
            await session.execute(
                _UPDATE_LANE, {**values, "register": self._register, "lane": lane, "now": now}
            )
