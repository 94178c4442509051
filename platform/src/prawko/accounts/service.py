"""What a person does with an account: signing up, proving the address, signing in and out."""

import hmac
from asyncio import sleep
from datetime import timedelta
from time import monotonic
from typing import NoReturn, Protocol, runtime_checkable
from uuid import UUID

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts import codes, limits, passwords
from prawko.accounts.activity import Act, Origin, Somebody, note
from prawko.accounts.addresses import email_key, parse_email
from prawko.accounts.beat import until_the_beat
from prawko.accounts.code_mail import send_code
from prawko.accounts.errors import (
    EmailTakenError,
    InvalidCodeError,
    InvalidCredentialsError,
    InvalidRegistrationError,
)
from prawko.accounts.identity import (
    SESSION_LIFE,
    Identity,
    new_token,
    refuse_revoked,
    token_hash,
)
from prawko.accounts.new_passwords import FAULT_TEXTS
from prawko.accounts.open_sessions import OpenSessions
from prawko.accounts.repository import AccountRepository, KnownUser
from prawko.accounts.schemas import SubscriptionSummary
from prawko.accounts.throttle import Throttle
from prawko.base.after_commit import AfterCommit
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.base.texts import Language
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, UserId, new_id
from prawko_tenants.sessions import TenantSession

FAMILIAR_FOR = timedelta(days=30)
NOBODY = UserId(UUID(int=0))


@runtime_checkable
class CurrentSubscription(Protocol):
    """Billing's answer to what a signed-in person's company has subscribed to."""

    async def summary(self, session: TenantSession) -> SubscriptionSummary | None:
        """The current subscription as the user's own view shows it; None without one."""
        ...


class SignedUp(msgspec.Struct, frozen=True):
    """The session of somebody who has just signed up or in."""

    token: str
    email_verified: bool


