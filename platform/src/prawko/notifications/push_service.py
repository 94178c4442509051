"""Switches push messages on and off in the browsers of a member."""

from datetime import datetime
from uuid import UUID

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.accounts.repository import AccountRepository
from prawko.hooks.channels import PushChannel, PushSubscription
from prawko.kit.errors import NotFoundError
from prawko.notifications.errors import (
    InvalidPushSubscriptionError,
    PushLimitError,
    PushUnavailableError,
)
from prawko.notifications.models import PushBrowser
from prawko.notifications.repository import PushBrowserRepository
from prawko.notifications.schemas import PushBrowserOut, PushSettingsOut, PushSubscriptionIn
from prawko_tenants.ids import PushBrowserId
from prawko_tenants.sessions import TenantSession

MAX_BROWSERS = 10


class PushService:
    """The browsers of one member; `channel` is None where push is not configured."""

    def __init__(
        self,
        session: TenantSession,
        identity: Identity,
        client_info: ClientInfo,
        channel: PushChannel | None,
    ) -> None:
        self._session = session
        self._browsers = PushBrowserRepository(session)
        self._identity = identity
        self._user_id = identity.user_id
        self._client_info = client_info
        self._channel = channel

    async def load_settings(self) -> PushSettingsOut:
        """Return the key to subscribe with, and the member's browsers."""
        rows = await self._browsers.list_of(self._user_id)
        return PushSettingsOut(
            server_key=None if self._channel is None else self._channel.server_key,
            browsers=[_to_browser_out(row, is_active=is_active) for row, is_active in rows],
        )

    async def subscribe(self, data: PushSubscriptionIn, now: datetime) -> PushBrowserOut:
        """Switch messages on in a browser; again for the same one changes nothing.

        Raises PushUnavailableError, InvalidPushSubscriptionError or PushLimitError.
        """
        channel = self._require_channel()
        subscription = PushSubscription(data.endpoint, data.p256dh, data.auth, channel.server_key)
        if not channel.accepts_subscription(subscription):
            raise InvalidPushSubscriptionError
        await AccountRepository(self._session).lock_user(self._user_id)  # two at once are counted
        await self._browsers.remove_endpoint(self._user_id, data.endpoint)
        if await self._browsers.count_of(self._user_id) >= MAX_BROWSERS:
            raise PushLimitError(limit=MAX_BROWSERS)
        row = await self._browsers.add(
            PushBrowser(
                tenant_id=self._identity.tenant_id,
                user_id=self._user_id,
                session_id=self._identity.session_id,
                endpoint=data.endpoint,
                p256dh=data.p256dh,
                auth=data.auth,
                server_key=channel.server_key,
                agent=self._client_info.user_agent,
                created_at=now,
            )
        )
        await self._record_change(now, is_on=True)
        return _to_browser_out(row, is_active=True)

    async def renew(self, endpoint: str) -> PushBrowserOut:
        """Bind a browser to the caller's session, so that messages continue.

        Raises NotFoundError where they are off, or were made for another key.
        """
        row = await self._browsers.renew(
            self._user_id,
            endpoint,
            self._require_channel().server_key,
            session_id=self._identity.session_id,
            agent=self._client_info.user_agent,
        )
        if row is None:
            raise NotFoundError
        return _to_browser_out(row, is_active=True)

    async def remove(self, browser_id: UUID, now: datetime) -> PushBrowserId:
        """Switch messages off in a browser. Raises NotFoundError for another member's."""
        if not await self._browsers.remove_own(self._user_id, browser_id):
            raise NotFoundError
        await self._record_change(now, is_on=False)
        return PushBrowserId(browser_id)

    def _require_channel(self) -> PushChannel:
        if self._channel is None:
            raise PushUnavailableError
        return self._channel

    async def _record_change(self, now: datetime, *, is_on: bool) -> None:
        await record_event(
            self._session, AuditEvent.SETTINGS_CHANGED, self._identity, self._client_info, now,
            push=is_on,
        )  # fmt: skip


def _to_browser_out(row: PushBrowser, *, is_active: bool) -> PushBrowserOut:
    return PushBrowserOut(id=row.id, agent=row.agent, active=is_active, created_at=row.created_at)
