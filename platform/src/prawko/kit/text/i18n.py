"""Translations of the server's texts: mails, SMS and errors, in Polish and English.

Texts are in `prawko/texts/<language>/<file>.toml`. A key is `file.table.name`; a text with a
count is a table of the plural forms of its language.
"""

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from babel import Locale


class Language(StrEnum):
    """Supported languages; Polish is the default (docs/rules.md R25)."""

    PL = "pl"
    EN = "en"


@cache
def load_catalog(language: Language) -> dict[str, Any]:
    """Return all texts of a language: file name → its tables."""
    folder = files("prawko").joinpath("texts", language.value)
    return {
        entry.name.removesuffix(".toml"): tomllib.loads(entry.read_text(encoding="utf-8"))
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    }


def translate(key: str, language: Language, **params: object) -> str:
    """Return the text of a key with `{name}` replaced; `count` selects the plural form.

    Raises KeyError for a missing key or parameter.
    """
    text: Any = load_catalog(language)
    for part in key.split("."):
        text = text[part]
    if isinstance(text, dict):
        text = _choose_form(text, int(str(params["count"])), language)
    return str(text).format_map(params)


def _choose_form(forms: Mapping[str, str], count: int, language: Language) -> str:
    """Return the form of a text for a number.

    For nouns that name men, Polish uses the form of 2 to 4 only for these numbers, not for 22 like
    CLDR's category `few`. A text with such a noun has the form `two_to_four` instead of `few`.
    """
    category = plural_category(count, language)
    if category == "few" and "two_to_four" in forms:
        category = "two_to_four" if count < 5 else "many"
    return forms[category]


def plural_category(count: int, language: Language) -> str:
    """Return the CLDR plural category of an integer."""
    return str(Locale(language.value).plural_form(count))


def negotiate_language(header: str) -> Language:
    """Return the preferred supported language of an Accept-Language header, else Polish."""
    preferences: list[tuple[float, Language]] = []
    for item in header.split(",")[:20]:
        tag, _, quality = item.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            continue
        primary = tag.partition("-")[0].lower()
        if primary in set(Language) and weight > 0:
            preferences.append((weight, Language(primary)))
    return max(preferences, key=lambda one: one[0])[1] if preferences else Language.PL
