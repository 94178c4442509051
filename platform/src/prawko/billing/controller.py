"""The calls of the subscription (spec, section 7)."""

from typing import Annotated

from litestar import Controller, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter

from prawko.accounts.activity import Act, Journal, Origin
from prawko.accounts.guards import in_person, verified_email
from prawko.accounts.identity import Identity
from prawko.base.errors import (
    AuthForbiddenError,
    AuthRequiredError,
    BadRequestError,
    EmailUnverifiedError,
    TooManyRequestsError,
)
from prawko.base.jobs import Tools
from prawko.base.refusals import refusals
from prawko.billing.cancelling import Cancelling
from prawko.billing.checkout import Checkout
from prawko.billing.desk import Desk
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
from prawko.billing.head_count import HeadCount
from prawko.billing.limit_changes import LimitChange
from prawko.billing.order_schemas import ChangeLimitIn, CheckoutIn, CheckoutOut, QuoteOut
from prawko.billing.reading import SubscriptionPage
from prawko.billing.schemas import CancelledOut, LimitChangedOut, SubscriptionOut, TrialIn
from prawko.billing.service import SubscriptionService
from prawko.payments.errors import PaymentRefusedError, PaymentUnavailableError
from prawko.payments.service import Payments
from prawko_tenants.sessions import TenantSession

MALFORMED_ORDER = {
    "driverLimit": InvalidDriverLimitError,
    "method": InvalidPaymentMethodError,
    "blikCode": InvalidPaymentMethodError,
    **dict.fromkeys(
        ("companyName", "taxId", "street", "postalCode", "city"), InvalidBillingDetailsError
    ),
}
# What any order may be refused with.
ORDERING = (
    BadRequestError,
    AuthRequiredError,
    EmailUnverifiedError,
    AuthForbiddenError,
    SubscriptionSuspendedError,
    InvalidDriverLimitError,
    BillingDetailsRequiredError,
    InvalidBillingDetailsError,
    InvalidTaxIdError,
    InvalidPaymentMethodError,
    PaymentRefusedError,
    TooManyRequestsError,
    PaymentUnavailableError,
)

AskedLimit = Annotated[int, QueryParameter(name="driverLimit")]


def provide_subscriptions(
    session: NamedDependency[TenantSession], tools: NamedDependency[Tools]
) -> SubscriptionService:
    """The company's subscription, in the request's transaction."""
    return SubscriptionService(session, tools)


def provide_subscription_page(
    session: NamedDependency[TenantSession],
    tools: NamedDependency[Tools],
    payments: NamedDependency[Payments],
    head_count: NamedDependency[HeadCount],
) -> SubscriptionPage:
    """What the subscription page shows, in the request's transaction."""
    return SubscriptionPage(session, tools, payments, head_count)


def provide_desk(
    tools: NamedDependency[Tools],
    payments: NamedDependency[Payments],
    head_count: NamedDependency[HeadCount],
    identity: NamedDependency[Identity],
    origin: NamedDependency[Origin],
) -> Desk:
    """Where the caller orders, and decides about the end; it opens its own transactions."""
    return Desk(tools, payments, head_count, identity, origin)


class SubscriptionController(Controller):
    """What the company has subscribed to."""

    path = "/api/subscription"
    tags = ("Subscription",)
    guards = (verified_email,)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "subscriptions": Provide(provide_subscriptions, sync_to_thread=False),
        "shown": Provide(provide_subscription_page, sync_to_thread=False),
        "desk": Provide(provide_desk, sync_to_thread=False),
    }

    @get(
        operation_id="getSubscription", responses=refusals(AuthRequiredError, EmailUnverifiedError)
    )
    async def show(self, shown: NamedDependency[SubscriptionPage]) -> SubscriptionOut:
        return await shown.subscription()

    @get(
        "/quote",
        operation_id="quoteOrder",
        opt={"malformed": InvalidDriverLimitError},
        responses=refusals(
            AuthRequiredError,
            EmailUnverifiedError,
            SubscriptionSuspendedError,
            InvalidDriverLimitError,
        ),
    )
    async def quote(
        self, shown: NamedDependency[SubscriptionPage], driver_limit: AskedLimit
    ) -> QuoteOut:
        return await shown.quote(driver_limit)

    @post(
        "/start-trial",
        operation_id="startTrial",
        status_code=200,
        opt={"malformed": InvalidTaxIdError},
        responses=refusals(
            AuthRequiredError,
            EmailUnverifiedError,
            TrialUsedError,
            SubscriptionSuspendedError,
            AlreadySubscribedError,
            InvalidTaxIdError,
        ),
    )
    async def start_trial(
        self,
        data: JSONBody[TrialIn],
        identity: NamedDependency[Identity],
        subscriptions: NamedDependency[SubscriptionService],
        shown: NamedDependency[SubscriptionPage],
        journal: NamedDependency[Journal],
    ) -> SubscriptionOut:
        await subscriptions.start_trial(data.tax_id, identity.user_id)
        await journal.note(Act.TRIAL_STARTED)
        return await shown.subscription()

    # The next three wait for somebody else's server: they hold no transaction meanwhile.
    @post(
        "/create-checkout-session",
        operation_id="createCheckoutSession",
        status_code=200,
        guards=[in_person],
        opt={"malformed": MALFORMED_ORDER},
        responses=refusals(*ORDERING),
    )
    async def check_out(
        self, data: JSONBody[CheckoutIn], desk: NamedDependency[Desk]
    ) -> CheckoutOut:
        return await Checkout(desk).order(data)

    @post(
        "/change-limit",
        operation_id="changeLimit",
        status_code=200,
        guards=[in_person],
        opt={"malformed": MALFORMED_ORDER},
        responses=refusals(*ORDERING, NoPaidPeriodError),
    )
    async def change_limit(
        self,
        data: JSONBody[ChangeLimitIn],
        desk: NamedDependency[Desk],
    ) -> LimitChangedOut:
        limits = LimitChange(desk)
        changed = await limits.change(data)
        return LimitChangedOut(
            url=changed.url, order_id=changed.order_id, subscription=await limits.shown()
        )

    @post(
        "/cancel",
        operation_id="cancelSubscription",
        status_code=200,
        guards=[in_person],
        responses=refusals(
            AuthRequiredError, EmailUnverifiedError, AuthForbiddenError, NothingToCancelError
        ),
    )
    async def cancel(self, desk: NamedDependency[Desk]) -> CancelledOut:
        return await Cancelling(desk).cancel()

    @post(
        "/resume",
        operation_id="resumeSubscription",
        status_code=200,
        guards=[in_person],
        responses=refusals(
            AuthRequiredError, EmailUnverifiedError, AuthForbiddenError, NothingToResumeError
        ),
    )
    async def resume(
        self,
        desk: NamedDependency[Desk],
        session: NamedDependency[TenantSession],
        shown: NamedDependency[SubscriptionPage],
        journal: NamedDependency[Journal],
    ) -> SubscriptionOut:
        await Cancelling(desk).resume(session)
        await journal.note(Act.SUBSCRIPTION_RESUMED)
        return await shown.subscription()
