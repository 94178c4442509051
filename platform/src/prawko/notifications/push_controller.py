"""HTTP calls of push messages in browsers (docs/decisions/0036-web-push.md)."""

from uuid import UUID

from litestar import Controller, delete, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from prawko import limits
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.guards import (
    OWN_SESSION_ERRORS,
    forbids_impersonation,
    requires_verified_email,
)
from prawko.kit.clock import Clock
from prawko.kit.context import AppContext
from prawko.kit.errors import BadRequestError, NotFoundError, TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.limits import USER_LIMIT
from prawko.notifications.errors import (
    InvalidPushSubscriptionError,
    PushLimitError,
    PushUnavailableError,
)
from prawko.notifications.push_service import PushService
from prawko.notifications.schemas import (
    PushBrowserOut,
    PushRenewalIn,
    PushSettingsOut,
    PushSubscriptionIn,
    RemovedPushBrowserOut,
)
from prawko_tenants.sessions import TenantSession


def provide_push_service(
    session: NamedDependency[TenantSession],
    identity: NamedDependency[Identity],
    client: NamedDependency[ClientInfo],
    context: NamedDependency[AppContext],
) -> PushService:
    """Return the service for the caller's browsers."""
    return PushService(session, identity, client, context)


class PushController(Controller):
    """The browsers in which the caller gets push messages."""

    path = "/api/notifications/push"
    tags = ("Notifications",)
    guards = (requires_verified_email, forbids_impersonation)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "push": Provide(provide_push_service, sync_to_thread=False)
    }

    @get(
        operation_id="getPushSettings",
        summary="Return the key to subscribe with, and the caller's browsers",
        responses=error_responses(*OWN_SESSION_ERRORS),
    )
    async def load_settings(self, push: NamedDependency[PushService]) -> PushSettingsOut:
        return await push.load_settings()

    @post(
        operation_id="subscribePush",
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES},
        summary="Switch push messages on in this browser",
        responses=error_responses(
            *OWN_SESSION_ERRORS,
            BadRequestError,
            PushLimitError,
            InvalidPushSubscriptionError,
            PushUnavailableError,
            TooManyRequestsError,
        ),
    )
    async def subscribe(
        self,
        data: JSONBody[PushSubscriptionIn],
        push: NamedDependency[PushService],
        clock: NamedDependency[Clock],
    ) -> PushBrowserOut:
        """Switches messages on in this browser; a person may have ten such browsers."""
        return await push.subscribe(data, clock.now())

    @post(
        "/renew",
        operation_id="renewPush",
        summary="Bind this browser's messages to the present session",
        status_code=200,
        responses=error_responses(
            *OWN_SESSION_ERRORS, BadRequestError, NotFoundError, PushUnavailableError
        ),
    )
    async def renew(
        self, data: JSONBody[PushRenewalIn], push: NamedDependency[PushService]
    ) -> PushBrowserOut:
        """Binds this browser to the new session, because messages stop with a revoked session."""
        return await push.renew(data.endpoint)

    @delete(
        "/{browser_id:uuid}",
        operation_id="removePushBrowser",
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES},
        summary="Switch push messages off in a browser",
        status_code=200,
        responses=error_responses(*OWN_SESSION_ERRORS, NotFoundError, TooManyRequestsError),
    )
    async def remove(
        self,
        browser_id: FromPath[UUID],
        push: NamedDependency[PushService],
        clock: NamedDependency[Clock],
    ) -> RemovedPushBrowserOut:
        return RemovedPushBrowserOut(id=await push.remove(browser_id, clock.now()))
