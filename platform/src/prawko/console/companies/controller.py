"""The operators' calls about companies."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.response import Stream

from prawko.accounts.acts.action_log import ActionLog, ReasonRequiredError
from prawko.accounts.errors import LastOperatorError
from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.console.companies.errors import (
    CompanyNotSuspendedError,
    CompanySuspendedError,
    NoSubscriptionError,
)
from prawko.console.companies.schemas import CompanyOut, ErasedCompanyOut, ExtensionIn
from prawko.console.companies.service import CompanyService
from prawko.console.list_query import parse_record_id
from prawko.console.resource_handlers import (
    act_handler,
    list_handler,
    read_handler,
    service_dependency,
)
from prawko.console.schemas import ReasonIn
from prawko.kit.clock import Clock
from prawko.kit.errors import NotFoundError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.text.i18n import Language
from prawko.personal_data.archive_response import ZIP_RESPONSE, stream_archive


class CompanyController(Controller):
    """The customers."""

    path = "/companies"
    tags = ("Companies",)
    dependencies = service_dependency(CompanyService)

    list_companies = list_handler(
        "companies", CompanyService.list_companies, CompanyOut, operation_id="listCompanies"
    )
    get_company = read_handler(CompanyService.get_company, CompanyOut, operation_id="getCompany")
    suspend = act_handler(
        CompanyService.suspend,
        CompanyOut,
        NoSubscriptionError,
        ReasonRequiredError,
        CompanySuspendedError,
        operation_id="suspendCompany",
        summary="Close the subscription; only an operator opens it again",
    )
    resume = act_handler(
        CompanyService.resume,
        CompanyOut,
        NoSubscriptionError,
        ReasonRequiredError,
        CompanyNotSuspendedError,
        operation_id="resumeCompany",
        summary="Open a suspended subscription again",
    )
    # Issued invoices and payments stay, without names.
    erase = act_handler(
        CompanyService.erase,
        ErasedCompanyOut,
        LastOperatorError,
        ReasonRequiredError,
        operation_id="eraseCompany",
        summary="Erase a company, its data and its people, for good",
    )

    @post(
        "/{record_id:str}/extend",
        operation_id="extendCompany",
        summary="Extend the subscription by some days",
        status_code=200,
        responses=error_responses(
            *OPERATOR_ERRORS,
            NotFoundError,
            NoSubscriptionError,
            ReasonRequiredError,
            CompanySuspendedError,
        ),
    )
    async def extend(
        self,
        record_id: FromPath[str],
        data: JSONBody[ExtensionIn],
        service: NamedDependency[CompanyService],
        actions: NamedDependency[ActionLog],
    ) -> CompanyOut:
        """From its end, or from today if that is over."""
        id_ = parse_record_id(record_id)
        return await service.extend(actions, id_, data.days, data.reason)

    @post(
        "/{record_id:str}/export",
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
        record_id: FromPath[str],
        data: JSONBody[ReasonIn],
        service: NamedDependency[CompanyService],
        actions: NamedDependency[ActionLog],
        language: NamedDependency[Language],
        clock: NamedDependency[Clock],
    ) -> Stream:
        """The archive of a member's export, without phone numbers and IP addresses."""
        id_ = parse_record_id(record_id)
        archive = await service.export(actions, id_, data.reason, language)
        return stream_archive(archive, "company", clock)
