"""HTTP calls about legal documents: they are accepted (R34), and the agreement is a PDF (P43)."""

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko import limits
from prawko.accounts.audit_log import AuditLog, ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.errors import LegalDocumentsOutdatedError
from prawko.accounts.guards import (
    OWN_SESSION_ERRORS,
    RIGHT_ERRORS,
    forbids_impersonation,
    requires_right,
    requires_verified_email,
)
from prawko.accounts.legal_acceptances import accept_documents
from prawko.accounts.legal_documents import DocumentVersion
from prawko.accounts.roles import ACT, CompanyAct
from prawko.accounts.schemas import LegalAcceptancesIn, PendingDocument, PendingDocumentsOut
from prawko.kit.clock import Clock
from prawko.kit.context import AppContext
from prawko.kit.errors import TooManyRequestsError, UnavailableError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.file_response import ScreenLanguage, pdf_response, pdf_spec
from prawko.kit.text.i18n import Language
from prawko.legal.service import AgreementService
from prawko.limits import COMPANY_LIMIT
from prawko_tenants.sessions import TenantSession

FILE_NAMES = {
    Language.PL: "umowa-powierzenia-danych.pdf",
    Language.EN: "data-processing-agreement.pdf",
}
_PDF_RESPONSE = pdf_spec("The data-processing agreement")


class AgreementController(Controller):
    """The agreement of the caller's company, and a sample for all users."""

    path = "/api"
    tags = ("Legal documents",)

    @get(
        "/company/data-processing-agreement",
        operation_id="getDataProcessingAgreement",
        opt={ACT: CompanyAct.AGREEMENT, COMPANY_LIMIT: limits.AGREEMENTS},
        guards=[requires_right],
        responses={
            200: _PDF_RESPONSE,
            **error_responses(*RIGHT_ERRORS, TooManyRequestsError, UnavailableError),
        },
    )
    async def get_own(
        self,
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        language: NamedDependency[Language],
        lang: ScreenLanguage = None,
    ) -> Response[bytes]:
        chosen = lang or language
        return _pdf_response(await AgreementService(context).get_own(identity, chosen), chosen)

    @get(
        "/legal/data-processing-agreement",
        operation_id="getSampleAgreement",
        responses={200: _PDF_RESPONSE, **error_responses(UnavailableError)},
    )
    async def get_sample(
        self,
        context: NamedDependency[AppContext],
        language: NamedDependency[Language],
        lang: ScreenLanguage = None,
    ) -> Response[bytes]:
        chosen = lang or language
        return _pdf_response(await AgreementService(context).get_sample(chosen), chosen)


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


def _pdf_response(content: bytes, language: Language) -> Response[bytes]:
    return pdf_response(content, FILE_NAMES[language], inline=True)
