"""The mail that asks a person without an account whether to get a company's alerts."""

import re
from collections.abc import Mapping, Sequence
from itertools import product

from prawko.accounts.repository import AccountRepository
from prawko.hooks.channels import Medium, Recipient
from prawko.kit.context import AppContext
from prawko.kit.documents.email_template import render_email
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage, group_by_tenant
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.text.i18n import translate
from prawko.kit.text.plain_text import to_single_line
from prawko.notifications.links import create_invitation_token, recipient_url
from prawko.notifications.models import AlertRecipient
from prawko.notifications.recipients.repository import RecipientRepository
from prawko_tenants.ids import DeliveryId, TenantId
from prawko_tenants.sessions import TenantSession

ALERT_INVITATION = "alert_invitation"

MAX_COMPANY_LENGTH = 100
# What makes a mail program turn a company's name into a link of the sender's choice: the sign after
# a scheme, slashes, and a full stop within a domain, also one of East Asian scripts.
_LINK_SIGNS = re.compile(r"[:/\\]+|(?<=\w)[.\u3002\uff0e\uff61](?=\w{2})")
_PLAIN_ADDRESS = re.compile(r"(?!www\.)[A-Z0-9._+-]+@[A-Z0-9.-]+", re.IGNORECASE | re.ASCII)


async def enqueue_invitation(session: TenantSession, recipient: AlertRecipient) -> None:
    """Add the mail of the newest invitation to the outbox."""
    mail = OutboxMessage(
        kind=ALERT_INVITATION,
        medium=Medium.EMAIL,
        key=f"{ALERT_INVITATION}:{recipient.id}:{recipient.invited_at.isoformat()}",
        tenant_id=session.tenant_id,
        subject_id=recipient.id,
    )
    await enqueue_messages(session, [mail])


async def render_invitation_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails of persons who are still recipients and have not refused.

    The caller chooses only the company's name in it, which is shortened and without links.
    Otherwise a company could send any text to a known address.
    """
    rendered: dict[DeliveryId, RenderedMessage] = {}
    async with context.database.batch() as session:
        for tenant_id, messages in group_by_tenant(due).items():
            await session.switch_tenant(tenant_id)
            accounts = AccountRepository(session)
            company = await accounts.get_company_label(tenant_id)
            recipients = await RecipientRepository(session).list_all()
            adders = [row.created_by for row in recipients if row.created_by]
            senders = {one.id: one.email for one in await accounts.list_by_id(adders)}
            for message, recipient in product(messages, recipients):
                if recipient.id == message.subject_id and recipient.stopped_at is None:
                    sender = senders[recipient.created_by] if recipient.created_by else ""
                    rendered[message.id] = _render(context, tenant_id, recipient, company, sender)
    return rendered


def without_links(company: str) -> str:
    """Return a company's name, shortened, that no mail program takes for a link.

    What is taken out leaves a blank: without it the rest could be a link. An address, by which a
    company without a name is called, stays.
    """
    if _PLAIN_ADDRESS.fullmatch(company):
        return company[:MAX_COMPANY_LENGTH]
    name = _LINK_SIGNS.sub(lambda sign: ". " if sign[0] == "." else " ", to_single_line(company))
    return to_single_line(name)[:MAX_COMPANY_LENGTH].rstrip()


def _render(
    context: AppContext, tenant_id: TenantId, recipient: AlertRecipient, company: str, sender: str
) -> RenderedMessage:
    language, brand = recipient.language, context.settings.brand
    token = create_invitation_token(context.key_ring, tenant_id, recipient.id, recipient.invited_at)
    name = without_links(company)
    is_shown = sender != company and _PLAIN_ADDRESS.fullmatch(sender)
    params = {
        "brand": brand,
        "company": name,
        "sender": f"{name} ({sender})" if is_shown else name,
    }
    message = render_email(
        language,
        brand,
        translate("mails.alert_invitation.title", language, **params),
        [translate("mails.alert_invitation.text", language, **params)],
        link=recipient_url(context.settings.base_url, token),
        link_label=translate("mails.alert_invitation.link", language),
        contact=context.settings.operator_contact_email,
    )
    return RenderedMessage(message, Recipient(email=recipient.email, phone=None))
