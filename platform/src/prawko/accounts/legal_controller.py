"""The HTTP call that accepts changed legal documents (docs/rules.md R34)."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko.accounts.audit_log import AuditLog, ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.errors import LegalDocumentsOutdatedError
from prawko.accounts.guards import (
    OWN_SESSION_ERRORS,
    forbids_impersonation,
    requires_verified_email,
)
from prawko.accounts.legal_acceptances import accept_documents
from prawko.accounts.legal_documents import DocumentVersion
from prawko.accounts.schemas import LegalAcceptancesIn, PendingDocument, PendingDocumentsOut
from prawko.kit.clock import Clock
from prawko.kit.http.error_responses import error_responses
from prawko_tenants.sessions import TenantSession


class LegalAcceptanceController(Controller):
    """Records acceptances; `GET /api/user` lists the pending documents."""

    path = "/api/user/legal-acceptances"
    tags = ("Account",)
    guards = (requires_verified_email, forbids_impersonation)

    @post(
        operation_id="acceptDocuments",
        status_code=200,
        responses=error_responses(*OWN_SESSION_ERRORS, LegalDocumentsOutdatedError),
    )
    async def accept(
        self,
        data: JSONBody[LegalAcceptancesIn],
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        client: NamedDependency[ClientInfo],
        clock: NamedDependency[Clock],
        audit: NamedDependency[AuditLog],
    ) -> PendingDocumentsOut:
        shown = [DocumentVersion(one.document, one.version) for one in data.documents]
        pending = await accept_documents(session, identity, shown, client.ip, audit, clock.now())
        return PendingDocumentsOut(
            pending_documents=[
                PendingDocument(document=one.document, version=one.version) for one in pending
            ]
        )
