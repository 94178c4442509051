"""SQL of accounts: people, memberships, sessions and codes. None of it is a company's data."""

from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.activity import Origin, Somebody
from prawko.base.texts import Language
from prawko_tenants.ids import TenantId, UserId, new_id

_FIND = text("""
    SELECT u.id, u.email, u.password_hash, u.email_verified, u.is_admin, u.language,
           (SELECT m.tenant_id FROM membership m WHERE m.user_id = u.id
             ORDER BY m.created_at LIMIT 1) AS tenant_id
      FROM user_account u WHERE u.email_key = :email_key
""")
_LOCK = text("SELECT id FROM user_account WHERE email_key = :email_key FOR UPDATE")
_ADD_USER = text("""
    INSERT INTO user_account (id, email, email_key, password_hash, language, terms_version,
                              terms_accepted_at, terms_ip, created_at, updated_at)
    VALUES (:id, :email, :email_key, :password_hash, :language, :terms_version,
            :now, :ip, :now, :now)
    ON CONFLICT (email_key) DO NOTHING
""")
_REPLACE_USER = text("""
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
# A code or a link that came back proves that its mail arrived: older reports count for nothing.
_VERIFY = text("""
    UPDATE user_account
       SET email_verified = true, email_state = 'ok', email_state_reason = NULL,
           email_trusted_at = :machine_now, updated_at = :now
     WHERE id = :id
""")
_HOLD_USER = text("SELECT 1 FROM user_account WHERE id = :id FOR NO KEY UPDATE")
_PASSWORD_HASH = text("SELECT password_hash FROM user_account WHERE id = :id")
_HOLD_PASSWORD = text("""
    SELECT 1 FROM user_account WHERE id = :id AND password_hash = :password_hash FOR SHARE
""")
_CHANGE_PASSWORD = text("""
    UPDATE user_account SET password_hash = :new, updated_at = :now
     WHERE id = :id AND password_hash = :old
    RETURNING id
""")
_REPLACE_PASSWORD = text("""
    UPDATE user_account
       SET password_hash = :new, email_state = 'ok', email_state_reason = NULL,
           email_trusted_at = :machine_now, updated_at = :now
     WHERE id = :id
    RETURNING email_key
""")
_CODES_USER = text("SELECT user_id FROM one_time_code WHERE id = :id")
_RESET_CODE = text("""
    SELECT c.id, c.user_id, c.code_hash, c.expires_at,
           (SELECT m.tenant_id FROM membership m WHERE m.user_id = c.user_id
             ORDER BY m.created_at LIMIT 1) AS tenant_id
      FROM one_time_code c
     WHERE c.id = :id AND c.kind = 'reset' AND c.used_at IS NULL
       FOR UPDATE OF c
""")
_OPEN_SESSION = text("""
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
_SPEND_CODES = text("""
    UPDATE one_time_code SET used_at = :now
     WHERE user_id = :user_id AND kind = :kind AND used_at IS NULL
""")
_ADD_CODE = text("""
    INSERT INTO one_time_code (id, user_id, kind, code_hash, bound_to, created_at, expires_at,
                               tries)
    VALUES (:id, :user_id, :kind, :code_hash, :bound_to, :now, :expires_at, 0)
""")
_TRY_CODE = text("""
    UPDATE one_time_code SET tries = tries + 1
     WHERE user_id = :user_id AND kind = :kind AND used_at IS NULL
    RETURNING id, code_hash, bound_to, expires_at, tries
""")
_SPEND_CODE = text("""
    UPDATE one_time_code SET used_at = :now WHERE id = :id AND used_at IS NULL RETURNING id
""")


class KnownUser(msgspec.Struct, frozen=True):
    """An account as the login finds it."""

    id: UserId
    email: str
    password_hash: str
    email_verified: bool
    is_admin: bool
    language: Language
    tenant_id: TenantId

    @property
    def somebody(self) -> Somebody:
        """The person as the log of activities knows one."""
        return Somebody(self.id, self.tenant_id)


class Profile(msgspec.Struct, frozen=True):
    """What a person may see of the own account."""

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


class TriedCode(msgspec.Struct, frozen=True):
    """The one code that counts, its try already counted."""

    id: UUID
    code_hash: bytes
    bound_to: str | None
    expires_at: datetime
    tries: int


class ResetCode(msgspec.Struct, frozen=True):
    """A link that was not used yet, held until the transaction ends."""

    id: UUID
    user_id: UserId
    code_hash: bytes
    expires_at: datetime
    tenant_id: TenantId | None


class AccountRepository:
    """Reads and writes accounts in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def find(self, email_key: str) -> KnownUser | None:
        """The account that an address belongs to."""
        row = (await self._session.execute(_FIND, {"email_key": email_key})).mappings().first()
        return msgspec.convert(dict(row), KnownUser) if row else None

    async def lock(self, email_key: str) -> None:
        """Make others who sign up with the same address wait for this transaction."""
        await self._session.execute(_LOCK, {"email_key": email_key})

    async def add_user(
        self, email: str, email_key: str, password_hash: str, language: Language,
        terms_version: str, ip: str, now: datetime,
    ) -> UserId | None:  # fmt: skip
        """Add an account; None when the address was taken in the same moment."""
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

    async def replace_user(
        self, user_id: UserId, email: str, password_hash: str, language: Language,
        terms_version: str, ip: str, now: datetime,
    ) -> None:  # fmt: skip
        """Hand an address nobody proved to own to the one who signs up now (reading R16)."""
        await self._session.execute(
            _REPLACE_USER,
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

    async def profile(self, user_id: UserId) -> Profile:
        """The account's own view."""
        row = (await self._session.execute(_PROFILE, {"id": user_id})).mappings().one()
        return msgspec.convert(dict(row), Profile)

    async def company_name(self, tenant_id: TenantId) -> str:
        """The name of the bound company; empty until it is filled in."""
        name: str | None = await self._session.scalar(_COMPANY_NAME, {"id": tenant_id})
        return name or ""

    async def set_language(self, user_id: UserId, language: Language, now: datetime) -> None:
        """Speak this language from now on."""
        await self._session.execute(
            _SET_LANGUAGE, {"id": user_id, "language": language.value, "now": now}
        )

    async def mark_verified(self, user_id: UserId, now: datetime, machine_now: datetime) -> None:
        """The address is the person's, and works."""
        await self._session.execute(
            _VERIFY, {"id": user_id, "now": now, "machine_now": machine_now}
        )

    async def hold_user(self, user_id: UserId) -> None:
        """Let nobody else change this account until the transaction ends.

        Held before the account's codes and sessions, always in this order: two who change them
        at once wait for one another instead of each for the other.
        """
        await self._session.execute(_HOLD_USER, {"id": user_id})

    async def password_hash(self, user_id: UserId) -> str | None:
        """What is stored of a person's password."""
        stored: str | None = await self._session.scalar(_PASSWORD_HASH, {"id": user_id})
        return stored

    async def hold_password(self, user_id: UserId, password_hash: str) -> bool:
        """Keep the password as it is until the transaction ends; False when it was changed."""
        held = await self._session.scalar(
            _HOLD_PASSWORD, {"id": user_id, "password_hash": password_hash}
        )
        return held is not None

    async def change_password(self, user_id: UserId, old: str, new: str, now: datetime) -> bool:
        """Store a new password in place of that one; False when another was faster."""
        changed = await self._session.scalar(
            _CHANGE_PASSWORD, {"id": user_id, "old": old, "new": new, "now": now}
        )
        return changed is not None

    async def replace_password(
        self, user_id: UserId, new: str, now: datetime, machine_now: datetime
    ) -> str:
        """Store a new password in place of a forgotten one; returns the address's key.

        The link came by mail: the address works.
        """
        key: str = (
            await self._session.execute(
                _REPLACE_PASSWORD,
                {"id": user_id, "new": new, "now": now, "machine_now": machine_now},
            )
        ).scalar_one()
        return key

    async def hold_reset_code(self, code_id: UUID) -> ResetCode | None:
        """The unused link of that id, its account held; others who use it wait."""
        user_id = await self._session.scalar(_CODES_USER, {"id": code_id})
        if user_id is None:
            return None
        await self.hold_user(user_id)
        row = (await self._session.execute(_RESET_CODE, {"id": code_id})).mappings().first()
        return msgspec.convert(dict(row), ResetCode) if row else None

    async def spend_codes(self, user_id: UserId, kind: str, now: datetime) -> None:
        """Make every code of that kind worthless."""
        await self._session.execute(_SPEND_CODES, {"user_id": user_id, "kind": kind, "now": now})

    async def open_session(
        self, token_hash: bytes, user_id: UserId, tenant_id: TenantId, origin: Origin,
        machine_now: datetime, expires_at: datetime,
    ) -> None:  # fmt: skip
        """Sign in."""
        await self._session.execute(
            _OPEN_SESSION,
            {
                "id": new_id(), "token_hash": token_hash, "user_id": user_id,
                "tenant_id": tenant_id, "now": machine_now, "expires_at": expires_at,
                "ip": origin.ip, "agent": origin.agent,
            },
        )  # fmt: skip

    async def revoke_session(self, session_id: UUID, machine_now: datetime) -> None:
        """Sign out."""
        await self._session.execute(_REVOKE_SESSION, {"id": session_id, "now": machine_now})

    async def revoke_all(self, user_id: UserId, machine_now: datetime) -> None:
        """Sign out everywhere."""
        await self._session.execute(_REVOKE_ALL, {"user_id": user_id, "now": machine_now})

    async def add_code(
        self, user_id: UserId, kind: str, code_hash: bytes, now: datetime, expires_at: datetime,
        *, bound_to: str | None = None, code_id: UUID | None = None,
    ) -> UUID:  # fmt: skip
        """Make this the only code of its kind that counts; `bound_to` is what it proves.

        Of two at once the second waits: the newest is one.
        """
        await self.hold_user(user_id)
        await self._session.execute(_SPEND_CODES, {"user_id": user_id, "kind": kind, "now": now})
        code_id = code_id or new_id()
        await self._session.execute(
            _ADD_CODE,
            {
                "id": code_id, "user_id": user_id, "kind": kind, "code_hash": code_hash,
                "bound_to": bound_to, "now": now, "expires_at": expires_at,
            },
        )  # fmt: skip
        return code_id

    async def try_code(self, user_id: UserId, kind: str) -> TriedCode | None:
        """Count a try on the code that counts."""
        row = (
            await self._session.execute(_TRY_CODE, {"user_id": user_id, "kind": kind})
        ).mappings().first()  # fmt: skip
        return msgspec.convert(dict(row), TriedCode) if row else None

    async def spend_code(self, code_id: UUID, now: datetime) -> bool:
        """Use a code up; False when somebody else just did."""
        spent = await self._session.scalar(_SPEND_CODE, {"id": code_id, "now": now})
        return spent is not None
