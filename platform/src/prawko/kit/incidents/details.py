"""The details of an incident or a discrepancy, in its reader's language.

It is stored twice: as a sentence in English, for the log and the command line, and as facts, from
which mails and the console render it. A provider's message stays in the provider's words.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from prawko.kit.text.i18n import Language, translate

StoredFacts = list[dict[str, Any]]


class Detail(msgspec.Struct, frozen=True, omit_defaults=True):
    """A text of `texts/<language>/details.toml` with its parameters, without personal data.

    `also` follows it, after a semicolon.
    """

    text: str
    params: Mapping[str, str | int] = {}
    also: "tuple[Detail, ...]" = ()

    def render(self, language: Language) -> str:
        """The sentence in a language. Raises KeyError for an unknown text."""
        own = translate(f"details.{self.text}", language, **self.params)
        return "; ".join([own, *(detail.render(language) for detail in self.also)])

    def __str__(self) -> str:
        """The sentence in English."""
        return self.render(Language.EN)


def to_facts(detail: Detail | str) -> StoredFacts | None:
    """A detail as it is stored; None for a text that is the same in every language."""
    if isinstance(detail, str):
        return None
    facts: StoredFacts = [msgspec.to_builtins(detail)]
    return facts


def from_facts(facts: StoredFacts) -> tuple[Detail, ...]:
    """The details that were stored."""
    return msgspec.convert(facts, tuple[Detail, ...])


def render_facts(facts: StoredFacts | None, plain: str, language: Language) -> str:
    """The stored facts in a language; the plain text of a row that has none."""
    if not facts:
        return plain
    return "; ".join(detail.render(language) for detail in from_facts(facts))
