"""What operators do from the command line: make one of them, and sign somebody out."""

from uuid import UUID

from sqlalchemy import text

from prawko.accounts import passwords
from prawko.accounts.addresses import email_key
from prawko.accounts.open_sessions import OpenSessions
from prawko.accounts.repository import AccountRepository
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.base.texts import Language
from prawko_tenants import lifecycle
from prawko_tenants.ids import TenantId, new_id

NONE_OF_THEM = UUID(int=0)

_PROMOTE = text("""
    UPDATE user_account
       SET is_admin = true, email_verified = true, password_hash = :password_hash,
           updated_at = :now
     WHERE id = :id
""")


async def make_operator(tools: Tools, email: str, password: str) -> None:
    """Make the person an operator with this password, known before or not.

    A known account's sessions end: they were opened with another password and fewer rights.
    """
    hashed = await passwords.hash_password(password)
    now = tools.clock.now()
    key = email_key(email)
    async with tools.database.system() as session:
        known = await AccountRepository(session).find(key)
    tenant_id = known.tenant_id if known else TenantId(new_id())
    async with tools.database.tenant(tenant_id) as session:
        accounts = AccountRepository(session)
        user_id = known.id if known else None
        if user_id is None:
            user_id = await accounts.add_user(
                email, key, hashed, Language.PL, tools.settings.terms_version, "", now
            )
            if user_id is None:
                raise RuntimeError("the account appeared in the same moment; try again")
            await lifecycle.found(session, at=now)
            await accounts.add_membership(tenant_id, user_id, now)
        await session.execute(_PROMOTE, {"id": user_id, "password_hash": hashed, "now": now})
        await accounts.revoke_all(user_id, machine_now())


async def sign_out(tools: Tools, email: str) -> int | None:
    """End every session of a person, counting them; None where nobody has the address."""
    async with tools.database.system() as session:
        known = await AccountRepository(session).find(email_key(email.strip()))
        if known is None:
            return None
        return await OpenSessions(session, known.id).revoke_others(NONE_OF_THEM, machine_now())
