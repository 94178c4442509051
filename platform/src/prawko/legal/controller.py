"""HTTP calls that return the data-processing agreement as PDF (docs/rules.md P43)."""

from litestar import Controller, Response, get
from litestar.di import NamedDependency

from prawko import limits
from prawko.accounts.authentication import Identity
from prawko.accounts.guards import VERIFIED_EMAIL_ERRORS, requires_verified_email
from prawko.kit.context import AppContext
from prawko.kit.errors import TooManyRequestsError, UnavailableError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.file_response import ScreenLanguage, pdf_response, pdf_spec
from prawko.kit.text.i18n import Language
from prawko.legal.service import AgreementService
from prawko.limits import COMPANY_LIMIT

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
        opt={COMPANY_LIMIT: limits.AGREEMENTS},
        guards=[requires_verified_email],
        responses={
            200: _PDF_RESPONSE,
            **error_responses(*VERIFIED_EMAIL_ERRORS, TooManyRequestsError, UnavailableError),
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


def _pdf_response(content: bytes, language: Language) -> Response[bytes]:
    return pdf_response(content, FILE_NAMES[language], inline=True)
