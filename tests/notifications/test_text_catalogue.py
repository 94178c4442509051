"""Both languages have the same texts with the same parameters."""

from string import Formatter
from typing import Any

import pytest

from prawko.kit.text.i18n import Language, load_catalog

FORMS = {Language.PL: {"one", "few", "many"}, Language.EN: {"one", "other"}}
PLURALS = {"zero", "one", "two", "few", "two_to_four", "many", "other"}
FILES = ("notices", "mails")


def load_texts(language: Language, file: str) -> dict[str, list[str]]:
    """Return every text by its key; plural texts have several."""
    texts_by_key: dict[str, list[str]] = {}

    def walk(table: dict[str, Any], prefix: str) -> None:
        for name, value in table.items():
            key = f"{prefix}.{name}"
            if isinstance(value, str):
                texts_by_key[key] = [value]
            elif set(value) <= PLURALS:
                # About men the Polish `few` is of 2 to 4 alone.
                forms = {"few" if form == "two_to_four" else form for form in value}
                assert forms == FORMS[language], key
                texts_by_key[key] = list(value.values())
            else:
                walk(value, key)

    walk(load_catalog(language)[file], file)
    return texts_by_key


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("file", FILES)
def test_both_languages_have_the_same_texts(file) -> None:
    assert set(load_texts(Language.PL, file)) == set(load_texts(Language.EN, file))


@pytest.mark.parametrize("file", FILES)
def test_a_text_takes_the_same_parameters_in_both_languages(file) -> None:
    polish, english = load_texts(Language.PL, file), load_texts(Language.EN, file)
    for key, forms in polish.items():
        parameters = {frozenset(placeholders(form)) for form in (*forms, *english[key])}
        assert len(parameters) == 1, key


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("file", FILES)
def test_texts_have_no_typographic_slips(file, language) -> None:
    for key, forms in load_texts(language, file).items():
        for form in forms:
            assert form.strip(), key
            assert "!" not in form, key
            assert "  " not in form, key
            assert not form.endswith((" ", "\n")), key
