"""Writes the mail that tells the operators of an incident. They have no account: Polish."""

from collections.abc import Mapping, Sequence

from sqlalchemy import text

from prawko.base.jobs import Tools
from prawko.base.texts import Language, say
from prawko.deliveries.composing import Due, Message
from prawko.deliveries.letter import letter
from prawko.hooks.channels import Notice, Recipient
from prawko_tenants.ids import DeliveryId

_OPEN_INCIDENTS = text("""
    SELECT id, kind, key, detail FROM incident WHERE id = ANY (:ids) AND closed_at IS NULL
""")


async def compose_operator_mail(tools: Tools, due: Sequence[Due]) -> Mapping[DeliveryId, Message]:
    """Write one mail for each incident that is still open; none without OPERATOR_EMAIL."""
    if not tools.settings.operator_email:
        return {}
    operator = Recipient(email=tools.settings.operator_email, phone=None)
    async with tools.database.system() as session:
        rows = await session.execute(_OPEN_INCIDENTS, {"ids": [one.subject_id for one in due]})
        incidents = {row.id: row for row in rows}
    return {
        one.id: Message(
            incident_mail(tools.settings.brand, row.kind, row.key, row.detail), operator
        )
        for one in due
        if (row := incidents.get(one.subject_id)) is not None
    }


def incident_mail(brand: str, kind: str, key: str, detail: str) -> Notice:
    """The words for one incident; a kind without words of its own gets general ones."""
    language = Language.PL
    facts = {"brand": brand, "kind": kind, "key": key, "detail": detail}
    try:
        what = say(f"mails.operator.{kind}", language, **facts)
    except KeyError:
        what = say("mails.operator.other", language, **facts)
    return letter(
        language,
        brand,
        say("mails.operator.title", language, **facts),
        [what, say("mails.operator.facts", language, **facts)],
    )
