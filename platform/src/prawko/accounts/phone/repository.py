"""SQL of phone numbers, and of the time of a person's last code."""

from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko_tenants.ids import UserId

_SELECT_LAST_CODE_AT = text("""
    SELECT max(created_at) FROM one_time_code WHERE user_id = :user_id AND kind = 'phone'
""")
# A changed number is unverified until its code was typed.
_SET_NUMBER = text("""
    UPDATE user_account
       SET phone_number = :number, phone_verified = false, updated_at = :now
     WHERE id = :user_id AND phone_number IS DISTINCT FROM :number
""")
_MARK_VERIFIED = text("""
    UPDATE user_account SET phone_verified = true, updated_at = :now
     WHERE id = :user_id AND phone_number = :number
    RETURNING phone_number
""")
_SELECT_IS_VERIFIED = text("""
    SELECT phone_verified AND phone_number = :number FROM user_account WHERE id = :user_id
""")


class PhoneRepository:
    """Reads and writes phone numbers in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def last_code_at(self, user_id: UserId) -> datetime | None:
        """Return when the person's last code was created; None without one."""
        created_at: datetime | None = await self._session.scalar(
            _SELECT_LAST_CODE_AT, {"user_id": user_id}
        )
        return created_at

    async def set_number(self, user_id: UserId, number: str, now: datetime) -> None:
        """Store the number; it becomes unverified when it changes."""
        await self._session.execute(_SET_NUMBER, {"user_id": user_id, "number": number, "now": now})

    async def mark_verified(self, user_id: UserId, number: str, now: datetime) -> bool:
        """Mark the number as verified; False when it is no longer the person's number."""
        verified = await self._session.scalar(
            _MARK_VERIFIED, {"user_id": user_id, "number": number, "now": now}
        )
        return verified is not None

    async def is_verified(self, user_id: UserId, number: str) -> bool:
        """Return whether the person has verified exactly this number."""
        is_verified: bool | None = await self._session.scalar(
            _SELECT_IS_VERIFIED, {"user_id": user_id, "number": number}
        )
        return bool(is_verified)
