"""Reads settings from the environment variables of the process."""

from collections.abc import Mapping
from email.headerregistry import Address
from typing import Any, TypeVar

import msgspec
from yarl import URL

from prawko.hooks.email_messages import parse_sender
from prawko.hooks.urls import parse_secure_url

T = TypeVar("T", bound=msgspec.Struct)


class SettingsError(Exception):
    """A variable is missing or malformed; the process must not start. Names the variable."""

    def __init__(self, variable: str, reason: str) -> None:
        super().__init__(f"{variable} {reason}")
        self.variable = variable


class Environment:
    """The variables of one process."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def read_settings(self, settings: type[T], prefix: str) -> T | None:
        """Read `PREFIX_FIELD` for every field of the Struct `settings`.

        Returns None if none of them is set: the plugin is installed but not configured. An
        empty variable counts as not set. A field of type `URL` takes an https URL, or one of
        this machine; a field of type `Address` takes `Name <address>`. Raises SettingsError for
        the first variable that is missing or malformed, so that a half-configured plugin stops
        the start.
        """
        names = (_variable_name(field, prefix) for field in msgspec.structs.fields(settings))
        given = next((name for name in names if self._variables.get(name)), None)
        if given is None:
            return None
        return convert_variables(settings, self._variables, prefix, missing=f" ({given} is set)")


def convert_variables(
    settings: type[T], variables: Mapping[str, str], prefix: str = "", *, missing: str = ""
) -> T:
    """Read the variable of every field. Raises SettingsError for the first one that is wrong.

    `missing` says why a variable is required.
    """
    values: dict[str, object] = {}
    for field in msgspec.structs.fields(settings):
        name = _variable_name(field, prefix)
        if text := variables.get(name):
            try:
                values[field.name] = msgspec.convert(
                    text, field.type, strict=False, dec_hook=_convert_text
                )
            except msgspec.ValidationError as error:
                raise SettingsError(name, f"is malformed: {error}") from None
        elif field.required:
            raise SettingsError(name, f"is missing{missing}")
    return settings(**values)


def _variable_name(field: msgspec.structs.FieldInfo, prefix: str) -> str:
    return "_".join(filter(None, (prefix, field.encode_name.upper())))


def _convert_text(kind: type[Any], text: str) -> object:
    """Convert a text to a type that msgspec does not know."""
    value: object
    if kind is URL:
        value, expected = parse_secure_url(text), "an https URL"
    elif kind is Address:
        value, expected = parse_sender(text), "Name <address@domain>"
    else:
        raise NotImplementedError(f"a setting cannot be of the type {kind.__name__}")
    if value is None:
        raise ValueError(f"{expected} is expected")
    return value
