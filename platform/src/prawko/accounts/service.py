"""Signing up, and proving the address with the code of the mail."""

import hmac
from contextlib import suppress
from typing import Protocol, runtime_checkable
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts import codes, limits, passwords
from prawko.accounts.activity import Act, Origin, Somebody, note
from prawko.accounts.addresses import email_key, parse_email
from prawko.accounts.code_mail import send_code
from prawko.accounts.errors import (
    EmailTakenError,
    InvalidCodeError,
    InvalidRegistrationError,
)
from prawko.accounts.identity import Identity, refuse_revoked
from prawko.accounts.new_passwords import FAULT_TEXTS
from prawko.accounts.repository import AccountRepository, KnownUser
from prawko.accounts.schemas import SubscriptionSummary
from prawko.accounts.signing_in import Opened, open_session
from prawko.accounts.throttle import Throttle
from prawko.base.after_commit import AfterCommit
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.base.texts import Language
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.sessions import TenantSession

_LOOKS = 3  # at who has an address, while others sign up with it


class _OvertakenError(Exception):
    """The address has come to somebody, or was given up, since it was looked at."""


@runtime_checkable
class CurrentSubscription(Protocol):
    """Billing's answer to what a signed-in person's company has subscribed to."""

    async def summary(self, session: TenantSession) -> SubscriptionSummary | None:
        """The current subscription as the user's own view shows it; None without one."""
        ...


class Accounts:
    """The calls that work before, or without, a company's session."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._throttle = Throttle(tools.database, tools.vault)
        self._sign_ups = limits.sign_ups_per_network(tools.settings)
        self._sign_ups_per_email = limits.sign_ups_per_email(tools.settings)

    async def register(
        self, email: str, password: str, language: Language, origin: Origin,
        *, leaving: Identity | None = None,
    ) -> Opened:  # fmt: skip
        """Found a company with its owner, signed in and waiting for the code in the mail.

        Raises InvalidRegistrationError, or EmailTakenError where a verified account has the
        address (reading R27); an unverified one does not hold it (R16).
        """
        common = self._tools.settings.refuse_common_passwords
        address = _acceptable(email, password, refuse_common=common)
        key = email_key(address)
        await self._throttle.count(self._sign_ups, limits.network(origin.ip))
        await self._throttle.count(self._sign_ups_per_email, key)
        hashed = await passwords.hash_password(password)
        for _ in range(_LOOKS):
            async with self._tools.database.system() as session:
                known = await AccountRepository(session).find(key)
            tenant_id = known.tenant_id if known else TenantId(new_id())
            later = AfterCommit()
            with suppress(_OvertakenError):
                async with self._tools.database.tenant(tenant_id) as session:
                    signed_up = await self._sign_up(
                        session, known, tenant_id, address, hashed, language, origin, later, leaving
                    )
                await later.ring(self._tools.queue)
                return signed_up
        raise EmailTakenError

    async def _sign_up(
        self, session: TenantSession, known: KnownUser | None, tenant_id: TenantId, address: str,
        hashed: str, language: Language, origin: Origin, later: AfterCommit,
        leaving: Identity | None,
    ) -> Opened:  # fmt: skip
        accounts = AccountRepository(session)
        now = self._tools.clock.now()
        terms = self._tools.settings.terms_version
        key = email_key(address)
        if known is None:
            user_id = await accounts.add_user(address, key, hashed, language, terms, origin.ip, now)
            if user_id is None:
                raise _OvertakenError
            await lifecycle.found(session, at=now)
            await accounts.add_membership(tenant_id, user_id, now)
        else:
            await accounts.lock(key)
            current = await accounts.find(key)
            if current is None or current.id != known.id:
                raise _OvertakenError
            if current.email_verified:
                raise EmailTakenError
            user_id = current.id
            await accounts.replace_user(user_id, address, hashed, language, terms, origin.ip, now)
            await accounts.revoke_all(user_id, machine_now())
        await note(session, Act.REGISTERED, Somebody(user_id, tenant_id), origin, now)
        await send_code(self._tools, session, user_id, tenant_id, later)
        return await open_session(
            session, user_id, tenant_id, origin, verified=False, leaving=leaving
        )

    async def send_code(self, identity: Identity, origin: Origin) -> None:
        """Send a fresh code; older ones stop working. A verified address needs none."""
        if identity.email_verified:
            return
        await self._throttle.count(limits.EMAIL_CODES, str(identity.user_id))
        later = AfterCommit()
        async with self._tools.database.tenant(identity.tenant_id) as session:
            await send_code(self._tools, session, identity.user_id, identity.tenant_id, later)
            await note(session, Act.CODE_SENT, identity, origin, self._tools.clock.now())
            await refuse_revoked(session, identity)
        await later.ring(self._tools.queue)

    async def verify_email(self, identity: Identity, typed: str, origin: Origin) -> None:
        """Prove the address with the code of the newest mail (reading R16).

        Raises InvalidCodeError; its try is counted although the call is refused.
        """
        if identity.email_verified:
            return
        await self._throttle.count(limits.EMAIL_CODE_TRIES, str(identity.user_id))
        now = self._tools.clock.now()
        async with self._tools.database.system() as session:
            code_id = await self._matching_code(session, identity, typed, origin)
        if code_id is None:
            raise InvalidCodeError
        async with self._tools.database.system() as session:
            accounts = AccountRepository(session)
            await accounts.hold_user(identity.user_id)
            if not await accounts.spend_code(code_id, now):
                raise InvalidCodeError
            await accounts.mark_verified(identity.user_id, now, machine_now())
            await note(session, Act.EMAIL_VERIFIED, identity, origin, now)
            await refuse_revoked(session, identity)

    async def _matching_code(
        self, session: AsyncSession, identity: Identity, typed: str, origin: Origin
    ) -> UUID | None:
        tried = await AccountRepository(session).try_code(identity.user_id, "email")
        if tried is None or tried.tries > codes.EMAIL_CODE_TRIES:
            return None
        now = self._tools.clock.now()
        words = f"{identity.user_id}:{codes.as_typed(typed)}"
        fits = hmac.compare_digest(self._tools.vault.digest("email_code", words), tried.code_hash)
        if fits and tried.expires_at > now:
            return tried.id
        await note(session, Act.CODE_REFUSED, identity, origin, now)
        return None


def _acceptable(email: str, password: str, *, refuse_common: bool) -> str:
    address = parse_email(email)
    fields: dict[str, str] = {}
    if address is None:
        fields["email"] = "accounts.email.invalid"
    for fault in passwords.faults(password, refuse_common=refuse_common)[:1]:
        fields["password"] = FAULT_TEXTS[fault]
    if address is None or fields:
        raise InvalidRegistrationError(fields=fields)
    return address
