"""JSON that several resources of the console share."""

from typing import Annotated

from msgspec import Meta

from prawko.kit.http.schemas import RequestModel, ResponseModel
from prawko.kit.incidents.models import StoredFacts, render_facts
from prawko.kit.text.i18n import Language

MAX_REASON_LENGTH = 500

Reason = Annotated[str, Meta(max_length=MAX_REASON_LENGTH)]


class ReasonIn(RequestModel):
    """Why the operator acts; required by the setting REQUIRE_REASONS."""

    reason: Reason | None = None


class LocalizedText(ResponseModel):
    """A text in both languages; the console shows the one of its own switch."""

    pl: str
    en: str


def to_localized(facts: StoredFacts | None, plain: str) -> LocalizedText:
    """Stored facts in both languages; the plain text in both where there are none."""
    return LocalizedText(
        pl=render_facts(facts, plain, Language.PL), en=render_facts(facts, plain, Language.EN)
    )