class Accounts:
    """The calls that work before, or without, a company's session."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._throttle = Throttle(tools.database, tools.vault)
        self._per_account = limits.login_per_account(tools.settings)
        self._per_network = limits.login_per_network(tools.settings)
        self._sign_ups = limits.sign_ups_per_network(tools.settings)
        self._sign_ups_per_email = limits.sign_ups_per_email(tools.settings)

    async def register(
        self, email: str, password: str, language: Language, origin: Origin,
        *, leaving: Identity | None = None,
    ) -> SignedUp:  # fmt: skip
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
        async with self._tools.database.system() as session:
            known = await AccountRepository(session).find(key)
        tenant_id = known.tenant_id if known else TenantId(new_id())
        later = AfterCommit()
        async with self._tools.database.tenant(tenant_id) as session:
            signed_up = await self._sign_up(
                session, known, tenant_id, address, hashed, language, origin, later
            )
            await _leave(session, leaving)
        await later.ring(self._tools.queue)
        return signed_up

    async def _sign_up(
        self, session: TenantSession, known: KnownUser | None, tenant_id: TenantId, address: str,
        hashed: str, language: Language, origin: Origin, later: AfterCommit,
    ) -> SignedUp:  # fmt: skip
        accounts = AccountRepository(session)
        now = self._tools.clock.now()
        terms = self._tools.settings.terms_version
        key = email_key(address)
        if known is None:
            user_id = await accounts.add_user(address, key, hashed, language, terms, origin.ip, now)
            if user_id is None:
                raise EmailTakenError
            await lifecycle.found(session, at=now)
            await accounts.add_membership(tenant_id, user_id, now)
        else:
            await accounts.lock(key)
            current = await accounts.find(key)
            if current is None or current.email_verified:
                raise EmailTakenError
            user_id = current.id
            await accounts.replace_user(user_id, address, hashed, language, terms, origin.ip, now)
        await note(session, Act.REGISTERED, Somebody(user_id, tenant_id), origin, now)
        await send_code(self._tools, session, user_id, tenant_id, later)
        return await self._open(accounts, user_id, tenant_id, origin, verified=False)

    async def login(
        self, email: str, password: str, origin: Origin, *, leaving: Identity | None = None
    ) -> SignedUp:
        """Sign in, and end the session that this browser had before.

        Raises InvalidCredentialsError, which does not say what was wrong.

        Every try is counted before it is looked at, so that many at once are many. Wrong
        passwords of strangers close an account to strangers alone: from where its owner has
        signed in lately, tries are counted apart, and a password replaced by the link of the
        mail begins anew.
        """
        began = monotonic()
        key, network = email_key(email.strip()), limits.network(origin.ip)
        await self._throttle.count(self._per_network, network)
        async with self._tools.database.system() as session:
            known = await AccountRepository(session).find(key)
            theirs = OpenSessions(session, known.id if known else NOBODY)
            addresses = await theirs.addresses(machine_now() - FAMILIAR_FOR)
        familiar = network in {limits.network(address) for address in addresses}
        whose = f"{key} {network}" if familiar else key
        await self._throttle.count(self._per_account, whose)
        fits = await passwords.matches(known.password_hash if known else None, password)
        if known is None or not fits:
            await self._refuse_login(known, origin, began)
        async with self._tools.database.system() as session:
            accounts = AccountRepository(session)
            if not await accounts.hold_password(known.id, known.password_hash):
                raise InvalidCredentialsError  # replaced while it was being looked at
            now = self._tools.clock.now()
            await note(session, Act.SIGNED_IN, known.somebody, origin, now)
            opened = await self._open(
                accounts, known.id, known.tenant_id, origin, verified=known.email_verified
            )
            await _leave(session, leaving)
        await self._throttle.forget(self._per_account, whose)
        await self._throttle.give_back(self._per_network, network)
        return opened

    async def _refuse_login(
        self, known: KnownUser | None, origin: Origin, began: float
    ) -> NoReturn:
        if known is not None:
            async with self._tools.database.system() as session:
                now = self._tools.clock.now()
                await note(session, Act.SIGN_IN_FAILED, known.somebody, origin, now)
        await sleep(until_the_beat(monotonic() - began))
        raise InvalidCredentialsError

    async def logout(self, identity: Identity, origin: Origin) -> None:
        """End the session; its cookie is worth nothing from now on."""
        async with self._tools.database.system() as session:
            await AccountRepository(session).revoke_session(identity.session_id, machine_now())
            await note(session, Act.SIGNED_OUT, identity, origin, self._tools.clock.now())

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
            code_id = await self._matching_code(session, identity.user_id, typed)
        if code_id is None:
            raise InvalidCodeError
        async with self._tools.database.system() as session:
            accounts = AccountRepository(session)
            if not await accounts.spend_code(code_id, now):
                raise InvalidCodeError
            await accounts.mark_verified(identity.user_id, now)
            await note(session, Act.EMAIL_VERIFIED, identity, origin, now)
            await refuse_revoked(session, identity)

    async def _matching_code(
        self, session: AsyncSession, user_id: UserId, typed: str
    ) -> UUID | None:
        tried = await AccountRepository(session).try_code(user_id, "email")
        if tried is None or tried.tries > codes.EMAIL_CODE_TRIES:
            return None
        if tried.expires_at <= self._tools.clock.now():
            return None
        digest = self._tools.vault.digest("email_code", f"{user_id}:{codes.as_typed(typed)}")
        return tried.id if hmac.compare_digest(digest, tried.code_hash) else None

    async def _open(
        self, accounts: AccountRepository, user_id: UserId, tenant_id: TenantId, origin: Origin,
        *, verified: bool,
    ) -> SignedUp:  # fmt: skip
        token = new_token()
        started = machine_now()
        await accounts.open_session(
            token_hash(token), user_id, tenant_id, origin, started, started + SESSION_LIFE
        )
        return SignedUp(token, verified)


async def _leave(session: AsyncSession, leaving: Identity | None) -> None:
    if leaving is not None:
        await AccountRepository(session).revoke_session(leaving.session_id, machine_now())


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
