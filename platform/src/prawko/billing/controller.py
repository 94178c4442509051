"""The calls of the subscription (spec, section 7)."""

from litestar import Controller, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody

from prawko.accounts.activity import Act, Journal
from prawko.accounts.guards import verified_email
from prawko.accounts.identity import Identity
from prawko.base.errors import AuthRequiredError, EmailUnverifiedError
from prawko.base.jobs import Tools
from prawko.base.refusals import refusals
from prawko.billing.errors import AlreadySubscribedError, InvalidTaxIdError, TrialUsedError
from prawko.billing.schemas import SubscriptionOut, TrialIn
from prawko.billing.service import SubscriptionService
from prawko_tenants.sessions import TenantSession


def provide_subscriptions(
    session: NamedDependency[TenantSession], tools: NamedDependency[Tools]
) -> SubscriptionService:
    """The company's subscription, in the request's transaction."""
    return SubscriptionService(session, tools)


class SubscriptionController(Controller):
    """What the company has subscribed to."""

    path = "/api/subscription"
    tags = ("Subscription",)
    guards = (verified_email,)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "subscriptions": Provide(provide_subscriptions, sync_to_thread=False)
    }

    @get(
        operation_id="getSubscription", responses=refusals(AuthRequiredError, EmailUnverifiedError)
    )
    async def show(self, subscriptions: NamedDependency[SubscriptionService]) -> SubscriptionOut:
        return await subscriptions.overview()

    @post(
        "/start-trial",
        operation_id="startTrial",
        status_code=200,
        opt={"malformed": InvalidTaxIdError},
        responses=refusals(
            AuthRequiredError,
            EmailUnverifiedError,
            TrialUsedError,
            AlreadySubscribedError,
            InvalidTaxIdError,
        ),
    )
    async def start_trial(
        self,
        data: JSONBody[TrialIn],
        identity: NamedDependency[Identity],
        subscriptions: NamedDependency[SubscriptionService],
        journal: NamedDependency[Journal],
    ) -> SubscriptionOut:
        await subscriptions.start_trial(data.tax_id, identity.user_id)
        await journal.note(Act.TRIAL_STARTED)
        return await subscriptions.overview()
