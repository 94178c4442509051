"""Acknowledges an episode by the link of an alert's mail or SMS, without a session (rule R9d)."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import msgspec

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Actor
from prawko.drivers.acknowledgement_service import AcknowledgementService
from prawko.drivers.models import MayDrive
from prawko.drivers.queries import get_drivers_json
from prawko.drivers.schemas import AcknowledgementLinkOut, AlertState, DriverOut, EpisodeIn
from prawko.kit.context import AppContext
from prawko.kit.errors import UnavailableError
from prawko.kit.rate_limit import client_network
from prawko.notifications.catalogue import NoticeKind, decode_payload
from prawko.notifications.errors import InvalidRecipientLinkError
from prawko.notifications.links import ACKNOWLEDGEMENT_LIFETIME, parse_token
from prawko.notifications.notice_repository import NoticeRepository, SentAlert
from prawko.notifications.payloads import DocumentPayload
from prawko.notifications.templates import render_entry
from prawko_tenants.sessions import TenantSession

UNKNOWN_KIND_SECONDS = 5


class AcknowledgementLinkService:
    """Acts in the name of the member to whom an alert was sent, each time in one transaction.

    All raise TooManyRequestsError, and InvalidRecipientLinkError for a false link, a former member
    and a deleted driver or company alike; UnavailableError for an alert of a newer release's kind.
    """

    def __init__(self, context: AppContext, client_info: ClientInfo) -> None:
        self._context = context
        self._client_info = client_info

    async def show(self, token: str) -> AcknowledgementLinkOut:
        """Return the alert and who acknowledged it; changes nothing."""
        async with self._open(token) as (session, alert):
            return await self._describe(session, alert)

    async def acknowledge(self, token: str, note: str) -> AcknowledgementLinkOut:
        """Acknowledge the alert's episode if that is still open, and return what became of it.

        Raises InvalidAcknowledgementError.
        """
        async with self._open(token) as (session, alert):
            shown = await self._describe(session, alert)
            if shown.state is not AlertState.OPEN or shown.since is None:
                return shown
            service = AcknowledgementService(session, self._context.clock)
            episode = EpisodeIn(alert.driver_id, shown.since)
            [result] = await service.acknowledge([episode], note, alert.user_id)
            if result.added is not None:
                actor = Actor(user_id=alert.user_id, tenant_id=session.tenant_id)
                await record_event(
                    session, AuditEvent.DRIVER_ACKNOWLEDGED, actor, self._client_info,
                    self._context.clock.now(), driver=alert.driver_id,
                    acknowledgement=result.added, by="link",
                )  # fmt: skip
            return await self._describe(session, alert)

    @asynccontextmanager
    async def _open(self, token: str) -> AsyncGenerator[tuple[TenantSession, SentAlert]]:
        """Find the alert whose message a token names, in a session of the company.

        A false token reads nothing of a company. The calls by a proved one count for its message
        alone, so that a former member cannot use up a limit of the company.
        """
        context = self._context
        link = parse_token(token)
        delivery_id = None if link is None else link.find_message(context.key_ring)
        if link is not None and delivery_id is not None:
            subject = str(link.notice_id or delivery_id)
            await context.throttle.hit(limits.ACKNOWLEDGEMENT_LINKS, f"{delivery_id}:{subject}")
            async with context.database.tenant(link.tenant_id) as session:
                notices = NoticeRepository(session, link.tenant_id)
                alert = await notices.lock_alert(delivery_id, link.notice_id)
                if alert is not None:
                    yield session, alert
                    return
        await context.throttle.hit(limits.UNKNOWN_LINKS, client_network(self._client_info.ip))
        raise InvalidRecipientLinkError

    async def _describe(self, session: TenantSession, alert: SentAlert) -> AcknowledgementLinkOut:
        """Return the state of the link. An episode that is younger than the alert is another."""
        now = self._context.clock.now()
        if now >= alert.notice.created_at + ACKNOWLEDGEMENT_LIFETIME:
            return AcknowledgementLinkOut(state=AlertState.EXPIRED, language=alert.language)
        body = await get_drivers_json(session, [alert.driver_id], now)
        [driver] = msgspec.json.decode(body, type=list[DriverOut])
        episode = driver.episode
        if episode is None or episode.since > alert.notice.created_at:
            state, since, entry = AlertState.ENDED, None, None
        else:
            since, entry = episode.since, episode.acknowledgement
            state = AlertState.OPEN if entry is None else AlertState.ACKNOWLEDGED
        if alert.notice.kind not in set(NoticeKind):  # a process of the newer release knows it
            raise UnavailableError(retry_after=UNKNOWN_KIND_SECONDS)
        kind = NoticeKind(alert.notice.kind)
        payload = decode_payload(kind, alert.notice.params)
        if not isinstance(payload, DocumentPayload):  # no message about one driver has such a link
            raise InvalidRecipientLinkError
        return AcknowledgementLinkOut(
            state=state,
            language=alert.language,
            may_drive=MayDrive(driver.may_drive),
            driver_id=driver.id,
            name=payload.name,
            license_number=payload.license_number,
            alert=render_entry(kind, payload, alert.language).content,
            since=since,
            acknowledgement=entry,
        )
