"""The operators' calls about companies."""

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody
from litestar.response import Stream

from prawko.accounts.errors import LastOperatorError
from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.base.clock import Clock
from prawko.base.context import AppContext
from prawko.base.error_responses import error_responses
from prawko.base.errors import NotFoundError
from prawko.base.i18n import Language
from prawko.console.action_log import ActionLog, ReasonIn
from prawko.console.companies.errors import (
    CompanyNotSuspendedError,
    CompanySuspendedError,
    NoSubscriptionError,
)
from prawko.console.companies.schemas import CompanyOut, ErasedCompanyOut, ExtensionIn
from prawko.console.companies.service import CompanyService
from prawko.console.errors import InvalidListQueryError, ReasonRequiredError
from prawko.console.list_page import page_response
from prawko.console.list_query import ListParameters, parse_record_id
from prawko.personal_data.archive_response import ZIP_RESPONSE, stream_archive

_ACT_ERRORS = (*OPERATOR_ERRORS, NotFoundError, NoSubscriptionError, ReasonRequiredError)


def provide_companies(context: NamedDependency[AppContext]) -> CompanyService:
    """Return the service of companies."""
    return CompanyService(context)


class CompanyController(Controller):
    """The customers."""

    path = "/companies"
    tags = ("Companies",)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "companies": Provide(provide_companies, sync_to_thread=False)
    }

    @get(
        operation_id="listCompanies",
        responses=error_responses(*OPERATOR_ERRORS, InvalidListQueryError),
    )
    async def list_companies(
        self,
        companies: NamedDependency[CompanyService],
        list_parameters: NamedDependency[ListParameters],
    ) -> Response[list[CompanyOut]]:
        query, page = await companies.list_companies(list_parameters)
        return page_response("companies", query, page, CompanyOut)

    @get(
        "/{company_id:str}",
        operation_id="getCompany",
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError),
    )
    async def get_company(
        self, company_id: FromPath[str], companies: NamedDependency[CompanyService]
    ) -> CompanyOut:
        return await companies.get_company(parse_record_id(company_id))

    @post(
        "/{company_id:str}/suspend",
        operation_id="suspendCompany",
        summary="Close the subscription; only an operator opens it again",
        status_code=200,
        responses=error_responses(*_ACT_ERRORS, CompanySuspendedError),
    )
    async def suspend(
        self,
        company_id: FromPath[str],
        data: JSONBody[ReasonIn],
        companies: NamedDependency[CompanyService],
        actions: NamedDependency[ActionLog],
    ) -> CompanyOut:
        return await companies.suspend(actions, parse_record_id(company_id), data.reason)

    @post(
        "/{company_id:str}/resume",
        operation_id="resumeCompany",
        summary="Open a suspended subscription again",
        status_code=200,
        responses=error_responses(*_ACT_ERRORS, CompanyNotSuspendedError),
    )
    async def resume(
        self,
        company_id: FromPath[str],
        data: JSONBody[ReasonIn],
        companies: NamedDependency[CompanyService],
        actions: NamedDependency[ActionLog],
    ) -> CompanyOut:
        return await companies.resume(actions, parse_record_id(company_id), data.reason)

    @post(
        "/{company_id:str}/extend",
        operation_id="extendCompany",
        summary="Extend the subscription by some days",
        status_code=200,
        responses=error_responses(*_ACT_ERRORS, CompanySuspendedError),
    )
    async def extend(
        self,
        company_id: FromPath[str],
        data: JSONBody[ExtensionIn],
        companies: NamedDependency[CompanyService],
        actions: NamedDependency[ActionLog],
    ) -> CompanyOut:
        """From its end, or from today if that is over."""
        id_ = parse_record_id(company_id)
        return await companies.extend(actions, id_, data.days, data.reason)

    @post(
        "/{company_id:str}/export",
        operation_id="exportCompany",
        summary="Download all of a company's data",
        status_code=200,
        responses={
            200: ZIP_RESPONSE,
            **error_responses(*OPERATOR_ERRORS, NotFoundError, ReasonRequiredError),
        },
    )
    async def export(
        self,
        company_id: FromPath[str],
        data: JSONBody[ReasonIn],
        companies: NamedDependency[CompanyService],
        actions: NamedDependency[ActionLog],
        language: NamedDependency[Language],
        clock: NamedDependency[Clock],
    ) -> Stream:
        """As a member exports it, without anybody's phone number or IP address."""
        id_ = parse_record_id(company_id)
        archive = await companies.export(actions, id_, data.reason, language)
        return stream_archive(archive, "company", clock)

    @post(
        "/{company_id:str}/erase",
        operation_id="eraseCompany",
        summary="Erase a company, its data and its people, for good",
        status_code=200,
        responses=error_responses(
            *OPERATOR_ERRORS, NotFoundError, LastOperatorError, ReasonRequiredError
        ),
    )
    async def erase(
        self,
        company_id: FromPath[str],
        data: JSONBody[ReasonIn],
        companies: NamedDependency[CompanyService],
        actions: NamedDependency[ActionLog],
    ) -> ErasedCompanyOut:
        """Issued invoices and payments stay, without names."""
        return await companies.erase(actions, parse_record_id(company_id), data.reason)
