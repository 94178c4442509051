"""The rows of runs: whether a day has one, how far it is, and its end."""

from datetime import date, datetime, timedelta

import msgspec
from sqlalchemy import text

from prawko.base.clock import warsaw_day
from prawko.base.jobs import Tools

OVERDUE_AFTER = timedelta(minutes=10)

_BEGUN = text("SELECT EXISTS (SELECT FROM check_run WHERE day = :day AND started_at IS NOT NULL)")
_OPEN = text("SELECT EXISTS (SELECT FROM check_run WHERE day = :day AND state <> 'finished')")
_FINISH = text("""
    UPDATE check_run r SET state = 'finished', finished_at = :now
     WHERE r.day = :day AND r.state <> 'finished'
       AND (NOT EXISTS (SELECT FROM check_item i WHERE i.day = :day AND i.state = 'due')
            OR EXISTS (SELECT FROM check_run o
                        WHERE o.day > :day AND o.day <= :today AND o.started_at IS NOT NULL))
""")
# A run that only newcomers have opened asks about nobody else yet.
_TAKEN_OVER = text("""
    SELECT EXISTS (SELECT FROM check_run
                    WHERE day > :day AND day <= :today AND started_at IS NOT NULL)
""")
_PROGRESS = text("""
    SELECT r.planned, r.done, r.valid, r.invalid, r.attention, r.not_found, r.held, r.finished_at,
           (SELECT count(*) FROM check_item i
             WHERE i.day = r.day AND i.state = 'due') AS unresolved,
           (SELECT count(*) FROM check_item i WHERE i.day = r.day AND i.state = 'due'
               AND i.error_kind IS NOT NULL) AS unanswered,
           (SELECT count(*) FROM check_item i WHERE i.day = r.day AND i.state = 'due'
               AND i.attempts = 0 AND i.error_kind IS NULL
               AND i.next_try_at <= :waiting_since) AS overdue
      FROM check_run r WHERE r.day = :day
""")


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a day's run is.

    `unresolved` drivers still wait for an answer: `unanswered` ones got none, `overdue` ones
    have not been asked for a while; the others were just planned, or wait for a second look.
    """

    planned: int = 0
    done: int = 0
    valid: int = 0
    invalid: int = 0
    attention: int = 0
    not_found: int = 0
    held: int = 0
    unresolved: int = 0
    unanswered: int = 0
    overdue: int = 0
    finished_at: datetime | None = None


async def is_begun(tools: Tools, day: date) -> bool:
    """Whether the day's run has been planned for everybody."""
    async with tools.database.system() as session:
        return bool(await session.scalar(_BEGUN, {"day": day}))


async def is_open(tools: Tools, day: date) -> bool:
    """Whether the day has a run that has not been finished."""
    async with tools.database.system() as session:
        return bool(await session.scalar(_OPEN, {"day": day}))


async def finish(tools: Tools, day: date) -> None:
    """Note the end of a run in which nobody waits for an answer, or which the next took over."""
    now = tools.clock.now()
    async with tools.database.system() as session:
        await session.execute(_FINISH, {"day": day, "now": now, "today": warsaw_day(now)})


async def is_taken_over(tools: Tools, day: date) -> bool:
    """Whether a later day's run asks about this one's drivers now."""
    where = {"day": day, "today": warsaw_day(tools.clock.now())}
    async with tools.database.system() as session:
        return bool(await session.scalar(_TAKEN_OVER, where))


async def progress(tools: Tools, day: date) -> Progress:
    """How far the day's run is; all zero when there is none."""
    async with tools.database.system() as session:
        where = {"day": day, "waiting_since": tools.clock.now() - OVERDUE_AFTER}
        row = (await session.execute(_PROGRESS, where)).mappings().one_or_none()
    return msgspec.convert(dict(row), Progress) if row else Progress()
