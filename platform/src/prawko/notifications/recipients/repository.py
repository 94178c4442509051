"""The bound company's recipients of alerts: its members, and persons without an account."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import func, or_, select, update

from prawko.accounts.email_address import EmailProblem
from prawko.accounts.models import Membership, UserAccount
from prawko.kit.database import Repository
from prawko.notifications.catalogue import NoticeGroup
from prawko.notifications.fanout import SmsHours
from prawko.notifications.models import AlertRecipient
from prawko_tenants.ids import RecipientId, TenantId, UserId
from prawko_tenants.models import Tenant


class MemberAddress(msgspec.Struct, frozen=True):
    """The addresses of a member, and what carriers reported of the first."""

    user_id: UserId
    email: str
    email_state: str
    phone_number: str | None


class RecipientRepository(Repository[AlertRecipient]):
    """Reads and writes recipients in the caller's transaction, bound to a company."""

    model_type = AlertRecipient

    async def lock_company(self) -> None:
        """Lock the company until the transaction ends: changes of its recipients wait."""
        await self.session.execute(select(Tenant.id).with_for_update(key_share=True))

    async def list_all(self) -> Sequence[AlertRecipient]:
        """Return the persons without an account, in the order in which they were added."""
        rows = select(AlertRecipient).order_by(AlertRecipient.created_at, AlertRecipient.id)
        return (await self.session.scalars(rows)).all()

    async def find(self, tenant_id: TenantId, recipient_id: RecipientId) -> AlertRecipient | None:
        """Return a person without an account; None where there is none."""
        return await self.session.scalar(
            select(AlertRecipient).where(
                AlertRecipient.tenant_id == tenant_id, AlertRecipient.id == recipient_id
            )
        )

    async def lock(self, recipient_id: RecipientId) -> AlertRecipient | None:
        """Return a person without an account, locked; None where there is none."""
        row = select(AlertRecipient).where(AlertRecipient.id == recipient_id)
        return await self.session.scalar(row.with_for_update())

    async def count_all(self) -> int:
        """Return how many persons without an account there are."""
        return await self.session.scalar(select(func.count(AlertRecipient.id))) or 0

    async def has_address(self, tenant_id: TenantId, email_key: str) -> bool:
        """Return whether a member or a recipient of the bound company has the address."""
        member = (
            select(UserAccount.id)
            .join(Membership, Membership.user_id == UserAccount.id)
            .where(Membership.tenant_id == tenant_id, UserAccount.email_key == email_key)
        )
        recipient = select(AlertRecipient.id).where(AlertRecipient.email_key == email_key)
        return (await self.session.scalar(member.union_all(recipient).limit(1))) is not None

    async def delete_one(self, recipient_id: RecipientId) -> bool:
        """Delete a person without an account; False where there is none."""
        row = await self.lock(recipient_id)
        if row is not None:
            await self.session.delete(row)
        return row is not None

    async def list_member_addresses(self, tenant_id: TenantId) -> list[MemberAddress]:
        """Return the addresses of the members, the longest member first."""
        rows = await self.session.execute(
            select(
                UserAccount.id,
                UserAccount.email,
                UserAccount.email_state,
                UserAccount.phone_number,
            )
            .join(Membership, Membership.user_id == UserAccount.id)
            .where(Membership.tenant_id == tenant_id)
            .order_by(Membership.created_at, UserAccount.id)
        )
        return [MemberAddress(*row) for row in rows]

    async def save_groups(
        self, tenant_id: TenantId, user_id: UserId, groups: Sequence[NoticeGroup]
    ) -> None:
        """Store which groups of notices a member wants."""
        await self.session.execute(
            update(Membership)
            .where(Membership.tenant_id == tenant_id, Membership.user_id == user_id)
            .values(alert_groups=[group.value for group in groups])
        )

    async def save_sms_hours(
        self, tenant_id: TenantId, user_id: UserId, hours: SmsHours | None
    ) -> None:
        """Store in which hours a member wants SMS; None: not at night."""
        await self.session.execute(
            update(Membership)
            .where(Membership.tenant_id == tenant_id, Membership.user_id == user_id)
            .values(
                sms_from_hour=hours.start if hours else None,
                sms_until_hour=hours.end if hours else None,
            )
        )

    async def save_monthly_summary(
        self, tenant_id: TenantId, user_id: UserId, *, is_wanted: bool
    ) -> None:
        """Store whether a member wants the mail about the month before."""
        await self.session.execute(
            update(Membership)
            .where(Membership.tenant_id == tenant_id, Membership.user_id == user_id)
            .values(monthly_summary=is_wanted)
        )

    async def suppress_address(
        self,
        tenant_id: TenantId,
        recipient_id: RecipientId,
        problem: EmailProblem,
        reported_at: datetime,
    ) -> bool:
        """Stop mail to the address; False if that was done before, or the report is too old."""
        is_newer = or_(
            AlertRecipient.email_trusted_at.is_(None),
            AlertRecipient.email_trusted_at < reported_at,
        )
        suppressed = (
            update(AlertRecipient)
            .where(
                AlertRecipient.tenant_id == tenant_id,
                AlertRecipient.id == recipient_id,
                AlertRecipient.email_state == "ok",
                is_newer,
            )
            .values(email_state=problem.value)
        )
        stored = suppressed.returning(AlertRecipient.id)
        return await self.session.scalar(stored) is not None
