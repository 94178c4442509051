"""HTTP calls of the subscription, checkout included (docs/rules.md P15, P19)."""

from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, AuditLog, ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.guards import (
    OWN_RIGHT_ERRORS,
    RIGHT_ERRORS,
    forbids_impersonation,
    requires_right,
)
from prawko.accounts.roles import ACT, CompanyAct, may_do
from prawko.billing.cancellation import CancellationService
from prawko.billing.checkout import CheckoutService
from prawko.billing.errors import (
    AlreadySubscribedError,
    BillingDetailsRequiredError,
    InvalidBillingDetailsError,
    InvalidDriverLimitError,
    InvalidPaymentMethodError,
    InvalidTaxIdError,
    NoPaidPeriodError,
    NothingToCancelError,
    NothingToResumeError,
    SubscriptionSuspendedError,
    TrialUsedError,
)
from prawko.billing.limit_change import LimitChangeService
from prawko.billing.ordering import DriverCounter, Ordering
from prawko.billing.queries import SubscriptionQueries, get_subscription_of
from prawko.billing.schemas import (
    CancelledOut,
    ChangeLimitIn,
    CheckoutIn,
    CheckoutOut,
    LimitChangedOut,
    QuoteOut,
    SubscriptionOut,
    TrialIn,
)
from prawko.billing.trial import TrialService
from prawko.kit.context import AppContext
from prawko.kit.errors import BadRequestError, TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.limits import USER_LIMIT
from prawko.payments.errors import PaymentDeclinedError, PaymentUnavailableError
from prawko.payments.service import PaymentService
from prawko_tenants.sessions import TenantSession

MALFORMED_ORDER = {
    "driverLimit": InvalidDriverLimitError,
    "method": InvalidPaymentMethodError,
    "blikCode": InvalidPaymentMethodError,
    **dict.fromkeys(
        ("companyName", "taxId", "street", "postalCode", "city"), InvalidBillingDetailsError
    ),
}
# Errors of every order.
ORDER_ERRORS = (
    BadRequestError,
    *OWN_RIGHT_ERRORS,
    SubscriptionSuspendedError,
    InvalidDriverLimitError,
    BillingDetailsRequiredError,
    InvalidBillingDetailsError,
    InvalidTaxIdError,
    InvalidPaymentMethodError,
    PaymentDeclinedError,
    TooManyRequestsError,
    PaymentUnavailableError,
)

DriverLimitQuery = Annotated[int, QueryParameter(name="driverLimit")]


def provide_subscription_queries(
    session: NamedDependency[TenantSession],
    context: NamedDependency[AppContext],
    payments: NamedDependency[PaymentService],
    driver_counter: NamedDependency[DriverCounter],
) -> SubscriptionQueries:
    """The queries of the subscription page, in the request's transaction."""
    return SubscriptionQueries(session, context, payments, driver_counter)


def provide_ordering(
    context: NamedDependency[AppContext],
    payments: NamedDependency[PaymentService],
    driver_counter: NamedDependency[DriverCounter],
    identity: NamedDependency[Identity],
    client: NamedDependency[ClientInfo],
) -> Ordering:
    """The caller's order context; it opens its own transactions."""
    return Ordering(context, payments, driver_counter, identity, client)


def provide_cancellation(
    context: NamedDependency[AppContext],
    payments: NamedDependency[PaymentService],
    identity: NamedDependency[Identity],
    client: NamedDependency[ClientInfo],
) -> CancellationService:
    """The caller's cancellation service."""
    return CancellationService(context, payments, identity, client)


