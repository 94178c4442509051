"""Rows of what operators asked to be given back. SQL of that one theme, for the worker's login.

It is written before the provider hears of it: its call about the refund may be faster than its
answer. A finding is given back once, under its own id; a payment adds up what was asked for all
findings about it.
"""

from uuid import UUID

from sqlalchemy import text

from prawko.payments.findings import Finding
from prawko_tenants.sessions import SystemSession

_ASK = text("""
    UPDATE payment_finding SET given_back = :grosze
     WHERE id = :id AND settled_at IS NULL AND coalesce(given_back, :grosze) = :grosze
    RETURNING id
""")
_FORGET = text("UPDATE payment_finding SET given_back = NULL WHERE id = :id")
# A finding may be about another payment under the same key than the one that counts.
_ADD_UP = text("""
    UPDATE payment AS p
       SET given_back = (SELECT coalesce(sum(f.given_back), 0) FROM payment_finding AS f
                          WHERE f.provider = p.provider AND f.key = p.key
                            AND f.provider_ref IN ('', p.provider_ref))
     WHERE p.provider = :provider AND p.key = :key
""")
_REOPEN = text("""
    UPDATE payment_finding
       SET settled_at = NULL, settled_note = NULL, told_at = NULL, given_back = NULL,
           detail = detail || :more
     WHERE id = :id AND given_back IS NOT NULL
""")


async def ask_back(session: SystemSession, finding: Finding, grosze: int) -> bool:
    """Note that so much of it is asked for; False where another sum was, or it is settled."""
    asked: UUID | None = await session.scalar(_ASK, {"id": finding.id, "grosze": grosze})
    await _add_up(session, finding)
    return asked is not None


async def refused(session: SystemSession, finding: Finding) -> None:
    """Nothing was given: another sum may be asked for."""
    await session.execute(_FORGET, {"id": finding.id})
    await _add_up(session, finding)


async def reopen(session: SystemSession, finding: Finding, why: str) -> None:
    """What was said to be under way was refused in the end: the operators have it again."""
    more = f"; its refund was refused: {why}" if why else "; its refund was refused"
    await session.execute(_REOPEN, {"id": finding.id, "more": more})
    await _add_up(session, finding)


async def _add_up(session: SystemSession, finding: Finding) -> None:
    await session.execute(_ADD_UP, {"provider": finding.provider, "key": finding.key})
