"""HTTP calls of billing details, payment methods and orders (docs/rules.md P13, P19)."""

from uuid import UUID

from litestar import Controller, get, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from prawko.accounts.audit_log import AuditEvent, AuditLog
from prawko.accounts.guards import forbids_impersonation, requires_verified_email
from prawko.accounts.schemas import CompanyDetails
from prawko.base.clock import Clock
from prawko.base.error_responses import error_responses
from prawko.base.errors import (
    AuthForbiddenError,
    AuthRequiredError,
    EmailUnverifiedError,
    NotFoundError,
)
from prawko.billing.billing_details import (
    BillingDetails,
    save_details,
    to_details_out,
    validate_details,
)
from prawko.billing.controller import provide_subscription_queries
from prawko.billing.errors import InvalidBillingDetailsError
from prawko.billing.orders.schemas import BillingDetailsIn, MethodOut, OrderOut
from prawko.billing.queries import SubscriptionQueries
from prawko.billing.subscription.repository import SubscriptionRepository
from prawko.payments.service import PaymentService
from prawko_tenants.sessions import TenantSession


class OrderController(Controller):
    """Calls that save billing details and read payment methods and orders."""

    path = "/api"
    tags = ("Subscription",)
    guards = (requires_verified_email,)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "subscription_queries": Provide(provide_subscription_queries, sync_to_thread=False),
    }

    @put(
        "/user/billing-details",
        operation_id="setBillingDetails",
        guards=[forbids_impersonation],
        opt={"malformed": InvalidBillingDetailsError},
        responses=error_responses(
            AuthRequiredError,
            EmailUnverifiedError,
            AuthForbiddenError,
            InvalidBillingDetailsError,
        ),
    )
    async def set_details(
        self,
        data: JSONBody[BillingDetailsIn],
        session: NamedDependency[TenantSession],
        clock: NamedDependency[Clock],
        audit: NamedDependency[AuditLog],
    ) -> CompanyDetails:
        details = validate_details(
            BillingDetails(
                company_name=data.company_name,
                tax_id=data.tax_id,
                street=data.street,
                postal_code=data.postal_code,
                city=data.city,
            )
        )
        company = await SubscriptionRepository(session).lock_company()
        save_details(company, details, clock.now())
        await audit.record(AuditEvent.BILLING_DETAILS_SET)
        return to_details_out(details)

    @get(
        "/payment-methods",
        operation_id="listPaymentMethods",
        responses=error_responses(AuthRequiredError, EmailUnverifiedError),
    )
    async def methods(self, payments: NamedDependency[PaymentService]) -> list[MethodOut]:
        return [
            MethodOut(
                method=offered.method,
                blik_code=offered.accepts_blik_codes,
                renews=offered.is_recurring,
            )
            for offered in payments.list_methods()
        ]

    @get(
        "/orders/{order_id:uuid}",
        operation_id="getOrder",
        responses=error_responses(AuthRequiredError, EmailUnverifiedError, NotFoundError),
    )
    async def order(
        self, order_id: FromPath[UUID], subscription_queries: NamedDependency[SubscriptionQueries]
    ) -> OrderOut:
        return await subscription_queries.get_order(order_id)
