"""Erases a company and the people who belong to no other. Contains SQL.

The company's own rows are deleted by cascade (`prawko_tenants.lifecycle`). Rows that no company
owns are deleted here: accounts with their sessions, codes and audit events, and contact
messages of these people. Trial claims stay, as keyed digests without the company's id
(docs/rules.md R3). Backups expire (docs/personal-data.md).
"""

import msgspec
from sqlalchemy import text

from prawko.base import logs
from prawko_tenants import lifecycle
from prawko_tenants.ids import UserId
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)

_LOCK_TENANT = text("SELECT id FROM tenant WHERE id = :tenant_id FOR UPDATE")
_LOCK_SOLE_MEMBERS = text("""
    SELECT u.id, u.email_key, u.is_admin FROM membership m JOIN user_account u ON u.id = m.user_id
     WHERE m.tenant_id = :tenant_id
       AND NOT EXISTS (SELECT FROM membership o
                        WHERE o.user_id = m.user_id AND o.tenant_id <> m.tenant_id)
       FOR UPDATE OF u
""")
_COUNT_OTHER_OPERATORS = text("""
    SELECT count(*) FROM user_account WHERE is_admin AND NOT id = ANY(:ids)
""")
_DELETE_ACTIVITY = text("DELETE FROM user_activity WHERE tenant_id = :tenant_id")
_DELETE_USERS = text("DELETE FROM user_account WHERE id = ANY(:ids)")
_DELETE_CONTACT_MESSAGES = text("DELETE FROM contact_message WHERE email_key = ANY(:keys)")


class CompanyNotFoundError(Exception):
    """There is no company with this id."""


class LastOperatorError(Exception):
    """The last operator belongs to this company alone (rule R22)."""


class ErasureResult(msgspec.Struct, frozen=True):
    """The number of deleted accounts."""

    people: int


async def erase_company(session: TenantSession) -> ErasureResult:
    """Erase the company that the session is bound to.

    Raises CompanyNotFoundError and LastOperatorError. The panel's login lacks the rights; the
    owner's and the workers' logins have them.
    """
    company = {"tenant_id": session.tenant_id}
    if await session.scalar(_LOCK_TENANT, company) is None:
        raise CompanyNotFoundError
    people = (await session.execute(_LOCK_SOLE_MEMBERS, company)).all()
    ids = [UserId(person.id) for person in people]
    if any(person.is_admin for person in people) and not await session.scalar(
        _COUNT_OTHER_OPERATORS, {"ids": ids}
    ):
        raise LastOperatorError
    await lifecycle.erase_tenant(session)
    await session.execute(_DELETE_ACTIVITY, company)
    await session.execute(_DELETE_USERS, {"ids": ids})
    await session.execute(
        _DELETE_CONTACT_MESSAGES, {"keys": [person.email_key for person in people]}
    )
    log.info("company_erased", tenant_id=str(session.tenant_id), people=len(ids))
    return ErasureResult(people=len(ids))
