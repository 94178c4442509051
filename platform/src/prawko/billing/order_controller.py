"""The calls of billing details, ways to pay, and orders."""

from uuid import UUID

from litestar import Controller, get, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from prawko.accounts.activity import Act, Journal
from prawko.accounts.guards import in_person, verified_email
from prawko.accounts.schemas import CompanyDetails
from prawko.base.clock import Clock
from prawko.base.errors import (
    AuthForbiddenError,
    AuthRequiredError,
    EmailUnverifiedError,
    NotFoundError,
)
from prawko.base.refusals import refusals
from prawko.billing.company_details import details_out, keep_details, read_details
from prawko.billing.controller import provide_subscription_page
from prawko.billing.details import Details
from prawko.billing.errors import InvalidBillingDetailsError
from prawko.billing.order_schemas import BillingDetailsIn, MethodOut, OrderOut
from prawko.billing.reading import SubscriptionPage
from prawko.billing.repository import SubscriptionRepository
from prawko.payments.service import Payments
from prawko_tenants.sessions import TenantSession


class OrderController(Controller):
    """What is ordered, by whom, and how it may be paid."""

    path = "/api"
    tags = ("Subscription",)
    guards = (verified_email,)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "shown": Provide(provide_subscription_page, sync_to_thread=False),
    }

    @put(
        "/user/billing-details",
        operation_id="setBillingDetails",
        guards=[in_person],
        opt={"malformed": InvalidBillingDetailsError},
        responses=refusals(
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
        journal: NamedDependency[Journal],
    ) -> CompanyDetails:
        details = read_details(
            Details(
                company_name=data.company_name,
                tax_id=data.tax_id,
                street=data.street,
                postal_code=data.postal_code,
                city=data.city,
            )
        )
        company = await SubscriptionRepository(session).lock_company()
        keep_details(company, details, clock.now())
        await journal.note(Act.BILLING_DETAILS_SET)
        return details_out(details)

    @get(
        "/payment-methods",
        operation_id="listPaymentMethods",
        responses=refusals(AuthRequiredError, EmailUnverifiedError),
    )
    async def methods(self, payments: NamedDependency[Payments]) -> list[MethodOut]:
        return [
            MethodOut(method=way.method, blik_code=way.blik_codes, renews=way.renews)
            for way in payments.methods()
        ]

    @get(
        "/orders/{order_id:uuid}",
        operation_id="getOrder",
        responses=refusals(AuthRequiredError, EmailUnverifiedError, NotFoundError),
    )
    async def order(
        self, order_id: FromPath[UUID], shown: NamedDependency[SubscriptionPage]
    ) -> OrderOut:
        return await shown.order(order_id)
