"""What carriers say of a person's e-mail address, and when it is written to no more.

A mail server that refuses an address while we speak to it may be wrong for an hour: such an
address is `refused`, shown, and still written to. One that a carrier reports as bounced,
dropped or spam is switched off until its owner says that it works. Whatever order reports come
in, and however often, the worst of those younger than the owner's word stands. SQL of that one
theme.
"""

from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.email_problems import EmailProblem
from prawko_tenants.ids import UserId

_WORSE_AND_WORSE = ("ok", "refused", "dropped", "bounced", "spam")

_STATE = text("""
    SELECT email_state, email_trusted_at FROM user_account
     WHERE id = :user_id FOR NO KEY UPDATE
""")
_NOTE = text("""
    UPDATE user_account
       SET email_state = :state, email_state_reason = :reason, updated_at = :now
     WHERE id = :user_id
""")
_WORKS_AGAIN = text("""
    UPDATE user_account SET email_state = 'ok', email_state_reason = NULL, updated_at = :now
     WHERE id = :user_id AND email_state = 'refused'
""")


async def note_reached(session: AsyncSession, user_id: UserId, *, now: datetime) -> None:
    """A mail arrived: a refused address works again, a reported one waits for its owner."""
    await session.execute(_WORKS_AGAIN, {"user_id": user_id, "now": now})


async def note_refused(
    session: AsyncSession, user_id: UserId, *, reason: str, now: datetime
) -> bool:
    """A mail server refused the address; True when it was thought to work until now."""
    return await _worsen(session, user_id, "refused", reason=reason, now=now)


async def switch_off(
    session: AsyncSession,
    user_id: UserId,
    problem: EmailProblem,
    *,
    at: datetime,
    reason: str,
    now: datetime,
) -> bool:
    """Write to the address no more; True when it was thought to work until now.

    `at` is when it happened, by the carrier's clock; what is older than the owner's word that
    the address works changes nothing.
    """
    return await _worsen(session, user_id, problem.value, reason=reason, now=now, at=at)


async def _worsen(
    session: AsyncSession,
    user_id: UserId,
    state: str,
    *,
    reason: str,
    now: datetime,
    at: datetime | None = None,
) -> bool:
    known = (await session.execute(_STATE, {"user_id": user_id})).one_or_none()
    if known is None or _badness(known.email_state) >= _badness(state):
        return False
    if at is not None and known.email_trusted_at is not None and at <= known.email_trusted_at:
        return False
    await session.execute(_NOTE, {"user_id": user_id, "state": state, "reason": reason, "now": now})
    return bool(known.email_state == "ok")


def _badness(state: str) -> int:
    return _WORSE_AND_WORSE.index(state)
