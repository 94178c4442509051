"""What the server says stands in both languages, with the same parameters."""

import importlib
import json
import pkgutil
import string
from pathlib import Path

import prawko
from prawko.base.errors import AppError
from prawko.base.texts import Language, catalogue, plural_form, say

LOCALES = Path(__file__).parents[2] / "frontend" / "src" / "locales"
PLURALS = {Language.PL: {"one", "few", "many"}, Language.EN: {"one", "other"}}


def leaves(tables, prefix=""):
    for key, value in tables.items():
        if isinstance(value, dict) and not is_plural(value):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def is_plural(value) -> bool:
    return set(value) in PLURALS.values()


def parameters(value) -> set[str]:
    texts = value.values() if isinstance(value, dict) else [value]
    return {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}


def every_refusal() -> list[type[AppError]]:
    for module in pkgutil.walk_packages(prawko.__path__, "prawko."):
        if module.name.endswith((".errors", ".problems")):
            importlib.import_module(module.name)
    found, waiting = [], [AppError]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            found.append(kind)
            waiting.append(kind)
    return found


def test_both_languages_say_the_same_things() -> None:
    polish, english = (dict(leaves(catalogue(language))) for language in Language)

    assert polish.keys() == english.keys()
    for key, text in polish.items():
        assert parameters(text) == parameters(english[key]), key


def test_plural_forms_are_complete() -> None:
    for language in Language:
        for key, value in leaves(catalogue(language)):
            if isinstance(value, dict):
                assert set(value) == PLURALS[language], key


def test_every_refusal_has_a_sentence_in_both_languages() -> None:
    # The demo's doors speak for themselves, in English alone.
    ours = [kind for kind in every_refusal() if kind.__module__.startswith("prawko.")]
    refusals = [kind for kind in ours if hasattr(kind, "key")]
    assert len(refusals) > 15
    for kind in refusals:
        for language in Language:
            assert say(f"errors.{kind.key}", language, limit=5), kind


def test_the_browser_has_a_text_for_every_refusal() -> None:
    keys = {kind.key for kind in every_refusal() if kind.__module__.startswith("prawko.")}
    for language in Language:
        problems = json.loads((LOCALES / language / "problems.json").read_text())
        assert keys <= problems.keys(), language


def test_polish_counts_in_three_ways() -> None:
    cases = {1: "one", 2: "few", 4: "few", 5: "many", 12: "many", 14: "many", 22: "few",
             25: "many", 100: "many", 112: "many", 1002: "few"}  # fmt: skip
    assert {n: plural_form(n, Language.PL) for n in cases} == cases
