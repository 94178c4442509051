"""Decides about provisional turns once a run has asked all it can, and does the operator's word.

The decision record "nobody's mistake is an alarm" says why they wait.
"""

from collections import Counter
from datetime import date
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import Row, text

from prawko.base.jobs import Tools
from prawko.deliveries.incidents import close_incident, open_incident
from prawko.hooks.licence_register import LicenceQuery
from prawko.verifications.answers import Kept
from prawko.verifications.effects import Found, apply
from prawko.verifications.mass_change import Turns, counts_for_the_run, is_mass_change
from prawko.verifications.outcome import Outcome
from prawko.verifications.questions import Asked
from prawko.verifications.recording import count_outcomes
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import BatchSession

MASS_CHANGE = "run_held"
BATCH = 500

_RUN = text("SELECT planned, held_state FROM check_run WHERE day = :day FOR UPDATE")
_TURNS = text("""
    SELECT count(*) FILTER (WHERE state = 'held') AS waiting,
           count(*) FILTER (WHERE state = 'due' AND not_found_since IS NOT NULL) AS expected,
           count(*) FILTER (WHERE state = 'done' AND turned) AS passed
      FROM check_item
     WHERE day = :day AND (state = 'held' OR turned OR not_found_since IS NOT NULL)
""")
_SET_HELD = text("UPDATE check_run SET held_state = 'held', held = :count WHERE day = :day")
_SAY = text("""
    UPDATE check_run SET held_state = :word, held = 0 WHERE day = :day AND held_state = 'held'
    RETURNING day
""")
_HELD = text("""
    SELECT tenant_id, driver_id FROM check_item
     WHERE day = :day AND state = 'held' ORDER BY tenant_id, driver_id LIMIT :most
       FOR UPDATE
""")
_READ = text("""
    SELECT d.id, d.document_no, d.status, d.asked_at AS newest, i.asked_at, i.done_at, i.outcome,
           a.id AS answer_id, a.document_no AS asked_no, a.first_name, a.last_name,
           a.license_number, a.hash, a.document_code, a.document_status, a.issuing_authority,
           a.expiry_date, a.categories, a.reasons, a.notes
      FROM check_item i
      JOIN driver d ON d.tenant_id = :tenant_id AND d.id = i.driver_id
      JOIN register_answer a ON a.tenant_id = :tenant_id AND a.driver_id = d.id
       AND a.id = i.answer_id
     WHERE i.day = :day AND i.tenant_id = :tenant_id AND i.driver_id = ANY(:ids)
       AND i.state = 'held'
     ORDER BY d.id
       FOR UPDATE OF d
""")
_CLOSE = text("""
    UPDATE check_item i
       SET state = 'done', turned = i.driver_id = ANY(:turned)
     WHERE i.day = :day AND i.tenant_id = :tenant_id AND i.driver_id = ANY(:ids)
       AND i.state = 'held'
""")
_DROP = text("""
    UPDATE check_item SET state = 'done', turned = true
     WHERE day = :day AND state = 'held'
    RETURNING outcome
""")
_LIST = text("""
    SELECT r.day, r.held_state, r.planned,
           (SELECT count(*) FROM check_item i WHERE i.day = r.day AND i.state = 'held') AS waiting
      FROM check_run r WHERE r.held_state = 'held' ORDER BY r.day
""")


class HeldRun(msgspec.Struct, frozen=True):
    """A run whose suspicious turns wait for an operator's word."""

    day: date
    planned: int
    waiting: int


class Settled(msgspec.Struct, frozen=True):
    """What a settlement came to."""

    outcomes: Counter[Outcome]
    notices: int
    held: int


async def settle(tools: Tools, day: date) -> Settled:
    """Let the provisional turns of the day take effect, or hold them when they are too many.

    Whoever settles holds the run's row and judges anew before every batch: what turns up
    meanwhile is counted before it takes effect.
    """
    outcomes: Counter[Outcome] = Counter()
    notices = 0
    while True:
        async with tools.database.batch() as session:
            run = (await session.execute(_RUN, {"day": day})).one_or_none()
            turns = (await session.execute(_TURNS, {"day": day})).one()
            if run is None or turns.waiting == 0:
                return Settled(outcomes, notices, 0)
            if _must_wait(run, turns):
                await _hold(session, tools, day, run, turns)
                return Settled(outcomes, notices, turns.waiting)
            closed, told = await _apply_batch(session, tools, day)
        outcomes += closed
        notices += told


