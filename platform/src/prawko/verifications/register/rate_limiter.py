"""Distributed rate limiter of the register: a row of PostgreSQL per access and lane, locked."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import Select, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.kit.clock import utc_now
from prawko.kit.observability import logs
from prawko.kit.providers import availability
from prawko.kit.providers.evidence import FailedCall
from prawko.verifications.models import RegisterLimiter
from prawko.verifications.register import rate_limit_policy as policy
from prawko.verifications.register.rate_limit_policy import LimiterState, Reservation
from prawko_tenants.engine import Database

log = logs.get_logger(__name__)

RUN = "run"
INTERACTIVE = "manual"  # as stored; manual checks and first checks, for which people wait
LANE_SHARES = {RUN: policy.RUN_SHARE, INTERACTIVE: policy.INTERACTIVE_SHARE}


class RateLimiter:
    """Rate limiter of one access to the register. Every call is a short transaction of its own."""

    def __init__(self, database: Database, register: str, rate: float) -> None:
        self._database = database
        self.register = register
        self._rate = rate
        self._is_degraded = True  # until the rows have been read

    async def reserve(self, lane: str, *, max_slots: int, horizon: float) -> Reservation | None:
        """Reserve up to `max_slots` slots within `horizon` seconds; None if there are none."""
        now = utc_now()
        async with self._database.system() as session:
            lanes = {row.lane: row for row in await self._lock(session, now)}
            reservation = policy.reserve_slots(
                self._state_of(lanes[lane], now),
                now,
                max_slots=max_slots,
                rate=self._rate * LANE_SHARES[lane],
                horizon=horizon,
            )
            if reservation is not None:
                for row in lanes.values():  # a probe counts for every lane
                    state = self._state_of(row, now)
                    after = (
                        policy.after_reservation(state, now, reservation, reservation.count)
                        if row.lane == lane
                        else availability.after_probe(state, now)
                    )
                    _set_state(row, after, now)
        return reservation

    async def state(self, lane: str = RUN) -> LimiterState:
        """Current state of a lane; all lanes have the same availability."""
        async with self._database.system() as session:
            row = await session.scalar(self._lanes.where(RegisterLimiter.lane == lane))
        now = utc_now()
        return LimiterState(next_free_at=now) if row is None else self._state_of(row, now)

    async def record(self, *, any_success: bool, failed: Sequence[FailedCall] = ()) -> bool:
        """Update the state by the results of queries; no statement if nothing changes.

        Returns whether our account counts as rejected now.
        """
        is_rejected = False
        if any_success and self._is_degraded:
            is_rejected = await self._update(availability.on_success)
        transition = policy.transition_for(failed, any_success=any_success)
        if transition is not None:
            is_rejected = await self._update(transition)
        if is_rejected:
            log.error("register_account_rejected", register=self.register)
        return is_rejected

    async def _update(self, transition: policy.LaneTransition) -> bool:
        """Change every lane; returns whether our account counts as rejected then."""
        now = utc_now()
        async with self._database.system() as session:
            lanes = await self._lock(session, now)
            for row in lanes:
                _set_state(row, transition(self._state_of(row, now), now), now)
            return any(row.account_error is not None for row in lanes)

    async def _lock(self, session: AsyncSession, now: datetime) -> Sequence[RegisterLimiter]:
        """Lock and return the lanes; creates them for a register that is used the first time."""
        locked = self._lanes.with_for_update()
        lanes = (await session.scalars(locked)).all()
        if not lanes:
            new = [
                {"register": self.register, "lane": lane, "next_free_at": now, "updated_at": now}
                for lane in LANE_SHARES
            ]
            await session.execute(insert(RegisterLimiter).values(new).on_conflict_do_nothing())
            lanes = (await session.scalars(locked)).all()
        self._is_degraded = any(self._state_of(lane, now).is_degraded for lane in lanes)
        return lanes

    def _state_of(self, lane: RegisterLimiter, now: datetime) -> LimiterState:
        max_reserved = policy.max_reserved(self._rate * LANE_SHARES[lane.lane])
        return policy.without_future_times(_stored_state(lane), now, max_reserved)

    @property
    def _lanes(self) -> Select[RegisterLimiter]:
        return (
            select(RegisterLimiter)
            .where(RegisterLimiter.register == self.register)
            .order_by(RegisterLimiter.lane)
        )


_EVIDENCE = ("refused", "failed")  # stored as JSON


def _stored_state(lane: RegisterLimiter) -> LimiterState:
    return msgspec.convert(lane, LimiterState, from_attributes=True)


def _set_state(lane: RegisterLimiter, state: LimiterState, now: datetime) -> None:
    if state != _stored_state(lane):
        for name, value in msgspec.structs.asdict(state).items():
            setattr(lane, name, msgspec.to_builtins(value) if name in _EVIDENCE else value)
        lane.updated_at = now
