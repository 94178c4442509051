"""SQL of accounts, memberships and sessions; none of these rows belong to a company."""

from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.audit_log import AuditActor, ClientInfo
from prawko.base.i18n import Language
from prawko_tenants.ids import TenantId, UserId, new_id

_SELECT_BY_EMAIL = text("""
    SELECT u.id, u.email, u.password_hash, u.email_verified, u.is_admin, u.language,
           (SELECT m.tenant_id FROM membership m WHERE m.user_id = u.id
             ORDER BY m.created_at LIMIT 1) AS tenant_id
      FROM user_account u WHERE u.email_key = :email_key
""")
_LOCK_BY_EMAIL = text("SELECT id FROM user_account WHERE email_key = :email_key FOR UPDATE")
_ADD_USER = text("""
    INSERT INTO user_account (id, email, email_key, password_hash, language, terms_version,
                              terms_accepted_at, terms_ip, created_at, updated_at)
    VALUES (:id, :email, :email_key, :password_hash, :language, :terms_version,
            :now, :ip, :now, :now)
    ON CONFLICT (email_key) DO NOTHING
""")
_RECLAIM_UNVERIFIED = text("""
    UPDATE user_account
       SET email = :email, password_hash = :password_hash, language = :language,
           terms_version = :terms_version, terms_accepted_at = :now, terms_ip = :ip,
           email_state = 'ok', email_state_reason = NULL, email_trusted_at = NULL,
           created_at = :now, updated_at = :now
     WHERE id = :id AND NOT email_verified
""")
_ADD_MEMBERSHIP = text("""
    INSERT INTO membership (tenant_id, user_id, role, created_at)
    VALUES (:tenant_id, :user_id, 'owner', :now)
""")
_PROFILE = text("""
    SELECT email, phone_number, phone_verified, email_notifications_enabled,
           sms_notifications_enabled, is_admin, email_verified, created_at, language, terms_version,
           email_state
      FROM user_account WHERE id = :id
""")
_COMPANY_NAME = text("SELECT company_name FROM tenant WHERE id = :id")
_SET_LANGUAGE = text(
    "UPDATE user_account SET language = :language, updated_at = :now WHERE id = :id"
)
# A code or link that was used proves that its mail arrived: older reports are ignored.
_MARK_EMAIL_VERIFIED = text("""
    UPDATE user_account
       SET email_verified = true, email_state = 'ok', email_state_reason = NULL,
           email_trusted_at = :machine_now, updated_at = :now
     WHERE id = :id
""")
_LOCK_USER = text("SELECT 1 FROM user_account WHERE id = :id FOR NO KEY UPDATE")
_PASSWORD_HASH = text("SELECT password_hash FROM user_account WHERE id = :id")
_LOCK_PASSWORD = text("""
    SELECT 1 FROM user_account WHERE id = :id AND password_hash = :password_hash FOR SHARE
""")
_CHANGE_PASSWORD = text("""
    UPDATE user_account SET password_hash = :new, updated_at = :now
     WHERE id = :id AND password_hash = :old
    RETURNING id
""")
_RESET_PASSWORD = text("""
    UPDATE user_account
       SET password_hash = :new, email_state = 'ok', email_state_reason = NULL,
           email_trusted_at = :machine_now, updated_at = :now
     WHERE id = :id
    RETURNING email_key
""")
_INSERT_SESSION = text("""
    INSERT INTO login_session (id, token_hash, user_id, tenant_id, created_at, last_seen_at,
                               expires_at, ip, agent)
    VALUES (:id, :token_hash, :user_id, :tenant_id, :now, :now, :expires_at, :ip, :agent)
""")
_REVOKE_SESSION = text("""
    UPDATE login_session SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL
""")
_REVOKE_ALL = text("""
    UPDATE login_session SET revoked_at = :now WHERE user_id = :user_id AND revoked_at IS NULL
""")


class LoginAccount(msgspec.Struct, frozen=True):
    """An account with what a login needs."""

    id: UserId
    email: str
    password_hash: str
    email_verified: bool
    is_admin: bool
    language: Language
    tenant_id: TenantId

    @property
    def actor(self) -> AuditActor:
        """The person as an actor of the audit log."""
        return AuditActor(self.id, self.tenant_id)


class UserProfile(msgspec.Struct, frozen=True):
    """The account as its owner sees it."""

    email: str
    phone_number: str | None
    phone_verified: bool
    email_notifications_enabled: bool
    sms_notifications_enabled: bool
    is_admin: bool
    email_verified: bool
    created_at: datetime
    language: Language
    terms_version: str
    email_state: str