async def release(tools: Tools, day: date) -> Settled:
    """The operator believes the register: let what is held take effect."""
    if not await _say(tools, day, "released"):
        return Settled(Counter(), 0, 0)
    return await settle(tools, day)


async def drop(tools: Tools, day: date) -> int:
    """The operator does not believe the register: close the items without any effect."""
    if not await _say(tools, day, "dropped"):
        return 0
    async with tools.database.batch() as session:
        dropped = (await session.execute(_DROP, {"day": day})).scalars().all()
        await count_outcomes(session, day, Counter(Outcome(word) for word in dropped))
    return len(dropped)


async def held_runs(tools: Tools) -> list[HeldRun]:
    """The runs that wait for a word."""
    async with tools.database.system() as session:
        rows = await session.execute(_LIST)
        return [HeldRun(row.day, row.planned, row.waiting) for row in rows]


def _must_wait(run: Row[Any], turns: Row[Any]) -> bool:
    """What was held once stays held, though some of it has been edited or overtaken since."""
    if run.held_state in {"held", "released"}:
        return bool(run.held_state == "held")
    return is_mass_change(Turns(turns.waiting, turns.expected, turns.passed), run.planned)


async def _hold(
    session: BatchSession, tools: Tools, day: date, run: Row[Any], turns: Row[Any]
) -> None:
    await session.execute(_SET_HELD, {"day": day, "count": turns.waiting})
    await open_incident(
        session,
        kind=MASS_CHANGE,
        key=day.isoformat(),
        detail=f"{turns.waiting} of {run.planned}",
        now=tools.clock.now(),
    )


async def _say(tools: Tools, day: date, word: str) -> bool:
    """Write the operator's word; False where nothing waits for one."""
    async with tools.database.system() as session:
        said = await session.scalar(_SAY, {"day": day, "word": word})
        if said is None:
            return False
        await close_incident(session, kind=MASS_CHANGE, key=day.isoformat(), now=tools.clock.now())
        return True


async def _apply_batch(
    session: BatchSession, tools: Tools, day: date
) -> tuple[Counter[Outcome], int]:
    rows = (await session.execute(_HELD, {"day": day, "most": BATCH})).all()
    outcomes: Counter[Outcome] = Counter()
    notices = 0
    for tenant_id, company in groupby(rows, key=lambda row: row.tenant_id):
        await session.bind(tenant_id)
        ids = [row.driver_id for row in company]
        found, told = await _apply_company(session, tools, day, tenant_id, ids)
        outcomes += found
        notices += told
    await count_outcomes(session, day, outcomes)
    return outcomes, notices


async def _apply_company(
    session: BatchSession, tools: Tools, day: date, tenant_id: TenantId, ids: list[Any]
) -> tuple[Counter[Outcome], int]:
    where = {"day": day, "tenant_id": tenant_id, "ids": ids}
    rows = (await session.execute(_READ, where)).all()
    found = [_found(tenant_id, row) for row in rows if row.document_no == row.asked_no]
    notices = await apply(session, tools, tenant_id, found)
    turned = [
        one.asked.driver_id for one in found if one.counts and counts_for_the_run(one.previous)
    ]
    await session.execute(_CLOSE, {**where, "turned": turned})
    return Counter(one.outcome for one in found), notices


def _found(tenant_id: TenantId, row: Row[Any]) -> Found:
    """The held answer; where a newer one overtook it, as history alone."""
    return Found(
        asked=Asked(
            tenant_id=tenant_id,
            driver_id=row.id,
            document_no=row.asked_no,
            query=LicenceQuery(row.first_name, row.last_name, row.license_number),
            at=row.done_at,
            began=row.asked_at,
        ),
        previous=row.status,
        outcome=Outcome(row.outcome),
        kept=Kept(
            hash=row.hash,
            canonical=b"",
            document_code=row.document_code,
            document_status=row.document_status,
            issuing_authority=row.issuing_authority,
            expiry_date=row.expiry_date,
            categories=row.categories,
            reasons=row.reasons,
            notes=row.notes,
        ),
        answer_id=row.answer_id,
        counts=row.newest is None or row.newest <= row.asked_at,
    )
