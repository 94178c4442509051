"""One-time codes and links: their SQL, and the check of a typed code (docs/rules.md R16).

Codes are stored as digests. Of each kind only a person's newest unused code counts.
"""

import hmac
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.accounts.repository import AccountRepository
from prawko.base.i18n import Language
from prawko_tenants.ids import TenantId, UserId, new_id

_ADD = text("""
    INSERT INTO one_time_code (id, user_id, kind, code_hash, bound_to, created_at, expires_at,
                               tries)
    VALUES (:id, :user_id, :kind, :code_hash, :bound_to, :now, :expires_at, 0)
""")
_REGISTER_ATTEMPT = text("""
    UPDATE one_time_code SET tries = tries + 1
     WHERE user_id = :user_id AND kind = :kind AND used_at IS NULL
    RETURNING id, code_hash, bound_to, expires_at, tries
""")
_CONSUME = text("""
    UPDATE one_time_code SET used_at = :now WHERE id = :id AND used_at IS NULL RETURNING id
""")
_CONSUME_ALL = text("""
    UPDATE one_time_code SET used_at = :now
     WHERE user_id = :user_id AND kind = :kind AND used_at IS NULL
""")
_SELECT_VALID = text("""
    SELECT c.id, u.email, u.phone_number, u.language
      FROM one_time_code c JOIN user_account u ON u.id = c.user_id
     WHERE c.id = ANY(:ids) AND c.used_at IS NULL AND c.expires_at > :now
""")
_SELECT_USER = text("SELECT user_id FROM one_time_code WHERE id = :id")
_LOCK_RESET_CODE = text("""
    SELECT c.id, c.user_id, c.code_hash, c.expires_at,
           (SELECT m.tenant_id FROM membership m WHERE m.user_id = c.user_id
             ORDER BY m.created_at LIMIT 1) AS tenant_id
      FROM one_time_code c
     WHERE c.id = :id AND c.kind = 'reset' AND c.used_at IS NULL
       FOR UPDATE OF c
""")


class CodeKind(StrEnum):
    """The purpose of a one-time code, as stored."""

    EMAIL = "email"
    PHONE = "phone"
    RESET = "reset"


class CodeAttempt(msgspec.Struct, frozen=True):
    """The code that an attempt was made on; `tries` includes this attempt."""

    id: UUID
    code_hash: bytes
    bound_to: str | None
    expires_at: datetime
    tries: int


class ResetCode(msgspec.Struct, frozen=True):
    """An unused reset link, locked until the transaction ends."""

    id: UUID
    user_id: UserId
    code_hash: bytes
    expires_at: datetime
    tenant_id: TenantId | None


class ValidCode(msgspec.Struct, frozen=True):
    """An unused code that has not expired, with its person's current addresses."""

    id: UUID
    email: str
    phone_number: str | None
    language: Language


class OneTimeCodeRepository:
    """Reads and writes one-time codes in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(
        self, user_id: UserId, kind: CodeKind, code_hash: bytes, now: datetime,
        expires_at: datetime, *, bound_to: str | None = None, code_id: UUID | None = None,
    ) -> UUID:  # fmt: skip
        """Make this the person's only valid code of its kind and return its id.

        `bound_to` is the address or number that the code proves. Concurrent calls for one
        person wait for each other.
        """
        await AccountRepository(self._session).lock_user(user_id)
        await self.consume_all(user_id, kind, now)
        code_id = code_id or new_id()
        await self._session.execute(
            _ADD,
            {
                "id": code_id, "user_id": user_id, "kind": kind.value, "code_hash": code_hash,
                "bound_to": bound_to, "now": now, "expires_at": expires_at,
            },
        )  # fmt: skip
        return code_id

    async def register_attempt(self, user_id: UserId, kind: CodeKind) -> CodeAttempt | None:
        """Count an attempt on the person's unused code; None when there is none."""
        row = (
            await self._session.execute(_REGISTER_ATTEMPT, {"user_id": user_id, "kind": kind.value})
        ).mappings().first()  # fmt: skip
        return msgspec.convert(dict(row), CodeAttempt) if row else None

    async def consume(self, code_id: UUID, now: datetime) -> bool:
        """Mark a code as used; False when it was used already."""
        consumed = await self._session.scalar(_CONSUME, {"id": code_id, "now": now})
        return consumed is not None

    async def consume_all(self, user_id: UserId, kind: CodeKind, now: datetime) -> None:
        """Mark every code of that kind as used."""
        await self._session.execute(
            _CONSUME_ALL, {"user_id": user_id, "kind": kind.value, "now": now}
        )

    async def find_valid(
        self, code_ids: Sequence[UUID | None], now: datetime
    ) -> dict[UUID, ValidCode]:
        """Return those of the codes that are still valid, by id."""
        rows = await self._session.execute(_SELECT_VALID, {"ids": list(code_ids), "now": now})
        codes = [msgspec.convert(dict(row), ValidCode) for row in rows.mappings()]
        return {code.id: code for code in codes}

    async def lock_reset_code(self, code_id: UUID) -> ResetCode | None:
        """Lock an unused reset link and its account; None when there is no such link."""
        user_id = await self._session.scalar(_SELECT_USER, {"id": code_id})
        if user_id is None:
            return None
        await AccountRepository(self._session).lock_user(user_id)
        row = (await self._session.execute(_LOCK_RESET_CODE, {"id": code_id})).mappings().first()
        return msgspec.convert(dict(row), ResetCode) if row else None


async def check_code(
    session: AsyncSession, kind: CodeKind, identity: Identity, code_hash: bytes, *,
    max_tries: int, refusal: AuditEvent, client_info: ClientInfo, now: datetime,
) -> CodeAttempt | None:  # fmt: skip
    """Count an attempt and return it when the code matches; None when it is refused.

    A wrong or expired code is recorded as `refusal`, unless it has had `max_tries` already. The
    caller commits before it raises, so that the attempt counts, and consumes the code later.
    """
    attempt = await OneTimeCodeRepository(session).register_attempt(identity.user_id, kind)
    if attempt is None or attempt.tries > max_tries:
        return None
    if hmac.compare_digest(code_hash, attempt.code_hash) and attempt.expires_at > now:
        return attempt
    await record_event(session, refusal, identity, client_info, now)
    return None
