"""HTTP calls of billing details, payment methods and placed orders (docs/rules.md P13, P19)."""

from uuid import UUID

import msgspec
from litestar import Controller, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, AuditLog
from prawko.accounts.guards import (
    RIGHT_ERRORS,
    forbids_impersonation,
    requires_right,
)
from prawko.accounts.roles import ACT, CompanyAct
from prawko.accounts.schemas import CompanyDetails
from prawko.billing.billing_details import BillingDetails, change_details
from prawko.billing.errors import InvalidBillingDetailsError
from prawko.billing.queries import get_order
from prawko.billing.schemas import BillingDetailsIn, MethodOut, OrderOut
from prawko.kit.clock import Clock
from prawko.kit.errors import AuthForbiddenError, NotFoundError, TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.limits import USER_LIMIT
from prawko.payments.service import PaymentService
from prawko_tenants.sessions import TenantSession


class OrderController(Controller):
    """Calls that save billing details and read payment methods and orders."""

    path = "/api"
    tags = ("Subscription",)
    guards = (requires_right,)
    opt = {ACT: CompanyAct.SUBSCRIPTION}  # noqa: RUF012  # Litestar's own declaration

    @put(
        "/user/billing-details",
        operation_id="setBillingDetails",
        guards=[forbids_impersonation],
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES, "malformed": InvalidBillingDetailsError},
        responses=error_responses(
            *RIGHT_ERRORS,
            AuthForbiddenError,
            InvalidBillingDetailsError,
            TooManyRequestsError,
        ),
    )
    async def set_details(
        self,
        data: JSONBody[BillingDetailsIn],
        session: NamedDependency[TenantSession],
        clock: NamedDependency[Clock],
        audit: NamedDependency[AuditLog],
    ) -> CompanyDetails:
        raw = msgspec.convert(data, BillingDetails, from_attributes=True)
        details, is_changed = await change_details(session, raw, clock.now())
        if is_changed:
            await audit.record(AuditEvent.BILLING_DETAILS_SET)
        return msgspec.convert(details, CompanyDetails, from_attributes=True)

    @get(
        "/payment-methods",
        operation_id="listPaymentMethods",
        responses=error_responses(*RIGHT_ERRORS),
    )
    async def methods(self, payments: NamedDependency[PaymentService]) -> list[MethodOut]:
        return [
            MethodOut(
                method=offered.method,
                blik_code=offered.accepts_blik_codes,
                renews=offered.is_recurring,
            )
            for offered in await payments.list_methods()
        ]

    @get(
        "/orders/{order_id:uuid}",
        operation_id="getOrder",
        responses=error_responses(*RIGHT_ERRORS, NotFoundError),
    )
    async def order(
        self,
        order_id: FromPath[UUID],
        session: NamedDependency[TenantSession],
        payments: NamedDependency[PaymentService],
    ) -> OrderOut:
        return await get_order(session, payments, order_id)
