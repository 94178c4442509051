"""Companies: their list, and how operators suspend, resume, extend, export and erase them."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.response import Stream
from msgspec import Meta
from sqlalchemy import and_, case, func, lateral, select, true

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs, ReasonRequiredError
from prawko.accounts.errors import LastOperatorError
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.accounts.models import Membership, UserAccount
from prawko.accounts.roles import Role
from prawko.billing.models import Subscription, SubscriptionStatus
from prawko.billing.repository import SubscriptionRepository
from prawko.console.list_query import ListQuery
from prawko.console.resource import (
    NOW,
    Act,
    AnySelect,
    Resource,
    create_router,
    ids_filter,
    operator_responses,
    parse_record_id,
    text_filter,
    value_filter,
)
from prawko.console.schemas import Reason, ReasonIn
from prawko.console.subscription_change import OperatorChange, change_subscription
from prawko.drivers.models import Driver
from prawko.kit.context import AppContext
from prawko.kit.database import order_by_letters
from prawko.kit.errors import AppError, NotFoundError
from prawko.kit.http.schemas import RequestModel, ResponseModel
from prawko.kit.text.i18n import Language
from prawko.personal_data.archive import ZIP_RESPONSE, stream_archive
from prawko.personal_data.erasure import (
    CompanyNotFoundError,
    erase_accounts,
    erase_company_rows,
    retry_erasure,
)
from prawko.personal_data.export import DataExporter, ExportSlots
from prawko.personal_data.export_queries import CONSOLE_TABLES
from prawko_tenants.ids import TenantId
from prawko_tenants.models import Tenant

MAX_EXTENSION_DAYS = 366


class CompanyStatus(StrEnum):
    """The effective status of a company's subscription."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    NONE = "none"


class CompanyOut(ResponseModel):
    """A company with its current subscription; `email` is its owner's.

    `status` is the effective one, `none` without a subscription; `suspended`: closed by an
    operator.
    """

    id: UUID
    name: str
    tax_id: str
    email: str | None
    created_at: datetime
    status: str
    driver_limit: int
    drivers_count: int
    end_date: datetime | None
    is_trial: bool
    cancelled: bool
    suspended: bool


class ExtensionIn(RequestModel):
    """By how many days the subscription is extended."""

    days: Annotated[int, Meta(ge=1, le=MAX_EXTENSION_DAYS)]
    reason: Reason | None = None


class ErasedCompanyOut(ResponseModel):
    """The erased company, and how many accounts were erased with it."""

    id: UUID
    people: int


class CompanySuspendedError(AppError):
    """An operator closed the subscription."""

    status = 409
    key = "company_suspended"


class CompanyNotSuspendedError(AppError):
    """Only a suspended subscription can be opened again."""

    status = 409
    key = "company_not_suspended"


class NoSubscriptionError(AppError):
    """There is nothing to suspend or extend."""

    status = 409
    key = "no_subscription"


_current = lateral(
    select(
        Subscription.status,
        Subscription.end_date,
        Subscription.driver_limit,
        Subscription.scheduled_limit,
        Subscription.scheduled_limit_at,
        Subscription.cancelled_at,
        Subscription.is_trial,
    )
    .where(Subscription.tenant_id == Tenant.id)
    .order_by(Subscription.id.desc())
    .limit(1)
).alias("current")
_owner = lateral(
    select(UserAccount.email, UserAccount.email_key)
    .join(Membership, Membership.user_id == UserAccount.id)
    .where(Membership.tenant_id == Tenant.id)
    .order_by(Membership.role != Role.OWNER, Membership.created_at)
    .limit(1)
).alias("owner")
_drivers_count = (
    select(func.count(Driver.id)).where(Driver.tenant_id == Tenant.id).scalar_subquery()
)
_is_over = and_(_current.c.status == SubscriptionStatus.ACTIVE, _current.c.end_date <= NOW)
# As `Subscription.status_at` and `effective_limit` have it.
_status = case(
    (and_(_is_over, _current.c.cancelled_at.is_not(None)), CompanyStatus.CANCELLED),
    (_is_over, CompanyStatus.EXPIRED),
    else_=func.coalesce(_current.c.status, CompanyStatus.NONE),
)
_limit = func.coalesce(
    case((_current.c.scheduled_limit_at <= NOW, _current.c.scheduled_limit)),
    _current.c.driver_limit,
    0,
)


def select_company_ids(query: ListQuery) -> AnySelect:
    """Return the ids, with what the filters and the order need: all companies are read for it."""
    statement: AnySelect = select(Tenant.id).select_from(Tenant)
    if "status" in query.filters or query.sort.field in {"driverLimit", "endDate"}:
        statement = statement.outerjoin(_current, true())
    if "q" in query.filters:
        statement = statement.outerjoin(_owner, true())
    return statement


async def suspend_company(acts: OperatorActs, company_id: UUID, data: ReasonIn) -> None:
    """Close a company's subscription; only an operator opens it again."""
    change = OperatorChange(status=SubscriptionStatus.INACTIVE)
    await _change(acts, company_id, AdminActionType.COMPANY_SUSPENDED, data.reason, change)


async def resume_company(acts: OperatorActs, company_id: UUID, data: ReasonIn) -> None:
    """Open a suspended company's subscription again."""
    change = OperatorChange(status=SubscriptionStatus.ACTIVE)
    action = AdminActionType.COMPANY_RESUMED
    await _change(acts, company_id, action, data.reason, change, is_suspended=True)


