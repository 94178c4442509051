"""The rows of runs: whether a day has one, how far it is, and its end."""

from datetime import date, datetime

import msgspec
from sqlalchemy import text

from prawko.base.jobs import Tools

_KNOWN = text("SELECT EXISTS (SELECT FROM check_run WHERE day = :day)")
_FINISH = text("""
    UPDATE check_run r SET state = 'finished', finished_at = :now
     WHERE r.day = :day AND r.state <> 'finished'
       AND NOT EXISTS (SELECT FROM check_item i WHERE i.day = :day AND i.state = 'due')
""")
_PROGRESS = text("""
    SELECT r.planned, r.done, r.valid, r.invalid, r.attention, r.not_found, r.held, r.finished_at,
           (SELECT count(*) FROM check_item i
             WHERE i.day = r.day AND i.state = 'due') AS unresolved,
           (SELECT count(*) FROM check_item i WHERE i.day = r.day AND i.state = 'due'
               AND i.attempts > 0) AS unanswered
      FROM check_run r WHERE r.day = :day
""")


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a day's run is. `unresolved` drivers still wait for an answer."""

    planned: int = 0
    done: int = 0
    valid: int = 0
    invalid: int = 0
    attention: int = 0
    not_found: int = 0
    held: int = 0
    unresolved: int = 0
    unanswered: int = 0
    finished_at: datetime | None = None


async def known_day(tools: Tools, day: date) -> bool:
    """Whether the day has a run."""
    async with tools.database.system() as session:
        return bool(await session.scalar(_KNOWN, {"day": day}))


async def finish(tools: Tools, day: date) -> None:
    """Note the end of a run in which nobody waits for an answer."""
    async with tools.database.system() as session:
        await session.execute(_FINISH, {"day": day, "now": tools.clock.now()})


async def progress(tools: Tools, day: date) -> Progress:
    """How far the day's run is; all zero when there is none."""
    async with tools.database.system() as session:
        row = (await session.execute(_PROGRESS, {"day": day})).mappings().one_or_none()
    return msgspec.convert(dict(row), Progress) if row else Progress()
