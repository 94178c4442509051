"""Signs people in and out, with limits on guessing (docs/rules.md R27)."""

from asyncio import sleep
from datetime import datetime
from time import monotonic
from typing import NoReturn

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity, hash_token, new_session_token
from prawko.accounts.email_address import normalise_email, parse_email
from prawko.accounts.errors import InvalidCredentialsError
from prawko.accounts.known_browsers import KnownBrowser, find_known_browser, remember_browser
from prawko.accounts.login_sessions import (
    PENDING_LIFETIME,
    LoginSessionRepository,
    SessionProof,
    own_session_proof,
)
from prawko.accounts.passwords import hashing
from prawko.accounts.passwords.verification import match_password
from prawko.accounts.repository import AccountRepository, LoginAccount
from prawko.accounts.second_factor.repository import SecondFactorRepository
from prawko.kit.clock import utc_now
from prawko.kit.constant_time import padding_seconds
from prawko.kit.context import AppContext
from prawko.kit.rate_limit import RateLimit, client_network
from prawko_tenants.ids import TenantId, UserId


class NewSession(msgspec.Struct, frozen=True):
    """A new session. Its token goes to the browser once and is stored as a digest.

    A pending one opens nothing until the second factor confirms it. `known_browsers` is the cookie
    by which the account knows the browser from now on, where the sign-in has proved enough for it.
    """

    token: str
    email_verified: bool
    is_pending: bool = False
    known_browsers: str | None = None


async def create_session(
    session: AsyncSession, user_id: UserId, tenant_id: TenantId, client_info: ClientInfo,
    *, email_verified: bool, caller: Identity | None = None,
    second_factor_at: datetime | None = None, proof: SessionProof | None = None,
    known_browsers: str | None = None,
) -> NewSession:  # fmt: skip
    """Open a session with a new token and revoke the caller's, which the browser had before.

    An operator's needs a proof. Raises AuthRequiredError for a wrong one.
    """
    sessions, token, now = LoginSessionRepository(session), new_session_token(), utc_now()
    await sessions.add_session(
        hash_token(token), user_id, tenant_id, client_info, now,
        second_factor_at=second_factor_at, proof=proof,
    )  # fmt: skip
    if caller is not None:
        await sessions.revoke(caller.session_id, now)
    return NewSession(token, email_verified, known_browsers=known_browsers)


async def replace_sessions(
    session: AsyncSession, context: AppContext, identity: Identity, client_info: ClientInfo,
    *, second_factor_at: datetime | None,
) -> NewSession:  # fmt: skip
    """End all sessions of a person, who goes on in this browser under a new one."""
    await LoginSessionRepository(session).revoke_all(identity.user_id, utc_now())
    return await create_session(
        session, identity.user_id, identity.tenant_id, client_info, email_verified=True,
        second_factor_at=second_factor_at, proof=own_session_proof(identity),
        known_browsers=await remember_browser(
            session, context.key_ring, client_info.known_browsers, identity.user_id
        ),
    )  # fmt: skip


