"""Erases a company with all that is kept of it, and the people who belong to no other.

The rows of the company hang on its own row and go with it (`prawko_tenants.lifecycle`). What
no company owns is looked for here: accounts with their sessions, codes and log, and what these
people once wrote from the landing page. Claims on the trial stay, as keyed digests without the
company's id (reading R3). Backups age out (docs/personal-data.md).
"""

import msgspec
from sqlalchemy import text

from prawko.base import logs
from prawko_tenants import lifecycle
from prawko_tenants.ids import UserId
from prawko_tenants.sessions import TenantSession

log = logs.logger(__name__)

_HOLD = text("SELECT id FROM tenant WHERE id = :tenant_id FOR UPDATE")
_LEAVING = text("""
    SELECT u.id, u.email_key, u.is_admin FROM membership m JOIN user_account u ON u.id = m.user_id
     WHERE m.tenant_id = :tenant_id
       AND NOT EXISTS (SELECT FROM membership o
                        WHERE o.user_id = m.user_id AND o.tenant_id <> m.tenant_id)
       FOR UPDATE OF u
""")
_OTHER_OPERATORS = text("""
    SELECT count(*) FROM user_account WHERE is_admin AND NOT id = ANY(:ids)
""")
_LOG = text("DELETE FROM user_activity WHERE tenant_id = :tenant_id")
_PEOPLE = text("DELETE FROM user_account WHERE id = ANY(:ids)")
_CONTACTS = text("DELETE FROM contact_message WHERE email_key = ANY(:keys)")


class NoSuchCompanyError(Exception):
    """There is no company with this id."""


class LastOperatorError(Exception):
    """The last operator belongs to this company alone (reading R22)."""


class Erased(msgspec.Struct, frozen=True):
    """What went."""

    people: int


async def erase_company(session: TenantSession) -> Erased:
    """Erase the company that the session is bound to. Raises the two errors above.

    For the owner's login and the workers'; the panel's may not.
    """
    company = {"tenant_id": session.tenant_id}
    if await session.scalar(_HOLD, company) is None:
        raise NoSuchCompanyError
    leaving = (await session.execute(_LEAVING, company)).all()
    ids = [UserId(person.id) for person in leaving]
    if any(person.is_admin for person in leaving) and not await session.scalar(
        _OTHER_OPERATORS, {"ids": ids}
    ):
        raise LastOperatorError
    await lifecycle.erase(session)
    await session.execute(_LOG, company)
    await session.execute(_PEOPLE, {"ids": ids})
    await session.execute(_CONTACTS, {"keys": [person.email_key for person in leaving]})
    log.info("company_erased", tenant_id=str(session.tenant_id), people=len(ids))
    return Erased(people=len(ids))
