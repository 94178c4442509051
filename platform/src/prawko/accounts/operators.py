"""Operator accounts, and revoking anybody's sessions from the command line."""

from prawko.accounts.email_address import normalise_email
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.passwords import hashing
from prawko.accounts.repository import AccountRepository, SignUp
from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.base.i18n import Language
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, new_id


async def make_operator(context: AppContext, email: str, password: str) -> None:
    """Make a person an operator with this password; create the account if there is none.

    An existing account's sessions are revoked: they began with another password and fewer
    rights. Raises RuntimeError when the address is taken by a concurrent sign-up.
    """
    password_hash = await hashing.hash_password(password)
    now = context.clock.now()
    key = normalise_email(email)
    async with context.database.system() as session:
        account = await AccountRepository(session).find_by_email(key)
    tenant_id = account.tenant_id if account else TenantId(new_id())
    async with context.database.tenant(tenant_id) as session:
        accounts = AccountRepository(session)
        user_id = account.id if account else None
        if user_id is None:
            user_id = await accounts.add_user(
                SignUp(
                    email=email,
                    password_hash=password_hash,
                    language=Language.PL,
                    now=now,
                )
            )
            if user_id is None:
                raise RuntimeError("the account appeared in the same moment; try again")
            await lifecycle.create_tenant(session, at=now)
            await accounts.add_membership(tenant_id, user_id, now)
        await accounts.promote(user_id, password_hash, now)
        await LoginSessionRepository(session).revoke_all(user_id, utc_now())


async def revoke_user_sessions(context: AppContext, email: str) -> int | None:
    """Revoke every session of a person and return their number; None for an unknown address."""
    async with context.database.system() as session:
        account = await AccountRepository(session).find_by_email(normalise_email(email.strip()))
        if account is None:
            return None
        return await LoginSessionRepository(session).revoke_all(account.id, utc_now())
