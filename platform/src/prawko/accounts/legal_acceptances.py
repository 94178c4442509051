"""The acceptances of legal documents: which ones, by whom and when (docs/rules.md R34).

Rows are added and never changed: they are the evidence of the contract. Acceptance is each
person's own, in each company.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime

import msgspec
from sqlalchemy import select

from prawko.accounts.audit_log import AuditEvent, AuditLog
from prawko.accounts.authentication import Identity
from prawko.accounts.errors import LegalDocumentsOutdatedError
from prawko.accounts.legal_documents import DocumentVersion, LegalDocument, current_documents
from prawko.accounts.models import LegalAcceptance, UserAccount
from prawko.accounts.repository import AccountRepository
from prawko.kit.database import Repository
from prawko_tenants.ids import UserId
from prawko_tenants.sessions import TenantSession


class CompanyAcceptance(msgspec.Struct, frozen=True):
    """When a company first accepted a version.

    `email` is the member's present address, or None if the account was deleted.
    """

    accepted_at: datetime
    email: str | None


class LegalAcceptanceRepository(Repository[LegalAcceptance]):
    """Reads and adds acceptances of the bound company in the caller's transaction."""

    model_type = LegalAcceptance

    async def add_all(
        self, user_id: UserId, documents: Iterable[DocumentVersion], ip: str, now: datetime
    ) -> None:
        """Add a row for each document."""
        await self.add_many(
            [
                LegalAcceptance(
                    user_id=user_id,
                    document=one.document,
                    version=one.version,
                    accepted_at=now,
                    ip=ip,
                )
                for one in documents
            ]
        )

    async def list_pending(self, user_id: UserId) -> list[DocumentVersion]:
        """Return the current documents that a person has not accepted in this company."""
        statement = select(LegalAcceptance.document, LegalAcceptance.version).where(
            LegalAcceptance.user_id == user_id
        )
        accepted = {tuple(row) for row in await self.session.execute(statement)}
        return [one for one in current_documents() if (one.document, one.version) not in accepted]

    async def find_first(self, document: LegalDocument, version: date) -> CompanyAcceptance | None:
        """Return the company's first acceptance of a version; None before it."""
        statement = (
            select(LegalAcceptance.accepted_at, UserAccount.email)
            .outerjoin(UserAccount, UserAccount.id == LegalAcceptance.user_id)
            .where(LegalAcceptance.document == document, LegalAcceptance.version == version)
            .order_by(LegalAcceptance.accepted_at)
            .limit(1)
        )
        row = (await self.session.execute(statement)).one_or_none()
        return CompanyAcceptance(*row) if row else None


async def list_pending_documents(
    session: TenantSession, identity: Identity
) -> Sequence[DocumentVersion]:
    """Return what the panel must ask the caller to accept.

    Operators are the other party and accept no documents, not even while they impersonate a user.
    """
    if identity.is_admin or identity.impersonator_id is not None:
        return ()
    return await LegalAcceptanceRepository(session).list_pending(identity.user_id)


async def accept_documents(
    session: TenantSession, identity: Identity, documents: Iterable[DocumentVersion],
    ip: str, audit: AuditLog, now: datetime,
) -> list[DocumentVersion]:  # fmt: skip
    """Record the versions that the caller accepts and return the documents that are still pending.

    Raises LegalDocumentsOutdatedError when a version is not the current one: the text has changed
    since it was shown. A version that was accepted before is not recorded again.
    """
    accepted = set(documents)
    if not accepted <= set(current_documents()):
        raise LegalDocumentsOutdatedError
    await AccountRepository(session).lock_user(identity.user_id)
    acceptances = LegalAcceptanceRepository(session)
    pending = await acceptances.list_pending(identity.user_id)
    new = [one for one in pending if one in accepted]
    if new:
        await acceptances.add_all(identity.user_id, new, ip, now)
        versions = {one.document.value: one.version.isoformat() for one in new}
        await audit.record(AuditEvent.DOCUMENTS_ACCEPTED, **versions)
    return [one for one in pending if one not in accepted]
