"""Acts of a person without an account by the link of a mail: agree, stop, and take that back."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from prawko import limits
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.repository import AccountRepository
from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.rate_limit import client_network
from prawko.notifications.catalogue import NoticeGroup, NoticeKind
from prawko.notifications.errors import InvalidRecipientLinkError
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.links import INVITATION_LIFETIME, LinkKind, parse_token
from prawko.notifications.models import AlertRecipient
from prawko.notifications.payloads import RecipientPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.notifications.recipients.repository import RecipientRepository
from prawko.notifications.recipients.service import to_state
from prawko.notifications.schemas import RecipientLinkOut
from prawko_tenants.ids import RecipientId
from prawko_tenants.sessions import TenantSession

OpenLink = tuple[TenantSession, AlertRecipient, LinkKind]


class RecipientLinkService:
    """Acts on one recipient, whom a token names, each time in a transaction of its own.

    All raise InvalidRecipientLinkError, and TooManyRequestsError after many wrong tokens.
    """

    def __init__(self, context: AppContext, client_info: ClientInfo) -> None:
        self._context = context
        self._client_info = client_info

    async def show(self, token: str) -> RecipientLinkOut:
        """Return what the link is about; changes nothing."""
        async with self._open(token) as link:
            return await self._describe(*link)

    async def confirm(self, token: str) -> RecipientLinkOut:
        """Agree to the alerts, by an invitation alone; an earlier refusal is taken back.

        The used link proves that mail arrives: what carriers reported before is forgotten.
        """
        async with self._open(token) as (session, recipient, kind):
            if kind is not LinkKind.INVITATION or self._is_expired(recipient):
                raise InvalidRecipientLinkError
            recipient.confirmed_at = recipient.confirmed_at or self._context.clock.now()
            recipient.stopped_at = None
            recipient.email_state, recipient.email_trusted_at = "ok", utc_now()
            await session.flush()
            return await self._describe(session, recipient, kind)

    async def stop(self, token: str) -> RecipientLinkOut:
        """Stop the alerts, or refuse them; notifies the company, once a day."""
        async with self._open(token) as (session, recipient, kind):
            if recipient.stopped_at is None:
                recipient.stopped_at = now = self._context.clock.now()
                await session.flush()
                notice = NoticeDraft(
                    kind=NoticeKind.RECIPIENT_STOPPED,
                    dedup_key=f"{recipient.id}:{warsaw_date(now)}",
                    payload=RecipientPayload(name=recipient.name, email=recipient.email, at=now),
                )
                policy = ChannelPolicy.from_settings(self._context.settings)
                await publish_notices(session, session.tenant_id, [notice], policy=policy, now=now)
            return await self._describe(session, recipient, kind)

    async def resume(self, token: str) -> RecipientLinkOut:
        """Get the alerts again that the person once agreed to."""
        async with self._open(token) as (session, recipient, kind):
            if recipient.confirmed_at is None:
                raise InvalidRecipientLinkError
            recipient.stopped_at = None
            await session.flush()
            return await self._describe(session, recipient, kind)

    @asynccontextmanager
    async def _open(self, token: str) -> AsyncGenerator[OpenLink]:
        """Lock the recipient whom the token names, in a session of the company."""
        link = parse_token(token)
        if link is not None:
            async with self._context.database.tenant(link.tenant_id) as session:
                recipient = await RecipientRepository(session).lock(RecipientId(link.subject_id))
                if recipient is not None:
                    kind = link.find_kind(self._context.key_ring, recipient.invited_at)
                    if kind is not None:
                        yield session, recipient, kind
                        return
        network = client_network(self._client_info.ip)
        await self._context.throttle.hit(limits.UNKNOWN_LINKS, network)
        raise InvalidRecipientLinkError

    async def _describe(
        self, session: TenantSession, recipient: AlertRecipient, kind: LinkKind
    ) -> RecipientLinkOut:
        return RecipientLinkOut(
            kind=kind,
            company=await AccountRepository(session).get_company_label(session.tenant_id),
            email=recipient.email,
            groups=[group for group in NoticeGroup if group in recipient.alert_groups],
            state=to_state(recipient),
            was_confirmed=recipient.confirmed_at is not None,
            expired=kind is LinkKind.INVITATION and self._is_expired(recipient),
        )

    def _is_expired(self, recipient: AlertRecipient) -> bool:
        return self._context.clock.now() >= recipient.invited_at + INVITATION_LIFETIME
