"""Both languages say the same things, with the same parameters."""

from string import Formatter
from typing import Any

import pytest

from prawko.base.texts import Language, catalogue

FORMS = {
    Language.PL: {"one", "few", "many"},
    Language.EN: {"one", "other"},
}
PLURALS = {"zero", "one", "two", "few", "many", "other"}
FILES = ("notices", "mails")


def texts(language: Language, file: str) -> dict[str, list[str]]:
    """Every text by its key; one that counts has several."""
    found: dict[str, list[str]] = {}

    def walk(table: dict[str, Any], prefix: str) -> None:
        for name, value in table.items():
            key = f"{prefix}.{name}"
            if isinstance(value, str):
                found[key] = [value]
            elif set(value) <= PLURALS:
                assert set(value) == FORMS[language], key
                found[key] = list(value.values())
            else:
                walk(value, key)

    walk(catalogue(language)[file], file)
    return found


def params(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("file", FILES)
def test_both_languages_have_the_same_texts(file) -> None:
    assert set(texts(Language.PL, file)) == set(texts(Language.EN, file))


@pytest.mark.parametrize("file", FILES)
def test_a_text_takes_the_same_parameters_in_both_languages(file) -> None:
    polish, english = texts(Language.PL, file), texts(Language.EN, file)
    for key, forms in polish.items():
        used = {frozenset(params(form)) for form in (*forms, *english[key])}
        assert len(used) == 1, key


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("file", FILES)
def test_texts_are_written_with_care(file, language) -> None:
    for key, forms in texts(language, file).items():
        for form in forms:
            assert form.strip(), key
            assert "!" not in form, key
            assert "  " not in form, key
            assert not form.endswith((" ", "\n")), key