class SubscriptionController(Controller):
    """Calls that read, order, change and cancel the company's subscription."""

    path = "/api/subscription"
    tags = ("Subscription",)
    guards = (requires_right,)
    opt = {ACT: CompanyAct.SUBSCRIPTION}  # noqa: RUF012  # Litestar's own declaration
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "subscription_queries": Provide(provide_subscription_queries, sync_to_thread=False),
        "ordering": Provide(provide_ordering, sync_to_thread=False),
        "cancellation": Provide(provide_cancellation, sync_to_thread=False),
    }

    @get(
        operation_id="getSubscription",
        opt={ACT: CompanyAct.READ_SUBSCRIPTION},
        responses=error_responses(*RIGHT_ERRORS),
    )
    async def show(
        self,
        subscription_queries: NamedDependency[SubscriptionQueries],
        identity: NamedDependency[Identity],
    ) -> SubscriptionOut:
        """An open order, with the way to pay it, is shown to those who may pay."""
        subscription = await subscription_queries.get_subscription()
        if not may_do(identity.role, CompanyAct.SUBSCRIPTION):
            subscription = msgspec.structs.replace(subscription, open_order=None)
        return subscription

    @get(
        "/quote",
        operation_id="quoteOrder",
        opt={"malformed": InvalidDriverLimitError},
        responses=error_responses(
            *RIGHT_ERRORS, SubscriptionSuspendedError, InvalidDriverLimitError
        ),
    )
    async def quote(
        self,
        subscription_queries: NamedDependency[SubscriptionQueries],
        driver_limit: DriverLimitQuery,
    ) -> QuoteOut:
        return await subscription_queries.get_quote(driver_limit)

    @post(
        "/start-trial",
        operation_id="startTrial",
        guards=[forbids_impersonation],
        status_code=200,
        opt={"malformed": InvalidTaxIdError},
        responses=error_responses(
            *OWN_RIGHT_ERRORS,
            TrialUsedError,
            SubscriptionSuspendedError,
            AlreadySubscribedError,
            InvalidTaxIdError,
            TooManyRequestsError,
        ),
    )
    async def start_trial(
        self,
        data: JSONBody[TrialIn],
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        context: NamedDependency[AppContext],
        subscription_queries: NamedDependency[SubscriptionQueries],
        audit: NamedDependency[AuditLog],
        client: NamedDependency[ClientInfo],
    ) -> SubscriptionOut:
        await TrialService(session, context).start(data.tax_id, identity.user_id, client)
        await audit.record(AuditEvent.TRIAL_STARTED)
        return await subscription_queries.get_subscription()

    # The next three call a payment provider and hold no transaction while they wait for it.
    @post(
        "/create-checkout-session",
        operation_id="createCheckoutSession",
        status_code=200,
        guards=[forbids_impersonation],
        opt={"malformed": MALFORMED_ORDER, "calls_provider": True},
        responses=error_responses(*ORDER_ERRORS),
    )
    async def check_out(
        self, data: JSONBody[CheckoutIn], ordering: NamedDependency[Ordering]
    ) -> CheckoutOut:
        return await CheckoutService(ordering).place_order(data)

    @post(
        "/change-limit",
        operation_id="changeLimit",
        status_code=200,
        guards=[forbids_impersonation],
        opt={
            "malformed": MALFORMED_ORDER,
            "calls_provider": True,
            USER_LIMIT: limits.ACCOUNT_CHANGES,
        },
        responses=error_responses(*ORDER_ERRORS, NoPaidPeriodError),
    )
    async def change_limit(
        self, data: JSONBody[ChangeLimitIn], ordering: NamedDependency[Ordering]
    ) -> LimitChangedOut:
        result = await LimitChangeService(ordering).change_limit(data)
        subscription = await get_subscription_of(ordering)
        return LimitChangedOut(url=result.url, order_id=result.order_id, subscription=subscription)

    @post(
        "/cancel",
        operation_id="cancelSubscription",
        status_code=200,
        opt={"calls_provider": True, USER_LIMIT: limits.ACCOUNT_CHANGES},
        guards=[forbids_impersonation],
        responses=error_responses(*OWN_RIGHT_ERRORS, NothingToCancelError, TooManyRequestsError),
    )
    async def cancel(self, cancellation: NamedDependency[CancellationService]) -> CancelledOut:
        return await cancellation.cancel()

    @post(
        "/resume",
        operation_id="resumeSubscription",
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES},
        status_code=200,
        guards=[forbids_impersonation],
        responses=error_responses(*OWN_RIGHT_ERRORS, NothingToResumeError, TooManyRequestsError),
    )
    async def resume(
        self,
        cancellation: NamedDependency[CancellationService],
        session: NamedDependency[TenantSession],
        subscription_queries: NamedDependency[SubscriptionQueries],
        audit: NamedDependency[AuditLog],
    ) -> SubscriptionOut:
        await cancellation.resume(session)
        await audit.record(AuditEvent.SUBSCRIPTION_RESUMED)
        return await subscription_queries.get_subscription()
