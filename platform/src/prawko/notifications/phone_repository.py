"""SQL of people's phones: numbers, and when their last code was made."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base.texts import Language
from prawko_tenants.ids import UserId

_CODE_MADE_AT = text("""
    SELECT max(created_at) FROM one_time_code WHERE user_id = :user_id AND kind = 'phone'
""")
# Another number is nobody's until its code was typed; the same one stays what it is.
_SET_NUMBER = text("""
    UPDATE user_account
       SET phone_number = :number, phone_verified = false, updated_at = :now
     WHERE id = :user_id AND phone_number IS DISTINCT FROM :number
""")
_VERIFY = text("""
    UPDATE user_account SET phone_verified = true, updated_at = :now
     WHERE id = :user_id AND phone_number = :number
    RETURNING phone_number
""")
_WANTED = text("""
    SELECT c.id, u.phone_number, u.language
      FROM one_time_code c JOIN user_account u ON u.id = c.user_id
     WHERE c.id = ANY(:ids) AND c.used_at IS NULL AND c.expires_at > :now
""")
_IS_VERIFIED = text("""
    SELECT phone_verified AND phone_number = :number FROM user_account WHERE id = :user_id
""")


class WantedCode(msgspec.Struct, frozen=True, kw_only=True):
    """A code that still counts, beside the number and the language of its person."""

    id: UUID
    phone_number: str | None
    language: Language


class PhoneRepository:
    """Reads and writes phones in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def code_made_at(self, user_id: UserId) -> datetime | None:
        """When the person's last code was made."""
        made_at: datetime | None = await self._session.scalar(_CODE_MADE_AT, {"user_id": user_id})
        return made_at

    async def set_number(self, user_id: UserId, number: str, now: datetime) -> None:
        """Keep the number; another one than before is not verified."""
        await self._session.execute(_SET_NUMBER, {"user_id": user_id, "number": number, "now": now})

    async def mark_verified(self, user_id: UserId, number: str, now: datetime) -> bool:
        """The number is the person's; False when it is not the person's number any more."""
        verified = await self._session.scalar(
            _VERIFY, {"user_id": user_id, "number": number, "now": now}
        )
        return verified is not None

    async def is_verified(self, user_id: UserId, number: str) -> bool:
        """Whether the person has proved exactly this number."""
        verified: bool | None = await self._session.scalar(
            _IS_VERIFIED, {"user_id": user_id, "number": number}
        )
        return bool(verified)

    async def wanted(
        self, code_ids: Sequence[UUID | None], now: datetime
    ) -> dict[UUID, WantedCode]:
        """Which of the codes still count."""
        rows = await self._session.execute(_WANTED, {"ids": list(code_ids), "now": now})
        found: list[Any] = [msgspec.convert(dict(row), WantedCode) for row in rows.mappings()]
        return {code.id: code for code in found}
