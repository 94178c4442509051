"""The texts of the server exist in both languages, with the same parameters."""

import importlib
import json
import pkgutil
import string
from pathlib import Path

import prawko
from prawko.kit.errors import AppError
from prawko.kit.text.i18n import Language, load_catalog, plural_category, translate

LOCALES = Path(__file__).parents[2] / "frontend" / "src" / "locales"
PLURALS = {
    Language.PL: ({"one", "few", "many"}, {"one", "two_to_four", "many"}),
    Language.EN: ({"one", "other"},),
}


def flatten(tables, prefix=""):
    for key, value in tables.items():
        if isinstance(value, dict) and not is_plural(value):
            yield from flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def is_plural(value) -> bool:
    return any(set(value) in forms for forms in PLURALS.values())


def placeholders(value) -> set[str]:
    texts = value.values() if isinstance(value, dict) else [value]
    return {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}


def error_classes() -> list[type[AppError]]:
    for module in pkgutil.walk_packages(prawko.__path__, "prawko."):
        if module.name.endswith((".errors", ".exception_handlers")):
            importlib.import_module(module.name)
    classes, pending = [], [AppError]
    while pending:
        for kind in pending.pop().__subclasses__():
            classes.append(kind)
            pending.append(kind)
    return classes


def test_both_languages_have_the_same_keys_and_parameters() -> None:
    polish, english = (dict(flatten(load_catalog(language))) for language in Language)

    assert polish.keys() == english.keys()
    for key, text in polish.items():
        assert placeholders(text) == placeholders(english[key]), key


def test_plural_forms_are_complete() -> None:
    for language in Language:
        for key, value in flatten(load_catalog(language)):
            if isinstance(value, dict):
                assert set(value) in PLURALS[language], key


def test_every_error_has_a_sentence_in_both_languages() -> None:
    # The errors of the demo are in English only.
    own_errors = [kind for kind in error_classes() if kind.__module__.startswith("prawko.")]
    errors = [kind for kind in own_errors if hasattr(kind, "key")]
    assert len(errors) > 15
    for kind in errors:
        for language in Language:
            assert translate(f"errors.{kind.key}", language, limit=5, roles=""), kind


def test_the_browser_has_a_text_for_every_error() -> None:
    keys = {
        kind.key
        for kind in error_classes()
        if kind.__module__.startswith("prawko.")
        # Not the other application's.
        and not kind.__module__.startswith(("prawko.console.", "prawko.accounts.acts."))
    }
    for language in Language:
        problems = json.loads((LOCALES / language / "problems.json").read_text())
        assert keys <= problems.keys(), language


def test_polish_has_three_plural_forms() -> None:
    cases = {1: "one", 2: "few", 4: "few", 5: "many", 12: "many", 14: "many", 22: "few",
             25: "many", 100: "many", 112: "many", 1002: "few"}  # fmt: skip
    assert {n: plural_category(n, Language.PL) for n in cases} == cases


def test_men_have_a_plural_form_of_two_to_four_alone() -> None:
    texts = dict(flatten(load_catalog(Language.PL)))
    of_men = [
        key
        for key, forms in texts.items()
        if isinstance(forms, dict) and "{count} kierowcy" in str(forms)
    ]
    assert len(of_men) == 9
    for key in of_men:
        assert texts[key].keys() == {"one", "two_to_four", "many"}, key

    def words(count: int) -> str:
        return translate("notices.expired_many.title", Language.PL, count=count)

    assert [words(count).rpartition(": ")[2] for count in (1, 2, 4, 5, 22, 24, 102)] == [
        "1 kierowca", "2 kierowcy", "4 kierowcy", "5 kierowców", "22 kierowców", "24 kierowców",
        "102 kierowców",
    ]  # fmt: skip
