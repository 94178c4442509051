"""Renders the messages of notices when they are sent."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.email_address import EmailProblem
from prawko.accounts.repository import AccountRepository
from prawko.hooks.channels import Medium, Message, PushSubscription, Recipient
from prawko.kit.context import AppContext
from prawko.kit.outbox.rendering import (
    DueMessage,
    RenderedMessage,
    UnknownKindError,
    group_by_tenant,
)
from prawko.notifications.catalogue import (
    CATALOGUE,
    Bundling,
    NoticeKind,
    decode_payload,
)
from prawko.notifications.fanout import AddedRecipient, Member, wants_notice
from prawko.notifications.links import (
    acknowledgement_url,
    create_acknowledgement_token,
    create_stop_token,
    recipient_url,
)
from prawko.notifications.notice_repository import NoticeRepository
from prawko.notifications.templates import Branding, StopNote, render_digest, render_message
from prawko_tenants.ids import DeliveryId, DriverId, NoticeId, RecipientId, TenantId

# The columns of the recipient are the fields of `Member` or `AddedRecipient`. A browser counts
# while its session lasts; mail counts as switched off after a carrier has reported the address.
_SELECT_RENDER_INPUTS = text("""
    SELECT d.id, bundle.notice_ids, bundle.kinds, bundle.params, bundle.driver_id,
           u.id AS user_id, r.id AS recipient_id,
           coalesce(m.alert_groups, r.alert_groups) AS groups,
           coalesce(u.language, r.language) AS language,
           coalesce(u.email, r.email) AS email, u.email_verified,
           r.confirmed_at IS NOT NULL AS confirmed, r.stopped_at IS NOT NULL AS stopped,
           coalesce(u.email_notifications_enabled, r.email_enabled)
               AND coalesce(u.email_state, r.email_state) <> ALL (:suppressed) AS email_on,
           u.phone_number, u.phone_verified, u.sms_notifications_enabled AS sms_on,
           m.role, m.monthly_summary,
           array_remove(ARRAY[p.id], NULL) AS push_browsers,
           p.endpoint, p.p256dh, p.auth, p.server_key
      FROM unnest(CAST(:ids AS uuid[]), CAST(:notice_ids AS uuid[]), CAST(:user_ids AS uuid[]),
                  CAST(:bundle_ids AS uuid[]), CAST(:subject_ids AS uuid[]))
           AS d (id, notice_id, user_id, bundle_id, subject_id)
     CROSS JOIN LATERAL (
           SELECT array_agg(n.id ORDER BY n.id) AS notice_ids,
                  array_agg(n.kind ORDER BY n.id) AS kinds,
                  jsonb_agg(n.params ORDER BY n.id) AS params,
                  CASE count(*) WHEN 1 THEN (array_agg(n.driver_id))[1] END AS driver_id
             FROM (SELECT id, kind, params, driver_id FROM notice
                    WHERE tenant_id = :tenant_id AND id = d.notice_id
                   UNION ALL
                   SELECT id, kind, params, driver_id FROM notice
                    WHERE tenant_id = :tenant_id AND bundle_id = d.bundle_id) AS n
           ) AS bundle
      LEFT JOIN membership m ON m.tenant_id = :tenant_id AND m.user_id = d.user_id
      LEFT JOIN user_account u ON u.id = m.user_id
      LEFT JOIN alert_recipient r
           ON r.tenant_id = :tenant_id AND r.id = d.subject_id AND d.user_id IS NULL
      LEFT JOIN push_browser p
           ON p.tenant_id = :tenant_id AND p.user_id = m.user_id AND p.id = d.subject_id
              AND EXISTS (SELECT FROM login_session s
                           WHERE s.id = p.session_id AND s.revoked_at IS NULL)
     WHERE bundle.kinds IS NOT NULL AND (u.id IS NOT NULL OR r.id IS NOT NULL)
