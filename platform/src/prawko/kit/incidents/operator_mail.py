"""Mails about incidents to the operators, in Polish: operators have no account with a language."""

from collections.abc import Callable, Mapping, Sequence

from prawko.hooks.channels import Message, Recipient
from prawko.kit.context import AppContext
from prawko.kit.dates import format_instant
from prawko.kit.documents.email_template import Accent, render_email
from prawko.kit.incidents.models import Incident, render_facts
from prawko.kit.incidents.repository import IncidentRepository
from prawko.kit.outbox.rendering import DueMessage, RenderedMessage
from prawko.kit.text.i18n import Language, load_catalog, translate
from prawko_tenants.ids import DeliveryId

_LANGUAGE = Language.PL


async def render_operator_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails about incidents that began; none without OPERATOR_EMAIL."""
    return await _render_mails(context, due, render_incident_mail)


async def render_operator_end_mails(
    context: AppContext, due: Sequence[DueMessage]
) -> Mapping[DeliveryId, RenderedMessage]:
    """Render the mails about incidents that ended; none without OPERATOR_EMAIL."""
    return await _render_mails(context, due, render_incident_end_mail)


def render_incident_mail(brand: str, incident: Incident) -> Message:
    """Render the mail about a beginning; a kind without a text of its own has the general one."""
    kinds = load_catalog(_LANGUAGE)["mails"]["operator"]["kinds"]
    kind = incident.kind if incident.kind in kinds else "other"
    return render_email(
        _LANGUAGE,
        brand,
        translate("mails.operator.title", _LANGUAGE, brand=brand, kind=incident.kind),
        [translate(f"mails.operator.kinds.{kind}", _LANGUAGE), _facts(incident)],
        accent=Accent.DANGER,
    )


def render_incident_end_mail(brand: str, incident: Incident) -> Message:
    """Render the mail about an end."""
    until = format_instant(incident.closed_at or incident.opened_at, _LANGUAGE)
    return render_email(
        _LANGUAGE,
        brand,
        translate("mails.operator.end_title", _LANGUAGE, brand=brand, kind=incident.kind),
        [translate("mails.operator.end", _LANGUAGE, until=until), _facts(incident)],
        accent=Accent.SUCCESS,
    )


def _facts(incident: Incident) -> str:
    return translate(
        "mails.operator.facts",
        _LANGUAGE,
        kind=incident.kind,
        about=incident.key,
        since=format_instant(incident.opened_at, _LANGUAGE),
        detail=render_facts(incident.facts, incident.detail, _LANGUAGE),
    )


async def _render_mails(
    context: AppContext, due: Sequence[DueMessage], render: Callable[[str, Incident], Message]
) -> Mapping[DeliveryId, RenderedMessage]:
    if not context.settings.operator_email:
        return {}
    operator = Recipient(email=context.settings.operator_email, phone=None)
    ids = [message.subject_id for message in due if message.subject_id is not None]
    async with context.database.system() as session:
        incidents = await IncidentRepository(session).list_by_id(ids)
    brand = context.settings.brand
    mails = {one.id: RenderedMessage(render(brand, one), operator) for one in incidents}
    return {message.id: mails[message.subject_id] for message in due if message.subject_id in mails}