async def extend_subscription(acts: OperatorActs, company_id: UUID, data: ExtensionIn) -> None:
    """Move the subscription's end by some days, from today if it is over; it is active then."""
    change = OperatorChange(more_days=data.days, status=SubscriptionStatus.ACTIVE)
    action = AdminActionType.COMPANY_EXTENDED
    await _change(acts, company_id, action, data.reason, change)


async def _change(
    acts: OperatorActs,
    company_id: UUID,
    action: AdminActionType,
    reason: str | None,
    change: OperatorChange,
    *,
    is_suspended: bool = False,
) -> None:
    """Change the subscription of a company that is, or is not, suspended."""
    await COMPANIES.read(acts.context, company_id)
    tenant_id = TenantId(company_id)
    async with acts.open_company(tenant_id) as session:
        _, current = await SubscriptionRepository(session).lock_current()
        if current is None:
            raise NoSubscriptionError
        if (current.status == SubscriptionStatus.INACTIVE) is not is_suspended:
            raise CompanyNotSuspendedError if is_suspended else CompanySuspendedError
        await change_subscription(session, change, acts.context.clock.now())
        await acts.record(
            action, tenant_id=tenant_id, reason=reason, subscription=current.id,
            days=change.more_days,
        )  # fmt: skip


async def erase_company(acts: OperatorActs, company_id: UUID, data: ReasonIn) -> ErasedCompanyOut:
    """Erase a company, its data and its people, for good; issued invoices stay, without names.

    Raises NotFoundError and LastOperatorError.
    """
    tenant_id = TenantId(company_id)

    async def erase_once() -> ErasedCompanyOut:
        async with acts.open_erasure(tenant_id) as session:
            try:
                people = await erase_company_rows(session)
            except CompanyNotFoundError:
                raise NotFoundError from None
            await LoginSessionRepository(session).lock_all(people)
            await acts.record(
                AdminActionType.COMPANY_ERASED, tenant_id=tenant_id, reason=data.reason
            )
            await erase_accounts(session, people)
        return ErasedCompanyOut(id=company_id, people=len(people))

    return await retry_erasure(erase_once)


@post(
    "/{record_id:str}/export",
    operation_id="exportCompany",
    summary="Download all of a company's data",
    status_code=200,
    responses={200: ZIP_RESPONSE, **operator_responses(NotFoundError, ReasonRequiredError)},
)
async def export_company(
    record_id: FromPath[str],
    data: JSONBody[ReasonIn],
    context: NamedDependency[AppContext],
    acts: NamedDependency[OperatorActs],
    language: NamedDependency[Language],
) -> Stream:
    """The archive of a member's export, without phone numbers and IP addresses."""
    company = await COMPANIES.read(context, parse_record_id(record_id))
    tenant_id = TenantId(company.id)
    async with context.components.get(ExportSlots).slot(tenant_id):
        await record_export(acts, tenant_id, data.reason)
        async with context.database.tenant(tenant_id) as session:
            exporter = DataExporter(context, session, language)
            archive = await exporter.export_company(acts.identity.user_id, CONSOLE_TABLES)
    return stream_archive(archive, "company", context.clock)


async def record_export(acts: OperatorActs, tenant_id: TenantId, reason: str | None) -> None:
    """Record that a company's data are exported, before anything is read.

    In a transaction of its own: in the one snapshot of the export, the log's trigger would miss
    newer rows.
    """
    async with acts.open_company(tenant_id):
        await acts.record(AdminActionType.COMPANY_EXPORTED, tenant_id=tenant_id, reason=reason)


COMPANIES = Resource(
    name="companies",
    tag="Companies",
    list_id="listCompanies",
    read_id="getCompany",
    out=CompanyOut,
    statement=select(
        Tenant.id,
        Tenant.company_name.label("name"),
        Tenant.tax_id,
        _owner.c.email,
        Tenant.created_at,
        _status.label("status"),
        _limit.label("driver_limit"),
        _drivers_count.label("drivers_count"),
        _current.c.end_date,
        func.coalesce(_current.c.is_trial, False).label("is_trial"),
        _current.c.cancelled_at.is_not(None).label("cancelled"),
        func.coalesce(_current.c.status == SubscriptionStatus.INACTIVE, False).label("suspended"),
    )
    .select_from(Tenant)
    .outerjoin(_current, true())
    .outerjoin(_owner, true()),
    ids=select_company_ids,
    id_column=Tenant.id,
    columns={
        "createdAt": Tenant.created_at,
        "name": order_by_letters(Tenant.company_name),
        "driversCount": _drivers_count,
        "driverLimit": _limit,
        "endDate": _current.c.end_date,
    },
    filters={
        "id": ids_filter(Tenant.id),
        "q": text_filter(Tenant.company_name, Tenant.tax_id, _owner.c.email_key),
        "status": value_filter(_status, CompanyStatus),
    },
    acts=(
        Act(
            "suspend",
            "suspendCompany",
            suspend_company,
            (NoSubscriptionError, ReasonRequiredError, CompanySuspendedError),
            "Close the subscription; only an operator opens it again",
        ),
        Act(
            "resume",
            "resumeCompany",
            resume_company,
            (NoSubscriptionError, ReasonRequiredError, CompanyNotSuspendedError),
            "Open a suspended subscription again",
        ),
        Act(
            "extend",
            "extendCompany",
            extend_subscription,
            (NoSubscriptionError, ReasonRequiredError, CompanySuspendedError),
            "Extend the subscription by some days",
        ),
        Act(
            "erase",
            "eraseCompany",
            erase_company,
            (LastOperatorError, ReasonRequiredError),
            "Erase a company, its data and its people, for good",
        ),
    ),
)
ROUTES = (create_router(COMPANIES, export_company),)
