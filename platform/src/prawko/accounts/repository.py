"""The repository of accounts and memberships; none of these rows belong to a company."""

from collections.abc import Collection, Sequence
from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, DateTime, func, literal, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert

from prawko.accounts.authentication import Actor
from prawko.accounts.email_address import normalise_email
from prawko.accounts.models import Membership, UserAccount
from prawko.accounts.roles import Role
from prawko.kit.database import Repository
from prawko.kit.text.i18n import Language
from prawko_tenants.ids import TenantId, UserId
from prawko_tenants.models import Tenant

_DELIVERABLE = {"email_state": "ok", "email_state_reason": None}


class AccountPassword(msgspec.Struct, frozen=True):
    """The stored password of an account; an operator's without its digest."""

    id: UserId
    password_hash: str
    is_operator: bool


class LoginAccount(msgspec.Struct, frozen=True):
    """An account with what a login needs; its company is the first that the person joined."""

    id: UserId
    password_hash: str
    is_operator: bool
    email_verified: bool
    browser_generation: int
    tenant_id: TenantId

    @property
    def actor(self) -> Actor:
        return Actor(user_id=self.id, tenant_id=self.tenant_id)


class SignUp(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a new account."""

    email: str
    password_hash: str
    language: Language
    planned_drivers: int | None = None
    now: datetime

    def to_columns(self) -> dict[str, object]:
        """Return the columns of `user_account` that a sign-up sets."""
        return {
            "email": self.email,
            "email_key": normalise_email(self.email),
            "password_hash": self.password_hash,
            "language": self.language,
            "planned_drivers": self.planned_drivers,
            "created_at": self.now,
            "updated_at": self.now,
        }


class AccountRepository(Repository[UserAccount]):
    """Reads and writes accounts and memberships in the caller's transaction."""

    model_type = UserAccount

    async def find_by_email(self, email_key: str) -> LoginAccount | None:
        """Return the account of an address (`email_key`); None when there is none."""
        statement = (
            select(
                UserAccount.id,
                UserAccount.password_hash,
                UserAccount.is_admin,
                UserAccount.email_verified,
                UserAccount.browser_generation,
                Membership.tenant_id,
            )
            .join(Membership, Membership.user_id == UserAccount.id)
            .where(UserAccount.email_key == email_key)
            .order_by(Membership.created_at)
            .limit(1)
        )
        row = (await self.session.execute(statement)).one_or_none()
        return LoginAccount(*row) if row else None

    async def lock_by_email(self, email_key: str) -> None:
        """Lock the account of an address until the transaction ends."""
        await self.session.execute(
            select(UserAccount.id).where(UserAccount.email_key == email_key).with_for_update()
        )

    async def lock_user(self, user_id: UserId) -> None:
        """Lock the account until the transaction ends.

        Always locked before the account's codes and sessions: one order avoids deadlocks.
        """
        await self.session.execute(
            select(UserAccount.id)
            .where(UserAccount.id == user_id)
            .with_for_update(key_share=True)  # codes and sessions reference the row meanwhile
        )

    async def lock_users(self, ids: Collection[UserId], *, to_delete: bool = False) -> None:
        """Lock accounts in the order of their ids, which avoids deadlocks, as `lock_user` does."""
        await self.session.execute(
            select(UserAccount.id)
            .where(UserAccount.id.in_(ids))
            .order_by(UserAccount.id)
            .with_for_update(key_share=not to_delete)
        )

    async def add_user(self, sign_up: SignUp) -> UserId | None:
        """Insert an account and return its id; None when the address is taken."""
        return await self.session.scalar(
            insert(UserAccount)
            .values(sign_up.to_columns())
            .on_conflict_do_nothing(index_elements=["email_key"])
            .returning(UserAccount.id)
        )

    async def reclaim_unverified(self, user_id: UserId, sign_up: SignUp) -> None:
        """Replace an unverified account's data by those of a new sign-up (docs/rules.md R16)."""
        await self._update(
            user_id, UserAccount.email_verified.is_(False),
            **sign_up.to_columns(), **_DELIVERABLE, email_trusted_at=None,
        )  # fmt: skip

    async def add_membership(self, tenant_id: TenantId, user_id: UserId, now: datetime) -> None:
        """Add a company's first person, its owner."""
        await self.session.execute(
            insert(Membership).values(
                tenant_id=tenant_id, user_id=user_id, role=Role.OWNER, created_at=now
            )
        )

    async def list_by_id(self, ids: Sequence[UserId]) -> Sequence[UserAccount]:
        """Return those of the accounts that there still are."""
        return (
            await self.session.scalars(select(UserAccount).where(UserAccount.id.in_(ids)))
        ).all()

    async def get_company_name(self, tenant_id: TenantId) -> str:
        """Return the name of the bound company; empty until it is filled in."""
        statement = select(Tenant.company_name).where(Tenant.id == tenant_id)
        return await self.session.scalar(statement) or ""

    async def get_company_label(self, tenant_id: TenantId) -> str:
        """Return the name of the bound company or, until it has one, its first member's address."""
        if name := await self.get_company_name(tenant_id):
            return name
        first_address = (
            select(UserAccount.email)
            .join(Membership, Membership.user_id == UserAccount.id)
            .where(Membership.tenant_id == tenant_id)
            .order_by(Membership.created_at, UserAccount.id)
            .limit(1)
        )
        return await self.session.scalar(first_address) or ""

    async def get_company(self, tenant_id: TenantId) -> Tenant:
        """Return the bound company."""
        return (await self.session.scalars(select(Tenant).where(Tenant.id == tenant_id))).one()

    async def first_company(self, user_id: UserId) -> TenantId | None:
        """Return the first company that a person joined; None without one."""
        return await self.session.scalar(
            select(Membership.tenant_id)
            .where(Membership.user_id == user_id)
            .order_by(Membership.created_at)
            .limit(1)
        )

    async def list_members(self, tenant_id: TenantId) -> Sequence[UserId]:
        """Return the members of the bound company."""
        statement = select(Membership.user_id).where(Membership.tenant_id == tenant_id)
        return (await self.session.scalars(statement)).all()

    async def lock_against_deletion(self, user_id: UserId) -> bool:
        """Keep an account from being deleted until the transaction ends; False without it."""
        locked = await self.session.scalar(
            select(UserAccount.id)
            .where(UserAccount.id == user_id)
            .with_for_update(read=True, key_share=True)
        )
        return locked is not None

    async def is_operator(self, user_id: UserId) -> bool:
        statement = select(UserAccount.is_admin).where(UserAccount.id == user_id)
        return bool(await self.session.scalar(statement))

    async def has_operator(self) -> bool:
        """Return whether anybody is an operator."""
        statement = select(UserAccount.id).where(UserAccount.is_admin).limit(1)
        return await self.session.scalar(statement) is not None

    async def find_operator(self, email_key: str) -> Actor | None:
        """Return the operator with an address (`email_key`)."""
        statement = select(UserAccount.id).where(
            UserAccount.email_key == email_key, UserAccount.is_admin
        )
        user_id = await self.session.scalar(statement)
        return None if user_id is None else Actor(user_id=user_id, tenant_id=None)

    async def set_language(self, user_id: UserId, language: Language, now: datetime) -> bool:
        """Store the language; False when it is the present one."""
        return await self._update(
            user_id, UserAccount.language != language, language=language, updated_at=now
        )

    async def set_list_view(
        self, user_id: UserId, page_size: int, now: datetime, *, dense_rows: bool
    ) -> None:
        """Store how lists are shown, unless they are shown so already."""
        shown = tuple_(UserAccount.list_page_size, UserAccount.list_dense_rows)
        await self._update(
            user_id, shown != (page_size, dense_rows),
            list_page_size=page_size, list_dense_rows=dense_rows, updated_at=now,
        )  # fmt: skip

    async def mark_email_verified(
        self, user_id: UserId, now: datetime, system_now: datetime
    ) -> None:
        """Mark the address as verified and deliverable: a used code proves that mail arrives."""
        await self._update(
            user_id, email_verified=True, **_DELIVERABLE, email_trusted_at=system_now,
            updated_at=now,
        )  # fmt: skip

    async def promote(self, user_id: UserId, password_hash: str, now: datetime) -> None:
        """Make a person an operator; needs the owner's login."""
        await self._update(
            user_id, is_admin=True, email_verified=True, password_hash=password_hash,
            updated_at=now,
        )  # fmt: skip

    async def demote(self, user_id: UserId, now: datetime) -> bool:
        """Take the operator's right away; False without it. Needs the owner's login."""
        return await self._update(
            user_id, UserAccount.is_admin.is_(True), is_admin=False, updated_at=now
        )

    async def set_phone(self, user_id: UserId, number: str, now: datetime) -> None:
        """Store the phone number; it becomes unverified when it changes."""
        await self._update(
            user_id, UserAccount.phone_number.is_distinct_from(number),
            phone_number=number, phone_verified=False, updated_at=now,
        )  # fmt: skip

    async def mark_phone_verified(self, user_id: UserId, number: str, now: datetime) -> bool:
        """Mark the number as verified; False when it is no longer the person's number."""
        return await self._update(
            user_id, UserAccount.phone_number == number, phone_verified=True, updated_at=now
        )

    async def is_phone_verified(self, user_id: UserId, number: str) -> bool:
        """Return whether the person has verified exactly this number."""
        statement = select(UserAccount.phone_verified).where(
            UserAccount.id == user_id, UserAccount.phone_number == number
        )
        return bool(await self.session.scalar(statement))

    async def find_password(self, user_id: UserId) -> AccountPassword | None:
        """Return the stored password of an account; None if the account was deleted."""
        statement = select(UserAccount.id, UserAccount.password_hash, UserAccount.is_admin)
        row = (await self.session.execute(statement.where(UserAccount.id == user_id))).one_or_none()
        return AccountPassword(*row) if row else None

    async def is_operator_password(self, user_id: UserId, digest: str) -> bool:
        """Return whether the digest is that of an operator's password."""
        return bool(await self.session.scalar(select(func.is_operator_password(user_id, digest))))

    async def change_operator_password(
        self, user_id: UserId, old_digest: str, new_hash: str, now: datetime
    ) -> bool:
        """Replace an operator's password; False when the old one is another."""
        changed = func.change_operator_password(
            user_id, old_digest, new_hash, literal(now, DateTime(timezone=True))
        )
        return bool(await self.session.scalar(select(changed)))

    async def lock_password(self, user_id: UserId, password_hash: str) -> bool:
        """Lock the password hash until the transaction ends; False when it was changed."""
        locked = await self.session.scalar(
            select(UserAccount.id)
            .where(UserAccount.id == user_id, UserAccount.password_hash == password_hash)
            .with_for_update(read=True)
        )
        return locked is not None

    async def change_password(
        self, user_id: UserId, old_hash: str, new_hash: str, now: datetime
    ) -> bool:
        """Replace the password hash `old_hash`; False when it has been replaced already."""
        return await self._update(
            user_id, UserAccount.password_hash == old_hash, password_hash=new_hash, updated_at=now
        )

    async def reset_password(
        self, user_id: UserId, new_hash: str, now: datetime, system_now: datetime
    ) -> str:
        """Replace the password hash and return the account's `email_key`.

        The link came by mail, so the address is marked as deliverable.
        """
        statement = (
            update(UserAccount)
            .where(UserAccount.id == user_id)
            .values(
                password_hash=new_hash, **_DELIVERABLE, email_trusted_at=system_now, updated_at=now
            )
            .returning(UserAccount.email_key)
        )
        return (await self.session.scalars(statement)).one()

    async def _update(
        self, user_id: UserId, *criteria: ColumnElement[bool], **columns: object
    ) -> bool:
        """Update an account if the criteria hold; return whether they did."""
        statement = (
            update(UserAccount)
            .where(UserAccount.id == user_id, *criteria)
            .values(**columns)
            .returning(UserAccount.id)
        )
        return await self.session.scalar(statement) is not None
