"""Shows companies, and suspends, resumes, extends, exports and erases them."""

from datetime import timedelta
from uuid import UUID

import msgspec

from prawko.accounts.acts.action_log import ActionLog
from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.login_sessions import LoginSessionRepository
from prawko.billing.models import SubscriptionStatus
from prawko.billing.repository import SubscriptionRepository
from prawko.console.companies.errors import (
    CompanyNotSuspendedError,
    CompanySuspendedError,
    NoSubscriptionError,
)
from prawko.console.companies.queries import DIALECT, CompanyQueries
from prawko.console.companies.schemas import CompanyOut, ErasedCompanyOut
from prawko.console.list_page import ListPage
from prawko.console.list_query import ListParameters, ListQuery
from prawko.console.subscription_change import OperatorChange, change_subscription
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.kit.text.i18n import Language
from prawko.personal_data.archive import Archive
from prawko.personal_data.erasure import (
    CompanyNotFoundError,
    erase_accounts,
    erase_company_rows,
    retry_erasure,
)
from prawko.personal_data.export import DataExporter
from prawko.personal_data.export_queries import CONSOLE_TABLES
from prawko.personal_data.service import ExportSlots
from prawko_tenants.ids import TenantId


class CompanyService:
    """Reads with the operators' wide session; every act is a transaction on one company's rows."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._now = context.clock.now()

    async def list_companies(self, parameters: ListParameters) -> tuple[ListQuery, ListPage]:
        """Return a page of companies."""
        query = DIALECT.parse(parameters)
        async with self._context.database.operator() as session:
            return query, await CompanyQueries(session, self._now).list_companies(query)

    async def get_company(self, company_id: UUID) -> CompanyOut:
        """Return a company. Raises NotFoundError."""
        async with self._context.database.operator() as session:
            row = await CompanyQueries(session, self._now).get_company(company_id)
        if row is None:
            raise NotFoundError
        return msgspec.convert(row, CompanyOut, from_attributes=True)

    async def suspend(self, actions: ActionLog, company_id: UUID, reason: str | None) -> CompanyOut:
        """Close a company's subscription; only an operator opens it again.

        Raises NotFoundError, NoSubscriptionError and CompanySuspendedError.
        """
        return await self._change(
            actions,
            company_id,
            AdminActionType.COMPANY_SUSPENDED,
            reason,
            OperatorChange(status=SubscriptionStatus.INACTIVE),
            is_suspended=False,
        )

    async def resume(self, actions: ActionLog, company_id: UUID, reason: str | None) -> CompanyOut:
        """Open a suspended company's subscription again.

        Raises NotFoundError, NoSubscriptionError and CompanyNotSuspendedError.
        """
        return await self._change(
            actions,
            company_id,
            AdminActionType.COMPANY_RESUMED,
            reason,
            OperatorChange(status=SubscriptionStatus.ACTIVE),
            is_suspended=True,
        )

    async def extend(
        self, actions: ActionLog, company_id: UUID, days: int, reason: str | None
    ) -> CompanyOut:
        """Move the subscription's end by some days; one that is over is active from now on.

        Raises NotFoundError, NoSubscriptionError and CompanySuspendedError.
        """
        company = await self.get_company(company_id)
        today = warsaw_date(self._now)
        end = max(today, warsaw_date(company.end_date) if company.end_date else today)
        change = OperatorChange(
            end_day=end + timedelta(days=days), status=SubscriptionStatus.ACTIVE
        )
        return await self._change(
            actions,
            company_id,
            AdminActionType.COMPANY_EXTENDED,
            reason,
            change,
            is_suspended=False,
            days=days,
        )

    async def export(
        self, actions: ActionLog, company_id: UUID, reason: str | None, language: Language
    ) -> Archive:
        """Return all of a company's data, without phone numbers and IP addresses.

        Raises NotFoundError.
        """
        await self.get_company(company_id)
        tenant_id = TenantId(company_id)
        async with self._context.components.get(ExportSlots).slot(tenant_id):
            await record_export(actions, tenant_id, reason)
            async with self._context.database.tenant(tenant_id) as session:
                exporter = DataExporter(self._context, session, language)
                return await exporter.export_company(actions.identity.user_id, CONSOLE_TABLES)

    async def erase(
        self, actions: ActionLog, company_id: UUID, reason: str | None
    ) -> ErasedCompanyOut:
        """Erase a company, its data and its people, for good; issued invoices stay.

        Raises NotFoundError and LastOperatorError.
        """
        tenant_id = TenantId(company_id)

        async def erase_once() -> ErasedCompanyOut:
            async with actions.open_erasure(tenant_id) as session:
                try:
                    people = await erase_company_rows(session)
                except CompanyNotFoundError:
                    raise NotFoundError from None
                await LoginSessionRepository(session).lock_all(people)
                await actions.record(
                    AdminActionType.COMPANY_ERASED, tenant_id=tenant_id, reason=reason
                )
                await erase_accounts(session, people)
            return ErasedCompanyOut(id=company_id, people=len(people))

        return await retry_erasure(erase_once)

    async def _change(
        self,
        actions: ActionLog,
        company_id: UUID,
        action: AdminActionType,
        reason: str | None,
        change: OperatorChange,
        *,
        is_suspended: bool,
        days: int | None = None,
    ) -> CompanyOut:
        """Change the subscription of a company that is, or is not, suspended."""
        await self.get_company(company_id)
        tenant_id = TenantId(company_id)
        async with actions.open_company(tenant_id) as session:
            _, current = await SubscriptionRepository(session).lock_current()
            if current is None:
                raise NoSubscriptionError
            if (current.status == SubscriptionStatus.INACTIVE) is not is_suspended:
                raise CompanyNotSuspendedError if is_suspended else CompanySuspendedError
            await change_subscription(session, change, self._now)
            await actions.record(
                action, tenant_id=tenant_id, reason=reason, subscription=current.id, days=days
            )
        return await self.get_company(company_id)


async def record_export(actions: ActionLog, tenant_id: TenantId, reason: str | None) -> None:
    """Record that a company's data are exported, before anything is read.

    In a transaction of its own: in the one snapshot of the export, the log's trigger would miss
    newer rows.
    """
    async with actions.open_company(tenant_id):
        await actions.record(AdminActionType.COMPANY_EXPORTED, tenant_id=tenant_id, reason=reason)
