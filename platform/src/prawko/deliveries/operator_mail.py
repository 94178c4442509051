"""Writes the mail that tells the operators of an incident. They have no account: Polish."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import text

from prawko.base.jobs import Tools
from prawko.base.texts import Language, catalogue, say
from prawko.deliveries.composing import Due, Message
from prawko.deliveries.dates import instant
from prawko.deliveries.letter import letter
from prawko.hooks.channels import Notice, Recipient
from prawko_tenants.ids import DeliveryId

_OPEN_INCIDENTS = text("""
    SELECT id, kind, key, detail, opened_at FROM incident
     WHERE id = ANY (:ids) AND closed_at IS NULL
""")


async def compose_operator_mail(tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
    """Write one mail for each incident that is still open; none without OPERATOR_EMAIL."""
    if not tools.settings.operator_email:
        return {}
    operator = Recipient(email=tools.settings.operator_email, phone=None)
    async with tools.database.system() as session:
        rows = await session.execute(_OPEN_INCIDENTS, {"ids": [one.subject_id for one in due]})
        incidents = {row.id: row for row in rows}
    brand = tools.settings.brand
    return {
        one.id: Message(
            incident_mail(brand, row.kind, row.key, row.detail, row.opened_at), operator
        )
        for one in due
        if (row := incidents.get(one.subject_id)) is not None
    }


def incident_mail(brand: str, kind: str, key: str, detail: str, opened_at: datetime) -> Notice:
    """The words for one incident; a kind without words of its own gets general ones."""
    language = Language.PL
    known = catalogue(language)["mails"]["operator"]["kinds"]
    facts = {"brand": brand, "kind": kind, "about": key, "detail": detail}
    since = instant(opened_at, language)
    return letter(
        language,
        brand,
        say("mails.operator.title", language, **facts),
        [
            say(f"mails.operator.kinds.{kind if kind in known else 'other'}", language),
            say("mails.operator.facts", language, since=since, **facts),
        ],
    )
