"""Mails about incidents to the operators, in Polish: operators have no account with a language."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from prawko.base.context import AppContext
from prawko.base.dates import format_instant
from prawko.base.i18n import Language, load_catalog, translate
from prawko.hooks.channels import Message, Recipient
from prawko.incidents.repository import IncidentRepository
from prawko.mail.email_template import render_email
from prawko.outbox.rendering import DueMessage, RenderedMessage
from prawko_tenants.ids import DeliveryId


async def render_operator_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails of incidents that are still open; none without OPERATOR_EMAIL."""
    if not context.settings.operator_email:
        return {}
    operator = Recipient(email=context.settings.operator_email, phone=None)
    ids = [message.subject_id for message in due if message.subject_id is not None]
    async with context.database.system() as session:
        rows = await IncidentRepository(session).list_open_by_id(ids)
    mails = {
        row.id: render_incident_mail(
            context.settings.brand, row.kind, row.key, row.detail, row.opened_at
        )
        for row in rows
    }
    return {
        message.id: RenderedMessage(mails[message.subject_id], operator)
        for message in due
        if message.subject_id in mails
    }


def render_incident_mail(
    brand: str, kind: str, key: str, detail: str, opened_at: datetime
) -> Message:
    """Render the mail of an incident; a kind without a text of its own gets the general one."""
    language = Language.PL
    kinds = load_catalog(language)["mails"]["operator"]["kinds"]
    params = {"brand": brand, "kind": kind, "about": key, "detail": detail}
    return render_email(
        language,
        brand,
        translate("mails.operator.title", language, **params),
        [
            translate(f"mails.operator.kinds.{kind if kind in kinds else 'other'}", language),
            translate(
                "mails.operator.facts",
                language,
                since=format_instant(opened_at, language),
                **params,
            ),
        ],
    )
