"""Texts in both languages: which one is shown, the console decides by its own switch."""

from prawko.base.schemas import ResponseModel
from prawko.base.text.i18n import Language
from prawko.incidents.details import StoredFacts, render_facts


class LocalizedText(ResponseModel):
    """A text in Polish and in English."""

    pl: str
    en: str


def to_localized(facts: StoredFacts | None, plain: str) -> LocalizedText:
    """Stored facts in both languages; the plain text in both where there are none."""
    return LocalizedText(
        pl=render_facts(facts, plain, Language.PL), en=render_facts(facts, plain, Language.EN)
    )
