"""The register's pace, shared by all processes: one row per lane, held while it is changed."""

from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.hooks.failures import AccountError
from prawko.verifications import pace as rules
from prawko.verifications.pace import Pace, Slots
from prawko_tenants.engine import Database

log = logs.logger(__name__)

RUN = "run"
MANUAL = "manual"
SHARES = {RUN: rules.RUN_SHARE, MANUAL: rules.MANUAL_SHARE}

_OPEN = text("""
    INSERT INTO register_pace (register, lane, next_free_at, updated_at)
    SELECT :register, lane, :now, :now FROM unnest(CAST(:lanes AS text[])) AS lane
    ON CONFLICT DO NOTHING
""")
_HOLD = text("""
    SELECT lane, next_free_at, paused_until, pause_seconds, breaker, failures, probe_at,
           account_error
      FROM register_pace WHERE register = :register ORDER BY lane FOR UPDATE
""")
_WRITE = text("""
    UPDATE register_pace
       SET next_free_at = :next_free_at, paused_until = :paused_until,
           pause_seconds = :pause_seconds, breaker = :breaker, failures = :failures,
           probe_at = :probe_at, account_error = :account_error, updated_at = :now
     WHERE register = :register AND lane = :lane
""")


class Bucket:
    """The tokens of one register. Every call is a short transaction of its own."""

    def __init__(self, database: Database, register: str, rate: float) -> None:
        self._database = database
        self._register = register
        self._rate = rate
        self._troubled = True  # until a look at the row says otherwise

    async def take(self, lane: str, *, wanted: int, ahead: float) -> Slots | None:
        """Take up to `wanted` slots within `ahead` seconds; None when there is none."""
        now = machine_now()
        async with self._database.system() as session:
            paces = await self._hold(session, now)
            found = rules.slots(
                paces[lane], now, wanted=wanted, rate=self._rate * SHARES[lane], ahead=ahead
            )
            if found is not None:
                for each, pace in paces.items():  # a probe is everybody's
                    after = (
                        rules.taken(pace, now, found, found.count)
                        if each == lane
                        else rules.probed(pace, now)
                    )
                    await self._write(session, each, pace, after, now)
        return found

    async def pace(self, lane: str = RUN) -> Pace:
        """What is known of the register just now."""
        async with self._database.system() as session:
            return (await self._hold(session, machine_now()))[lane]

    async def hear(self, *, answered: bool, errors: Sequence[Exception] = ()) -> None:
        """Learn how the register behaves; what is no news costs no statement."""
        if answered and self._troubled:
            await self._note(rules.answered)
        if any(isinstance(error, AccountError) for error in errors):
            log.error("register_refused_our_account", register=self._register)
        if (change := rules.change_after(errors, answered=answered)) is not None:
            await self._note(change)

    async def _note(self, change: Callable[[Pace, datetime], Pace]) -> None:
        now = machine_now()
        async with self._database.system() as session:
            for lane, pace in (await self._hold(session, now)).items():
                await self._write(session, lane, pace, change(pace, now), now)

    async def _hold(self, session: AsyncSession, now: datetime) -> dict[str, Pace]:
        found = await self._read(session)
        if not found:
            await session.execute(
                _OPEN, {"register": self._register, "lanes": list(SHARES), "now": now}
            )
            found = await self._read(session)
        self._troubled = any(pace.troubled for pace in found.values())
        return found

    async def _read(self, session: AsyncSession) -> dict[str, Pace]:
        rows = (await session.execute(_HOLD, {"register": self._register})).mappings()
        return {
            row["lane"]: msgspec.convert({k: v for k, v in row.items() if k != "lane"}, Pace)
            for row in rows
        }

    async def _write(
        self, session: AsyncSession, lane: str, before: Pace, pace: Pace, now: datetime
    ) -> None:
        if pace != before:
            values = msgspec.structs.asdict(pace) | {"breaker": pace.breaker.value}
            await session.execute(
                _WRITE, {**values, "register": self._register, "lane": lane, "now": now}
            )
