"""The repository of phone numbers."""

from datetime import datetime

from sqlalchemy import select, update

from prawko.accounts.models import UserAccount
from prawko.base.repository import Repository
from prawko_tenants.ids import UserId


class PhoneRepository(Repository[UserAccount]):
    """Reads and writes phone numbers in the caller's transaction."""

    model_type = UserAccount

    async def set_number(self, user_id: UserId, number: str, now: datetime) -> None:
        """Store the number; it becomes unverified when it changes."""
        await self.session.execute(
            update(UserAccount)
            .where(UserAccount.id == user_id, UserAccount.phone_number.is_distinct_from(number))
            .values(phone_number=number, phone_verified=False, updated_at=now)
        )

    async def mark_verified(self, user_id: UserId, number: str, now: datetime) -> bool:
        """Mark the number as verified; False when it is no longer the person's number."""
        verified = await self.session.scalar(
            update(UserAccount)
            .where(UserAccount.id == user_id, UserAccount.phone_number == number)
            .values(phone_verified=True, updated_at=now)
            .returning(UserAccount.id)
        )
        return verified is not None

    async def is_verified(self, user_id: UserId, number: str) -> bool:
        """Return whether the person has verified exactly this number."""
        statement = select(UserAccount.phone_verified).where(
            UserAccount.id == user_id, UserAccount.phone_number == number
        )
        return bool(await self.session.scalar(statement))
