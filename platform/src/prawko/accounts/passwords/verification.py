"""Compares a typed password with the stored one, and confirms who is at the keyboard with it.

An operator's hash is stored in two parts (decision 33): the panel computes the digest from the
salt, and the database says whether it is the right one.
"""

from typing import Protocol

import msgspec

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.accounts.errors import WrongPasswordError
from prawko.accounts.login_sessions import SessionProof
from prawko.accounts.passwords import hashing
from prawko.accounts.repository import AccountRepository
from prawko.kit.context import AppContext
from prawko_tenants.engine import Database
from prawko_tenants.ids import UserId


class StoredPassword(Protocol):
    """Whose password is compared; for an operator the hash lacks its digest."""

    @property
    def id(self) -> UserId: ...

    @property
    def password_hash(self) -> str: ...

    @property
    def is_operator(self) -> bool: ...


class MatchedPassword(msgspec.Struct, frozen=True):
    """The stored hash of a right password, and for an operator the proof for the database."""

    stored_hash: str
    proof: SessionProof | None = None


async def match_password(
    database: Database, account: StoredPassword | None, password: str,
    *, caller: UserId | None = None, has_slot: bool = False,
) -> MatchedPassword | None:  # fmt: skip
    """Return the password's hash if the password is right; takes as long without an account.

    No transaction is open while it is hashed. Raises UnavailableError when too many wait.
    """
    if account is None or not account.is_operator:
        stored = account.password_hash if account else None
        is_match = await hashing.verify_password(stored, password, caller=caller, has_slot=has_slot)
        return MatchedPassword(stored) if stored is not None and is_match else None
    digest = await hashing.compute_digest(
        account.password_hash, password, caller=caller, has_slot=has_slot
    )
    async with database.system() as session:
        if not await AccountRepository(session).is_operator_password(account.id, digest):
            return None
    return MatchedPassword(account.password_hash, SessionProof(password_digest=digest))


async def verify_current_password(
    context: AppContext, identity: Identity, password: str, client_info: ClientInfo, *, field: str
) -> MatchedPassword:
    """Return the stored hash if the password matches, for an operator with its proof.

    Counts the attempt.

    Raises TooManyRequestsError, and WrongPasswordError at `field` of the form. No transaction is
    open while the hash is compared: the caller makes sure that it is still the same.
    """
    throttle, subject = context.throttle, str(identity.user_id)
    await throttle.hit(limits.WRONG_PASSWORDS, subject)
    async with context.database.system() as session:
        account = await AccountRepository(session).find_password(identity.user_id)
    caller = identity.user_id if identity.email_verified else None
    match = await match_password(context.database, account, password, caller=caller)
    if match is None:
        async with context.database.system() as session:
            now = context.clock.now()
            await record_event(session, AuditEvent.PASSWORD_REFUSED, identity, client_info, now)
        raise WrongPasswordError(fields={field: "errors.wrong_password"})
    await throttle.reset(limits.WRONG_PASSWORDS, subject)
    return match
