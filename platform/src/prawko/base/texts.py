"""What the server says to people: mails, SMS and refusals, in Polish and English.

Texts stand in `prawko/texts/<language>/<file>.toml`. A key is `file.table.name`; a text that
counts is a table with the plural forms of its language.
"""

import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any


class Language(StrEnum):
    """The languages the product speaks; Polish is the fallback (reading R25)."""

    PL = "pl"
    EN = "en"


@cache
def catalogue(language: Language) -> dict[str, Any]:
    """All texts of one language: file name → its tables."""
    folder = files("prawko").joinpath("texts", language.value)
    return {
        entry.name.removesuffix(".toml"): tomllib.loads(entry.read_text(encoding="utf-8"))
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    }


def say(key: str, language: Language, **params: object) -> str:
    """The text under `key`, with `{name}` replaced; `count` chooses the plural form.

    Raises KeyError when the key or a parameter is missing: a test walks every key.
    """
    found: Any = catalogue(language)
    for part in key.split("."):
        found = found[part]
    if isinstance(found, dict):
        found = found[plural_form(int(str(params["count"])), language)]
    return Formatter().vformat(found, (), params)


def plural_form(count: int, language: Language) -> str:
    """The CLDR plural category of a whole number."""
    if count == 1:
        return "one"
    if language is Language.EN:
        return "other"
    few = count % 10 in {2, 3, 4} and count % 100 not in {12, 13, 14}
    return "few" if few else "many"


def accepted_language(header: str) -> Language:
    """The first language of an Accept-Language header that we speak, else Polish."""
    wishes: list[tuple[float, Language]] = []
    for item in header.split(",")[:20]:
        tag, _, quality = item.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            continue
        primary = tag.partition("-")[0].lower()
        if primary in set(Language) and weight > 0:
            wishes.append((weight, Language(primary)))
    return max(wishes, key=lambda wish: wish[0])[1] if wishes else Language.PL
