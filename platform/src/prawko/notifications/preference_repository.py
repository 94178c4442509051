"""The channel preferences of a person."""

from datetime import datetime

import msgspec
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.models import UserAccount
from prawko.base.clock import utc_now
from prawko_tenants.ids import UserId


class ChannelPreferences(msgspec.Struct, frozen=True, kw_only=True):
    """The channels that a person chose, and the states of phone and address."""

    email_on: bool
    sms_on: bool
    phone_number: str | None
    phone_verified: bool
    email_state: str


class PreferenceRepository:
    """Reads and writes preferences in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def lock(self, user_id: UserId) -> ChannelPreferences:
        """Return a person's preferences, locked until the transaction ends."""
        row = await self._session.execute(
            select(
                UserAccount.email_notifications_enabled.label("email_on"),
                UserAccount.sms_notifications_enabled.label("sms_on"),
                UserAccount.phone_number,
                UserAccount.phone_verified,
                UserAccount.email_state,
            )
            .where(UserAccount.id == user_id)
            .with_for_update(key_share=True)
        )
        return msgspec.convert(dict(row.mappings().one()), ChannelPreferences)

    async def save(self, user_id: UserId, *, email_on: bool, sms_on: bool, now: datetime) -> None:
        """Store a person's preferences.

        Switching mails on confirms the address: reports of earlier mails are ignored.
        """
        values = {
            UserAccount.email_notifications_enabled: email_on,
            UserAccount.sms_notifications_enabled: sms_on,
            UserAccount.updated_at: now,
        }
        if email_on:
            values |= {
                UserAccount.email_state: "ok",
                UserAccount.email_state_reason: None,
                UserAccount.email_trusted_at: utc_now(),
            }
        await self._session.execute(
            update(UserAccount).where(UserAccount.id == user_id).values(values)
        )