class AccountRepository:
    """Reads and writes accounts in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def find_by_email(self, email_key: str) -> LoginAccount | None:
        """Return the account of an address (`email_key`); None when there is none."""
        row = (
            (await self._session.execute(_SELECT_BY_EMAIL, {"email_key": email_key}))
            .mappings()
            .first()
        )
        return msgspec.convert(dict(row), LoginAccount) if row else None

    async def lock_by_email(self, email_key: str) -> None:
        """Lock the account of an address until the transaction ends."""
        await self._session.execute(_LOCK_BY_EMAIL, {"email_key": email_key})

    async def add_user(
        self, email: str, email_key: str, password_hash: str, language: Language,
        terms_version: str, ip: str, now: datetime,
    ) -> UserId | None:  # fmt: skip
        """Insert an account and return its id; None when the address is taken."""
        user_id = UserId(new_id())
        added = await self._session.execute(
            _ADD_USER,
            {
                "id": user_id, "email": email, "email_key": email_key,
                "password_hash": password_hash, "language": language.value,
                "terms_version": terms_version, "ip": ip, "now": now,
            },
        )  # fmt: skip
        return user_id if added.rowcount else None  # type: ignore[attr-defined]

    async def reclaim_unverified(
        self, user_id: UserId, email: str, password_hash: str, language: Language,
        terms_version: str, ip: str, now: datetime,
    ) -> None:  # fmt: skip
        """Replace an unverified account's data by those of a new sign-up (docs/rules.md R16)."""
        await self._session.execute(
            _RECLAIM_UNVERIFIED,
            {
                "id": user_id, "email": email, "password_hash": password_hash,
                "language": language.value, "terms_version": terms_version, "ip": ip, "now": now,
            },
        )  # fmt: skip

    async def add_membership(self, tenant_id: TenantId, user_id: UserId, now: datetime) -> None:
        """Make a person the owner of a company."""
        await self._session.execute(
            _ADD_MEMBERSHIP, {"tenant_id": tenant_id, "user_id": user_id, "now": now}
        )

    async def get_profile(self, user_id: UserId) -> UserProfile:
        """Return the account as its owner sees it."""
        row = (await self._session.execute(_PROFILE, {"id": user_id})).mappings().one()
        return msgspec.convert(dict(row), UserProfile)

    async def get_company_name(self, tenant_id: TenantId) -> str:
        """Return the name of the bound company; empty until it is filled in."""
        name: str | None = await self._session.scalar(_COMPANY_NAME, {"id": tenant_id})
        return name or ""

    async def set_language(self, user_id: UserId, language: Language, now: datetime) -> None:
        """Set the account's language."""
        await self._session.execute(
            _SET_LANGUAGE, {"id": user_id, "language": language.value, "now": now}
        )

    async def mark_email_verified(
        self, user_id: UserId, now: datetime, machine_now: datetime
    ) -> None:
        """Mark the address as verified and deliverable."""
        await self._session.execute(
            _MARK_EMAIL_VERIFIED, {"id": user_id, "now": now, "machine_now": machine_now}
        )

    async def lock_user(self, user_id: UserId) -> None:
        """Lock the account until the transaction ends.

        Always locked before the account's codes and sessions: one order avoids deadlocks.
        """
        await self._session.execute(_LOCK_USER, {"id": user_id})

    async def get_password_hash(self, user_id: UserId) -> str | None:
        """Return the stored password hash."""
        password_hash: str | None = await self._session.scalar(_PASSWORD_HASH, {"id": user_id})
        return password_hash

    async def lock_password(self, user_id: UserId, password_hash: str) -> bool:
        """Lock the password hash until the transaction ends; False when it was changed."""
        locked = await self._session.scalar(
            _LOCK_PASSWORD, {"id": user_id, "password_hash": password_hash}
        )
        return locked is not None

    async def change_password(
        self, user_id: UserId, old_hash: str, new_hash: str, now: datetime
    ) -> bool:
        """Replace the password hash `old_hash`; False when it has been replaced already."""
        changed = await self._session.scalar(
            _CHANGE_PASSWORD, {"id": user_id, "old": old_hash, "new": new_hash, "now": now}
        )
        return changed is not None

    async def reset_password(
        self, user_id: UserId, new_hash: str, now: datetime, machine_now: datetime
    ) -> str:
        """Replace the password hash and return the account's `email_key`.

        The link came by mail, so the address is marked as deliverable.
        """
        email_key: str = (
            await self._session.execute(
                _RESET_PASSWORD,
                {"id": user_id, "new": new_hash, "now": now, "machine_now": machine_now},
            )
        ).scalar_one()
        return email_key

    async def add_session(
        self, token_hash: bytes, user_id: UserId, tenant_id: TenantId, client_info: ClientInfo,
        machine_now: datetime, expires_at: datetime,
    ) -> None:  # fmt: skip
        """Insert a session."""
        await self._session.execute(
            _INSERT_SESSION,
            {
                "id": new_id(), "token_hash": token_hash, "user_id": user_id,
                "tenant_id": tenant_id, "now": machine_now, "expires_at": expires_at,
                "ip": client_info.ip, "agent": client_info.user_agent,
            },
        )  # fmt: skip

    async def revoke_session(self, session_id: UUID, machine_now: datetime) -> None:
        """Revoke one session."""
        await self._session.execute(_REVOKE_SESSION, {"id": session_id, "now": machine_now})

    async def revoke_all_sessions(self, user_id: UserId, machine_now: datetime) -> None:
        """Revoke every session of a person."""
        await self._session.execute(_REVOKE_ALL, {"user_id": user_id, "now": machine_now})