""")
_SUPPRESSED_STATES = [problem.value for problem in EmailProblem]


class RenderInput(msgspec.Struct, frozen=True, kw_only=True):
    """The notices of one message (several when bundled), and its recipient as stored now.

    `driver_id` is the driver of a message about one only. `push` is the subscription of a push
    message's browser, if it still has one.
    """

    id: DeliveryId
    notice_ids: list[NoticeId]
    kinds: list[NoticeKind]
    params: list[dict[str, Any]]
    driver_id: DriverId | None
    reader: Member | AddedRecipient
    email: str
    phone_number: str | None
    push: PushSubscription | None

    @property
    def recipient_id(self) -> RecipientId | None:
        """The id of a recipient without an account."""
        return self.reader.recipient_id if isinstance(self.reader, AddedRecipient) else None


def _to_render_input(row: Mapping[str, Any]) -> RenderInput:
    subscription = [row[name] for name in ("endpoint", "p256dh", "auth", "server_key")]
    reader: Member | AddedRecipient
    if not set(NoticeKind).issuperset(row["kinds"]):
        raise UnknownKindError
    if row["user_id"] is None:
        reader = msgspec.convert(row, AddedRecipient)
    else:
        reader = msgspec.convert(row, Member)
    return RenderInput(
        id=row["id"],
        notice_ids=row["notice_ids"],
        kinds=msgspec.convert(row["kinds"], list[NoticeKind]),
        params=row["params"],
        driver_id=row["driver_id"],
        reader=reader,
        email=row["email"],
        phone_number=row["phone_number"],
        push=PushSubscription(*subscription) if all(subscription) else None,
    )


async def load_render_inputs(
    session: AsyncSession, tenant_id: TenantId, due: Sequence[DueMessage]
) -> list[RenderInput]:
    """Load the notices of a company's due messages with their recipients' current addresses.

    The session is bound to the company. A message whose notice or member was deleted is left out.
    """
    rows = await session.execute(
        _SELECT_RENDER_INPUTS,
        {
            "tenant_id": tenant_id,
            "suppressed": _SUPPRESSED_STATES,
            "ids": [message.id for message in due],
            "notice_ids": [message.notice_id for message in due],
            "user_ids": [message.user_id for message in due],
            "bundle_ids": [message.bundle_id for message in due],
            "subject_ids": [message.subject_id for message in due],
        },
    )
    return [_to_render_input(dict(row)) for row in rows.mappings()]


async def render_notices(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render due messages, company by company in one transaction.

    People who have left the company, or do not want such messages any more, get none. A browser
    whose session was revoked gets none either.
    """
    inputs: list[tuple[RenderInput, StopNote | None, list[str | None]]] = []
    async with context.database.batch() as session:
        # In one order, because the locks of bundles last until the end of the transaction.
        for tenant_id, messages in sorted(group_by_tenant(due).items()):
            await session.switch_tenant(tenant_id)
            bundles = {one.bundle_id for one in messages if one.bundle_id is not None}
            await NoticeRepository(session, tenant_id).close_bundles(bundles)
            rows = await load_render_inputs(session, tenant_id, messages)
            company = ""
            if any(row.recipient_id for row in rows):
                company = await AccountRepository(session).get_company_label(tenant_id)
            for row in rows:
                stop_note = _stop_note(context, tenant_id, row.recipient_id, company)
                inputs.append((row, stop_note, _acknowledgement_links(context, tenant_id, row)))
    media = {message.id: message.medium for message in due}
    settings = context.settings
    branding = Branding(settings.brand, settings.base_url, settings.operator_contact_email)
    return {
        row.id: RenderedMessage(_render_notice(row, branding, stop_note, links), recipient)
        for row, stop_note, links in inputs
        if (recipient := _recipient(media[row.id], row)) is not None
    }


def _stop_note(
    context: AppContext, tenant_id: TenantId, recipient_id: RecipientId | None, company: str
) -> StopNote | None:
    if recipient_id is None:
        return None
    token = create_stop_token(context.key_ring, tenant_id, recipient_id)
    return StopNote(company, recipient_url(context.settings.base_url, token))


def _acknowledgement_links(
    context: AppContext, tenant_id: TenantId, row: RenderInput
) -> list[str | None]:
    """Return, for each notice, the link by which a member acknowledges that its driver may not."""
    is_one = len(row.params) == 1
    links: list[str | None] = [None] * len(row.params)
    if (is_one and row.driver_id is None) or not isinstance(row.reader, Member):
        return links
    for place, (notice_id, params) in enumerate(zip(row.notice_ids, row.params, strict=True)):
        if params.get("may_drive") == "no":
            named = None if is_one else notice_id
            token = create_acknowledgement_token(context.key_ring, tenant_id, row.id, named)
            links[place] = acknowledgement_url(context.settings.base_url, token)
    return links


def _render_notice(
    row: RenderInput, branding: Branding, stop_note: StopNote | None, links: list[str | None]
) -> Message:
    notices = [
        (kind, decode_payload(kind, params))
        for kind, params in zip(row.kinds, row.params, strict=True)
    ]
    (kind, first), *others = notices
    if others and CATALOGUE[kind].bundling is Bundling.FIRST_CHECK:
        return render_digest(notices, row.reader.language, branding, stop_note, links)
    bundled = [payload for _, payload in others]
    return render_message(
        kind,
        first,
        row.reader.language,
        branding,
        bundled=bundled,
        driver_id=row.driver_id,
        stop_note=stop_note,
        acknowledgement_link=None if others else links[0],
    )


def _recipient(medium: Medium, row: RenderInput) -> Recipient | None:
    """The address by the medium; None when the reader does not want the message any more."""
    if not any(wants_notice(row.reader, kind, medium) for kind in row.kinds):
        return None
    match medium:
        case Medium.EMAIL:
            return Recipient(email=row.email, phone=None)
        case Medium.SMS:
            return Recipient(email=None, phone=row.phone_number)
        case Medium.PUSH:
            return Recipient(email=None, phone=None, push=row.push) if row.push else None
