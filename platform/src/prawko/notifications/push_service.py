"""Switches push messages on and off in the browsers of a member."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import TypeVar
from uuid import UUID

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.accounts.repository import AccountRepository
from prawko.hooks.channels import PushChannel, PushSubscription
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.kit.incidents.plugin_faults import get_experience, record_fault, record_success
from prawko.kit.providers.calls import (
    PluginBlockedError,
    PluginFaultError,
    PluginValueError,
    call_plugin,
    type_name,
)
from prawko.kit.providers.registry import PluginKind
from prawko.kit.providers.returned_values import is_valid_id
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

T = TypeVar("T")

MAX_BROWSERS = 10


class PushService:
    """The browsers of one member."""

    def __init__(
        self,
        session: TenantSession,
        identity: Identity,
        client_info: ClientInfo,
        context: AppContext,
    ) -> None:
        self._session = session
        self._browsers = PushBrowserRepository(session)
        self._identity = identity
        self._user_id = identity.user_id
        self._client_info = client_info
        self._context = context
        name = context.settings.push_channel
        self._channel = context.plugins.get_push_channel(name)
        self._plugin = get_experience(context, PluginKind.CHANNEL, name)

    async def load_settings(self) -> PushSettingsOut:
        """Return the key to subscribe with, and the member's browsers."""
        rows = await self._browsers.list_of(self._user_id)
        server_key: str | None = None
        with suppress(PushUnavailableError):
            server_key = await self._ask(_read_server_key)
        return PushSettingsOut(
            server_key=server_key,
            browsers=[_to_browser_out(row, is_active=is_active) for row, is_active in rows],
        )

    async def subscribe(self, data: PushSubscriptionIn, now: datetime) -> PushBrowserOut:
        """Switch messages on in a browser; again for the same one changes nothing.

        Raises PushUnavailableError, InvalidPushSubscriptionError or PushLimitError.
        """
        server_key = await self._ask(partial(_read_accepting_key, data))
        await record_success(self._context, self._plugin)
        if server_key is None:
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
                server_key=server_key,
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
            await self._ask(_read_server_key),
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

    async def _ask(self, ask: Callable[[PushChannel], T]) -> T:
        """Return what is asked of the channel's plugin.

        Raises PushUnavailableError without a channel, and if the plugin fails or rests.
        """
        if self._channel is None:
            raise PushUnavailableError
        try:
            return call_plugin(self._plugin, partial(ask, self._channel))
        except PluginFaultError as fault:
            if not isinstance(fault, PluginBlockedError):
                await record_fault(self._context, self._plugin, fault, is_harmless=True)
            raise PushUnavailableError from fault

    async def _record_change(self, now: datetime, *, is_on: bool) -> None:
        await record_event(
            self._session, AuditEvent.SETTINGS_CHANGED, self._identity, self._client_info, now,
            push=is_on,
        )  # fmt: skip


def _read_server_key(channel: PushChannel) -> str:
    key: object = channel.server_key
    if type(key) is not str or not is_valid_id(key):
        raise PluginValueError("its server_key is no text that can be stored")
    return key


def _read_accepting_key(data: PushSubscriptionIn, channel: PushChannel) -> str | None:
    """Return the key of a subscription that the channel accepts; None if it does not."""
    key = _read_server_key(channel)
    subscription = PushSubscription(data.endpoint, data.p256dh, data.auth, key)
    is_accepted: object = channel.accepts_subscription(subscription)
    if type(is_accepted) is not bool:
        raise PluginValueError(f"accepts_subscription returned {type_name(is_accepted)}")
    return key if is_accepted else None


def _to_browser_out(row: PushBrowser, *, is_active: bool) -> PushBrowserOut:
    return PushBrowserOut(id=row.id, agent=row.agent, active=is_active, created_at=row.created_at)
