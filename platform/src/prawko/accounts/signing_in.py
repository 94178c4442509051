"""Signing in and out: guesses are limited, and nobody's owner is locked out for good."""

from asyncio import sleep
from datetime import timedelta
from time import monotonic
from typing import NoReturn
from uuid import UUID

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts import limits, passwords
from prawko.accounts.activity import Act, Origin, note
from prawko.accounts.addresses import email_key, parse_email
from prawko.accounts.beat import until_the_beat
from prawko.accounts.errors import InvalidCredentialsError
from prawko.accounts.identity import SESSION_LIFE, Identity, new_token, token_hash
from prawko.accounts.open_sessions import OpenSessions
from prawko.accounts.repository import AccountRepository, KnownUser
from prawko.accounts.throttle import Throttle
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko_tenants.ids import TenantId, UserId

FAMILIAR_FOR = timedelta(days=30)
NOBODY = UserId(UUID(int=0))


class Opened(msgspec.Struct, frozen=True):
    """A fresh session: its token, which is told to the browser once and stored hashed."""

    token: str
    email_verified: bool


async def open_session(
    session: AsyncSession, user_id: UserId, tenant_id: TenantId, origin: Origin,
    *, verified: bool, leaving: Identity | None = None,
) -> Opened:  # fmt: skip
    """Open a session under a new name, and end the one that the browser is leaving."""
    accounts = AccountRepository(session)
    token, started = new_token(), machine_now()
    await accounts.open_session(
        token_hash(token), user_id, tenant_id, origin, started, started + SESSION_LIFE
    )
    if leaving is not None:
        await accounts.revoke_session(leaving.session_id, started)
    return Opened(token, verified)


class SigningIn:
    """The door of the panel."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._throttle = Throttle(tools.database, tools.vault)
        self._per_account = limits.login_per_account(tools.settings)
        self._per_network = limits.login_per_network(tools.settings)

    async def login(
        self, email: str, password: str, origin: Origin, *, leaving: Identity | None = None
    ) -> Opened:
        """Sign in, and end the session that this browser had before.

        Raises InvalidCredentialsError, which does not say what was wrong.

        Every try is counted before it is looked at, so that many at once are many. Wrong
        passwords of strangers close an account to strangers alone: from where its owner has
        signed in lately, tries are counted apart, and a password replaced by the link of the
        mail begins anew.
        """
        began = monotonic()
        address, network = parse_email(email), limits.network(origin.ip)
        await self._throttle.count(self._per_network, network)
        if address is None:  # nobody's; it takes as long as any other
            await passwords.matches(None, password)
            await self._refuse_login(None, origin, began)
        key = email_key(address)
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
            if not await AccountRepository(session).hold_password(known.id, known.password_hash):
                raise InvalidCredentialsError  # replaced while it was being looked at
            now = self._tools.clock.now()
            await note(session, Act.SIGNED_IN, known.somebody, origin, now)
            opened = await open_session(
                session,
                known.id,
                known.tenant_id,
                origin,
                verified=known.email_verified,
                leaving=leaving,
            )
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