class LoginService:
    """Signs in and out."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._throttle = context.throttle

    async def login(
        self,
        email: str,
        password: str,
        client_info: ClientInfo,
        *,
        caller: Identity | None = None,
    ) -> NewSession:
        """Open a session and revoke the caller's, which this browser had before.

        Raises TooManyRequestsError, InvalidCredentialsError without saying what was wrong, and
        UnavailableError for a stranger when too many sign in at once.

        Every attempt is counted before the password is compared, so that concurrent ones count
        too. Attempts from a browser that the account knows are counted apart, and against no
        network: strangers cannot lock the owner out of it. Right passwords have a limit as well.
        """
        started, network = monotonic(), client_network(client_info.ip)
        known_user = _find_known_user(client_info, caller)
        async with hashing.queue.take_turn(network, known_user):
            account, tries = await self._find_account(email, client_info)
            for limit, subject in tries:
                await self._throttle.check(limit, subject)
            if account is not None:
                await self._throttle.check(limits.RIGHT_SIGN_INS, str(account.id))
            async with hashing.queue.reserve(known_user):
                for limit, subject in tries:
                    await self._throttle.hit(limit, subject)
                match = await match_password(
                    self._context.database, account, password, has_slot=True
                )
        if account is None or match is None:
            await self._reject_login(account, client_info, started)
        await self._throttle.hit(limits.RIGHT_SIGN_INS, str(account.id))
        async with self._context.database.system() as session:
            if not await AccountRepository(session).lock_password(
                account.id, account.password_hash
            ):
                raise InvalidCredentialsError  # changed since it was compared
            new_session = await self._open_session(
                session, account, match.proof, client_info, caller
            )
        for limit, subject in tries:
            if limit is limits.WRONG_SIGN_INS:
                await self._throttle.reset(limit, subject)
            else:
                await self._throttle.undo(limit, subject)
        return new_session

    async def _find_account(
        self, email: str, client_info: ClientInfo
    ) -> tuple[LoginAccount | None, list[tuple[RateLimit, str]]]:
        """Return the account of an address, and the limits and subjects that count a try."""
        in_network = limits.WRONG_SIGN_INS_PER_NETWORK, client_network(client_info.ip)
        address = parse_email(email)
        if address is None:
            return None, [in_network]
        key = normalise_email(address)
        async with self._context.database.system() as session:
            account = await AccountRepository(session).find_by_email(key)
        browser = _find_browser(client_info, account)
        if browser is not None:
            return account, [(limits.WRONG_SIGN_INS, browser.subject)]
        return account, [in_network, (limits.WRONG_SIGN_INS, key)]

    async def _open_session(
        self, session: AsyncSession, account: LoginAccount, proof: SessionProof | None,
        client_info: ClientInfo, caller: Identity | None,
    ) -> NewSession:  # fmt: skip
        """Open a session, which waits for the second factor where the person uses one."""
        now = self._context.clock.now()
        if not await SecondFactorRepository(session).is_enabled(account.id):
            await record_event(session, AuditEvent.SIGNED_IN, account.actor, client_info, now)
            return await create_session(
                session,
                account.id,
                account.tenant_id,
                client_info,
                email_verified=account.email_verified,
                caller=caller,
                proof=proof,
                known_browsers=await self._remember_browser(session, account, client_info),
            )
        event = AuditEvent.SECOND_FACTOR_REQUESTED
        await record_event(session, event, account.actor, client_info, now)
        sessions, token = LoginSessionRepository(session), new_session_token()
        await sessions.add_session(
            hash_token(token), account.id, account.tenant_id, client_info, utc_now(),
            lifetime=PENDING_LIFETIME, is_pending=True, proof=proof,
        )  # fmt: skip
        if caller is not None:
            await sessions.revoke(caller.session_id, utc_now())
        return NewSession(token, account.email_verified, is_pending=True)

    async def _remember_browser(
        self, session: AsyncSession, account: LoginAccount, client_info: ClientInfo
    ) -> str | None:
        """Return the cookie; None while the address is not verified."""
        if not account.email_verified:
            return None
        return await remember_browser(
            session, self._context.key_ring, client_info.known_browsers, account.id
        )

    async def _reject_login(
        self, account: LoginAccount | None, client_info: ClientInfo, started: float
    ) -> NoReturn:
        if account is not None:
            async with self._context.database.system() as session:
                now = self._context.clock.now()
                await record_event(
                    session, AuditEvent.SIGN_IN_FAILED, account.actor, client_info, now
                )
        await sleep(padding_seconds(monotonic() - started))
        raise InvalidCredentialsError

    async def logout(self, identity: Identity, client_info: ClientInfo) -> None:
        async with self._context.database.system() as session:
            await LoginSessionRepository(session).revoke(identity.session_id, utc_now())
            await record_event(
                session, AuditEvent.SIGNED_OUT, identity, client_info, self._context.clock.now()
            )


def _find_browser(client_info: ClientInfo, account: LoginAccount | None) -> KnownBrowser | None:
    if account is None:
        return None
    return find_known_browser(client_info.known_browsers, account.id, account.browser_generation)


def _find_known_user(client_info: ClientInfo, caller: Identity | None) -> UserId | None:
    """Return the user whose sign-in waits apart from strangers', known without a query; else None.

    An account whose address is not verified belongs to a stranger, too.
    """
    if caller is not None and caller.email_verified:
        return caller.user_id
    return next((browser.user_id for browser in client_info.known_browsers), None)
